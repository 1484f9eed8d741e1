//! Being told of changes, in every revision.

use super::features::ByUri;
use super::{Client, Session};
use crate::call::Call;
use crate::notifications::{Notice, Notifications, Wanted};
use futures_util::future::{Either, select};
use futures_util::stream::Stream;
use mcp_wire_core::mcp::{Era, SubscriptionFilter};
use mcp_wire_core::message::{Json, Notification};
use mcp_wire_core::rpc::{CallError, CallOptions, Closed};
use serde::{Deserialize, Serialize};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, ready};

/// The changes that a server tells of, of those that it was asked for. Dropping it ends it.
#[derive(Debug)]
#[must_use = "dropping it ends it"]
pub struct Subscription {
    honoured: SubscriptionFilter,
    notifications: Notifications,
    /// The request that is open as long as the stream; `None` before revision 2026-07-28.
    call: Option<Call>,
    end: Option<CallError>,
    /// The resources that were subscribed to one by one.
    resources: Option<Resources>,
}

/// Resources that were subscribed to one by one, before revision 2026-07-28. The last one who wanted to be told of one
/// unsubscribes.
#[derive(Debug)]
struct Resources {
    /// Not a clone, which would keep the session from its end.
    session: Weak<Session>,
    uris: Vec<String>,
}

impl Drop for Resources {
    fn drop(&mut self) {
        if let Some(session) = self.session.upgrade() {
            self.uris.iter().for_each(|uri| session.unwanted(uri));
        }
    }
}

#[derive(Serialize)]
struct Listen<'a> {
    notifications: &'a SubscriptionFilter,
}

#[derive(Deserialize)]
struct Acknowledged {
    notifications: SubscriptionFilter,
}

impl Client {
    /// Asks to be told of changes, and waits for the server to say of which it tells: that may be none of them, which
    /// [`Subscription::honoured`] shows. A server before revision 2026-07-28 that has no subscriptions refuses those to
    /// resources. Cancel-safe: dropping the future takes the question back.
    ///
    /// Since revision 2026-07-28 that is one request; before, a server tells of its lists unasked, and each resource is
    /// subscribed to by itself. After the loss of the connection it has to be asked again.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    ///
    /// ```
    /// # use mcp_wire_driver::{CallError, Change, Client, SubscriptionFilter};
    /// # async fn example(client: &Client) -> Result<(), CallError> {
    /// let filter = SubscriptionFilter::new().tools().resource("file:///notes.txt");
    /// let mut subscription = client.listen(filter).await?;
    /// while let Some(notice) = subscription.next().await {
    ///     match notice.change() {
    ///         Some(Change::Resource(uri)) => println!("{:?}", client.read_resource(&uri).await?),
    ///         Some(Change::Tools) => println!("{:?}", client.list_tools().await?),
    ///         _ => {}
    ///     }
    /// }
    /// println!("it has ended: {:?}", subscription.end());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn listen(&self, filter: SubscriptionFilter) -> Result<Subscription, CallError> {
        if self.server_info().revision.era() == Era::Modern {
            self.listen_on_stream(&filter).await
        } else {
            self.listen_to_all(filter).await
        }
    }

    async fn listen_on_stream(
        &self,
        filter: &SubscriptionFilter,
    ) -> Result<Subscription, CallError> {
        let params = Json::from_serialize(&Listen { notifications: filter })?;
        let options = CallOptions::default();
        let (mut call, mut notifications) =
            self.peer().listen("subscriptions/listen", params, options);
        let acknowledged = {
            let first = pin!(notifications.next());
            match select(first, &mut call).await {
                // Nothing comes of an ended connection: the call tells why.
                Either::Left((None, call)) => {
                    return Err(call.await.err().unwrap_or(CallError::CancelledByPeer));
                }
                Either::Left((first, _)) => first,
                Either::Right((outcome, _)) => {
                    return Err(outcome.err().unwrap_or(CallError::CancelledByPeer));
                }
            }
        };
        let honoured = match &acknowledged {
            Some(Notice::Notification(first)) => read_acknowledgement(first),
            _ => None,
        };
        let Some(honoured) = honoured else {
            let why = "a subscription begins with its acknowledgement".to_owned();
            return Err(CallError::UnexpectedResult(why));
        };
        Ok(Subscription { honoured, notifications, call: Some(call), end: None, resources: None })
    }

    async fn listen_to_all(&self, filter: SubscriptionFilter) -> Result<Subscription, CallError> {
        let notifications = self.peer().notifications_of(Wanted::Changes(filter.clone()));
        // Where one of them fails, the others are given up.
        let mut resources = Resources { session: Arc::downgrade(&self.session), uris: Vec::new() };
        // Whether they are declared or not: servers tell of more than they declare.
        for uri in &filter.resource_subscriptions {
            self.session.wants(uri);
            resources.uris.push(uri.clone());
            self.subscribe(uri).await?;
        }
        let resources = Some(resources);
        Ok(Subscription { honoured: filter, notifications, call: None, end: None, resources })
    }
}

