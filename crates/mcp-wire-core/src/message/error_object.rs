//! The error member of a response.

use super::envelope::key_name;
use super::scan::{Kind, Scanner, Value};
use super::{Json, NotJson};
use std::borrow::Cow;
use std::fmt;

/// An error that one side answers a request with.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorObject {
    /// What kind of error it is: see the constants.
    pub code: i64,
    /// One sentence for people.
    pub message: Cow<'static, str>,
    /// Details for programs.
    pub data: Option<Json>,
}

impl ErrorObject {
    /// The line is not JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// The JSON is no valid request.
    pub const INVALID_REQUEST: i64 = -32600;
    /// There is no such method.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The parameters do not fit the method.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The receiver failed.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// MCP 2026-07-28: the client did not declare a capability that the request needs.
    pub const MISSING_CAPABILITY: i64 = -32021;
    /// MCP 2026-07-28: the revision is none that the server has.
    pub const UNSUPPORTED_VERSION: i64 = -32022;

    /// An error without data.
    #[must_use]
    pub fn new(code: i64, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The same with details.
    #[must_use]
    pub fn with_data(self, data: impl Into<Json>) -> Self {
        Self { data: Some(data.into()), ..self }
    }

    /// `-32601`: there is no such method.
    #[must_use]
    pub fn method_not_found() -> Self {
        Self::new(Self::METHOD_NOT_FOUND, "method not found")
    }

    /// `-32602`: the parameters do not fit, and why.
    #[must_use]
    pub fn invalid_params(why: impl fmt::Display) -> Self {
        Self::new(Self::INVALID_PARAMS, format!("invalid params: {why}"))
    }

    /// `-32021`: the client did not declare a capability, such as `sampling`, that the request needs (MCP 2026-07-28).
    #[must_use]
    pub fn missing_capability(capability: &str) -> Self {
        let data = serde_json::json!({ "requiredCapabilities": { capability: {} } });
        Self::new(
            Self::MISSING_CAPABILITY,
            format!("the client did not declare the capability {capability}"),
        )
        .with_data(Json::trusted(data.to_string()))
    }

    /// `-32603`: the receiver failed, and the details stay in its log.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(Self::INTERNAL_ERROR, "internal error")
    }

    /// `-32600`: the request has the id of another one, which is not answered yet.
    #[must_use]
    pub fn id_in_flight() -> Self {
        Self::new(
            Self::INVALID_REQUEST,
            "a request with this id is still in flight: wait for its answer, or use another id",
        )
    }

    /// `-32603`: there is no room for a request of this method now. The data tells programs so.
    #[must_use]
    pub fn server_busy(method: &str) -> Self {
        let data = serde_json::json!({ "error": "server_busy", "method": method });
        Self::new(Self::INTERNAL_ERROR, "server busy").with_data(Json::trusted(data.to_string()))
    }

    /// `-32603`: the reply takes `size` bytes, more than the `limit`. The data tells programs so.
    #[must_use]
    pub fn reply_too_large(size: usize, limit: usize) -> Self {
        let data = format!(r#"{{"error":"reply_too_large","size":{size},"limit":{limit}}}"#);
        Self::new(Self::INTERNAL_ERROR, "the reply is too large").with_data(Json::trusted(data))
    }

    /// Reads the error member of a response, which is JSON. `None` unless it is an object with an integer `code` and a string
    /// `message`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (mut code, mut message, mut data) = (None, None, None);
        Scanner::new(text.as_bytes(), usize::MAX)
            .object(|key, key_kind, Value { kind, range }| {
                match (&*key_name(key, key_kind), kind) {
                    (b"code", Kind::Integer) => code = text[range].parse().ok(),
                    (b"message", Kind::String | Kind::EscapedString) => {
                        message = serde_json::from_str::<String>(&text[range]).ok();
                    }
                    (b"data", _) => data = Some(text[range].to_owned()),
                    _ => {}
                }
            })
            .ok()?;
        Some(Self { code: code?, message: message?.into(), data: data.map(Json::trusted) })
    }
}

/// What a handler cannot write is its own failure: "internal error".
impl From<NotJson> for ErrorObject {
    fn from(_: NotJson) -> Self {
        Self::internal()
    }
}

impl fmt::Display for ErrorObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (code {})", self.message, self.code)
    }
}

impl std::error::Error for ErrorObject {}
