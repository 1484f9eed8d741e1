//! What a host offers to servers, and what it hears from them.

use crate::support::{ClientWire, Gate, Guard, Task, host, notification, request, response};
use mcp_wire_driver::{Client, Context, ErrorObject, Host, Json, Peer, Root};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

fn cancel(id: &str, reason: &str) -> Value {
    notification("notifications/cancelled", &json!({ "requestId": id, "reason": reason }))
}

/// A host whose answer to an elicitation waits at the gate. A flag tells that a handler is gone.
fn waiting(gate: &Gate) -> (Host, Arc<AtomicBool>) {
    let gone = Arc::<AtomicBool>::default();
    let (gate, flag) = (gate.clone(), Arc::clone(&gone));
    let host = host().on_elicitation(move |_: Context, _: Value| {
        let (gate, guard) = (gate.clone(), Guard::flag(&flag));
        async move {
            let _guard = guard;
            gate.pass().await;
            Ok(Json::empty_object())
        }
    });
    (host, gone)
}

/// L1: what handlers offer is declared, and nothing else; a capability that was declared by hand stays as it is.
#[test]
fn handlers_declare_themselves() {
    let declared =
        |host: Host| ClientWire::connect(host).receive_one()["params"]["capabilities"].clone();
    let ok = async |_: Context, _: Value| Ok(Json::empty_object());
    assert_eq!(declared(host()), json!({}));
    assert_eq!(declared(host().on_elicitation(ok)), json!({ "elicitation": {} }));
    assert_eq!(declared(host().on_sampling(ok)), json!({ "sampling": {} }));
    assert_eq!(declared(host().roots([])), json!({ "roots": {} }));
    assert_eq!(declared(host().method("other", ok)), json!({}));
    let changing = Json::new(r#"{"listChanged":true}"#).unwrap();
    for host in [
        host().capability("roots", changing.clone()).roots([]).on_sampling(ok),
        host().on_sampling(ok).roots([]).capability("roots", changing),
    ] {
        assert_eq!(declared(host), json!({ "roots": { "listChanged": true }, "sampling": {} }));
    }
}

/// L1, O3: the server's questions reach their handlers, whose answers or errors go back; what nobody offers is unknown.
#[test]
fn questions_reach_their_handlers() {
    #[derive(serde::Deserialize)]
    struct Question {
        message: String,
    }
    let host = host()
        .on_elicitation(async |_: Context, question: Question| {
            Ok(Json::from_serialize(&json!({ "action": question.message }))?)
        })
        .on_sampling(async |_: Context, _: Value| Err::<Json, _>(ErrorObject::new(-1, "no model")))
        .roots([Root::new("file:///a").name("A"), Root::new("file:///b")]);
    let (wire, _client) = ClientWire::ready(host);
    let answer = |method: &str, params: &Value| {
        wire.send(&request("q", method, params));
        wire.receive_one()
    };
    let asked = answer("elicitation/create", &json!({ "message": "accept", "more": 1 }));
    assert_eq!(asked, response(&json!("q"), &json!({ "action": "accept" })));
    let refused = answer("sampling/createMessage", &json!({}));
    assert_eq!(refused["error"], json!({ "code": -1, "message": "no model" }));
    let roots = json!([{ "uri": "file:///a", "name": "A" }, { "uri": "file:///b" }]);
    for params in [json!({}), json!({ "_meta": {} }), json!(null)] {
        assert_eq!(answer("roots/list", &params)["result"], json!({ "roots": roots }));
    }
    assert_eq!(answer("elicitation/create", &json!({}))["error"]["code"], -32602);
    for unknown in ["no/such", "tools/call", "tools/list", "initialize", "server/discover"] {
        assert_eq!(answer(unknown, &json!({}))["error"]["code"], -32601, "{unknown}");
    }
    wire.send(&request("q", "notifications/cancelled", &json!({ "requestId": "q" })));
    assert_eq!(wire.receive_one()["error"]["code"], -32601);
}

/// M4, M7: bad lines that look like requests are not answered by a client; nor is a request without an id.
#[test]
fn bad_lines_are_not_answered() {
    let (wire, _client) = ClientWire::ready(host().roots([]));
    wire.send(&json!({ "jsonrpc": "2.0", "method": "roots/list" }));
    wire.send(&json!({ "jsonrpc": "2.0", "id": null, "method": "roots/list" }));
    wire.send(&json!({ "jsonrpc": "2.0", "id": 7 }));
    wire.send(&json!({ "id": 7, "method": "roots/list" }));
    wire.input.push("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"roots/list\",\n");
    assert_eq!(wire.receive(), [Value::Null; 0]);
}

/// Q6: a handler that panics is answered for, and the session goes on.
#[test]
fn a_panicking_handler_is_answered_for() {
    let host = host()
        .on_elicitation(async |_: Context, _: Value| -> Result<Json, _> { panic!("as asked") })
        .on_sampling(|_: Context, _: Value| -> std::future::Ready<Result<Json, ErrorObject>> {
            panic!("as asked")
        })
        .notification("panic", |_: &Peer, _: Value| panic!("as asked"))
        .roots([]);
    let (wire, _client) = ClientWire::ready(host);
    for method in ["elicitation/create", "sampling/createMessage"] {
        wire.send(&request(1, method, &json!({})));
        assert_eq!(wire.receive_one()["error"]["code"], -32603);
    }
    wire.send(&notification("panic", &json!({})));
    wire.send(&request(2, "roots/list", &json!({})));
    assert_eq!(wire.receive_one()["id"], 2);
}

/// C1: a question that the server takes back is dropped, and nothing is written for it.
#[test]
fn a_question_may_be_taken_back() {
    let gate = Gate::default();
    let (host, gone) = waiting(&gate);
    let (wire, client) = ClientWire::ready(host);
    wire.send(&request("q", "elicitation/create", &json!({})));
    assert_eq!((gate.waiting(), client.peer().in_flight()), (1, 1));
    wire.send(&cancel("q", "bored"));
    assert_eq!((gate.waiting(), client.peer().in_flight()), (0, 0));
    assert!(gone.load(Ordering::SeqCst));
    gate.open();
    assert_eq!(wire.receive(), [Value::Null; 0]);
    // Its id is free again.
    wire.send(&request("q", "elicitation/create", &json!({})));
    assert_eq!(wire.receive_one(), response(&json!("q"), &json!({})));
}

/// C1: work that a handler has started elsewhere is told, with the reason.
#[test]
fn work_elsewhere_is_told() {
    let kept: Arc<Mutex<Option<Context>>> = Arc::default();
    let keep = Arc::clone(&kept);
    let host = host().on_elicitation(move |context: Context, _: Value| {
        *keep.lock().unwrap() = Some(context);
        Gate::never::<Result<Json, _>>()
    });
    let (wire, _client) = ClientWire::ready(host);
    wire.send(&request("q", "elicitation/create", &json!({})));
    let context = kept.lock().unwrap().take().unwrap();
    let cancellation = context.cancellation();
    assert!(context.is_live() && !cancellation.is_cancelled());
    wire.send(&cancel("q", "bored"));
    assert!(!context.is_live());
    assert_eq!(cancellation.reason().as_deref(), Some("bored"));
}

/// X1, X4: the server's questions end with the connection, unanswered, whoever ends it.
#[test]
fn questions_end_with_the_connection() {
    let ends: [fn(&ClientWire, Client); 4] = [
        |wire, _| wire.input.end(),
        |_, client| client.peer().close(),
        |_, client| drop(client),
        |wire, _| wire.world.end_runtime(),
    ];
    for end in ends {
        let gate = Gate::default();
        let (host, gone) = waiting(&gate);
        let (wire, client) = ClientWire::ready(host);
        wire.send(&request("q", "elicitation/create", &json!({})));
        end(&wire, client);
        wire.world.run();
        assert!(gone.load(Ordering::SeqCst));
        assert_eq!((gate.waiting(), wire.receive(), wire.world.alive()), (0, vec![], 0));
    }
}

/// O3: a handler asks the server while the server asks it, both ways at once and nested, on one thread.
#[test]
fn both_sides_ask_at_once() {
    let host = host().on_elicitation(async |context: Context, _: Value| {
        let answer = context.request("deeper", None, Default::default()).await;
        answer.map_err(|error| ErrorObject::new(1, error.to_string()))
    });
    let (wire, client) = ClientWire::ready(host);
    let calls: Vec<Task<_>> = (0..32)
        .map(|_| wire.world.start(client.request("outer", None, Default::default())))
        .collect();
    let outer = wire.receive();
    for call in &outer {
        wire.input
            .push(format!("{}\n", request(call["id"].clone(), "elicitation/create", &json!({}))));
    }
    let deeper = wire.receive();
    assert_eq!((outer.len(), deeper.len()), (32, 32));
    for (number, call) in deeper.iter().enumerate().rev() {
        wire.input.push(format!("{}\n", response(&call["id"], &json!(number))));
    }
    let answers = wire.receive();
    for (call, answer) in outer.iter().rev().zip(&answers) {
        assert_eq!(answer["id"], call["id"]);
        wire.send(&response(&answer["id"], &answer["result"]));
    }
    for (number, call) in calls.iter().enumerate() {
        assert_eq!(call.take(), Some(Ok(Json::from_serialize(&number).unwrap())));
    }
    assert_eq!((client.peer().in_flight(), client.peer().buffered()), (0, 0));
}

/// C2: what a handler asks on behalf of a question is withdrawn with it.
#[test]
fn what_a_handler_asks_is_withdrawn_with_it() {
    let host = host().on_elicitation(async |context: Context, _: Value| {
        let answer = context.request("deeper", None, Default::default()).await;
        answer.map_err(|_| ErrorObject::internal())
    });
    let (wire, _client) = ClientWire::ready(host);
    wire.send(&request("q", "elicitation/create", &json!({})));
    let deeper = wire.receive_one();
    wire.send(&cancel("q", "bored"));
    let told = notification("notifications/cancelled", &json!({ "requestId": deeper["id"] }));
    assert_eq!(wire.receive(), [told]);
}

/// Q3, Q4: the server has its share of the host's slots, over all of its clients; past it it is told to wait.
#[test]
fn a_server_has_its_share() {
    let gate = Gate::default();
    let (host, _) = waiting(&gate);
    let host = Arc::new(host.budget(mcp_wire_driver::Budget::new(4)));
    let [(first, one), (second, _other)] = [(); 2].map(|()| ClientWire::ready(Arc::clone(&host)));
    for id in 0..3 {
        first.send(&request(id, "elicitation/create", &json!({})));
    }
    assert_eq!(first.receive_one()["error"]["message"], "server busy");
    second.send(&request(1, "elicitation/create", &json!({})));
    assert_eq!(gate.waiting(), 3);
    drop(one);
    first.world.run();
    assert_eq!(gate.waiting(), 1);
}

/// N2: progress is told to a server that asked for it, and log messages are not held back.
#[test]
fn a_handler_tells_of_its_progress() {
    let host = host().on_sampling(async |context: Context, _: Value| {
        for step in [1.0, 1.0, 2.0] {
            context.progress(step, None, None).map_err(|_| ErrorObject::internal())?;
        }
        Ok(Json::empty_object())
    });
    let (wire, _client) = ClientWire::ready(host);
    let params = json!({ "_meta": { "progressToken": "p" } });
    wire.send(&request(1, "sampling/createMessage", &params));
    let told: Vec<Value> = wire.receive().iter().map(|it| it["params"].clone()).collect();
    let step = |step: f64| json!({ "progressToken": "p", "progress": step });
    assert_eq!(told, [step(1.0), step(2.0), Value::Null]);
}

/// N3: a client that declares its roots can tell that they have changed.
#[test]
fn changed_roots_can_be_told() {
    let roots: Arc<Mutex<Vec<Root>>> = Arc::default();
    let shared = Arc::clone(&roots);
    let host = host().on_roots(move |_| std::future::ready(Ok(shared.lock().unwrap().clone())));
    let (wire, client) = ClientWire::ready(host);
    let listed = || {
        wire.send(&request(1, "roots/list", &json!({})));
        wire.receive_one()["result"]["roots"].clone()
    };
    assert_eq!(listed(), json!([]));
    roots.lock().unwrap().push(Root::new("file:///new"));
    let sender = client.clone();
    let told =
        wire.start(async move { sender.notify("notifications/roots/list_changed", None).await });
    assert_eq!((told.take(), wire.receive().len()), (Some(Ok(())), 1));
    assert_eq!(listed(), json!([{ "uri": "file:///new" }]));
}

/// X1: a client that shuts down gently cancels the server's questions once its input ends.
#[test]
fn questions_end_with_the_input_of_a_client_that_shuts_down() {
    let gate = Gate::default();
    let at = gate.clone();
    let host = host().on_elicitation(move |_: Context, _: Value| {
        let at = at.clone();
        async move {
            at.pass().await;
            Ok(Json::empty_object())
        }
    });
    let (wire, client) = ClientWire::ready(host);
    wire.send(&request("q", "elicitation/create", &json!({})));
    client.peer().shutdown(None);
    wire.input.end();
    wire.world.run();
    assert_eq!(gate.waiting(), 0);
}