impl Session {
    /// One more wants to be told of a resource.
    fn wants(&self, uri: &str) {
        *self.wanted().entry(uri.to_owned()).or_default() += 1;
    }

    /// One less does.
    fn unwanted(&self, uri: &str) {
        let mut wanted = self.wanted();
        let Some(count) = wanted.get_mut(uri) else { return };
        *count -= 1;
        if *count == 0 {
            wanted.remove(uri);
            // Under the lock, so that nobody subscribes in between. Nobody waits for the answer. A connection that takes no
            // more is ending.
            if let Ok(params) = Json::from_serialize(&ByUri { uri }) {
                self.peer.tell("resources/unsubscribe", params);
            }
        }
    }
}

impl Subscription {
    /// What the server tells of. Before revision 2026-07-28 servers do not say: it is what was asked for.
    #[must_use]
    pub fn honoured(&self) -> &SubscriptionFilter {
        &self.honoured
    }

    /// Waits for the next change; `None` once the server has ended the subscription, or the connection has ended:
    /// [`end`](Self::end) tells which. Cancel-safe.
    pub async fn next(&mut self) -> Option<Notice> {
        poll_fn(|context| self.poll_notice(context)).await
    }

    /// How it ended, once [`next`](Self::next) has given `None`: `None` where the server has ended it properly.
    #[must_use]
    pub fn end(&self) -> Option<&CallError> {
        self.end.as_ref()
    }

    fn poll_notice(&mut self, context: &mut Context<'_>) -> Poll<Option<Notice>> {
        if let Some(call) = &mut self.call {
            // Nothing comes of an ended connection: the call tells why.
            if let Poll::Ready(Some(notice)) = self.notifications.poll_notice(context) {
                return Poll::Ready(Some(notice));
            }
            let outcome = ready!(Pin::new(call).poll(context));
            self.call = None;
            self.end = outcome.err();
            self.notifications.end();
        }
        let notice = ready!(self.notifications.poll_notice(context));
        // Without a request of its own it ends with the connection, and properly only where that does.
        if notice.is_none() && self.resources.is_some() {
            let is_proper = |cause: &Closed| match cause {
                Closed::Eof => true,
                Closed::Exited(exit) => exit.status.success(),
                _ => false,
            };
            let cause = self.notifications.peer().closed().filter(|cause| !is_proper(cause));
            self.end = cause.map(CallError::Closed);
        }
        Poll::Ready(notice)
    }
}

impl Stream for Subscription {
    type Item = Notice;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Notice>> {
        self.poll_notice(context)
    }
}

fn read_acknowledgement(notification: &Notification) -> Option<SubscriptionFilter> {
    if notification.method() != "notifications/subscriptions/acknowledged" {
        return None;
    }
    let acknowledged: Acknowledged = serde_json::from_str(notification.params()?).ok()?;
    Some(acknowledged.notifications)
}
