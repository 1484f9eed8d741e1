//! Who wants to be told of which changes: streams that a client listens on, and resources that it subscribed to.
//!
//! Revision 2026-07-28, basic/patterns/subscriptions; before that server/resources, "subscriptions".

use crate::mcp::request_meta::SUBSCRIPTION_ID;
use crate::message::{ErrorObject, Json, Notification, member};
use crate::rpc::Token;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// How many resources one stream may listen to, and before revision 2026-07-28 one connection subscribe to.
const MAX_RESOURCES: usize = 10_000;

/// How long their URIs may be together, in bytes.
const MAX_RESOURCE_BYTES: usize = 1 << 20;

/// The changes that a client wants to be told of, as it asks and is answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubscriptionFilter {
    /// Of the list of prompts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub prompts_list_changed: bool,
    /// Of the list of resources.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resources_list_changed: bool,
    /// Of the list of tools.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tools_list_changed: bool,
    /// Of the resources with these URIs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resource_subscriptions: Vec<String>,
}

impl SubscriptionFilter {
    /// Of no change.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Of the list of prompts too.
    #[must_use]
    pub fn prompts(self) -> Self {
        Self { prompts_list_changed: true, ..self }
    }

    /// Of the list of resources too.
    #[must_use]
    pub fn resources(self) -> Self {
        Self { resources_list_changed: true, ..self }
    }

    /// Of the list of tools too.
    #[must_use]
    pub fn tools(self) -> Self {
        Self { tools_list_changed: true, ..self }
    }

    /// Of this resource too.
    #[must_use]
    pub fn resource(mut self, uri: impl Into<String>) -> Self {
        self.resource_subscriptions.push(uri.into());
        self
    }

    /// Does it want a notification?
    #[must_use]
    pub fn matches(&self, notification: &Notification) -> bool {
        let uri = notification.params().and_then(uri_of);
        self.wants(notification.method(), uri.as_deref())
    }

    /// What of it a server with these capabilities can honour.
    fn honoured(self, capabilities: &str) -> Self {
        let can = |feature: &str, what: &str| is_true(capabilities, feature, what);
        Self {
            prompts_list_changed: self.prompts_list_changed && can("prompts", "listChanged"),
            resources_list_changed: self.resources_list_changed && can("resources", "listChanged"),
            tools_list_changed: self.tools_list_changed && can("tools", "listChanged"),
            resource_subscriptions: if can("resources", "subscribe") {
                self.resource_subscriptions
            } else {
                Vec::new()
            },
        }
    }

    fn wants(&self, method: &str, uri: Option<&str>) -> bool {
        match method {
            "notifications/prompts/list_changed" => self.prompts_list_changed,
            "notifications/resources/list_changed" => self.resources_list_changed,
            "notifications/tools/list_changed" => self.tools_list_changed,
            "notifications/resources/updated" => {
                self.resource_subscriptions.iter().any(|wanted| Some(wanted.as_str()) == uri)
            }
            _ => false,
        }
    }
}

/// The streams that a client listens on.
#[derive(Debug, Default)]
pub(super) struct Streams(Vec<Stream>);

#[derive(Debug)]
pub(super) struct Stream {
    pub(super) token: Token,
    /// The id of its request, as JSON.
    id: String,
    filter: SubscriptionFilter,
}

impl Stream {
    /// The member of `_meta` that ties a message to this stream.
    pub(super) fn tag(&self) -> [(&'static str, &str); 1] {
        [(SUBSCRIPTION_ID, &self.id)]
    }
}

impl Streams {
    /// Opens a stream, and gives the params of its acknowledgement.
    pub(super) fn open(
        &mut self,
        token: Token,
        id: String,
        params: &str,
        capabilities: &str,
    ) -> Result<(&Stream, Json), ErrorObject> {
        #[derive(Deserialize)]
        struct Listen {
            notifications: SubscriptionFilter,
        }
        #[derive(Serialize)]
        struct Acknowledged<'a> {
            notifications: &'a SubscriptionFilter,
        }
        let Listen { notifications } =
            serde_json::from_str(params).map_err(ErrorObject::invalid_params)?;
        let uris = &notifications.resource_subscriptions;
        if uris.len() > MAX_RESOURCES
            || uris.iter().map(String::len).sum::<usize>() > MAX_RESOURCE_BYTES
        {
            return Err(ErrorObject::invalid_params("too many resources: listen to fewer of them"));
        }
        let filter = notifications.honoured(capabilities);
        let acknowledged = Json::from_serialize(&Acknowledged { notifications: &filter })?;
        self.0.push(Stream { token, id, filter });
        let stream = self.0.last().ok_or_else(ErrorObject::internal)?;
        Ok((stream, acknowledged))
    }

    pub(super) fn close(&mut self, token: Token) -> Option<Stream> {
        let at = self.0.iter().position(|stream| stream.token == token)?;
        Some(self.0.remove(at))
    }

    pub(super) fn take_all(&mut self) -> Vec<Stream> {
        std::mem::take(&mut self.0)
    }

    /// Those that want to be told of a change.
    pub(super) fn wanting(&self, method: &str, uri: Option<&str>) -> impl Iterator<Item = &Stream> {
        self.0.iter().filter(move |stream| stream.filter.wants(method, uri))
    }
}

/// The resources that a client subscribed to, one by one.
#[derive(Debug, Default)]
pub(super) struct Resources {
    uris: HashSet<String>,
    bytes: usize,
}

impl Resources {
    pub(super) fn subscribe(&mut self, params: &str) -> Result<Json, ErrorObject> {
        let uri = uri_of(params).ok_or_else(no_uri)?;
        if !self.uris.contains(&uri) {
            if self.uris.len() >= MAX_RESOURCES || self.bytes + uri.len() > MAX_RESOURCE_BYTES {
                let why = "too many subscriptions: unsubscribe from some resources first";
                return Err(ErrorObject::new(ErrorObject::INTERNAL_ERROR, why));
            }
            self.bytes += uri.len();
            self.uris.insert(uri);
        }
        Ok(Json::empty_object())
    }

    pub(super) fn unsubscribe(&mut self, params: &str) -> Result<Json, ErrorObject> {
        let uri = uri_of(params).ok_or_else(no_uri)?;
        if self.uris.remove(&uri) {
            self.bytes -= uri.len();
        }
        Ok(Json::empty_object())
    }

    pub(super) fn contains(&self, uri: &str) -> bool {
        self.uris.contains(uri)
    }
}

pub(super) fn uri_of(params: &str) -> Option<String> {
    member(params, "uri")?.text(params)
}

fn no_uri() -> ErrorObject {
    ErrorObject::invalid_params("uri is missing")
}

/// Does a server with these capabilities say that it tells of this change? It does not have to of what the protocol does not
/// know.
pub(super) fn is_declared(method: &str, capabilities: &str) -> bool {
    match method {
        "notifications/prompts/list_changed" => is_true(capabilities, "prompts", "listChanged"),
        "notifications/resources/list_changed" => is_true(capabilities, "resources", "listChanged"),
        "notifications/resources/updated" => is_true(capabilities, "resources", "subscribe"),
        "notifications/tools/list_changed" => is_true(capabilities, "tools", "listChanged"),
        _ => true,
    }
}

fn is_true(capabilities: &str, feature: &str, what: &str) -> bool {
    let feature = member(capabilities, feature).map(|found| &capabilities[found.range()]);
    feature.is_some_and(|feature| {
        member(feature, what).is_some_and(|found| &feature[found.range()] == "true")
    })
}
