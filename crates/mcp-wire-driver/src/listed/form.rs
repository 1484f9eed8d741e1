//! Schemas of forms, as plain as clients know them.

use schemars::Schema;
use serde_json::{Map, Value};

/// Makes the schema of a form's field plain. A client knows of one type for each, and refuses the form otherwise: of no `null`
/// for a field that may be left out, and of choices by their values alone.
pub(super) fn make_plain(field: &mut Schema) {
    let Some(field) = field.as_object_mut() else { return };
    if let Some(only) = field.get_mut("anyOf").and_then(the_one_beside_null) {
        field.remove("anyOf");
        for (name, value) in only {
            field.entry(name).or_insert(value);
        }
    }
    if let Some(Value::Array(types)) = field.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = &mut types[..] {
            let only = only.take();
            field.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = field.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    match field.get("type").and_then(Value::as_str) {
        // Only text has formats there, and only fields have titles.
        Some("integer" | "number") => field.remove("format"),
        Some("object") => field.remove("title"),
        _ => None,
    };
    if field.get("default").is_some_and(Value::is_null) {
        field.remove("default");
    }
    if let Some(values) = field.get("oneOf").and_then(texts) {
        field.remove("oneOf");
        field.insert("type".to_owned(), "string".into());
        field.insert("enum".to_owned(), values.into());
    }
}

fn the_one_beside_null(choices: &mut Value) -> Option<Map<String, Value>> {
    let choices = choices.as_array_mut()?;
    let is_null = |choice: &Value| choice["type"] == "null";
    match &mut choices[..] {
        [Value::Object(only), null] if is_null(null) => Some(std::mem::take(only)),
        _ => None,
    }
}

/// The texts that are to choose from, where these choices are nothing else: those with a description stand alone.
fn texts(choices: &Value) -> Option<Vec<Value>> {
    let mut texts = Vec::new();
    for choice in choices.as_array()? {
        match (&choice["const"], &choice["enum"]) {
            (text @ Value::String(_), _) => texts.push(text.clone()),
            (_, Value::Array(several)) => texts.extend_from_slice(several),
            _ => return None,
        }
    }
    texts.iter().all(Value::is_string).then_some(texts)
}
