//! Every rule of `docs/behaviour.md` is cited by a test, or listed there with the reason why not.

use std::collections::BTreeSet;
use std::path::Path;

use super::Tree;

const CONTRACT: &str = "docs/behaviour.md";

/// The heading of the rules that are not built yet.
const EXEMPT: &str = "## Not built yet";

pub(super) fn complaints(tree: &Tree) -> Vec<String> {
    let Some(contract) = tree.file(CONTRACT) else {
        return vec![format!("{CONTRACT} is missing")];
    };
    let (rules, exempt) = contract.split_once(EXEMPT).unwrap_or((contract, ""));
    let rules: BTreeSet<String> = first_cells(rules).filter(|cell| is_rule(cell)).collect();
    let exempt: BTreeSet<String> = first_cells(exempt).flat_map(|cell| words(&cell)).collect();
    let cited: BTreeSet<String> =
        tree.0.iter().filter(|(path, _)| is_test(path)).flat_map(|(_, text)| words(text)).collect();

    let untested = rules.iter().filter(|rule| !cited.contains(*rule) && !exempt.contains(*rule));
    let unknown = exempt.iter().filter(|rule| !rules.contains(*rule));
    untested
        .map(|rule| {
            format!("{CONTRACT}: no test cites {rule}, and it is not listed under \"{EXEMPT}\"")
        })
        .chain(unknown.map(|rule| format!("{CONTRACT}: {rule} under \"{EXEMPT}\" is no rule")))
        .collect()
}

fn is_test(path: &Path) -> bool {
    path.starts_with("tests")
        || path.starts_with("crates")
            && (path.ends_with("tests.rs")
                || path.components().any(|part| part.as_os_str() == "tests"))
}

/// The first cell of each row of each table.
fn first_cells(text: &str) -> impl Iterator<Item = String> {
    text.lines()
        .filter_map(|line| line.strip_prefix("| "))
        .filter_map(|row| row.split(" |").next())
        .map(|cell| cell.trim().to_owned())
}

/// All names of rules in a text, those of a range such as `K1-K6` included.
fn words(text: &str) -> BTreeSet<String> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut rules = BTreeSet::new();
    for word in text.split(|character: char| !is_part(character) && character != '-') {
        match word.split_once('-').filter(|(first, last)| is_rule(first) && is_rule(last)) {
            Some((first, last)) => rules.extend(range(first, last)),
            None => rules.extend(word.split('-').filter(|part| is_rule(part)).map(str::to_owned)),
        }
    }
    rules
}

fn range(first: &str, last: &str) -> impl Iterator<Item = String> {
    let group = first[..1].to_owned();
    let number = |rule: &str| rule[1..].parse::<u32>().unwrap_or_default();
    (number(first)..=number(last)).map(move |number| format!("{group}{number}"))
}

/// A capital letter and a number, such as `F12`.
fn is_rule(word: &str) -> bool {
    let Some((letter, number)) = word.split_at_checked(1) else { return false };
    letter.chars().all(|letter| letter.is_ascii_uppercase())
        && (1..=2).contains(&number.len())
        && number.chars().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn tree(contract: &str, test: &str) -> Tree {
        Tree(vec![
            (PathBuf::from(CONTRACT), contract.to_owned()),
            (PathBuf::from("crates/a/src/b/tests.rs"), test.to_owned()),
            (PathBuf::from("crates/a/src/b.rs"), "// F3 is no test".to_owned()),
        ])
    }

    #[test]
    fn a_rule_without_a_test_is_found() {
        let contract = "| F1 | x |\n| F2 | y |\n| F3 | z |\n| K1 | k |\n| K2 | k |\n\n\
            ## Not built yet\n| K1-K2 | why |\n";
        let complaints = complaints(&tree(contract, "/// F1, F22: so\nfn f2() {}"));
        assert_eq!(complaints.len(), 2, "{complaints:?}");
        assert!(complaints[0].contains("cites F2,") && complaints[1].contains("cites F3,"));
    }

    #[test]
    fn a_reason_for_no_rule_is_found() {
        let complaints = complaints(&tree("| F1 | x |\n## Not built yet\n| F9 | why |\n", "// F1"));
        assert_eq!(complaints.len(), 1, "{complaints:?}");
    }
}
