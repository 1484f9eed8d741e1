//! A transport, and whoever is at the other end of its streams.

use mcp_wire_rmcp::{Limits, SendError, StreamTransport};
use rmcp::model::{ServerJsonRpcMessage, ServerResult};
use rmcp::service::{RoleServer, RxJsonRpcMessage, ServiceRole};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf,
    duplex, split,
};

/// The other end.
pub(crate) struct Peer {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
}

/// A transport, and its other end, with room for so many bytes on the way.
pub(crate) fn pair(
    room: usize,
) -> (StreamTransport<ReadHalf<DuplexStream>, WriteHalf<DuplexStream>>, Peer) {
    let (ours, theirs) = duplex(room);
    let (reader, writer) = split(ours);
    let transport = StreamTransport::new(reader, writer);
    let (reader, writer) = split(theirs);
    (transport, Peer { reader: BufReader::new(reader), writer })
}

pub(crate) fn limited(
    room: usize,
    change: impl FnOnce(&mut Limits),
) -> (StreamTransport<ReadHalf<DuplexStream>, WriteHalf<DuplexStream>>, Peer) {
    let (transport, peer) = pair(room);
    let mut limits = Limits::default();
    change(&mut limits);
    (transport.with_limits(limits).unwrap(), peer)
}

impl Peer {
    pub(crate) async fn write(&mut self, bytes: impl AsRef<[u8]>) {
        in_time(self.writer.write_all(bytes.as_ref())).await.unwrap();
    }

    pub(crate) async fn end(&mut self) {
        self.writer.shutdown().await.unwrap();
    }

    pub(crate) async fn line(&mut self) -> String {
        let mut line = String::new();
        in_time(self.reader.read_line(&mut line)).await.unwrap();
        line
    }

    pub(crate) async fn message(&mut self) -> Value {
        serde_json::from_str(&self.line().await).unwrap()
    }

    /// Reads so many bytes, or as many as come before the end.
    pub(crate) async fn some(&mut self, count: usize) -> usize {
        let mut bytes = vec![0; count];
        in_time(self.reader.get_mut().read_exact(&mut bytes)).await.unwrap()
    }

    pub(crate) async fn rest(&mut self) -> String {
        let mut rest = String::new();
        in_time(self.reader.read_to_string(&mut rest)).await.unwrap();
        rest
    }
}

/// The next message, as JSON.
pub(crate) async fn receive<Role: ServiceRole>(
    transport: &mut impl Transport<Role>,
) -> Option<Value> {
    in_time(transport.receive())
        .await
        .map(|message: RxJsonRpcMessage<Role>| serde_json::to_value(&message).unwrap())
}

pub(crate) async fn receive_as_server(
    transport: &mut impl Transport<RoleServer, Error = SendError>,
) -> Option<Value> {
    receive::<RoleServer>(transport).await
}

/// Sends a result of so many bytes, roughly. It is queued at once.
pub(crate) fn answer(
    transport: &mut impl Transport<RoleServer, Error = SendError>,
    id: i64,
    size: usize,
) -> Pin<Box<dyn Future<Output = Result<(), SendError>> + Send>> {
    let result =
        ServerResult::CustomResult(rmcp::model::CustomResult(json!({ "x": "y".repeat(size) })));
    let message = ServerJsonRpcMessage::response(result, rmcp::model::RequestId::Number(id));
    Box::pin(Transport::<RoleServer>::send(transport, message))
}

pub(crate) fn call(id: u64) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\"}}\n")
}

/// The clock stands still while anything happens, so what waits for so long waits for ever.
async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(3600), future).await.expect("it happens at all")
}

/// Polls once.
pub(crate) async fn poll_once<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}
