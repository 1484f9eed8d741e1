//! A file holds one concept: a long one may hold two.

use super::Tree;

/// From here on a file is worth a second thought, in lines.
const LONG: usize = 400;

/// From here on there is none.
const TOO_LONG: usize = 500;

pub(super) fn report(tree: &Tree) {
    for (lines, path) in sizes(tree).into_iter().filter(|(lines, _)| *lines >= LONG) {
        println!("{lines:>5} lines  {path}");
    }
}

pub(super) fn complaints(tree: &Tree) -> Vec<String> {
    sizes(tree)
        .into_iter()
        .filter(|(lines, _)| *lines > TOO_LONG)
        .map(|(lines, path)| format!("{path} has {lines} lines: what are the two things in it?"))
        .collect()
}

/// The longest first.
fn sizes(tree: &Tree) -> Vec<(usize, String)> {
    let mut sizes: Vec<_> = tree
        .ending("rs")
        .map(|(path, text)| (text.lines().count(), path.display().to_string()))
        .collect();
    sizes.sort_by(|left, right| right.cmp(left));
    sizes
}
