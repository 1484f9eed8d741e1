//! What becomes of a request, by the era that it is of.

use super::{ServerSession, declares};
use crate::mcp::request_meta::{self, Judgement, RequestMeta};
use crate::mcp::{Eras, Revision};
use crate::message::{ErrorObject, Json, Request, member};
use crate::rpc::{Connection, Token};
use std::borrow::Cow;

/// What becomes of a request.
pub(super) enum Verdict {
    /// It is the application's.
    Pass,
    Answered(Result<Json, ErrorObject>),
    /// It stays open.
    Open,
}

impl ServerSession {
    pub(super) fn judge(
        &mut self,
        connection: &mut Connection,
        token: Token,
        request: &Request,
    ) -> Verdict {
        let method = request.method();
        if method == "initialize" && !self.is_modern_initialize(request) {
            return Verdict::Answered(match self.eras {
                Eras::Modern => Err(request_meta::unsupported_version(&asked_version(request))),
                Eras::Both | Eras::Legacy => self.initialize(connection, request),
            });
        }
        let judgement = match self.eras {
            Eras::Legacy => Judgement::Legacy,
            Eras::Both | Eras::Modern => request_meta::judge(request.params().unwrap_or_default()),
        };
        match judgement {
            Judgement::Legacy => self.judge_legacy(token, request),
            Judgement::Modern(meta) => {
                self.see_modern();
                self.judge_modern(connection, token, request, meta)
            }
            Judgement::Refused(error) => {
                self.see_modern();
                Verdict::Answered(Err(error))
            }
        }
    }

    /// What waits for a handshake waits in vain where there will be none.
    fn see_modern(&mut self) {
        self.modern_seen = true;
        if self.handshake.client().is_none() {
            self.changes.keep_streams_alone();
        }
    }

    /// P3: an `initialize` that says of itself what a modern request does, and not what a handshake does, is a modern
    /// request of a method that there is no more.
    fn is_modern_initialize(&self, request: &Request) -> bool {
        let params = request.params().unwrap_or_default();
        self.eras == Eras::Both
            && member(params, "protocolVersion").is_none()
            && matches!(request_meta::judge(params), Judgement::Modern(_))
    }

    /// P3: what names no revision is of the one that the handshake agreed on.
    fn judge_legacy(&mut self, token: Token, request: &Request) -> Verdict {
        let refuse = |error| Verdict::Answered(Err(error));
        match (request.method(), self.eras) {
            (_, Eras::Modern) => return refuse(request_meta::missing_version()),
            ("server/discover", Eras::Legacy) => return refuse(ErrorObject::method_not_found()),
            ("server/discover", Eras::Both) => return refuse(request_meta::missing_version()),
            ("ping", _) => return Verdict::Answered(Ok(Json::empty_object())),
            _ => {}
        }
        let Some(revision) = self.revision() else { return refuse(self.not_begun()) };
        let params = request.params().unwrap_or("{}");
        match (request.method(), &mut self.resources) {
            ("logging/setLevel", _) if declares(self.capabilities.as_str(), "logging") => {
                return Verdict::Answered(self.handshake.set_log_level(params));
            }
            ("resources/subscribe", Some(resources)) => {
                return Verdict::Answered(resources.subscribe(params));
            }
            ("resources/unsubscribe", Some(resources)) => {
                return Verdict::Answered(resources.unsubscribe(params));
            }
            ("subscriptions/listen", _) => return refuse(ErrorObject::method_not_found()),
            _ => {}
        }
        self.requests.insert(token, request.method(), revision, None);
        Verdict::Pass
    }

    /// P1: an error that says how to begin.
    fn not_begun(&self) -> ErrorObject {
        match self.eras {
            Eras::Legacy => ErrorObject::new(
                ErrorObject::INVALID_REQUEST,
                "not initialized: begin with an initialize request",
            ),
            Eras::Both | Eras::Modern => ErrorObject::new(
                ErrorObject::INVALID_PARAMS,
                "begin with an initialize request, or name the revision of each request in its _meta \
                 (io.modelcontextprotocol/protocolVersion)",
            ),
        }
    }

    /// P2: what the revision has, and what it has no more.
    fn judge_modern(
        &mut self,
        connection: &mut Connection,
        token: Token,
        request: &Request,
        meta: RequestMeta,
    ) -> Verdict {
        self.requests.insert(token, request.method(), Revision::LATEST_MODERN, Some(meta));
        match request.method() {
            "server/discover" => Verdict::Answered(self.discover()),
            "subscriptions/listen" => match self.listen(connection, token, request) {
                Ok(()) => Verdict::Open,
                Err(error) => Verdict::Answered(Err(error)),
            },
            method if is_removed(method) => Verdict::Answered(Err(ErrorObject::method_not_found())),
            _ => Verdict::Pass,
        }
    }

    fn discover(&self) -> Result<Json, ErrorObject> {
        let mut result = serde_json::json!({
            "supportedVersions": Revision::modern_names(),
            "capabilities": self.capabilities,
        });
        if let Some(instructions) = &self.instructions {
            result["instructions"] = instructions.as_str().into();
        }
        Ok(result.into())
    }
}

/// Methods that revision 2026-07-28 has no more.
pub(in crate::mcp) fn is_removed(method: &str) -> bool {
    matches!(
        method,
        "initialize"
            | "logging/setLevel"
            | "ping"
            | "resources/subscribe"
            | "resources/unsubscribe"
    )
}

fn asked_version(request: &Request) -> Cow<'static, str> {
    let params = request.params().unwrap_or_default();
    let version = member(params, "protocolVersion").and_then(|version| version.text(params));
    version.map_or(Cow::Borrowed(""), Cow::Owned)
}
