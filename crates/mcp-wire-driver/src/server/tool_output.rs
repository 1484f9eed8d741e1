//! What a tool may return.

use super::HandlerError;
use super::{ToolResult, content};
use mcp_wire_core::message::{ErrorObject, Json};
use serde::Serialize;

/// What a tool may return: text, a number or a truth value, which become text, [`Structured`] values, a [`ToolResult`], a
/// [`RawResult`], nothing, or a `Result` of these.
///
/// The error of a `Result` may be any that can be displayed: the model is told of it. A [`HandlerError`] can say more, and an
/// [`ErrorObject`] is an error of the protocol, which the model is not told of.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "no output of a tool",
    note = "a tool returns text, a number, a `bool`, `()`, `Structured(value)` for a value that implements `Serialize`, a \
            `ToolResult`, or a `Result` of these with an error that implements `Display`"
)]
pub trait ToolOutput {
    /// The outcome of `tools/call`.
    ///
    /// # Errors
    ///
    /// An error of the protocol, which the model is not told of.
    fn into_outcome(self) -> Result<Json, ErrorObject>;
}

impl ToolOutput for ToolResult {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        Json::from_serialize(&self).map_err(|_| ErrorObject::internal())
    }
}

impl ToolOutput for String {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        self.as_str().into_outcome()
    }
}

/// Most tools give back one text, which is written at once.
impl ToolOutput for &str {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        let mut result = String::with_capacity(self.len() + 64);
        result.push_str(r#"{"content":["#);
        content::push_text(&mut result, self);
        result.push_str("]}");
        Ok(Json::trusted(result))
    }
}

/// They are text for the model.
macro_rules! displayed {
    ($($type:ty)*) => {$(
        impl ToolOutput for $type {
            fn into_outcome(self) -> Result<Json, ErrorObject> {
                self.to_string().into_outcome()
            }
        }
    )*};
}

displayed!(bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl ToolOutput for () {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        ToolResult::default().into_outcome()
    }
}

impl<T: ToolOutput, E: Into<HandlerError>> ToolOutput for Result<T, E> {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        match self {
            Ok(output) => output.into_outcome(),
            Err(error) => error.into().into_outcome(|text| ToolResult::error(text).into_outcome()),
        }
    }
}

/// The whole result of `tools/call` as it is to be sent, such as `{"content":[..],"_meta":{..}}`. It is not looked at, nor
/// copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawResult(pub Json);

impl ToolOutput for RawResult {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        Ok(self.0)
    }
}

/// A tool's output for programs: an object, which should fit the tool's output schema. It is sent as structured content, which
/// is known since revision 2025-06-18, and as text for the model.
///
/// A value that is no object is sent as text alone, since clients of revisions before 2026-07-28 do not understand it
/// otherwise; [`ToolResult::with_structured`] sends any value.
///
/// ```
/// # use mcp_wire_driver::{Context, NoArguments, Server, Structured, Tool};
///
/// #[derive(serde::Serialize)]
/// struct Weather {
///     celsius: f64,
/// }
///
/// let schema = serde_json::json!({ "type": "object" });
/// let server = Server::new("weather", "1.0.0").tool_now(
///     Tool::new("weather", "Tells of the weather", schema),
///     |_: &Context, _: NoArguments| Structured(Weather { celsius: 21.5 }),
/// );
/// # _ = server;
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Structured<T>(pub T);

impl<T: Serialize> ToolOutput for Structured<T> {
    fn into_outcome(self) -> Result<Json, ErrorObject> {
        let content = Json::from_serialize(&self.0)?;
        let mut result = ToolResult::text(content.as_str());
        if content.as_str().starts_with('{') {
            result = result.with_structured(content);
        }
        result.into_outcome()
    }
}

/// Arguments that do not fit are told to the model too: it chose them.
pub(super) fn bad_arguments(why: &str) -> Result<Json, ErrorObject> {
    ToolResult::error(format!("invalid arguments: {why}")).into_outcome()
}
