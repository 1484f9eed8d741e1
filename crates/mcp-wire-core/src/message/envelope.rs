//! The envelope of JSON-RPC: which members a line has, and what they make it.
//!
//! Members are judged by presence, not truth, and shape comes before ids: an object with a `method` is a request or a
//! notification, whatever its id. JSON-RPC 2.0, sections 4 and 5.

use super::fault::Seen;
use super::scan::{Kind, Scanner, SyntaxError, Value};
use super::{
    ErrorObject, Fault, FaultKind, Id, Json, Message, Method, Notification, Request, Response,
};
use std::borrow::Cow;
use std::ops::Range;

/// What a line may be: the part of reading that differs between protocols.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rules {
    /// Which ids a request may have. Default: strings and integers.
    pub ids: IdRules,
    /// How many levels of objects and arrays a line may nest, itself included. Default: 512.
    pub max_depth: usize,
    /// Which params there are. Default: objects.
    pub params: Params,
}

impl Default for Rules {
    fn default() -> Self {
        Self { ids: IdRules::StringOrInteger, max_depth: 512, params: Params::Object }
    }
}

/// Which ids a request may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IdRules {
    /// Strings, integers and `null`, as JSON-RPC tolerates.
    StringIntegerOrNull,
    /// Strings and integers, as MCP asks.
    StringOrInteger,
}

/// Which params a request or notification may have. Absent and `null` are always fine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Params {
    /// Objects, as in MCP.
    Object,
    /// Objects and arrays, as in JSON-RPC.
    ObjectOrArray,
}

/// The members seen so far. A repeated one keeps its first value and spoils the message.
#[derive(Debug, Default)]
struct Members {
    error: Option<Value>,
    id: Option<Value>,
    jsonrpc: Option<Value>,
    method: Option<Value>,
    params: Option<Value>,
    result: Option<Value>,
    repeated: bool,
    repeated_id: bool,
}

impl Members {
    fn add(&mut self, key: &[u8], key_kind: Kind, value: Value) {
        let key = key_name(key, key_kind);
        let member = match &*key {
            b"error" => &mut self.error,
            b"id" => &mut self.id,
            b"jsonrpc" => &mut self.jsonrpc,
            b"method" => &mut self.method,
            b"params" => &mut self.params,
            b"result" => &mut self.result,
            _ => return,
        };
        if member.is_none() {
            *member = Some(value);
        } else {
            self.repeated = true;
            self.repeated_id |= *key == *b"id";
        }
    }
}

pub(super) fn read(line: Cow<'_, [u8]>, rules: &Rules) -> Result<Message, Box<Fault>> {
    match into_text(line) {
        Ok(text) => read_text(text, rules),
        Err(bytes) => {
            let (members, whole) = look_at(&bytes, rules);
            Err(Box::new(fault(&bytes, &members, FaultKind::NotUtf8, whole)))
        }
    }
}

fn into_text(line: Cow<'_, [u8]>) -> Result<Cow<'_, str>, Cow<'_, [u8]>> {
    match line {
        Cow::Borrowed(bytes) => {
            std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| Cow::Borrowed(bytes))
        }
        Cow::Owned(bytes) => {
            String::from_utf8(bytes).map(Cow::Owned).map_err(|error| Cow::Owned(error.into_bytes()))
        }
    }
}

fn read_text(text: Cow<'_, str>, rules: &Rules) -> Result<Message, Box<Fault>> {
    let mut scanner = Scanner::new(text.as_bytes(), rules.max_depth);
    let mut members = Members::default();
    let shape = scan(&mut scanner, &mut members);
    let judged = match shape {
        Err(SyntaxError) => Err(syntax_fault(&text)),
        Ok(_) if scanner.too_deep() => Err(FaultKind::TooDeep),
        Ok(Shape::Array) => Err(FaultKind::Batch),
        Ok(Shape::Scalar) => Err(FaultKind::NotMessage),
        Ok(Shape::Object) => judge(&text, &members, rules),
    };
    match judged {
        Ok(envelope) => Ok(envelope.fill(text.into_owned())),
        Err(kind) => {
            let whole = matches!(shape, Ok(Shape::Object));
            Err(Box::new(fault(text.as_bytes(), &members, kind, whole)))
        }
    }
}

