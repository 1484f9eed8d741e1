//! Which revision each request in flight is of, and what follows from that.

use crate::mcp::Revision;
use crate::mcp::request_meta::RequestMeta;
use crate::rpc::Token;

/// The requests in flight, by slot.
#[derive(Debug, Default)]
pub(super) struct Requests(Vec<Option<Known>>);

#[derive(Debug)]
pub(super) struct Known {
    token: Token,
    pub(super) revision: Revision,
    pub(super) results: Results,
    /// What a request without a handshake says of itself.
    pub(super) meta: Option<Box<RequestMeta>>,
}

/// What kinds of results a method has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Results {
    /// May ask for input first.
    Asking,
    /// May ask for input first, and may be kept for a while otherwise.
    AskingOrCacheable,
    /// May be kept for a while.
    Cacheable,
    Plain,
}

impl Results {
    pub(super) fn of(method: &str) -> Self {
        match method {
            "prompts/get" | "tools/call" => Self::Asking,
            "resources/read" => Self::AskingOrCacheable,
            "prompts/list"
            | "resources/list"
            | "resources/templates/list"
            | "server/discover"
            | "tools/list" => Self::Cacheable,
            _ => Self::Plain,
        }
    }

    pub(super) fn may_ask(self) -> bool {
        matches!(self, Self::Asking | Self::AskingOrCacheable)
    }

    pub(super) fn may_be_kept(self) -> bool {
        matches!(self, Self::AskingOrCacheable | Self::Cacheable)
    }
}

impl Requests {
    pub(super) fn insert(
        &mut self,
        token: Token,
        method: &str,
        revision: Revision,
        meta: Option<RequestMeta>,
    ) {
        if self.0.len() <= token.slot() {
            self.0.resize_with(token.slot() + 1, || None);
        }
        let (results, meta) = (Results::of(method), meta.map(Box::new));
        self.0[token.slot()] = Some(Known { token, revision, results, meta });
    }

    pub(super) fn find(&self, token: Token) -> Option<&Known> {
        self.0.get(token.slot())?.as_ref().filter(|known| known.token == token)
    }

    pub(super) fn remove(&mut self, token: Token) -> Option<Known> {
        self.0.get_mut(token.slot())?.take_if(|known| known.token == token)
    }
}
