//! A client and a server, each on its own runtime and thread.

use crate::harness::Harness;
use crate::messages::{ensure, ensure_same};
use crate::stage::{Side, by_hand, serve_stream, sockets};
use futures_util::future::{join, join_all};
use mcp_wire_driver::{
    CallError, CallOptions, Closed, Context, Inbound, Incoming, Json, Peer, Server, Tool,
};
use serde_json::{Value, json};

/// How many calls are open at once.
const PARALLEL: u64 = 100;

/// O1, O3, L1: lets a client on one runtime talk to a server on another: handshake, tools, notifications, many calls at once,
/// questions in the other direction, cancellation and the end.
///
/// # Errors
///
/// What went wrong, in a sentence.
pub fn across<Client: Harness, Other: Harness>() -> Result<(), String> {
    let (ours, theirs) = sockets()?;
    let server = serve_stream::<Other>(server(), theirs);
    let client = by_hand::<Client, _>(ours, Side::client(|_| {})?, |peer, incoming| async move {
        let (outcome, notes) = join(talk(peer), answer(incoming)).await;
        outcome.map(|()| notes)
    });
    ensure_same("the notifications", client.outcome()??, PARALLEL)?;
    server.expect(Closed::Eof)
}

fn server() -> Server {
    let schema = json!({ "type": "object" });
    Server::new("across", "1")
        .tool(Tool::new("double", "Doubles", schema), async |context: Context, call: Value| {
            _ = context.peer().notify("note", None).await;
            (call["n"].as_u64().unwrap_or_default() * 2).to_string()
        })
        .method("ask", async |context: Context, params: Json| match context.elicit(params).await {
            Ok(answer) => Ok(answer),
            Err(error) => error.into_outcome(),
        })
        .method("never", async |_: Context, _: Value| {
            std::future::pending::<Result<Json, _>>().await
        })
}

/// The client's part.
async fn talk(peer: Peer) -> Result<(), String> {
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "across", "version": "1" },
    });
    let hello = value(&ask(&peer, "initialize", &hello).await?)?;
    ensure_same("the revision", &hello["protocolVersion"], &json!("2025-11-25"))?;
    let ready = peer.notify("notifications/initialized", None).await;
    ready.map_err(|error| error.to_string())?;
    let tools = value(&ask(&peer, "tools/list", &json!({})).await?)?;
    ensure_same("the tool", &tools["tools"][0]["name"], &json!("double"))?;

    let calls = (0..PARALLEL).map(|number| {
        let peer = peer.clone();
        async move {
            let call = json!({ "name": "double", "arguments": { "n": number } });
            let result = value(&ask(&peer, "tools/call", &call).await?)?;
            ensure_same(
                "the double",
                &result["content"][0]["text"],
                &json!((2 * number).to_string()),
            )?;
            // The other way round, while this one is open.
            let answer = value(&ask(&peer, "ask", &json!({ "n": number })).await?)?;
            ensure_same("the answer", &answer["n"], &json!(number))
        }
    });
    join_all(calls).await.into_iter().collect::<Result<(), String>>()?;

    let never = peer.request("never", None, CallOptions::default());
    ask(&peer, "ping", &json!({})).await?;
    drop(never);
    let unknown = peer.request("no/such", None, CallOptions::default()).await;
    let refused = matches!(&unknown, Err(CallError::Peer(error)) if error.code == -32601);
    ensure(refused, || format!("an unknown method: {unknown:?}"))?;
    peer.close();
    ensure_same("the cause", peer.wait_closed().await, Closed::Local)
}

/// Answers the server's questions with their params, and counts its notifications, until the end.
async fn answer(mut incoming: Incoming) -> u64 {
    let mut notes = 0;
    while let Some(inbound) = incoming.next().await {
        match inbound {
            Inbound::Request(request, responder) => {
                _ = responder.respond(Ok(request.into_params()))
            }
            Inbound::Notification(note) if note.method() == "note" => notes += 1,
            _ => {}
        }
    }
    notes
}

async fn ask(peer: &Peer, method: &str, params: &Value) -> Result<Json, String> {
    let params = Json::from_serialize(params).map_err(|error| error.to_string())?;
    let answer = peer.request(method, Some(params), CallOptions::default()).await;
    answer.map_err(|error| format!("{method}: {error}"))
}

fn value(json: &Json) -> Result<Value, String> {
    json.parse().map_err(|error| format!("{error}: {}", json.as_str()))
}
