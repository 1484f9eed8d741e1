//! The fields of a value, by what `{:#?}` shows of it: the types may get more, and no pattern would tell.

use std::collections::BTreeMap;
use std::fmt::Debug;

/// Its fields by name, without those of its fields. `Some` is left out.
pub(crate) fn fields(value: &dyn Debug) -> BTreeMap<String, String> {
    let mut fields: BTreeMap<String, String> = BTreeMap::new();
    let mut last = String::new();
    for line in format!("{value:#?}").lines() {
        let Some(line) = line.strip_prefix("    ") else { continue };
        match line.split_once(": ") {
            Some((name, value)) if !line.starts_with([' ', '}', ')']) => {
                last = name.to_owned();
                fields.insert(last.clone(), value.trim_end_matches(',').to_owned());
            }
            _ => fields.entry(last.clone()).or_default().push_str(line.trim()),
        }
    }
    for value in fields.values_mut() {
        if let Some(inner) = value.strip_prefix("Some(").and_then(|it| it.split(',').next()) {
            *value = inner.to_owned();
        }
    }
    fields
}

#[test]
fn fields_are_found() {
    #[derive(Debug)]
    #[expect(dead_code, reason = "they are shown")]
    struct Outer {
        count: usize,
        nested: Option<u8>,
        none: Option<u8>,
        inner: Inner,
    }
    #[derive(Debug)]
    #[expect(dead_code, reason = "it is shown")]
    struct Inner {
        deep: bool,
    }
    let outer = Outer { count: 7, nested: Some(8), none: None, inner: Inner { deep: true } };
    let fields = fields(&outer);
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["count", "inner", "nested", "none"]);
    assert_eq!((&*fields["count"], &*fields["nested"], &*fields["none"]), ("7", "8", "None"));
}
