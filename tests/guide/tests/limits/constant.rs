//! What a private constant is, by its source.

use std::fs;
use std::path::Path;
use std::time::Duration;

/// The value of a constant in a file, its path counted from the root of the workspace.
pub(crate) fn value(name: &str, path: &str) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let source = fs::read_to_string(root.join(path)).unwrap_or_else(|_| panic!("no file {path}"));
    let (_, declaration) = source.split_once(&format!("const {name}: "))?;
    let (_, expression) = declaration.split_once('=')?;
    evaluate(expression.split_once(';')?.0.trim())
}

fn evaluate(expression: &str) -> Option<String> {
    if let Some((function, argument)) = expression.split_once('(') {
        let argument = argument.split_once(')')?.0;
        return match function {
            "Duration::from_millis" => Some(Duration::from_millis(argument.parse().ok()?)),
            "Duration::from_secs" => Some(Duration::from_secs(argument.parse().ok()?)),
            "NonZeroUsize::new" => return evaluate(argument),
            _ => None,
        }
        .map(|duration| format!("{duration:?}"));
    }
    let number = |text: &str| text.trim().replace('_', "").parse::<usize>().ok();
    let value = match (expression.split_once("<<"), expression.split_once('*')) {
        (Some((base, bits)), _) => number(base)? << number(bits)?,
        (_, Some((left, right))) => number(left)? * number(right)?,
        _ => number(expression)?,
    };
    Some(value.to_string())
}

#[test]
fn constants_are_evaluated() {
    for (expression, value) in [
        ("64 << 10", Some("65536")),
        ("64 * 1024", Some("65536")),
        ("10_000", Some("10000")),
        ("Duration::from_millis(500)", Some("500ms")),
        ("NonZeroUsize::new(16 << 20).expect(\"16 MiB is not zero\")", Some("16777216")),
        ("other()", None),
    ] {
        assert_eq!(evaluate(expression).as_deref(), value, "{expression}");
    }
}
