//! Connections over any tokio streams: in memory here, on both flavours of the runtime.

use mcp_wire_tokio::rpc::Connection;
use mcp_wire_tokio::{
    Budget, CallError, CallOptions, Closed, Config, Context, Inbound, Json, Server, Tool, connect,
    serve, serve_local,
};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex,
    split,
};

/// The client's end of a connection.
struct Client {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
}

impl Client {
    fn new(stream: DuplexStream) -> Self {
        let (output, input) = split(stream);
        Self { input, output: BufReader::new(output).lines() }
    }

    async fn ready(mut self) -> Self {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "roots": {} } });
        self.send(json!({ "id": 0, "method": "initialize", "params": params })).await;
        assert_eq!(self.receive().await["id"], 0);
        self.send(json!({ "method": "notifications/initialized" })).await;
        self
    }

    async fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        self.input.write_all(format!("{message}\n").as_bytes()).await.expect("it is read");
    }

    async fn call(&mut self, id: usize, tool: &str) {
        let params = json!({ "name": tool, "arguments": {} });
        self.send(json!({ "id": id, "method": "tools/call", "params": params })).await;
    }

    /// The next message; null at the end.
    async fn receive(&mut self) -> Value {
        let line = self.output.next_line().await.expect("output is UTF-8");
        line.map_or(Value::Null, |line| serde_json::from_str(&line).expect("a line is JSON"))
    }
}

fn tool(name: &str) -> Tool {
    Tool::new(name, "A tool of a test", json!({ "type": "object" }))
}

fn server() -> Server {
    Server::new("test", "1")
        .tool_now(tool("echo"), |_: &Context, _: Value| "echo")
        .tool(tool("wait"), async |_: Context, _: Value| std::future::pending::<String>().await)
        .tool(tool("ask"), async |context: Context, _: Value| match context.list_roots().await {
            Ok(roots) => json!({ "roots": roots }).to_string(),
            Err(error) => format!("{error:?}"),
        })
}

fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {reply}"))
}

/// Everything that a connection does, through a stream that takes `size` bytes at a time.
async fn converse(size: usize) {
    let (ours, theirs) = duplex(size);
    let (reader, writer) = split(theirs);
    let serving = tokio::spawn(serve(server(), reader, writer));
    let mut client = Client::new(ours).ready().await;
    client.call(1, "wait").await;
    for id in 2..50 {
        client.call(id, "echo").await;
        assert_eq!(client.receive().await["id"], id);
    }
    client.call(50, "ask").await;
    let question = client.receive().await;
    assert_eq!(question["method"], "roots/list");
    client.send(json!({ "id": question["id"], "result": { "roots": [] } })).await;
    assert_eq!(text(&client.receive().await), r#"{"roots":[]}"#);
    client.send(json!({ "method": "notifications/cancelled", "params": { "requestId": 1 } })).await;
    client.input.shutdown().await.expect("it is open");
    assert_eq!(client.receive().await, Value::Null);
    assert_eq!(serving.await.expect("it does not panic"), Ok(Closed::Eof));
}

/// S4, B4, O3, C1, X1: on one thread, through streams in memory of any size.
#[tokio::test]
async fn a_conversation_on_one_thread() {
    for size in [1, 7, 64, 1 << 16] {
        converse(size).await;
    }
}

/// B4, O3, C1, X1: the same on several threads.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conversation_on_several_threads() {
    for size in [1, 7, 64, 1 << 16] {
        converse(size).await;
    }
}

/// Q1: handlers that are spawned on several threads are all answered, and each wakes the connection.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn handlers_on_several_threads_are_answered() {
    const REQUESTS: usize = 2_000;
    let server = Server::new("test", "1").budget(Budget::with_share(REQUESTS, REQUESTS)).tool(
        tool("hop"),
        async |_: Context, _: Value| {
            tokio::task::yield_now().await;
            tokio::task::spawn_blocking(|| "hopped").await.unwrap_or("lost")
        },
    );
    let (ours, theirs) = duplex(4096);
    let (reader, writer) = split(theirs);
    let serving = tokio::spawn(serve(server, reader, writer));
    let Client { mut input, mut output } = Client::new(ours).ready().await;
    let sending = tokio::spawn(async move {
        for id in 0..REQUESTS {
            let params = json!({ "name": "hop", "arguments": {} });
            let call =
                json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
            input.write_all(format!("{call}\n").as_bytes()).await.expect("it is read");
        }
        input
    });
    let mut answered = vec![false; REQUESTS];
    for _ in 0..REQUESTS {
        let line = output.next_line().await.expect("output is UTF-8").expect("it goes on");
        let reply: Value = serde_json::from_str(&line).expect("a line is JSON");
        assert_eq!(text(&reply), "hopped");
        let id = reply["id"].as_u64().expect("it is ours") as usize;
        assert!(!std::mem::replace(&mut answered[id], true), "{id} is answered once");
    }
    drop(sending.await.expect("it does not panic"));
    drop(output);
    assert_eq!(serving.await.expect("it does not panic"), Ok(Closed::Eof));
}

