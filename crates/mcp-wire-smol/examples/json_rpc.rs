//! Another protocol over the same lines: an editor and its agent ask each other in plain JSON-RPC, without MCP.
//!
//! `cargo run --example json_rpc` is the editor, and starts itself once more as the agent.
//!
//! What differs between protocols over JSON-RPC is data, in a `Dialect`; the session of MCP is left out. Everything else is the
//! same: both sides ask, cancel, and bound what the other may cost them.

#![allow(
    clippy::print_stdout,
    reason = "a program for people at a terminal: what it prints is its purpose"
)]

use mcp_wire_smol::message::{Notification, Request};
use mcp_wire_smol::rpc::{CancelNotification, Connection, Role};
use mcp_wire_smol::{
    Budget, CallError, CallOptions, Config, Context, ErrorObject, Inbound, Incoming, Json, connect,
    connect_stdio,
};
use serde::de::DeserializeOwned;
use serde_json::json;
use smol::process::{Command, Stdio};
use std::error::Error;
use std::fmt::Display;
use std::future::{Future, pending};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let done = match std::env::args().nth(1).as_deref() {
        None => smol::block_on(editor()),
        Some("agent") => smol::block_on(agent()),
        Some(other) => Err(format!("run it without arguments, not with {other:?}").into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(error);
            ExitCode::FAILURE
        }
    }
}

/// The protocol: JSON-RPC 2.0 as it is, with arrays as params and `null` as an id, and a notification that cancels.
fn config(role: Role) -> Config {
    let mut config = Config::default();
    config.role = role;
    config.dialect.cancel = Some(CancelNotification {
        method: "$/cancel".into(),
        id: "id".into(),
        reason: "reason".into(),
    });
    config
}

/// The side that people see. It asks the agent, and answers what the agent asks meanwhile.
async fn editor() -> Result<(), Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("agent").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut agent = command.spawn()?;
    let (Some(stdin), Some(stdout)) = (agent.stdin.take(), agent.stdout.take()) else {
        return Err("the agent has no standard streams".into());
    };
    let connection = Connection::new(config(Role::Client), Budget::default())?;
    let (peer, incoming, driver) = connect(stdout, stdin, connection, None);
    let driver = smol::spawn(driver);
    let answering = smol::spawn(answer_all(incoming, edit, |told| println!("agent: {told}")));

    let patient = CallOptions::default();
    let impatient = CallOptions::default().with_timeout(Duration::from_millis(200));
    for (file, options) in
        [("poem.txt", patient.clone()), ("secret.txt", patient), ("endless.txt", impatient)]
    {
        let prompt = json!([format!("count the words of {file}")]);
        match peer.request("prompt", Some(prompt.into()), options).await {
            Ok(result) => println!("{result}"),
            // After a time-out the agent is told, and withdraws what it has asked because of the prompt.
            Err(error) => println!("{error}"),
        }
    }

    peer.close();
    println!("{}", driver.await);
    answering.await;
    agent.status().await?;
    Ok(())
}

/// What an agent may ask its editor.
async fn edit(_: Context, request: Request) -> Result<Json, ErrorObject> {
    match request.method() {
        "read_file" => match params::<(String,)>(request)?.0.as_str() {
            "poem.txt" => Ok(json!("so much depends upon a red wheel barrow").into()),
            "endless.txt" => pending().await,
            // Codes outside of JSON-RPC's own range are the protocol's.
            name => Err(ErrorObject::new(1, format!("{name} is not for you"))),
        },
        _ => Err(ErrorObject::method_not_found()),
    }
}

/// The other side, on its own standard streams.
async fn agent() -> Result<(), Box<dyn Error>> {
    let connection = Connection::new(config(Role::Server), Budget::default())?;
    let (_, incoming, driver) = connect_stdio(connection, None)?;
    let answering =
        smol::spawn(answer_all(incoming, work, |told| complain(format_args!("told: {told}"))));
    driver.await;
    answering.await;
    Ok(())
}

/// What an editor may ask its agent.
async fn work(context: Context, request: Request) -> Result<Json, ErrorObject> {
    if request.method() != "prompt" {
        return Err(ErrorObject::method_not_found());
    }
    let (prompt,): (String,) = params(request)?;
    let file = prompt.rsplit(' ').next().unwrap_or_default();
    let told = json!([format!("reading {file}")]);
    _ = context.peer().try_notify("update", Some(told.into()));
    // On behalf of the prompt: it is withdrawn together with that.
    let call = context.request("read_file", Some(json!([file]).into()), CallOptions::default());
    let text = match call.await {
        Ok(text) => text.parse::<String>().map_err(ErrorObject::invalid_params)?,
        Err(CallError::Peer(error)) => return Err(error),
        Err(error) => return Err(ErrorObject::new(2, error.to_string())),
    };
    Ok(json!({ "words": text.split_whitespace().count() }).into())
}

/// Answers each request by a task of its own, up to the end of the connection.
async fn answer_all<A>(
    mut incoming: Incoming,
    answer: impl Fn(Context, Request) -> A,
    told: impl Fn(&str),
) where
    A: Future<Output = Result<Json, ErrorObject>> + Send + 'static,
{
    while let Some(inbound) = incoming.next().await {
        match inbound {
            Inbound::Request(request, responder) => {
                let work = answer(responder.context().clone(), request);
                smol::spawn(responder.answer_with(work)).detach();
            }
            Inbound::Notification(notification) => told(&text_of(&notification)),
            Inbound::Fault(fault) => complain(fault),
            other => complain(format_args!("{other:?}")),
        }
    }
}

fn params<T: DeserializeOwned>(request: Request) -> Result<T, ErrorObject> {
    request.into_params().parse().map_err(ErrorObject::invalid_params)
}

fn text_of(notification: &Notification) -> String {
    let params = notification.params().unwrap_or_default();
    match serde_json::from_str::<(String,)>(params) {
        Ok((text,)) => text,
        Err(_) => notification.method().to_owned(),
    }
}

/// Where the other side has closed standard error, `eprintln!` would panic.
fn complain(what: impl Display) {
    _ = writeln!(io::stderr(), "{what}");
}
