//! Drivers that are broken on purpose: the smol adapter over streams, or with a server, that do what a careless driver does.

pub(crate) mod streams;

use crate::harnesses::Smol;
use conformance::Harness;
use mcp_wire_driver::mcp::Session;
use mcp_wire_driver::rpc::Connection;
use mcp_wire_driver::{
    Budget, Client, Closed, ConnectError, Host, Incoming, Local, Peer, ServeError, Server,
};
use smol::net::unix::UnixStream;
use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::os::unix::net::UnixStream as StdStream;
use std::sync::Arc;
use std::time::Duration;
use streams::{Reader, Writer};

/// What a driver does wrong.
pub(crate) trait Fault: 'static {
    /// How long is waited for what will never come.
    const PATIENCE: Duration = Duration::from_secs(5);

    /// Streams that behave as if such a driver held them.
    fn halves(stream: UnixStream) -> (Reader, Writer) {
        (Box::new(stream.clone()), Box::new(stream))
    }

    /// A server that such a driver would make of this one.
    fn server(server: Server) -> Server {
        server
    }

    /// The same, where nobody else has it.
    fn server_of(server: Arc<Server>) -> Arc<Server> {
        match Arc::try_unwrap(server) {
            Ok(server) => Arc::new(Self::server(server)),
            Err(shared) => shared,
        }
    }
}

/// A harness whose driver has a fault.
#[derive(Debug)]
pub(crate) struct Broken<F>(PhantomData<F>);

impl<F: Fault> Harness for Broken<F> {
    const PATIENCE: Duration = F::PATIENCE;

    type Runtime = mcp_wire_smol::Smol;
    type Reader = Reader;
    type Writer = Writer;

    fn block_on<T: Future>(future: T) -> T::Output {
        Smol::block_on(future)
    }

    fn halves(stream: StdStream) -> io::Result<(Reader, Writer)> {
        Ok(F::halves(UnixStream::try_from(stream)?))
    }

    async fn serve(
        server: Arc<Server>,
        reader: Reader,
        writer: Writer,
    ) -> Result<Closed, ServeError> {
        mcp_wire_smol::serve(F::server_of(server), reader, writer).await
    }

    async fn serve_local(
        server: Server<Local>,
        reader: Reader,
        writer: Writer,
    ) -> Result<Closed, ServeError> {
        mcp_wire_smol::serve_local(server, reader, writer).await
    }

    fn connect(
        reader: Reader,
        writer: Writer,
        connection: Connection,
        session: Option<Session>,
    ) -> (Peer, Incoming, impl Future<Output = Closed>) {
        mcp_wire_smol::connect(reader, writer, connection, session)
    }

    async fn connect_streams(
        host: Host,
        reader: Reader,
        writer: Writer,
    ) -> Result<Client, ConnectError> {
        mcp_wire_smol::connect_streams(host, reader, writer).await
    }

    async fn connect_server(host: Host, server: Arc<Server>) -> Result<Client, ConnectError> {
        mcp_wire_smol::connect_server(host, F::server_of(server)).await
    }
}

/// No fault: what is caught has to be the fault, not the wrapping.
#[derive(Debug)]
pub(crate) enum Nothing {}

impl Fault for Nothing {
    const PATIENCE: Duration = Smol::PATIENCE;
}

/// Nothing limits how many requests run.
#[derive(Debug)]
pub(crate) enum IgnoresTheCap {}

impl Fault for IgnoresTheCap {
    fn server(server: Server) -> Server {
        server
            .budget(Budget::with_share(1 << 20, 1 << 20))
            .configure(|config| config.max_in_flight_bytes = usize::MAX)
    }
}
