//! Time and tasks of smol.

use mcp_wire_driver::Runtime;
use smol::{Executor, Timer};
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

/// Where connections and handlers run: smol's global executor, or one of your own.
#[derive(Debug, Clone, Default)]
pub struct Smol {
    executor: Option<Arc<Executor<'static>>>,
}

impl Smol {
    /// Runs handlers, and the connections of clients, on this executor, which somebody has to run. The global one has a single thread, unless the variable `SMOL_THREADS` says
    /// otherwise.
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
        Self { executor: Some(executor) }
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
            Some(executor) => executor.spawn(task).detach(),
            None => smol::spawn(task).detach(),
        }
    }
}
