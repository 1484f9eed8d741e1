//! An MCP server with nothing but std: the core by hand, blocking reads and writes, two threads. It echoes.
//!
//! `cargo run --example call -- cargo run --quiet --example blocking -- tools/call echo '{"message":"hello"}'`
//!
//! A blocking read cannot be called off when a deadline comes, so a thread reads, and the main thread waits for it or for the
//! clock. Each call is answered at once; a server with slow tools would let them send their answers over the same channel.
//! Unlike the adapters it does not protect the protocol from a stray `println!`.

#![allow(clippy::disallowed_methods, reason = "the core reads no clock, who uses it does")]

use bytes::Buf;
use mcp_wire_core::mcp::{self, Implementation, ServerSession};
use mcp_wire_core::message::{ErrorObject, Json, Request};
use mcp_wire_core::rpc::{Budget, Closed, Config, Connection, Event};
use serde_json::{Value, json};
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

fn main() -> ExitCode {
    match serve() {
        Ok(cause) if cause.is_clean() => ExitCode::SUCCESS,
        Ok(cause) => fail(&cause),
        Err(error) => fail(&*error),
    }
}

fn fail(error: &dyn Error) -> ExitCode {
    complain(error);
    ExitCode::FAILURE
}

/// Where the client has closed standard error, `eprintln!` would panic.
fn complain(what: impl Display) {
    _ = writeln!(io::stderr(), "{what}");
}

fn serve() -> Result<Closed, Box<dyn Error>> {
    let mut echo = Echo::new()?;
    let mut decoder = echo.connection.decoder();
    let mut stdout = io::stdout().lock();
    // One chunk waits at most: a client that sends faster than it is answered has to wait.
    let (sender, chunks) = sync_channel(1);
    // The sender stays here too, so that the channel outlives the thread.
    let to_read = sender.clone();
    thread::spawn(move || read(&to_read));
    loop {
        echo.handle_events();
        if echo.connection.output().has_remaining() {
            let written = write(&mut echo.connection, &mut stdout);
            if let Err(error) = written {
                echo.connection.handle_write_error(Instant::now(), error.kind());
            }
            // Writing may be the last thing that the connection waited for.
            continue;
        }
        if let Some(cause) = echo.connection.closed() {
            return Ok(cause.clone());
        }
        let chunk = wait(&chunks, echo.connection.poll_timeout());
        let now = Instant::now();
        match chunk {
            Some(Ok(chunk)) if chunk.is_empty() => {
                decoder.finish(|frame| echo.connection.handle_frame(now, frame));
                echo.connection.handle_eof(now);
            }
            // Each line is dealt with before the next: a chunk holds many, and none shall find the server busy with those
            // before it.
            Some(Ok(chunk)) => decoder.decode(&chunk, |frame| {
                echo.connection.handle_frame(now, frame);
                echo.handle_events();
            }),
            Some(Err(error)) => echo.connection.handle_read_error(now, error.kind()),
            None => {}
        }
        // Too early or too often does no harm.
        echo.connection.handle_timeout(now);
    }
}

struct Echo {
    connection: Connection,
    session: ServerSession,
}

impl Echo {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut config = Config::default();
        config.dialect = mcp::dialect();
        let mut connection = Connection::new(config, Budget::default())?;
        let capabilities = Json::new(r#"{"tools":{}}"#)?;
        let implementation = Implementation::new("blocking", "1.0.0");
        let session = ServerSession::new(implementation, capabilities, &mut connection);
        Ok(Self { connection, session })
    }

    fn handle_events(&mut self) {
        while let Some(event) = self.connection.poll_event() {
            // The session keeps what is the protocol's business.
            match self.session.filter(&mut self.connection, event) {
                Some(Event::Request(token, request)) => {
                    let outcome = answer(&request);
                    // Only a request that was cancelled meanwhile is gone.
                    _ = self.session.respond(&mut self.connection, token, outcome);
                }
                Some(Event::Cancelled { token, .. }) => self.connection.release(token),
                Some(Event::Fault(fault)) => complain(fault),
                _ => {}
            }
        }
    }
}

fn answer(request: &Request) -> Result<Json, ErrorObject> {
    match request.method() {
        "tools/list" => Ok(json!({ "tools": [{
            "name": "echo",
            "description": "Says the same",
            "inputSchema": { "type": "object", "properties": { "message": { "type": "string" } } },
        }] })
        .into()),
        "tools/call" => {
            let params: Value = serde_json::from_str(request.params().unwrap_or("{}"))
                .map_err(ErrorObject::invalid_params)?;
            match (params["name"].as_str(), &params["arguments"]["message"]) {
                (Some("echo"), Value::String(message)) => {
                    Ok(json!({ "content": [{ "type": "text", "text": message }] }).into())
                }
                (Some("echo"), _) => Err(ErrorObject::invalid_params("message has to be a string")),
                _ => Err(ErrorObject::invalid_params("the only tool is echo")),
            }
        }
        _ => Err(ErrorObject::method_not_found()),
    }
}

/// Reads until the end, which is an empty chunk, or an error.
fn read(to: &SyncSender<io::Result<Vec<u8>>>) {
    let mut stdin = io::stdin().lock();
    loop {
        let mut chunk = vec![0; 64 << 10];
        let result = match stdin.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            result => result,
        };
        let is_last = !matches!(result, Ok(1..));
        let result = result.map(|count| {
            chunk.truncate(count);
            chunk
        });
        if to.send(result).is_err() || is_last {
            return;
        }
    }
}

/// Waits for the next chunk, or until a deadline has passed.
fn wait(
    chunks: &Receiver<io::Result<Vec<u8>>>,
    deadline: Option<Instant>,
) -> Option<io::Result<Vec<u8>>> {
    let Some(deadline) = deadline else { return chunks.recv().ok() };
    chunks.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
}

/// Writes what there is. What could not be written stays in the output.
fn write(connection: &mut Connection, stdout: &mut impl Write) -> io::Result<()> {
    let output = connection.output();
    while output.has_remaining() {
        match stdout.write(output.chunk()) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => output.advance(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    stdout.flush()
}
