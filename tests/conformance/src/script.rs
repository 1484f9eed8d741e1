//! The other end of the socket: a peer that blocks, and knows nothing of the library.

use serde_json::Value;
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// A scripted peer on a blocking socket. Every wait is bounded; what does not come in time is an error that says so.
#[derive(Debug)]
pub struct Script {
    stream: UnixStream,
    patience: Duration,
    /// What was read, and not yet taken.
    unread: Vec<u8>,
    /// How much of that is known to hold no end of a line.
    searched: usize,
    /// How much is read at once.
    bite: usize,
    pings: usize,
}

/// What the peer reads next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The server has closed its end within this line.
    Cut(String),
    /// The server has closed its end.
    End,
    /// A whole line, without its LF.
    Line(String),
}

impl Script {
    /// A peer that gives up on anything that takes longer than `patience`.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn new(stream: UnixStream, patience: Duration) -> Result<Self, String> {
        stream
            .set_read_timeout(Some(patience))
            .and_then(|()| stream.set_write_timeout(Some(patience)))
            .map_err(|error| format!("the socket has no time-outs: {error}"))?;
        Ok(Self { stream, patience, unread: Vec::new(), searched: 0, bite: 64 << 10, pings: 0 })
    }

    /// From now on so many bytes are read at a time.
    pub fn read_slowly(&mut self, bite: usize) {
        self.bite = bite.max(1);
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    ///
    /// Where the server does not take them in time, or not at all.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) -> Result<(), String> {
        let bytes = bytes.as_ref();
        self.stream
            .write_all(bytes)
            .map_err(|error| format!("the server does not take {} bytes: {error}", bytes.len()))
    }

    /// Sends a line.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub fn line(&mut self, line: impl AsRef<str>) -> Result<(), String> {
        self.send(format!("{}\n", line.as_ref()))
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub fn message(&mut self, message: &Value) -> Result<(), String> {
        self.line(message.to_string())
    }

    /// Reads the next line, or the end.
    ///
    /// # Errors
    ///
    /// Where neither comes in time, or the line is not UTF-8.
    pub fn read_next(&mut self) -> Result<Next, String> {
        let until = Instant::now() + self.patience;
        loop {
            let fresh = &self.unread[self.searched..];
            if let Some(end) = fresh.iter().position(|byte| *byte == b'\n') {
                let rest = self.unread.split_off(self.searched + end + 1);
                self.searched = 0;
                let mut line = std::mem::replace(&mut self.unread, rest);
                line.pop();
                return match String::from_utf8(line) {
                    Ok(line) => Ok(Next::Line(line)),
                    Err(error) => {
                        Err(format!("the server wrote a line that is not UTF-8: {error}"))
                    }
                };
            }
            self.searched = self.unread.len();
            if Instant::now() >= until {
                return Err("the server wrote no whole line in time".into());
            }
            if self.fill()? == 0 {
                let left = std::mem::take(&mut self.unread);
                return Ok(match left.is_empty() {
                    true => Next::End,
                    false => Next::Cut(String::from_utf8_lossy(&left).into_owned()),
                });
            }
        }
    }

    fn fill(&mut self) -> Result<usize, String> {
        let mut buffer = vec![0; self.bite];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(count) => {
                    self.unread.extend_from_slice(&buffer[..count]);
                    return Ok(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A socket that is closed with unread bytes in it.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(0),
                Err(error) => return Err(format!("the server wrote nothing in time: {error}")),
            }
        }
    }

    /// Reads the next line.
    ///
    /// # Errors
    ///
    /// As [`read_next`](Self::read_next), and at the end.
    pub fn read(&mut self) -> Result<String, String> {
        match self.read_next()? {
            Next::Line(line) => Ok(line),
            Next::End => Err("the server closed its output, a line was due".into()),
            Next::Cut(line) => Err(cut(&line)),
        }
    }

    /// Reads the next line as a message.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read), and where it is not JSON.
    pub fn read_message(&mut self) -> Result<Value, String> {
        let line = self.read()?;
        serde_json::from_str(&line).map_err(|error| format!("not JSON: {error}: {line}"))
    }

    /// Expects exactly this line next.
    ///
    /// # Errors
    ///
    /// Where another one comes, or none.
    pub fn expect(&mut self, line: &str) -> Result<(), String> {
        let read = self.read().map_err(|error| format!("{error}; expected {line}"))?;
        if read == line { Ok(()) } else { Err(format!("expected {line}\n     got {read}")) }
    }

    /// Expects a message next that is what `is` says.
    ///
    /// # Errors
    ///
    /// Where another one comes, or none.
    pub fn expect_where(
        &mut self,
        what: &str,
        is: impl Fn(&Value) -> bool,
    ) -> Result<Value, String> {
        let read = self.read_message().map_err(|error| format!("{error}; expected {what}"))?;
        if is(&read) { Ok(read) } else { Err(format!("expected {what}\n     got {read}")) }
    }

    /// Expects an error with this code next, for the request with this id.
    ///
    /// # Errors
    ///
    /// Where anything else comes, or nothing.
    pub fn expect_error(&mut self, id: impl Into<Value>, code: i64) -> Result<Value, String> {
        let id = id.into();
        self.expect_where(&format!("the error {code} for {id}"), |message| {
            message["id"] == id && message["error"]["code"] == code
        })
    }

    /// Expects that nothing was written so far: the answer to a ping that is sent now has to be the next line.
    ///
    /// # Errors
    ///
    /// Where something else comes before it, or it does not come.
    pub fn expect_silence(&mut self) -> Result<(), String> {
        self.pings += 1;
        let id = format!("silence-{}", self.pings);
        self.line(format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"ping"}}"#))?;
        self.expect(&format!(r#"{{"jsonrpc":"2.0","id":"{id}","result":{{}}}}"#))
    }

    /// Expects that the server closes its output, without another line.
    ///
    /// # Errors
    ///
    /// Where a line comes, or the end does not.
    pub fn expect_end(&mut self) -> Result<(), String> {
        match self.read_next().map_err(|error| format!("{error}; expected the end of output"))? {
            Next::End => Ok(()),
            Next::Line(line) => Err(format!("expected the end of output\n     got {line}")),
            Next::Cut(line) => Err(cut(&line)),
        }
    }

    /// Reads to the end of the server's output.
    ///
    /// # Errors
    ///
    /// As [`read_next`](Self::read_next), and where it ends within a line.
    pub fn read_to_end(&mut self) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        loop {
            match self.read_next()? {
                Next::Line(line) => lines.push(line),
                Next::End => return Ok(lines),
                Next::Cut(line) => return Err(cut(&line)),
            }
        }
    }

    /// Ends this side's output; reading goes on.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn hang_up(&mut self) -> Result<(), String> {
        self.stream.shutdown(Shutdown::Write).map_err(|error| format!("cannot hang up: {error}"))
    }

    /// Opens the connection as a client of the latest revision with a handshake. `capabilities` is an object.
    ///
    /// # Errors
    ///
    /// Where the server does not answer as it should.
    pub fn shake_hands(&mut self, capabilities: &Value) -> Result<(), String> {
        self.message(&serde_json::json!({
            "jsonrpc": "2.0", "id": "handshake", "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": { "name": "script", "version": "1" },
            },
        }))?;
        self.expect_where("the answer to initialize", |message| {
            message["id"] == "handshake" && message["result"]["protocolVersion"] == "2025-11-25"
        })?;
        self.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    }

    /// Opens the connection as a server of the latest revision with a handshake.
    ///
    /// # Errors
    ///
    /// Where the client does not ask as it should.
    pub fn greet(&mut self) -> Result<(), String> {
        let asked = self.expect_where("initialize", |message| {
            message["method"] == "initialize"
                && message["params"]["protocolVersion"] == "2025-11-25"
        })?;
        self.message(&serde_json::json!({
            "jsonrpc": "2.0", "id": asked["id"],
            "result": {
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "script", "version": "1" },
            },
        }))?;
        self.expect(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    }
}

fn cut(line: &str) -> String {
    format!("the server closed its output within a line: {line}")
}