/// Q1: `serve_local` takes handlers that are not `Send`.
#[tokio::test]
async fn local_handlers_need_not_be_send() {
    let count = Rc::new(Cell::new(0));
    let counter = Rc::clone(&count);
    let server = Server::local("test", "1").tool(tool("count"), move |_: Context, _: Value| {
        let counter = Rc::clone(&counter);
        async move {
            tokio::task::yield_now().await;
            counter.set(counter.get() + 1);
            counter.get().to_string()
        }
    });
    let (ours, theirs) = duplex(64);
    let (reader, writer) = split(theirs);
    let talk = async {
        let mut client = Client::new(ours).ready().await;
        for id in 1..=3 {
            client.call(id, "count").await;
            assert_eq!(text(&client.receive().await), id.to_string());
        }
    };
    let (served, ()) = tokio::join!(serve_local(server, reader, writer), talk);
    assert_eq!((served, count.get()), (Ok(Closed::Eof), 3));
}

/// X1: tokio's clock ends what is in flight after the grace.
#[tokio::test]
async fn the_grace_ends_by_the_clock() {
    let grace = Some(Duration::from_millis(20));
    let (ours, theirs) = duplex(64);
    let (reader, writer) = split(theirs);
    let server = server().configure(|config| config.eof_grace = grace);
    let serving = tokio::spawn(serve(server, reader, writer));
    let mut client = Client::new(ours).ready().await;
    client.call(1, "wait").await;
    client.input.shutdown().await.expect("it is open");
    assert_eq!(client.receive().await, Value::Null);
    assert_eq!(serving.await.expect("it does not panic"), Ok(Closed::Eof));
}

/// X3: dropping the future ends the connection, and drops the handlers that were spawned.
#[tokio::test]
async fn dropping_the_future_ends_the_connection() {
    let held = Arc::new(());
    let holder = Arc::clone(&held);
    let server = Server::new("test", "1").tool(tool("hold"), move |_: Context, _: Value| {
        let holder = Arc::clone(&holder);
        async move {
            std::future::pending::<()>().await;
            drop(holder);
            "never"
        }
    });
    let server = Arc::new(server);
    let (ours, theirs) = duplex(64);
    let (reader, writer) = split(theirs);
    let serving = tokio::spawn(serve(Arc::clone(&server), reader, writer));
    let mut client = Client::new(ours).ready().await;
    client.call(1, "hold").await;
    client.send(json!({ "id": 2, "method": "ping" })).await;
    assert_eq!(client.receive().await["id"], 2);
    serving.abort();
    assert_eq!(client.receive().await, Value::Null);
    while Arc::strong_count(&held) > 2 {
        tokio::task::yield_now().await;
    }
}

/// O1: a connection by hand asks, and is asked.
#[tokio::test]
async fn a_connection_by_hand() {
    let (ours, theirs) = duplex(64);
    let connection =
        || Connection::new(Config::default(), Budget::default()).expect("the configuration works");
    let (reader, writer) = split(ours);
    let (peer, _incoming, driver) = connect(reader, writer, connection(), None);
    let near = tokio::spawn(driver);
    let (reader, writer) = split(theirs);
    let (_peer, mut incoming, driver) = connect(reader, writer, connection(), None);
    let far = tokio::spawn(driver);
    let answering = tokio::spawn(async move {
        while let Some(inbound) = incoming.next().await {
            if let Inbound::Request(request, responder) = inbound {
                let method = Json::from_serialize(request.method()).expect("it is text");
                _ = responder.respond(Ok(method));
            }
        }
    });
    let answer = peer.request("test", None, CallOptions::default()).await;
    assert_eq!(answer.map(|answer| answer.to_string()), Ok(r#""test""#.to_owned()));
    peer.close();
    let lost = peer.request("test", None, CallOptions::default()).await;
    assert!(matches!(lost, Err(CallError::NotSent(_))));
    assert_eq!(near.await.expect("it does not panic"), Closed::Local);
    assert_eq!(far.await.expect("it does not panic"), Closed::Eof);
    answering.await.expect("it does not panic");
}
