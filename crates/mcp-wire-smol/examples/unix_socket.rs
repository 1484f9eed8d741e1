//! A server on a Unix socket: many connections, one budget for all of them, and an end that lets what runs finish.
//!
//! `cargo run --example unix_socket -- /tmp/work.sock`, and then, with the `socat` of your system as the way in:
//! `cargo run --example call -- socat STDIO UNIX-CONNECT:/tmp/work.sock -- tools/call load`
//!
//! Ctrl-C and SIGTERM end it.

#![allow(clippy::print_stderr, reason = "a program for people at a terminal")]

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: unix_socket PATH");
        return std::process::ExitCode::from(2);
    };
    match smol::block_on(server::run(path.as_ref())) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            std::process::ExitCode::FAILURE
        }
    }
}

#[cfg(not(unix))]
fn main() {
    eprintln!("there are no Unix sockets here");
}

#[cfg(unix)]
mod server {
    use async_signal::{Signal, Signals};
    use mcp_wire_smol::{Budget, Context, NoArguments, Server, Tool, serve};
    use serde_json::json;
    use smol::Timer;
    use smol::channel::bounded;
    use smol::future::or;
    use smol::net::unix::UnixListener;
    use smol::stream::StreamExt;
    use std::fs;
    use std::io;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    /// How many requests run at once, over all connections. None of them may hold more than half of that.
    const SLOTS: usize = 4;

    /// How long what runs may go on once the server is told to end.
    const GRACE: Duration = Duration::from_secs(5);

    pub(super) async fn run(path: &Path) -> io::Result<()> {
        // Before the socket is there, so that whoever finds it can end the server.
        let mut signals = Signals::new([Signal::Int, Signal::Term])?;
        let listener = UnixListener::bind(path)?;
        eprintln!("listening on {}", path.display());
        let server = Arc::new(server(Budget::new(SLOTS)));
        // Nothing is ever sent: each connection holds a sender, and the receiver sees when all are gone.
        let (open, all_closed) = bounded::<()>(1);
        loop {
            let accepted = async { Some(listener.accept().await) };
            let told_to_end = async {
                signals.next().await;
                None
            };
            match or(told_to_end, accepted).await {
                None => break,
                Some(Ok((stream, _))) => {
                    let (server, open) = (server.clone(), open.clone());
                    smol::spawn(async move {
                        // How a client leaves is no business of the others.
                        _ = serve(server, stream.clone(), stream).await;
                        drop(open);
                    })
                    .detach();
                }
                // Too many open files, say: that passes, when a client leaves.
                Some(Err(error)) => {
                    eprintln!("{error}");
                    Timer::after(Duration::from_millis(100)).await;
                }
            }
        }
        // Nobody finds it any more, and those who have are answered.
        drop(listener);
        fs::remove_file(path)?;
        server.shutdown(Some(GRACE));
        drop(open);
        _ = all_closed.recv().await;
        Ok(())
    }

    #[derive(serde::Deserialize)]
    struct Work {
        milliseconds: u64,
    }

    fn server(budget: Budget) -> Server {
        let schema =
            json!({ "type": "object", "properties": { "milliseconds": { "type": "integer" } } });
        Server::new("unix-socket", "1.0.0")
            .budget(budget.clone())
            .tool(Tool::new("work", "Works for a while", schema), async |_: Context, work: Work| {
                Timer::after(Duration::from_millis(work.milliseconds)).await;
                "done"
            })
            .tool_now(
                Tool::new(
                    "load",
                    "How many requests run, this one included",
                    json!({ "type": "object" }),
                ),
                move |_: &Context, _: NoArguments| {
                    format!("{} of {}", budget.taken(), budget.slots())
                },
            )
    }
}