/// The items of a batch as lines of their own; `None` where the line is no JSON array of one to `max` items.
pub(crate) fn items(line: &[u8], max: usize) -> Option<Vec<Range<usize>>> {
    let mut scanner = Scanner::new(line, usize::MAX);
    if scanner.peek() != Some(b'[') {
        return None;
    }
    let mut items = Vec::new();
    let mut count = 0;
    let mut keep = |value: Value| {
        count += 1;
        if count <= max {
            items.push(value.range);
        }
    };
    scanner.array(&mut keep).and_then(|()| scanner.end()).ok()?;
    (1..=max).contains(&count).then_some(items)
}

/// What could be read of a line of which only the beginning is there.
pub(super) fn read_head(head: &[u8], rules: &Rules) -> Fault {
    let (members, _) = look_at(head, rules);
    fault(head, &members, FaultKind::Oversize, false)
}

/// The members of a line that is no message for another reason, and whether it is one whole object.
fn look_at(line: &[u8], rules: &Rules) -> (Members, bool) {
    let mut members = Members::default();
    let shape = scan(&mut Scanner::new(line, rules.max_depth), &mut members);
    (members, matches!(shape, Ok(Shape::Object)))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Array,
    Object,
    Scalar,
}

fn scan(scanner: &mut Scanner<'_>, members: &mut Members) -> Result<Shape, SyntaxError> {
    let shape = match scanner.peek() {
        Some(b'{') => {
            scanner.object(|key, key_kind, value| members.add(key, key_kind, value))?;
            Shape::Object
        }
        Some(b'[') => {
            scanner.value(0)?;
            Shape::Array
        }
        _ => {
            scanner.value(0)?;
            Shape::Scalar
        }
    };
    scanner.end()?;
    Ok(shape)
}

fn syntax_fault(line: &str) -> FaultKind {
    const HEADER: &str = "content-length:";
    match line.trim_start().get(..HEADER.len()) {
        Some(name) if name.eq_ignore_ascii_case(HEADER) => FaultKind::ContentLength,
        _ => FaultKind::NotJson,
    }
}

/// What a line was judged to be, still without the line.
enum Envelope {
    Error(Id, ErrorObject),
    Notification(Method, Option<Range<usize>>),
    Request(Id, Method, Option<Range<usize>>),
    Result(Id, Range<usize>),
}

impl Envelope {
    fn fill(self, line: String) -> Message {
        match self {
            Self::Error(id, error) => Message::Response(Response { id, outcome: Err(error) }),
            Self::Notification(method, params) => {
                Message::Notification(Notification { line, method, params })
            }
            Self::Request(id, method, params) => {
                Message::Request(Request { id, body: Notification { line, method, params } })
            }
            Self::Result(id, range) => {
                Message::Response(Response { id, outcome: Ok(Json::within(line, range)) })
            }
        }
    }
}

/// The line is JSON and an object: is it a message?
fn judge(line: &str, members: &Members, rules: &Rules) -> Result<Envelope, FaultKind> {
    if !is_version_two(line.as_bytes(), members) || members.repeated {
        return Err(FaultKind::NotMessage);
    }
    match &members.method {
        Some(method) => judge_call(line, method, members, rules),
        None => judge_response(line, members, rules),
    }
}

