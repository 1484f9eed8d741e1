//! The examples, started as a user would.
#![allow(clippy::disallowed_types, reason = "the core does no IO, its tests do")]

#[path = "../../../tests/built.rs"]
mod built;

use built::example;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Client {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn start(name: &str) -> Self {
        let mut command = Command::new(example(name));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().expect("it starts");
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().expect("it is piped"));
        Self { server, input, output }
    }

    fn write(&mut self, text: &str) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(text.as_bytes()).expect("it is read");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("output is UTF-8");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Hangs up. Gives the rest of the output, the exit code, and standard error.
    fn end(mut self) -> (String, Option<i32>, String) {
        self.input = None;
        let (mut rest, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).expect("output is UTF-8");
        let mut stderr = self.server.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut errors).expect("errors are UTF-8");
        (rest, self.server.wait().expect("it is our child").code(), errors)
    }
}

fn call(id: usize, message: &str) -> String {
    let params = json!({ "name": "echo", "arguments": { "message": message } });
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
    format!("{request}\n")
}

#[test]
fn blocking_answers_in_order_and_survives_a_bad_line() {
    let mut client = Client::start("blocking");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    client.write(&format!("{initialize}\n"));
    assert_eq!(client.receive()["result"]["serverInfo"]["name"], "blocking");
    client.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    client.write("no message\n");

    // More than one connection may have in flight, all in few reads.
    let calls: String = (1..=1000).map(|id| call(id, &format!("message {id}"))).collect();
    client.write(&calls);
    for id in 1..=1000 {
        let reply = client.receive();
        assert_eq!(reply["id"], id);
        assert_eq!(reply["result"]["content"][0]["text"], format!("message {id}"), "{reply}");
    }
    client.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"other\"}\n");
    assert_eq!(client.receive()["error"]["code"], -32601);
    // The last line may lack its end.
    client.write(call(2, "last").trim_end());
    let (rest, code, errors) = client.end();
    assert!(rest.contains("last"), "{rest}");
    assert_eq!(code, Some(0), "{errors}");
    assert!(errors.contains("not JSON"), "{errors}");
}
