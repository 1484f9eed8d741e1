//! The examples, started as a user would.

#[path = "../../../tests/built.rs"]
mod built;

use built::example;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start() -> Self {
        let mut command = Command::new(example("websocket"));
        let mut process =
            command.arg("127.0.0.1:0").stderr(Stdio::piped()).spawn().expect("it starts");
        let mut lines = BufReader::new(process.stderr.take().expect("it is piped")).lines();
        let line = lines.next().expect("it says where it listens").expect("in UTF-8");
        let address = line.strip_prefix("listening on ws://").expect("an address").to_owned();
        // What else it says has to be read, so that it is not held up.
        std::thread::spawn(move || lines.for_each(drop));
        Self { process, address }
    }

    async fn upgrade(&self, headers: &[(&'static str, &'static str)]) -> Result<Client, Error> {
        let stream = TcpStream::connect(&self.address).await.expect("it listens");
        let mut request = format!("ws://{}/", self.address).into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_static(value));
        }
        Ok(Client(client_async(request, stream).await?.0))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

#[derive(Debug)]
struct Client(WebSocketStream<TcpStream>);

impl Client {
    async fn send(&mut self, message: &Value) {
        self.write(Message::text(message.to_string())).await;
    }

    async fn write(&mut self, message: Message) {
        self.0.send(message).await.expect("it is read");
    }

    async fn wait(&mut self, id: i64, milliseconds: u64) {
        let params = json!({ "name": "wait", "arguments": { "milliseconds": milliseconds } });
        let request =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        self.send(&request).await;
    }

    async fn receive(&mut self) -> Value {
        match self.0.next().await {
            Some(Ok(Message::Text(text))) => serde_json::from_str(&text).expect("it is JSON"),
            other => panic!("no message: {other:?}"),
        }
    }
}

#[tokio::test]
async fn websocket_serves_whole_messages() {
    let server = Server::start();
    let mut client = server.upgrade(&[("Sec-WebSocket-Protocol", "other, mcp")]).await.unwrap();
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    client
        .send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }))
        .await;
    assert_eq!(client.receive().await["result"]["serverInfo"]["name"], "websocket");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;

    // A slow call holds up no other one, and a bad message costs nothing but itself.
    client.wait(1, 3_600_000).await;
    client.write(Message::text("no message")).await;
    client.write(Message::binary(vec![0xFF])).await;
    // A line break within a message is just a space here.
    client
        .write(Message::text("{\"jsonrpc\":\"2.0\",\n\"id\":2,\n\"method\":\"tools/list\"}"))
        .await;
    let reply = client.receive().await;
    assert_eq!((&reply["id"], &reply["result"]["tools"][0]["name"]), (&json!(2), &json!("wait")));

    // A cancelled request is never answered.
    let cancelled = json!({ "requestId": 1 });
    client
        .send(
            &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled }),
        )
        .await;
    client.wait(3, 0).await;
    let reply = client.receive().await;
    assert_eq!(
        (&reply["id"], &reply["result"]["content"][0]["text"]),
        (&json!(3), &json!("waited"))
    );

    // A connection may hold 32 of the 64 slots.
    for id in 1..=33 {
        client.wait(id, 3_600_000).await;
    }
    let reply = client.receive().await;
    assert_eq!((&reply["id"], &reply["error"]["message"]), (&json!(33), &json!("server busy")));

    client.write(Message::Close(None)).await;
    assert!(matches!(client.0.next().await, Some(Ok(Message::Close(_)))));
    assert!(client.0.next().await.is_none());
}

#[tokio::test]
async fn websocket_lets_no_browser_in() {
    let server = Server::start();
    let page = [("Sec-WebSocket-Protocol", "mcp"), ("Origin", "https://example.com")];
    for headers in [&page[..], &[]] {
        match server.upgrade(headers).await {
            Err(Error::Http(response)) => assert_eq!(response.status(), 403),
            other => panic!("it is not refused: {other:?}"),
        }
    }
}
