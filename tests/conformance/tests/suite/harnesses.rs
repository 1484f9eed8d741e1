//! The adapters, as the suite wants them.

use conformance::Harness;
use mcp_wire_driver::mcp::Session;
use mcp_wire_driver::rpc::Connection;
use mcp_wire_driver::{
    Client, Closed, ConnectError, Host, Incoming, Local, Peer, ServeError, Server,
};
use std::future::Future;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

/// What all harnesses have in common: the functions of an adapter. `$block_on` and `$halves` are its runtime's.
macro_rules! harness {
    ($(#[$doc:meta])* $name:ident, $adapter:ident::$runtime:ident, $reader:ty, $writer:ty, $block_on:expr, $halves:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) enum $name {}

        impl Harness for $name {
            type Runtime = $adapter::$runtime;
            type Reader = $reader;
            type Writer = $writer;

            fn block_on<F: Future>(future: F) -> F::Output {
                $block_on(future)
            }

            fn halves(stream: UnixStream) -> io::Result<($reader, $writer)> {
                $halves(stream)
            }

            async fn serve(
                server: Arc<Server>,
                reader: $reader,
                writer: $writer,
            ) -> Result<Closed, ServeError> {
                $adapter::serve(server, reader, writer).await
            }

            async fn serve_local(
                server: Server<Local>,
                reader: $reader,
                writer: $writer,
            ) -> Result<Closed, ServeError> {
                $adapter::serve_local(server, reader, writer).await
            }

            fn connect(
                reader: $reader,
                writer: $writer,
                connection: Connection,
                session: Option<Session>,
            ) -> (Peer, Incoming, impl Future<Output = Closed>) {
                $adapter::connect(reader, writer, connection, session)
            }

            async fn connect_streams(
                host: Host,
                reader: $reader,
                writer: $writer,
            ) -> Result<Client, ConnectError> {
                $adapter::connect_streams(host, reader, writer).await
            }

            async fn connect_server(
                host: Host,
                server: Arc<Server>,
            ) -> Result<Client, ConnectError> {
                $adapter::connect_server(host, server).await
            }
        }
    };
}

harness!(
    /// Tokio with two worker threads.
    TokioMultiThread,
    mcp_wire_tokio::Tokio,
    tokio::net::unix::OwnedReadHalf,
    tokio::net::unix::OwnedWriteHalf,
    |future| tokio_block_on(tokio::runtime::Builder::new_multi_thread().worker_threads(2), future),
    tokio_halves
);

harness!(
    /// Tokio on the thread that calls it.
    TokioCurrentThread,
    mcp_wire_tokio::Tokio,
    tokio::net::unix::OwnedReadHalf,
    tokio::net::unix::OwnedWriteHalf,
    |future| tokio_block_on(&mut tokio::runtime::Builder::new_current_thread(), future),
    tokio_halves
);

harness!(
    /// Smol, with its global executor.
    Smol,
    mcp_wire_smol::Smol,
    smol::net::unix::UnixStream,
    smol::net::unix::UnixStream,
    smol::block_on,
    |stream| {
        let stream = smol::net::unix::UnixStream::try_from(stream)?;
        Ok((stream.clone(), stream))
    }
);

harness!(
    /// The runtime of async-std.
    AsyncStd,
    mcp_wire_async_std::AsyncStd,
    async_std::os::unix::net::UnixStream,
    async_std::os::unix::net::UnixStream,
    async_std::task::block_on,
    |stream: UnixStream| {
        stream.set_nonblocking(true)?;
        let stream = async_std::os::unix::net::UnixStream::from(stream);
        Ok((stream.clone(), stream))
    }
);

fn tokio_block_on<F: Future>(builder: &mut tokio::runtime::Builder, future: F) -> F::Output {
    builder.enable_all().build().expect("a runtime can be started").block_on(future)
}

fn tokio_halves(
    stream: UnixStream,
) -> io::Result<(tokio::net::unix::OwnedReadHalf, tokio::net::unix::OwnedWriteHalf)> {
    stream.set_nonblocking(true)?;
    Ok(tokio::net::UnixStream::from_std(stream)?.into_split())
}
