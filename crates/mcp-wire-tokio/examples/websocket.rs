//! MCP over WebSockets: how the author of another transport uses the core. WebSockets frame messages by themselves, so whole
//! ones go in and come out, and `frame` is left out; `rpc` and `mcp` are the same as on stdio.
//!
//! `cargo run --example websocket -- 127.0.0.1:9000`, for clients that speak the subprotocol `mcp`.
//!
//! One task a connection moves messages both ways and looks at the clock. Tools run as tasks beside it.

#![allow(clippy::print_stderr, reason = "a program for people at a terminal")]

use bytes::Buf;
use futures_util::{SinkExt, StreamExt};
use mcp_wire_core::mcp::{self, Implementation, ServerSession};
use mcp_wire_core::message::{ErrorObject, Json, Request};
use mcp_wire_core::rpc::{Budget, Closed, Config, Connection, Event, Token};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::error::Error;
use std::future::{pending, poll_fn};
use std::io;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tokio::time::{sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::handshake::server::{
    ErrorResponse, Request as Upgrade, Response,
};
use tokio_tungstenite::tungstenite::http::header::{HeaderValue, ORIGIN, SEC_WEBSOCKET_PROTOCOL};
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{WebSocketStream, accept_hdr_async};

/// How long the handshake of a WebSocket may take, and its end.
const PATIENCE: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).ok_or("usage: websocket ADDRESS:PORT")?;
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on ws://{}", listener.local_addr()?);
    // Clones share the same slots: all connections together run so many requests.
    let budget = Budget::new(64);
    loop {
        match listener.accept().await {
            Ok((stream, client)) => {
                let budget = budget.clone();
                tokio::spawn(async move {
                    match serve(stream, budget).await {
                        Ok(cause) => eprintln!("{client}: {cause}"),
                        Err(error) => eprintln!("{client}: {error}"),
                    }
                });
            }
            // Too many open files, say: that passes, when a client leaves.
            Err(error) => {
                eprintln!("{error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn serve(stream: TcpStream, budget: Budget) -> Result<Closed, Box<dyn Error + Send + Sync>> {
    let socket = timeout(PATIENCE, accept_hdr_async(stream, agree)).await??;
    Ok(Service::new(budget)?.run(socket).await)
}

/// Any page in a browser can open WebSockets to this machine, and says so: none of them is let in.
#[allow(clippy::result_large_err, reason = "the library wants it so")]
fn agree(upgrade: &Upgrade, mut response: Response) -> Result<Response, ErrorResponse> {
    let offered = upgrade.headers().get_all(SEC_WEBSOCKET_PROTOCOL);
    let names = offered.iter().filter_map(|value| value.to_str().ok()).flat_map(|it| it.split(','));
    let speaks_mcp = names.map(str::trim).any(|name| name == "mcp");
    if !speaks_mcp || upgrade.headers().contains_key(ORIGIN) {
        let why = "this is for programs that speak the subprotocol mcp, and not for browsers";
        let mut refusal = ErrorResponse::new(Some(why.to_owned()));
        *refusal.status_mut() = tungstenite::http::StatusCode::FORBIDDEN;
        return Err(refusal);
    }
    response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static("mcp"));
    Ok(response)
}

/// One connection.
struct Service {
    connection: Connection,
    session: ServerSession,
    handlers: JoinSet<Result<Json, ErrorObject>>,
    /// Which request a handler answers.
    tokens: HashMap<Id, Token>,
    aborts: HashMap<Token, AbortHandle>,
}

impl Service {
    fn new(budget: Budget) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let mut config = Config::default();
        config.dialect = mcp::dialect();
        // A WebSocket closes both ways at once: after its end nobody can be answered.
        config.eof_grace = Some(Duration::ZERO);
        let mut connection = Connection::new(config, budget)?;
        let implementation = Implementation::new("websocket", "1.0.0");
        let capabilities = Json::new(r#"{"tools":{}}"#)?;
        let session = ServerSession::new(implementation, capabilities, &mut connection);
        let (tokens, aborts) = (HashMap::new(), HashMap::new());
        Ok(Self { connection, session, handlers: JoinSet::new(), tokens, aborts })
    }

    async fn run(mut self, socket: WebSocketStream<TcpStream>) -> Closed {
        let (mut sink, mut messages) = socket.split();
        let mut is_flushed = true;
        let cause = loop {
            self.handle_events();
            if let Some(cause) = self.connection.closed() {
                break cause.clone();
            }
            let has_output = self.connection.output().has_remaining();
            let deadline = self.connection.poll_timeout();
            let writable = poll_fn(|context| {
                if has_output {
                    sink.poll_ready_unpin(context)
                } else {
                    sink.poll_flush_unpin(context)
                }
            });
            // Each branch waits with empty hands, so that nothing is lost where another one wins.
            tokio::select! {
                message = messages.next(), if self.connection.wants_input() => {
                    self.receive(message);
                }
                // For a peer that reads nothing this is never ready: then the output stays in the connection, where its limits
                // and deadlines are.
                ready = writable, if has_output || !is_flushed => {
                    let message = self.connection.output().pop_message().and_then(text);
                    is_flushed = message.is_none();
                    let send = |()| message.map_or(Ok(()), |message| sink.start_send_unpin(message));
                    if let Err(error) = ready.and_then(send) {
                        self.connection.handle_write_error(Instant::now(), kind(&error));
                    }
                }
                finished = self.handlers.join_next_with_id(), if !self.handlers.is_empty() => {
                    if let Some(finished) = finished {
                        self.finish(finished);
                    }
                }
                () = until(deadline) => {}
            }
            // Too early or too often does no harm.
            self.connection.handle_timeout(Instant::now());
        };
        _ = timeout(PATIENCE, sink.close()).await;
        cause
    }

    fn handle_events(&mut self) {
        while let Some(event) = self.connection.poll_event() {
            // The session keeps what is the protocol's business.
            match self.session.filter(&mut self.connection, event) {
                Some(Event::Request(token, request)) => {
                    let handler = self.handlers.spawn(answer(request));
                    self.tokens.insert(handler.id(), token);
                    self.aborts.insert(token, handler);
                }
                // Its slot is free once the handler is gone.
                Some(Event::Cancelled { token, .. }) => {
                    if let Some(handler) = self.aborts.get(&token) {
                        handler.abort();
                    }
                }
                Some(Event::Fault(fault)) => eprintln!("{fault}"),
                _ => {}
            }
        }
    }

    fn receive(&mut self, message: Option<Result<Message, tungstenite::Error>>) {
        let now = Instant::now();
        match message {
            // The core checks that it is UTF-8, and JSON, and answers what can be answered.
            Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                self.connection.handle_message(now, &message.into_data()[..]);
            }
            // Pings and the closing handshake are the library's business.
            Some(Ok(_)) => {}
            Some(Err(error)) => self.connection.handle_read_error(now, kind(&error)),
            None => self.connection.handle_eof(now),
        }
    }

    fn finish(&mut self, finished: Result<(Id, Result<Json, ErrorObject>), JoinError>) {
        let id = finished.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let Some(token) = self.tokens.remove(&id) else { return };
        self.aborts.remove(&token);
        match finished {
            // Gone means that it was cancelled meanwhile.
            Ok((_, outcome)) => _ = self.session.respond(&mut self.connection, token, outcome),
            // Aborted, or panicked: then the request is answered "internal error".
            Err(_) => self.connection.release(token),
        }
    }
}

async fn answer(request: Request) -> Result<Json, ErrorObject> {
    match request.method() {
        "tools/list" => Ok(json!({ "tools": [{
            "name": "wait",
            "description": "Waits for a while",
            "inputSchema": { "type": "object", "properties": { "milliseconds": { "type": "integer" } } },
        }] })
        .into()),
        "tools/call" => {
            let params: Value = request.into_params().parse().map_err(ErrorObject::invalid_params)?;
            match (params["name"].as_str(), params["arguments"]["milliseconds"].as_u64()) {
                (Some("wait"), Some(milliseconds)) => {
                    sleep(Duration::from_millis(milliseconds)).await;
                    Ok(json!({ "content": [{ "type": "text", "text": "waited" }] }).into())
                }
                (Some("wait"), None) => Err(ErrorObject::invalid_params("milliseconds are missing")),
                _ => Err(ErrorObject::invalid_params("the only tool is wait")),
            }
        }
        _ => Err(ErrorObject::method_not_found()),
    }
}

/// What the core writes is UTF-8.
fn text(message: Vec<u8>) -> Option<Message> {
    String::from_utf8(message).ok().map(Message::text)
}

fn kind(error: &tungstenite::Error) -> io::ErrorKind {
    match error {
        tungstenite::Error::Io(error) => error.kind(),
        tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed => {
            io::ErrorKind::NotConnected
        }
        _ => io::ErrorKind::InvalidData,
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline.into()).await,
        None => pending().await,
    }
}
