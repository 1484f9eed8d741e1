//! Reading a line, against `serde_json` and a plain reading of the rules.

use mcp_wire_core::message::{FaultKind, Id, Json, MAX_ID_BYTES, Message, Rules};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

/// What a line should be: ids, params and results as text, methods and messages by value.
#[derive(Debug, PartialEq, Eq)]
enum Expected {
    Error(String, i64, String, Option<String>),
    Fault(FaultKind),
    Notification(String, Option<String>),
    Request(String, String, Option<String>),
    Result(String, String),
}

/// Reads a line and compares with what it should be (E1 to E7, F11, I1, I2).
///
/// # Panics
///
/// Where they differ.
pub fn message(line: &[u8]) {
    let rules = Rules::default();
    let expected = expected(line, rules.max_depth);
    let owned = seen(Message::read(line.to_vec(), &rules));
    assert_eq!(
        seen(Message::read(line, &rules)),
        owned,
        "a borrowed line is read like an owned one"
    );
    assert_eq!(owned, expected);

    if let Ok(text) = std::str::from_utf8(line) {
        let raw = serde_json::from_str::<&RawValue>(text);
        let json = Json::new(text.to_owned());
        assert_eq!(json.is_ok(), raw.is_ok(), "what is JSON for serde_json is JSON for us");
        if let (Ok(json), Ok(raw)) = (json, raw) {
            assert_eq!(json.as_str(), raw.get());
        }
    }
}

fn seen(read: Result<Message, Box<mcp_wire_core::message::Fault>>) -> Expected {
    let text = |params: Option<&str>| params.map(str::to_owned);
    match read {
        Err(fault) => Expected::Fault(fault.kind()),
        Ok(Message::Notification(notification)) => {
            Expected::Notification(notification.method().into(), text(notification.params()))
        }
        Ok(Message::Request(request)) => {
            let id = request.id().to_string();
            Expected::Request(id, request.method().into(), text(request.params()))
        }
        Ok(Message::Response(response)) => {
            let id = response.id().to_string();
            match response.into_outcome() {
                Ok(result) => Expected::Result(id, result.as_str().into()),
                Err(error) => {
                    let data = error.data.map(|data| data.as_str().to_owned());
                    Expected::Error(id, error.code, error.message.into_owned(), data)
                }
            }
        }
        Ok(other) => unreachable!("a kind of message that the model does not know: {other:?}"),
    }
}

fn expected(line: &[u8], max_depth: usize) -> Expected {
    let Ok(text) = std::str::from_utf8(line) else {
        return Expected::Fault(FaultKind::NotUtf8);
    };
    let Ok(whole) = serde_json::from_str::<&RawValue>(text) else {
        let head: String = text.trim_start().chars().take(15).collect();
        return Expected::Fault(match head.to_ascii_lowercase().as_str() {
            "content-length:" => FaultKind::ContentLength,
            _ => FaultKind::NotJson,
        });
    };
    if depth(text) > max_depth {
        return Expected::Fault(FaultKind::TooDeep);
    }
    let Ok(members) = serde_json::from_str::<Members<'_>>(whole.get()) else {
        return Expected::Fault(match whole.get().starts_with('[') {
            true => FaultKind::Batch,
            false => FaultKind::NotMessage,
        });
    };
    judged(&members).unwrap_or_else(Expected::Fault)
}

/// The members of an object, repeated ones included, the keys by value where they have one.
struct Members<'a>(Vec<(Option<String>, &'a str)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Vec<(Option<String>, &'de str)>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                    members.push((string(key.get()), value.get()));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Each).map(Self)
    }
}

impl<'a> Members<'a> {
    fn find(&self, name: &str) -> Option<&'a str> {
        let is_it = |(key, _): &&(Option<String>, &str)| key.as_deref() == Some(name);
        self.0.iter().find(is_it).map(|(_, value)| *value)
    }

    /// The last one of the right kind.
    fn last(&self, name: &str, is_right: fn(&str) -> bool) -> Option<&'a str> {
        let named = self.0.iter().rev().filter(|(key, _)| key.as_deref() == Some(name));
        named.map(|(_, value)| *value).find(|value| is_right(value))
    }

    fn repeats_any(&self, names: &[&str]) -> bool {
        let mut seen = HashSet::new();
        let mut known = self.0.iter().filter_map(|(key, _)| key.as_deref());
        known.any(|key| names.contains(&key) && !seen.insert(key))
    }
}

fn judged(members: &Members<'_>) -> Result<Expected, FaultKind> {
    let version = members.find("jsonrpc").and_then(string);
    let envelope = ["error", "id", "jsonrpc", "method", "params", "result"];
    if version.as_deref() != Some("2.0") || members.repeats_any(&envelope) {
        return Err(FaultKind::NotMessage);
    }
    let (result, error) = (members.find("result"), members.find("error"));
    if let Some(method) = members.find("method") {
        let method = string(method).ok_or(FaultKind::NotMessage)?;
        if result.is_some() || error.is_some() {
            return Err(FaultKind::NotMessage);
        }
        let id = match members.find("id") {
            Some(value) => Some(id(value).ok_or(FaultKind::BadId)?),
            None => None,
        };
        let params = match members.find("params") {
            None | Some("null") => None,
            Some(object) if object.starts_with('{') => Some(object.to_owned()),
            Some(_) => return Err(FaultKind::BadParams),
        };
        return Ok(match id {
            Some(id) => Expected::Request(id, method, params),
            None => Expected::Notification(method, params),
        });
    }
    match (result, error) {
        (Some(result), None) => {
            let id = members.find("id").and_then(id).ok_or(FaultKind::NotMessage)?;
            Ok(Expected::Result(id, result.into()))
        }
        (None, Some(error)) => {
            if members.find("id").is_none_or(|id| id == "null") {
                return Err(FaultKind::ErrorWithoutId);
            }
            let id = members.find("id").and_then(id).ok_or(FaultKind::NotMessage)?;
            let error = serde_json::from_str::<Members<'_>>(error);
            let error = error.map_err(|_| FaultKind::NotMessage)?;
            let code = error.last("code", is_integer).and_then(|code| code.parse().ok());
            let message = error.last("message", |text| text.starts_with('"')).and_then(string);
            let data = error.last("data", |_| true).map(str::to_owned);
            match (code, message) {
                (Some(code), Some(message)) => Ok(Expected::Error(id, code, message, data)),
                _ => Err(FaultKind::NotMessage),
            }
        }
        _ => Err(FaultKind::NotMessage),
    }
}

/// A legal id as we write it: an integer by its digits, a string by its value.
fn id(text: &str) -> Option<String> {
    if text.len() > MAX_ID_BYTES {
        None
    } else if is_integer(text) {
        Some(text.into())
    } else {
        string(text).map(|value| Id::text(&value).to_string())
    }
}

fn is_integer(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'-' | b'0'..=b'9'))
}

fn string(text: &str) -> Option<String> {
    serde_json::from_str(text).ok()
}

/// How deep a JSON text is nested.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth -= 1,
            _ => {}
        }
    }
    deepest
}
