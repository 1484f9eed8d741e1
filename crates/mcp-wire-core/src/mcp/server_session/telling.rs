//! Telling the client of changes, on its streams and without.

use super::subscriptions::{Stream, is_declared, uri_of};
use super::{Change, ServerSession};
use crate::mcp::Eras;
use crate::mcp::meta::with_meta;
use crate::message::{ErrorObject, Json, Request};
use crate::rpc::{Connection, SendError, Token};

impl ServerSession {
    /// Sends a notification to the client. One of a change goes to the streams that want it, and after a handshake to the
    /// connection as such, where the server declared that it tells of it. It never fails for want of room: until the client is ready, and while it reads too slowly, it
    /// waits, once. [`send_changes`](Self::send_changes) sends it then.
    ///
    /// # Errors
    ///
    /// [`SendError::NotReady`] for any other notification before `initialize` is answered; and as
    /// [`Connection::notify`].
    pub fn notify(
        &mut self,
        connection: &mut Connection,
        method: &str,
        params: Option<Json>,
    ) -> Result<(), SendError> {
        if is_change(method) && connection.takes_notifications() {
            if !is_declared(method, self.capabilities.as_str()) {
                let what = "a change that the server did not declare to tell of is told to nobody";
                connection.report(what);
                return Ok(());
            }
            // Whoever sends it is told now, not when it would be its turn.
            let size = connection.check_size(method, params.as_ref())?;
            for mut change in self.addressed(method, params, size) {
                if change.stream.is_some() {
                    // With its tag it is longer.
                    change.size = connection.check_size(method, change.params.as_ref())?;
                }
                self.changes.keep(change)?;
            }
            self.send_changes(connection);
            return Ok(());
        }
        if !self.handshake.is_answered() {
            return Err(SendError::NotReady);
        }
        connection.notify(method, params)
    }

    /// Sends notifications of a change that had to wait: to be called when output was written.
    pub fn send_changes(&mut self, connection: &mut Connection) {
        let is_ready = self.handshake.is_ready();
        while connection.has_room()
            && let Some(change) = self.changes.take(|change| change.stream.is_some() || is_ready)
        {
            // The connection may be closing: then nobody wants to know.
            _ = connection.notify(&change.method, change.params);
        }
    }

    /// A change, once for each who wants to be told of it.
    fn addressed(&self, method: &str, params: Option<Json>, size: usize) -> Vec<Change> {
        let uri = params.as_ref().and_then(|params| uri_of(params.as_str()));
        let to_streams = self.streams.wanting(method, uri.as_deref()).map(|stream| Change {
            stream: Some(stream.token),
            method: method.to_owned(),
            params: Some(with_meta(params.clone(), &stream.tag())),
            size,
        });
        let mut changes: Vec<Change> = to_streams.collect();
        let subscribed = match (&self.resources, &uri) {
            (Some(resources), Some(uri)) if method == "notifications/resources/updated" => {
                resources.contains(uri)
            }
            _ => true,
        };
        // A client that needs no handshake is told on its streams alone.
        let is_legacy = self.handshake.client().is_some() || !self.modern_seen;
        if subscribed && is_legacy && self.eras != Eras::Modern {
            changes.push(Change { stream: None, method: method.to_owned(), params, size });
        }
        changes
    }

    /// N4: the acknowledgement is the first message of a stream.
    pub(super) fn listen(
        &mut self,
        connection: &mut Connection,
        token: Token,
        request: &Request,
    ) -> Result<(), ErrorObject> {
        let (id, params) = (request.id().to_string(), request.params().unwrap_or("{}"));
        let (stream, acknowledged) =
            self.streams.open(token, id, params, self.capabilities.as_str())?;
        let acknowledged = with_meta(Some(acknowledged), &stream.tag());
        let method = "notifications/subscriptions/acknowledged";
        if connection.notify_for(token, method, Some(acknowledged)).is_err() {
            self.streams.close(token);
            return Err(ErrorObject::new(ErrorObject::INTERNAL_ERROR, "server busy"));
        }
        Ok(())
    }

    pub(super) fn close_stream(&mut self, token: Token) -> Option<Stream> {
        let stream = self.streams.close(token)?;
        self.changes.forget(token);
        self.requests.remove(token);
        Some(stream)
    }

    /// N4: the server ends a stream with the response to its request. What it was still to be told comes before.
    pub(super) fn end_streams(&mut self, connection: &mut Connection) {
        self.send_changes(connection);
        for stream in self.streams.take_all() {
            self.changes.forget(stream.token);
            let result = with_meta(None, &stream.tag());
            _ = self.respond(connection, stream.token, Ok(result));
        }
    }
}

fn is_change(method: &str) -> bool {
    method.ends_with("/list_changed") || method == "notifications/resources/updated"
}
