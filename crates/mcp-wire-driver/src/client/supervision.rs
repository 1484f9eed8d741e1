//! A session with a child process, from its first byte to its exit.

use super::child_output::ChildOutput;
use super::child_output::SharedStdout;
use super::host::Host;
use super::process::{Process, Spawned, Watch};
use super::session_end::{ChildEnd, Ending, SessionEnd};
use crate::Runtime;
use crate::peer::Peer;
use crate::server::{Serve, Shared};
use futures_io::{AsyncRead, AsyncWrite};
use futures_util::stream::{FuturesUnordered, Stream};
use mcp_wire_core::mcp::ClientSession;
use mcp_wire_core::rpc::{Closed, Connection};
use mcp_wire_core::shutdown::{Action, Shutdown, Step, Times};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A server that never shook hands is waited for no longer than this at each step of its shutdown.
const PATIENCE_WITHOUT_SESSION: Duration = Duration::from_millis(500);

/// Starts to talk to a child process: gives the connection, and what has to run to its end.
pub(super) fn supervise<I, O, E, X, Rt>(
    runtime: Rt,
    host: Arc<Host>,
    (connection, session): (Connection, ClientSession),
    spawned: Spawned<I, O, E, X>,
    times: Times,
    ending: Arc<Ending>,
) -> (Peer, impl Future<Output = ()> + Send + 'static)
where
    I: AsyncWrite + Send + 'static,
    O: AsyncRead + Send + 'static,
    E: AsyncRead + Send + 'static,
    X: Future<Output = ()> + Send + 'static,
    Rt: Runtime,
{
    let Spawned { process, stdin, stdout, stderr, exit } = spawned;
    let watch = Watch::new(process.clone(), stderr.is_some());
    let stdout = SharedStdout::new(stdout);
    let output = ChildOutput::new(stdout.clone(), watch.clone(), runtime.clone());
    let serve = Serve::<_, _, _, Shared, _>::new(
        runtime.clone(),
        host,
        output,
        stdin,
        connection,
        session.into(),
    );
    let peer = serve.peer().clone();
    let unless_seen = KillUnlessSeen { process: process.clone(), ending, session: peer.clone() };
    let session = peer.clone();
    let run = async move {
        let mut watchers = Watchers::default();
        watchers.add(watch.clone().see_exit(exit, Rt::now));
        if let Some(stderr) = stderr {
            watchers.add(watch.clone().drain_stderr(stderr, Rt::now));
        }
        // It is served until it has ended, or is to end.
        let mut serve = Box::pin(serve);
        let served = poll_fn(|context| match serve.as_mut().poll(context) {
            Poll::Ready(cause) => Poll::Ready(Some(cause)),
            Poll::Pending if session.closing().is_some() => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        });
        let mut ended = watchers.beside(pin!(served)).await;

        // Read to the end, so that the child can go on and read what is left for it.
        watchers.add(watch.clone().discard_stdout(stdout, Rt::now));
        let times = if session.has_session() { times } else { hasty(times) };
        let mut shutdown = Shutdown::new(Rt::now(), times);
        if ended.is_none()
            && let Some(until) = shutdown.poll_timeout()
        {
            // What is left is written, but a child that reads ever so slowly is not written to for ever.
            let flushed = |context: &mut Context<'_>| {
                if let Poll::Ready(cause) = serve.as_mut().poll(context) {
                    ended = Some(cause);
                }
                ended.is_some() || watch.lock().has_exited()
            };
            watchers.until(&runtime, until, flushed).await;
        }
        let cause = ended.or_else(|| session.closing()).unwrap_or(Closed::Dropped);
        session.abort(cause.clone());
        // This closes the child's input.
        drop(serve);
        shutdown.handle_flushed(Rt::now());

        let mut step = Step::Flush;
        while !watch.lock().has_exited() {
            step = shutdown.step();
            match shutdown.poll_action() {
                Some(Action::Finish) => break,
                Some(Action::Kill) => process.kill(),
                Some(Action::Terminate) => process.terminate(),
                _ => {}
            }
            let Some(until) = shutdown.poll_timeout() else { break };
            let exited = watchers.until(&runtime, until, |_| watch.lock().has_exited()).await;
            if !exited {
                shutdown.handle_timeout(Rt::now());
            }
        }
        if matches!(cause, Closed::Exited(_)) {
            step = Step::Flush;
        }
        // What is left in its pipes may tell why.
        loop {
            let now = Rt::now();
            let Some(until) = watch.lock().patience(now).filter(|until| *until > now) else {
                break;
            };
            watchers
                .until(&runtime, until, |_| {
                    watch.lock().patience(now).is_none_or(|sooner| sooner <= now)
                })
                .await;
        }
        let exit = watch.lock().collect();
        unless_seen.ending.tell(|| SessionEnd { cause, child: Some(ChildEnd { exit, step }) });
    };
    (peer, run)
}

/// The time for each step with a server that there never was a session with.
fn hasty(mut times: Times) -> Times {
    times.close_input = times.close_input.min(PATIENCE_WITHOUT_SESSION);
    times.terminate = times.terminate.min(PATIENCE_WITHOUT_SESSION);
    times
}

/// Where the task is dropped before the child has ended, by the end of the runtime for example: the child is killed, and
/// nobody waits in vain.
struct KillUnlessSeen {
    process: Arc<dyn Process>,
    ending: Arc<Ending>,
    session: Peer,
}

impl Drop for KillUnlessSeen {
    fn drop(&mut self) {
        self.process.kill();
        self.ending.tell(|| SessionEnd {
            cause: self.session.closing().unwrap_or(Closed::Dropped),
            child: Some(ChildEnd { exit: None, step: Step::Kill }),
        });
    }
}

/// What is done beside the connection. Each is polled only when it is woken, so that a message costs none of them anything.
#[derive(Default)]
struct Watchers(FuturesUnordered<Pin<Box<dyn Future<Output = ()> + Send>>>);

impl Watchers {
    fn add(&self, watcher: impl Future<Output = ()> + Send + 'static) {
        self.0.push(Box::pin(watcher));
    }

    fn poll(&mut self, context: &mut Context<'_>) {
        while let Poll::Ready(Some(())) = Pin::new(&mut self.0).poll_next(context) {}
    }

    async fn beside<F: Future>(&mut self, mut future: Pin<&mut F>) -> F::Output {
        poll_fn(|context| {
            self.poll(context);
            future.as_mut().poll(context)
        })
        .await
    }

    /// Waits until something holds, or the time is over. True where it holds.
    async fn until<Rt: Runtime>(
        &mut self,
        runtime: &Rt,
        until: Instant,
        mut holds: impl FnMut(&mut Context<'_>) -> bool,
    ) -> bool {
        let mut sleep = pin!(runtime.sleep_until(until));
        poll_fn(|context| {
            self.poll(context);
            if holds(context) {
                return Poll::Ready(true);
            }
            sleep.as_mut().poll(context).map(|_| false)
        })
        .await
    }
}