fn judge_call(
    line: &str,
    method: &Value,
    members: &Members,
    rules: &Rules,
) -> Result<Envelope, FaultKind> {
    let method = method_name(line, method).ok_or(FaultKind::NotMessage)?;
    if members.result.is_some() || members.error.is_some() {
        return Err(FaultKind::NotMessage);
    }
    let id = match &members.id {
        Some(id) => Some(legal_id(line, id, rules).ok_or(FaultKind::BadId)?),
        None => None,
    };
    let params = match &members.params {
        None | Some(Value { kind: Kind::Null, .. }) => None,
        Some(Value { kind: Kind::Object, range }) => Some(range.clone()),
        Some(Value { kind: Kind::Array, range }) if rules.params == Params::ObjectOrArray => {
            Some(range.clone())
        }
        Some(_) => return Err(FaultKind::BadParams),
    };
    Ok(match id {
        Some(id) => Envelope::Request(id, method, params),
        None => Envelope::Notification(method, params),
    })
}

fn judge_response(line: &str, members: &Members, rules: &Rules) -> Result<Envelope, FaultKind> {
    let id = || {
        let id = members.id.as_ref().ok_or(FaultKind::NotMessage)?;
        legal_id(line, id, rules).ok_or(FaultKind::NotMessage)
    };
    match (&members.result, &members.error) {
        (Some(result), None) => Ok(Envelope::Result(id()?, result.range.clone())),
        (None, Some(error)) => {
            if members.id.as_ref().is_none_or(|id| id.kind == Kind::Null) {
                return Err(FaultKind::ErrorWithoutId);
            }
            let error =
                ErrorObject::read(&line[error.range.clone()]).ok_or(FaultKind::NotMessage)?;
            Ok(Envelope::Error(id()?, error))
        }
        _ => Err(FaultKind::NotMessage),
    }
}

fn legal_id(line: &str, id: &Value, rules: &Rules) -> Option<Id> {
    if id.kind == Kind::Null && rules.ids == IdRules::StringOrInteger {
        return None;
    }
    Id::read(&line[id.range.clone()], id.kind)
}

fn fault(line: &[u8], members: &Members, kind: FaultKind, object: bool) -> Fault {
    let id = members
        .id
        .as_ref()
        .filter(|id| !members.repeated_id && id.kind != Kind::Null)
        .and_then(|id| Id::read(std::str::from_utf8(&line[id.range.clone()]).ok()?, id.kind));
    let seen = Seen {
        id: members.id.is_some(),
        jsonrpc: is_version_two(line, members),
        method: members.method.is_some(),
        outcome: members.result.is_some() || members.error.is_some(),
        object,
    };
    Fault::new(kind, line, id, seen)
}

fn is_version_two(line: &[u8], members: &Members) -> bool {
    members.jsonrpc.as_ref().is_some_and(|version| match version.kind {
        Kind::String => &line[version.range.clone()] == b"\"2.0\"",
        Kind::EscapedString => unescape(&line[inside(version)]).as_deref() == Some("2.0"),
        _ => false,
    })
}

fn method_name(line: &str, method: &Value) -> Option<Method> {
    let name = inside(method);
    match method.kind {
        Kind::String => Some(Method::InLine(name)),
        Kind::EscapedString => {
            unescape(line[name].as_bytes()).map(|name| Method::Unescaped(name.into()))
        }
        _ => None,
    }
}

/// Where a string lies without its quotes.
fn inside(string: &Value) -> Range<usize> {
    string.range.start + 1..string.range.end - 1
}

/// A key by value. One without a value, such as a lone surrogate, is no key that we know: empty.
pub(super) fn key_name(key: &[u8], kind: Kind) -> Cow<'_, [u8]> {
    match kind {
        Kind::EscapedString => Cow::Owned(unescape(key).unwrap_or_default().into_bytes()),
        _ => Cow::Borrowed(key),
    }
}

/// The value of a string's inside; `None` where it has none, such as for a lone surrogate.
fn unescape(inside: &[u8]) -> Option<String> {
    let mut quoted = Vec::with_capacity(inside.len() + 2);
    quoted.push(b'"');
    quoted.extend_from_slice(inside);
    quoted.push(b'"');
    serde_json::from_slice(&quoted).ok()
}
