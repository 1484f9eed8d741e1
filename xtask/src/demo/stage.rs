//! A client whose every step is shown.

use super::client::{Client, Message, Sent, Trouble};
use super::screen::Screen;

pub(super) struct Stage<'a> {
    pub(super) screen: &'a mut Screen,
    /// What is done with it directly is not shown.
    pub(super) client: &'a mut Client,
    /// A call that goes on from one scene to the next.
    pub(super) slow_call: Option<u64>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(screen: &'a mut Screen, client: &'a mut Client) -> Self {
        Self { screen, client, slow_call: None }
    }

    /// Sends a request, and gives its id.
    pub(super) fn request(&mut self, method: &str, params: &str) -> u64 {
        let sent = self.client.request(method, params);
        self.show(&sent)
    }

    /// Calls a tool, and gives the request's id.
    pub(super) fn call(&mut self, tool: &str, arguments: &str) -> u64 {
        let sent = self.client.call(tool, arguments);
        self.show(&sent)
    }

    /// Calls a tool with a progress token, and gives the request's id.
    pub(super) fn call_with_progress(&mut self, tool: &str, arguments: &str, token: &str) -> u64 {
        let params = format!(
            r#"{{"name":"{tool}","arguments":{arguments},"_meta":{{"progressToken":"{token}"}}}}"#
        );
        self.request("tools/call", &params)
    }

    pub(super) fn notify(&mut self, method: &str, params: &str) {
        let line = self.client.notify(method, params);
        self.screen.sent(&line);
    }

    pub(super) fn cancel(&mut self, id: u64) {
        let line = self.client.cancel(id);
        self.screen.sent(&line);
    }

    pub(super) fn send(&mut self, line: &str) {
        self.client.send(line);
        self.screen.sent(line);
    }

    pub(super) fn answer(&mut self, id: u64) -> Result<Message, Trouble> {
        let message = self.client.answer(id)?;
        self.screen.received(&message.line);
        Ok(message)
    }

    /// Waits for the next notification or request with this method.
    pub(super) fn wait_for(&mut self, method: &str) -> Result<Message, Trouble> {
        let message = self.client.wait(method, |message| message.json["method"] == method)?;
        self.screen.received(&message.line);
        Ok(message)
    }

    /// Waits for a line with this text on standard error.
    pub(super) fn wait_for_log(&mut self, text: &str) -> Result<(), Trouble> {
        let line = self.client.wait_for_log(text)?;
        self.screen.note(&format!("stderr: {line}"));
        Ok(())
    }

    /// Pings, unseen.
    pub(super) fn ping(&mut self) -> Result<(), Trouble> {
        let ping = self.client.request("ping", "{}");
        self.client.answer(ping.id).map(|_| ())
    }

    pub(super) fn check(&mut self, is_right: bool, text: &str) {
        self.screen.check(is_right, text);
    }

    fn show(&mut self, sent: &Sent) -> u64 {
        self.screen.sent(&sent.line);
        sent.id
    }
}
