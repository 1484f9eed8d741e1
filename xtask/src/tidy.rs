//! `cargo xtask tidy`: what no compiler checks. Each part gives the complaints that it has.

mod dependencies;
mod lengths;
mod rules;

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::workspace;

/// Checks the tree, and reports the longest files.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::Usage(format!("tidy takes no arguments, unlike {unknown:?}")));
    }
    let tree = Tree::read(&workspace::root())?;
    lengths::report(&tree);
    let complaints = complaints(&tree);
    for complaint in &complaints {
        println!("{complaint}");
    }
    match complaints.len() {
        0 => Ok(()),
        count => Err(Failure::Task(format!("the tree is not tidy: {count} complaints"))),
    }
}

fn complaints(tree: &Tree) -> Vec<String> {
    [rules::complaints(tree), dependencies::complaints(tree), lengths::complaints(tree)].concat()
}

/// The text files that are ours, by their path from the root.
struct Tree(Vec<(PathBuf, String)>);

impl Tree {
    fn read(root: &Path) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for top in ["crates", "docs", "fuzz", "tests", "xtask"] {
            collect(root, &root.join(top), &mut files)?;
        }
        files.sort();
        Ok(Self(files))
    }

    fn file(&self, path: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == Path::new(path)).map(|(_, text)| text.as_str())
    }

    /// All files with this ending.
    fn ending<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = (&'a Path, &'a str)> {
        let has_it = move |path: &Path| path.extension().is_some_and(|its| its == ending);
        self.0
            .iter()
            .filter(move |(path, _)| has_it(path))
            .map(|(path, text)| (path.as_path(), text.as_str()))
    }
}

/// What is generated or installed is not ours.
const NOT_OURS: [&str; 5] = ["artifacts", "corpus", "coverage", "node_modules", "target"];

fn collect(
    root: &Path,
    directory: &Path,
    files: &mut Vec<(PathBuf, String)>,
) -> Result<(), Failure> {
    if !directory.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let from_root = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
        let generated = from_root.starts_with("fuzz")
            && NOT_OURS.iter().any(|name| path.ends_with(name))
            || path.ends_with("node_modules")
            || path.ends_with("target");
        if path.is_dir() && !generated {
            collect(root, &path, files)?;
        } else if path.is_file()
            && let Ok(text) = fs::read_to_string(&path)
        {
            files.push((from_root, text));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let tree =
            Tree::read(&workspace::root()).unwrap_or_else(|_| panic!("the tree is readable"));
        assert_eq!(complaints(&tree), Vec::<String>::new());
    }
}
