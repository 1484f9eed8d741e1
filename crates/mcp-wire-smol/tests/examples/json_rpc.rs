//! An editor and its agent, in plain JSON-RPC.

use super::example;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

#[test]
fn the_editor_and_its_agent_ask_each_other() {
    let editor = Command::new(example("json_rpc")).output().expect("it starts");
    let printed = String::from_utf8(editor.stdout).expect("it prints text");
    assert_eq!(
        printed.lines().collect::<Vec<_>>(),
        [
            "agent: reading poem.txt",
            r#"{"words":8}"#,
            "agent: reading secret.txt",
            "the peer answered: secret.txt is not for you (code 1)",
            "agent: reading endless.txt",
            "no answer in time",
            "closed by this side"
        ]
    );
    assert_eq!(editor.status.code(), Some(0));
}

struct Agent {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Agent {
    fn start() -> Self {
        let mut command = Command::new(example("json_rpc"));
        command.arg("agent").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("it starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("it is piped"));
        Self { process, input, output }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().expect("it is open"), "{message}").expect("it is read");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("output is UTF-8");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Sends a prompt, and gives the agent's question.
    fn prompt(&mut self, id: &Value) -> Value {
        let params = json!(["count the words of a.txt"]);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "prompt", "params": params }));
        let update = json!({ "jsonrpc": "2.0", "method": "update", "params": ["reading a.txt"] });
        assert_eq!(self.receive(), update);
        let question = self.receive();
        assert_eq!(
            (&question["method"], &question["params"]),
            (&"read_file".into(), &json!(["a.txt"]))
        );
        question["id"].clone()
    }
}

#[test]
fn a_request_may_have_null_as_its_id() {
    let mut agent = Agent::start();
    let question = agent.prompt(&Value::Null);
    agent.send(&json!({ "jsonrpc": "2.0", "id": question, "result": "one two" }));
    assert_eq!(agent.receive(), json!({ "jsonrpc": "2.0", "id": null, "result": { "words": 2 } }));
}

#[test]
fn a_cancelled_request_withdraws_what_was_asked_because_of_it() {
    let mut agent = Agent::start();
    let question = agent.prompt(&json!(5));
    agent.send(&json!({ "jsonrpc": "2.0", "method": "$/cancel", "params": { "id": 5 } }));
    let withdrawn = agent.receive();
    assert_eq!((&withdrawn["method"], &withdrawn["params"]["id"]), (&"$/cancel".into(), &question));
    // It goes on, and ends with its input.
    agent.prompt(&json!("text"));
    agent.input = None;
    assert_eq!(agent.process.wait().expect("it is our child").code(), Some(0));
}
