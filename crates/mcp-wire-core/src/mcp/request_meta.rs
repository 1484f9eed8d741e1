//! What a request without a handshake says of itself, in its `_meta`.
//!
//! Revision 2026-07-28, basic, "request metadata", and basic/versioning.

use super::revision::Revision;
use super::{Era, Implementation, LogLevel};
use crate::message::{ErrorObject, Json, member};
use memchr::memmem::Finder;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::sync::LazyLock;

/// The names of `_meta`'s members.
pub(super) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(super) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
pub(super) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(super) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(super) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
pub(super) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// Made once: to make it costs more than to search a short text.
static VERSION_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(PROTOCOL_VERSION));

/// What a request says of itself.
#[derive(Debug)]
pub(super) struct RequestMeta {
    pub(super) capabilities: Json,
    pub(super) client: Option<Implementation>,
    pub(super) log_level: Option<LogLevel>,
}

/// Which era a request belongs to, as its `_meta` has it.
#[derive(Debug)]
pub(super) enum Judgement {
    /// It names no revision.
    Legacy,
    Modern(RequestMeta),
    Refused(ErrorObject),
}

#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientInfo")]
    client: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/logLevel")]
    log_level: Option<&'a RawValue>,
}

/// P2, P3: judges a request by its params.
pub(super) fn judge(params: &str) -> Judgement {
    let Some(meta) = named_meta(params) else { return Judgement::Legacy };
    let members: Members<'_> = match serde_json::from_str(meta) {
        Ok(members) => members,
        Err(error) => return refused(format!("_meta: {error}")),
    };
    let Some(version) = members.version else { return Judgement::Legacy };
    let Ok(version) = serde_json::from_str::<String>(version.get()) else {
        return refused(format!("{PROTOCOL_VERSION} has to be a string"));
    };
    if Revision::of_era(&version, Era::Modern).is_none() {
        return Judgement::Refused(unsupported_version(&version));
    }
    let Some(capabilities) = members.capabilities.map(RawValue::get) else {
        return refused(missing(CLIENT_CAPABILITIES));
    };
    if !capabilities.starts_with('{') {
        return refused(format!("{CLIENT_CAPABILITIES} has to be an object"));
    }
    let log_level = match members.log_level.map(|level| serde_json::from_str::<String>(level.get()))
    {
        None => None,
        Some(Ok(level)) => match level.parse() {
            Ok(level) => Some(level),
            Err(error) => return refused(format!("{LOG_LEVEL}: {error}")),
        },
        Some(Err(_)) => return refused(format!("{LOG_LEVEL} has to be a string")),
    };
    Judgement::Modern(RequestMeta {
        capabilities: Json::trusted(capabilities.to_owned()),
        // Who the client is decides nothing, so it may say it in any form.
        client: members.client.and_then(|client| serde_json::from_str(client.get()).ok()),
        log_level,
    })
}

/// `-32602` for a request that names no revision where one is needed.
pub(super) fn missing_version() -> ErrorObject {
    ErrorObject::invalid_params(missing(PROTOCOL_VERSION))
}

/// `-32022`: the revision is none of ours.
pub(super) fn unsupported_version(requested: &str) -> ErrorObject {
    let data = serde_json::json!({ "supported": Revision::modern_names(), "requested": requested });
    ErrorObject::new(ErrorObject::UNSUPPORTED_VERSION, "unsupported protocol version")
        .with_data(Json::trusted(data.to_string()))
}

fn missing(name: &str) -> String {
    format!("_meta needs {name}")
}

fn refused(why: String) -> Judgement {
    Judgement::Refused(ErrorObject::invalid_params(why))
}

/// The text of `_meta`, where it may name a revision: most requests of the older revisions are told apart without reading
/// their params again, most of them by one look for the slash in it.
fn named_meta(params: &str) -> Option<&str> {
    let bytes = params.as_bytes();
    let first = memchr::memchr2(b'/', b'\\', bytes)?;
    if VERSION_FINDER.find(bytes).is_none() && !may_hide_a_name(&bytes[first..]) {
        return None;
    }
    let meta = &params[member(params, "_meta")?.range()];
    meta.starts_with('{').then_some(meta)
}

/// Is there an escape that can stand for a letter or a slash? Those for quotes and line breaks cannot.
fn may_hide_a_name(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', text).any(|at| matches!(text.get(at + 1), Some(b'u' | b'/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P2: a name is found whatever its escapes; those that cannot stand for a part of it are no reason to look.
    #[test]
    fn escapes_hide_no_name() {
        let names = [
            r"io.modelcontextprotocol/protocolVersion",
            r"io.modelcontextprotocol\/protocolVersion",
            r"io.modelcontextprotocol/protocol\u0056ersion",
            r"io.modelcontextprotocol\u002fprotocolVersion",
        ];
        for name in names {
            for before in ["", r#""text":"a \"line\"\n of /text \\","#] {
                let params = format!(r#"{{{before}"_meta":{{"{name}":"2026-07-28"}}}}"#);
                assert!(
                    matches!(judge(&params), Judgement::Refused(_)),
                    "{params}: no capabilities"
                );
            }
        }
        for params in [r#"{"text":"a \"line\"\n"}"#, r#"{"text":"/ \\u \u0041","_meta":{}}"#, "{}"]
        {
            assert!(matches!(judge(params), Judgement::Legacy), "{params}");
        }
    }
}
