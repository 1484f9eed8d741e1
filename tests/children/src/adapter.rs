//! The runtimes.

use mcp_wire_tokio::{Client, ConnectError, Host, ServerCommand};
use std::future::Future;
use std::time::Duration;

/// One adapter on one flavour of its runtime, as its users have it.
pub trait Adapter: 'static {
    /// What it is called.
    const NAME: &'static str;

    /// Runs a future to its end on the runtime, which ends with it where it is not global.
    fn block_on<F: Future>(future: F) -> F::Output;

    /// Lets others run for so long.
    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send;

    /// The adapter's `connect_command`.
    fn connect(
        host: Host,
        command: ServerCommand,
    ) -> impl Future<Output = Result<Client, ConnectError>> + Send;
}

macro_rules! adapters {
    ($($(#[doc = $doc:literal])+ $adapter:ident, $name:literal, $connect:path, $sleep:expr, $block_on:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub enum $adapter {}

        impl Adapter for $adapter {
            const NAME: &'static str = $name;

            fn block_on<F: Future>(future: F) -> F::Output {
                $block_on(future)
            }

            async fn sleep(duration: Duration) {
                _ = $sleep(duration).await;
            }

            async fn connect(
                host: Host,
                command: ServerCommand,
            ) -> Result<Client, ConnectError> {
                $connect(host, command).await
            }
        }
    )+};
}

adapters! {
    /// The runtime of async-std.
    AsyncStd, "async-std", mcp_wire_async_std::connect_command, async_std::task::sleep,
        async_std::task::block_on;
    /// Smol, with its global executor.
    Smol, "smol", mcp_wire_smol::connect_command, smol::Timer::after, smol::block_on;
    /// Tokio with two worker threads.
    TokioMultiThread, "tokio", mcp_wire_tokio::connect_command, tokio::time::sleep,
        |future| on_tokio(tokio::runtime::Builder::new_multi_thread().worker_threads(2), future);
    /// Tokio on the thread that calls it.
    TokioCurrentThread, "tokio-current-thread", mcp_wire_tokio::connect_command, tokio::time::sleep,
        |future| on_tokio(&mut tokio::runtime::Builder::new_current_thread(), future);
}

fn on_tokio<F: Future>(builder: &mut tokio::runtime::Builder, future: F) -> F::Output {
    builder.enable_all().build().expect("a runtime can be started").block_on(future)
}
