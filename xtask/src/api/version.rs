//! Which versions cargo takes for one another.

/// Whether no program that asks for the version `from` is given the version `to`, which is a later one: by cargo's rules, the
/// leftmost number that is not zero has been raised, or one to the left of it.
pub(super) fn is_breaking_raise(from: &str, to: &str) -> bool {
    match (promise(from), promise(to)) {
        (Some(from), Some(to)) => to > from,
        _ => false,
    }
}

/// What is the same in all versions that cargo takes for one another.
fn promise(version: &str) -> Option<[u64; 3]> {
    let release = version.split(['-', '+']).next()?;
    let numbers: Result<Vec<u64>, _> = release.split('.').map(str::parse).collect();
    match *numbers.ok()? {
        [0, 0, patch] => Some([0, 0, patch]),
        [0, minor, _] => Some([0, minor, 0]),
        [major, _, _] => Some([major, 0, 0]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leftmost_number_that_is_not_zero_is_the_one_to_raise() {
        for (from, to) in [
            ("0.1.3", "0.2.0"),
            ("0.1.3", "0.2.0-alpha.1"),
            ("0.9.0", "0.10.0"),
            ("0.1.3", "1.0.0"),
            ("1.4.2", "2.0.0"),
            ("0.0.1", "0.0.2"),
            ("0.0.3", "0.1.0"),
        ] {
            assert!(is_breaking_raise(from, to), "{from} to {to}");
        }
    }

    #[test]
    fn any_other_version_promises_the_same_or_less() {
        for (from, to) in [
            ("0.1.3", "0.1.3"),
            ("0.1.3", "0.1.4"),
            ("1.4.2", "1.5.0"),
            ("1.0.0-alpha.1", "1.0.0-alpha.2"),
            ("1.0.0-alpha.1", "1.0.0"),
            ("0.1.3+first", "0.1.3+second"),
            ("0.2.0", "0.1.0"),
            ("2.0.0", "1.0.0"),
            ("1.0.0", "0.9.0"),
            ("", "1.0.0"),
            ("0.1.0", "1.0"),
        ] {
            assert!(!is_breaking_raise(from, to), "{from} to {to}");
        }
    }
}
