//! Who wants to be told of changes, and tools that tell of them: nothing has changed, but that is what clients have to be
//! told of.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{ErrorData, ResourceUpdatedNotificationParam};
use rmcp::service::{RequestContext, SubscriptionContext, SubscriptionSink};
use rmcp::{tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::watch;

use crate::Peer;
use crate::tools::internal_error;

/// Who wants to be told of changes.
#[derive(Clone, Default)]
pub(crate) struct Subscriptions {
    /// The resources that a client of the legacy era has subscribed to.
    uris: Arc<Mutex<HashSet<String>>>,
    /// The streams of the modern era, those that are over too.
    streams: Arc<Mutex<Vec<SubscriptionSink>>>,
    /// How many more there will be: the SDK acknowledges a stream before it hands it over.
    expected: Arc<watch::Sender<usize>>,
}

impl Subscriptions {
    pub(crate) fn add(&self, uri: String) {
        lock(&self.uris).insert(uri);
    }

    pub(crate) fn remove(&self, uri: &str) {
        lock(&self.uris).remove(uri);
    }

    /// A stream is about to be acknowledged.
    pub(crate) fn expect_stream(&self) {
        self.expected.send_modify(|expected| *expected += 1);
    }

    /// Keeps a stream that was expected, until it is over.
    pub(crate) async fn listen(&self, context: &SubscriptionContext) {
        lock(&self.streams).push(context.sink().clone());
        self.expected.send_modify(|expected| *expected -= 1);
        context.cancelled().await;
    }

    fn has(&self, uri: &str) -> bool {
        lock(&self.uris).contains(uri)
    }

    async fn streams(&self) -> Vec<SubscriptionSink> {
        // It fails without a sender, which is here.
        _ = self.expected.subscribe().wait_for(|expected| *expected == 0).await;
        lock(&self.streams).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Deserialize, JsonSchema)]
struct Touch {
    uri: String,
}

#[derive(Deserialize, JsonSchema)]
struct ChangeList {
    list: List,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum List {
    Prompts,
    Resources,
    Tools,
}

#[tool_router(router = changes, vis = "pub(crate)")]
impl Peer {
    #[tool(description = "Tells those who subscribed to a resource that it has changed")]
    async fn touch(
        &self,
        Parameters(Touch { uri }): Parameters<Touch>,
        context: RequestContext<RoleServer>,
    ) -> Result<String, ErrorData> {
        for stream in self.subscriptions.streams().await {
            // It may be over, or not want this.
            _ = stream.notify_resource_updated(uri.clone()).await;
        }
        if self.subscriptions.has(&uri) {
            let updated = ResourceUpdatedNotificationParam::new(uri);
            context.peer.notify_resource_updated(updated).await.map_err(internal_error)?;
        }
        Ok("touched".to_owned())
    }

    #[tool(description = "Tells that a list has changed")]
    async fn change_list(
        &self,
        Parameters(ChangeList { list }): Parameters<ChangeList>,
        context: RequestContext<RoleServer>,
    ) -> Result<String, ErrorData> {
        if !crate::is_modern(&context) {
            let peer = &context.peer;
            let told = match list {
                List::Prompts => peer.notify_prompt_list_changed().await,
                List::Resources => peer.notify_resource_list_changed().await,
                List::Tools => peer.notify_tool_list_changed().await,
            };
            told.map_err(internal_error)?;
        }
        for stream in self.subscriptions.streams().await {
            // It may be over, or not want this.
            _ = match list {
                List::Prompts => stream.notify_prompt_list_changed().await,
                List::Resources => stream.notify_resource_list_changed().await,
                List::Tools => stream.notify_tool_list_changed().await,
            };
        }
        Ok("changed".to_owned())
    }
}
