//! Time and tasks of smol.

use mcp_wire_driver::Runtime;
use smol::{Executor, Timer};
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

/// Where connections and handlers run: smol's global executor, or one of your own.
#[derive(Debug, Clone, Default)]
pub struct Smol {
    executor: Chosen,
}

#[derive(Debug, Clone, Default)]
enum Chosen {
    #[default]
    Global,
    Shared(Arc<Executor<'static>>),
    Static(&'static Executor<'static>),
}

impl Smol {
    /// Runs handlers, and the connections of clients, on this executor. The global one has a single thread, unless the variable
    /// `SMOL_THREADS` says otherwise.
    ///
    /// Somebody has to run the executor for as long as anything is connected. Where nobody does, connecting and
    /// [`Client::close`](crate::Client::close) never return, not even by their time-outs, and a server that has died is not
    /// collected.
    ///
    /// ```
    /// use mcp_wire_smol::{Host, Server, Smol};
    /// use smol::{Executor, future};
    /// use std::sync::Arc;
    ///
    /// # fn main() -> Result<(), mcp_wire_smol::ConnectError> {
    /// let executor = Arc::new(Executor::new());
    /// let session = async {
    ///     let (host, server) = (Host::new("example", "1.0.0"), Server::new("empty", "1.0.0"));
    ///     let client = Smol::on(executor.clone()).connect_server(host, server).await?;
    ///     client.close().await;
    ///     Ok(())
    /// };
    /// future::block_on(executor.run(session))
    /// # }
    /// ```
    #[must_use]
    pub fn on(executor: Arc<Executor<'static>>) -> Self {
        Self { executor: Chosen::Shared(executor) }
    }

    /// Like [`on`](Self::on), for an executor in a `static`.
    ///
    /// ```no_run
    /// use mcp_wire_smol::{Server, Smol};
    /// use smol::{Executor, future};
    ///
    /// static EXECUTOR: Executor<'static> = Executor::new();
    ///
    /// fn main() -> std::io::Result<()> {
    ///     let serve = Smol::on_static(&EXECUTOR).serve_stdio(Server::new("worker", "1.0.0"));
    ///     future::block_on(EXECUTOR.run(serve))?;
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub fn on_static(executor: &'static Executor<'static>) -> Self {
        Self { executor: Chosen::Static(executor) }
    }
}

impl Runtime for Smol {
    type Sleep = Timer;

    fn now() -> Instant {
        Instant::now()
    }

    fn sleep_until(&self, at: Instant) -> Timer {
        Timer::at(at)
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        match &self.executor {
            Chosen::Global => smol::spawn(task).detach(),
            Chosen::Shared(executor) => executor.spawn(task).detach(),
            Chosen::Static(executor) => executor.spawn(task).detach(),
        }
    }
}
