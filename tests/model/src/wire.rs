//! What a connection has written, read with nothing of ours.

use serde_json::Value;

/// Collects written bytes and cuts them into lines.
#[derive(Debug, Default)]
pub(crate) struct Written(Vec<u8>);

impl Written {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// The messages that are complete by now, those of a batch one by one, from lines of at most `limit` bytes.
    ///
    /// # Panics
    ///
    /// Where a line breaks F12 or F14.
    pub(crate) fn messages(&mut self, limit: usize) -> Vec<Value> {
        let Some(end) = self.0.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
        let lines: Vec<u8> = self.0.drain(..=end).collect();
        let mut messages = Vec::new();
        for line in lines[..end].split(|byte| *byte == b'\n') {
            let text = std::str::from_utf8(line).expect("F12: what is written is UTF-8");
            assert!(text.len() <= limit, "F14: a line of {} bytes", text.len());
            assert!(!text.is_empty(), "F12: no blank line is written");
            let is_break =
                |character| matches!(character, '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
            assert!(!text.contains(is_break), "F12: a line break of another kind: {text}");
            match serde_json::from_str(text).expect("F12: what is written is JSON") {
                Value::Array(batch) => {
                    assert!(!batch.is_empty(), "E8: a batch without replies is not written");
                    messages.extend(batch);
                }
                message => messages.push(message),
            }
        }
        for message in &messages {
            assert_eq!(message["jsonrpc"], "2.0", "each message is one of JSON-RPC: {message}");
        }
        messages
    }
}
