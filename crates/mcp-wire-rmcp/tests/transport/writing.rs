//! How messages go out, and how that ends.

use crate::support::{answer, call, limited, pair, poll_once, receive_as_server};
use mcp_wire_rmcp::{Closed, SendError, StreamTransport};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::AsyncWrite;
use tokio::time::Instant;

/// B1: to send is to wait until the peer has taken it.
#[tokio::test(start_paused = true)]
async fn sending_waits_for_the_peer() {
    let (mut transport, mut peer) = pair(64);
    let mut sent = pin!(answer(&mut transport, 1, 1000));
    assert!(poll_once(sent.as_mut()).await.is_pending());
    let (sent, line) = tokio::join!(sent, peer.line());
    assert_eq!((sent, line.len() > 1000), (Ok(()), true));
}

/// F13: a dropped send cuts nothing and loses nothing, and order is that of the sends.
#[tokio::test(start_paused = true)]
async fn a_dropped_send_is_written_whole() {
    let (mut transport, mut peer) = pair(64);
    let mut cut = Box::pin(answer(&mut transport, 1, 1000));
    assert!(poll_once(cut.as_mut()).await.is_pending());
    drop(cut);
    drop(answer(&mut transport, 2, 0));
    let closed = Transport::<RoleServer>::close(&mut transport);
    let (closed, rest) = tokio::join!(closed, peer.rest());
    let lines: Vec<&str> = rest.lines().collect();
    assert_eq!((closed, lines.len()), (Ok(()), 2));
    assert!(lines[0].contains("\"id\":1,") && lines[1].contains("\"id\":2,"), "{rest}");
}

/// What nobody waits for is written while the next message is awaited.
#[tokio::test(start_paused = true)]
async fn receiving_writes_too() {
    let (mut transport, mut peer) = pair(64);
    drop(answer(&mut transport, 1, 1000));
    tokio::select! {
        _ = receive_as_server(&mut transport) => panic!("nothing was written to it"),
        line = peer.line() => assert!(line.ends_with("}\n")),
    }
}

/// Counts the writes, and fails once it was given so many.
#[derive(Clone)]
struct Counting {
    written: Arc<Mutex<Vec<usize>>>,
    fails_after: usize,
}

impl AsyncWrite for Counting {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut written = self.written.lock().unwrap();
        if written.len() == self.fails_after {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        written.push(bytes.len());
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// B4: what is queued by the time of a write goes out with it.
#[tokio::test(start_paused = true)]
async fn messages_are_written_together() {
    let counting = Counting { written: Arc::default(), fails_after: usize::MAX };
    let mut transport = StreamTransport::new(tokio::io::empty(), counting.clone());
    let message = || -> rmcp::model::ServerJsonRpcMessage {
        serde_json::from_str(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).unwrap()
    };
    let mut sent = Vec::new();
    for _ in 0..100 {
        sent.push(Transport::<RoleServer>::send(&mut transport, message()));
    }
    for sent in sent {
        sent.await.unwrap();
    }
    assert_eq!(counting.written.lock().unwrap().len(), 1);
}

/// X2: a broken pipe ends the session, for those who wait and those who come.
#[tokio::test(start_paused = true)]
async fn a_write_error_ends_the_session() {
    let counting = Counting { written: Arc::default(), fails_after: 0 };
    let (reader, _input_stays_open) = tokio::io::duplex(64);
    let mut transport = StreamTransport::new(reader, counting);
    let message = || -> rmcp::model::ServerJsonRpcMessage {
        serde_json::from_str(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).unwrap()
    };
    let broken = Err(SendError::Closed(Closed::WriteFailed(io::ErrorKind::BrokenPipe)));
    let first = Transport::<RoleServer>::send(&mut transport, message());
    let second = Transport::<RoleServer>::send(&mut transport, message());
    assert_eq!(second.await, broken);
    assert_eq!(first.await, broken);
    assert!(Transport::<RoleServer>::receive(&mut transport).await.is_none());
    assert_eq!(Transport::<RoleServer>::send(&mut transport, message()).await, broken);
    assert_eq!(Transport::<RoleServer>::close(&mut transport).await, Ok(()));
}

/// X1: the last flush ends, also where nobody reads.
#[tokio::test(start_paused = true)]
async fn closing_ends_where_nobody_reads() {
    let (mut transport, peer) = pair(64);
    let sent = answer(&mut transport, 1, 1000);
    let stalled = Err(SendError::Closed(Closed::Stalled));
    let (closed, sent) = tokio::join!(Transport::<RoleServer>::close(&mut transport), sent);
    assert_eq!((closed, sent), (stalled.clone(), stalled));
    drop(peer);
}

/// X1: the same at the end of input, before `rmcp` begins to wait.
#[tokio::test(start_paused = true)]
async fn the_end_of_input_ends_where_nobody_reads() {
    let (mut transport, mut peer) = pair(64);
    peer.end().await;
    let sent = answer(&mut transport, 1, 1000);
    let (received, sent) = tokio::join!(receive_as_server(&mut transport), sent);
    assert_eq!((received, sent), (None, Err(SendError::Closed(Closed::Stalled))));
}

/// B2: a peer that reads nothing, with the output at its limit, ends the session. That it writes is no progress.
#[tokio::test(start_paused = true)]
async fn a_stall_at_the_limit_ends_the_session() {
    let (mut transport, mut peer) = limited(64, |limits| limits.max_outbound = 1000);
    let sent = answer(&mut transport, 1, 2000);
    let began = Instant::now();
    let writing = async {
        tokio::time::sleep(Duration::from_secs(50)).await;
        peer.write(call(1)).await;
    };
    let (received, sent, ()) = tokio::join!(receive_as_server(&mut transport), sent, writing);
    assert_eq!((received, sent), (None, Err(SendError::Closed(Closed::Stalled))));
    assert_eq!(began.elapsed().as_secs(), 60);
}

/// B2: a peer that reads a little now and then is waited for.
#[tokio::test(start_paused = true)]
async fn a_slow_reader_is_waited_for() {
    let (mut transport, mut peer) = limited(64, |limits| limits.max_outbound = 1000);
    let sent = answer(&mut transport, 1, 2000);
    let reading = async {
        for _ in 0..10 {
            tokio::time::sleep(Duration::from_secs(50)).await;
            assert_eq!(peer.some(64).await, 64);
        }
        (peer.line().await, peer.end().await)
    };
    let (received, sent, _) = tokio::join!(receive_as_server(&mut transport), sent, reading);
    assert_eq!((received, sent), (None, Ok(())));
}
