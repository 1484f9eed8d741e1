//! What an adapter gives, so that the suite can be run on it.

use mcp_wire_driver::mcp::Session;
use mcp_wire_driver::rpc::Connection;
use mcp_wire_driver::{
    Client, Closed, ConnectError, Host, Incoming, Local, Peer, Runtime, ServeError, Server,
};
use std::future::Future;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

/// One adapter on one flavour of its runtime. The suite calls each function on a thread of its own, inside
/// [`block_on`](Self::block_on), and expects what the adapter gives to its users: no more is done here than a user would do.
pub trait Harness: 'static {
    /// How long the suite waits for anything before it calls it lost. It is never waited for in full where all is well.
    const PATIENCE: Duration = Duration::from_secs(10);

    /// The adapter's name for its runtime.
    type Runtime: Runtime + Default;
    /// The read half of the runtime's own stream.
    type Reader: Send + 'static;
    /// The write half of the runtime's own stream.
    type Writer: Send + 'static;

    /// Runs a future to its end on the runtime. The future stays on this thread; what it spawns goes where the runtime has
    /// it.
    fn block_on<F: Future>(future: F) -> F::Output;

    /// Makes a connected socket, which blocks so far, one of the runtime's own streams. Closing the writer has to end the
    /// peer's input.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn halves(stream: UnixStream) -> io::Result<(Self::Reader, Self::Writer)>;

    /// The adapter's `serve`.
    fn serve(
        server: Arc<Server>,
        reader: Self::Reader,
        writer: Self::Writer,
    ) -> impl Future<Output = Result<Closed, ServeError>>;

    /// The adapter's `serve_local`.
    fn serve_local(
        server: Server<Local>,
        reader: Self::Reader,
        writer: Self::Writer,
    ) -> impl Future<Output = Result<Closed, ServeError>>;

    /// The adapter's `connect`: a handle, what comes in, and the driver.
    fn connect(
        reader: Self::Reader,
        writer: Self::Writer,
        connection: Connection,
        session: Option<Session>,
    ) -> (Peer, Incoming, impl Future<Output = Closed>);

    /// The adapter's `connect_streams`.
    fn connect_streams(
        host: Host,
        reader: Self::Reader,
        writer: Self::Writer,
    ) -> impl Future<Output = Result<Client, ConnectError>>;

    /// The adapter's `connect_server`.
    fn connect_server(
        host: Host,
        server: Arc<Server>,
    ) -> impl Future<Output = Result<Client, ConnectError>>;
}
