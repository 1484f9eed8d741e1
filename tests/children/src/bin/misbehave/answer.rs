//! What goes wrong with an answer.

use crate::complaint::complain;
use crate::message::{error, initialize_result, response, result_of};
use crate::platform;
use crate::server::{Server, live_on};
use children::Mode;
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::process;
use std::thread;
use std::time::Duration;

/// How much is written to standard error before an answer, in lines of 64 bytes: 4 MiB.
const FLOOD: usize = 64 << 10;

pub(crate) fn request(
    server: &mut Server,
    method: &str,
    id: &Value,
    params: &Value,
) -> io::Result<()> {
    match server.mode {
        Mode::FloodsStderr => flood_stderr()?,
        Mode::NeverAnswers => return Ok(()),
        _ => {}
    }
    match method {
        "initialize" => initialize(server, id, params),
        "server/discover" if server.mode == Mode::DiesOfTheProbe => {
            complain("asked before the handshake");
            process::exit(3);
        }
        "tools/call" => call(server, id, params),
        _ => server.output.send(&response(id, result_of(method, params))),
    }
}

fn initialize(server: &mut Server, id: &Value, params: &Value) -> io::Result<()> {
    let mut result = initialize_result(params);
    match server.mode {
        Mode::Refuses => {
            return server.output.send(&error(id, -32000, "no licence for this machine"));
        }
        Mode::SpeaksUnknownRevision => result["protocolVersion"] = "2099-12-31".into(),
        _ => {}
    }
    server.output.send(&response(id, Ok(result)))?;
    match server.mode {
        Mode::NeverReads => live_on(),
        Mode::ReadsSlowly => read_slowly(&mut server.input),
        _ => Ok(()),
    }
}

fn call(server: &mut Server, id: &Value, params: &Value) -> io::Result<()> {
    server.calls += 1;
    let right = response(id, result_of("tools/call", params));
    let Server { mode, output, withheld, calls, .. } = server;
    match mode {
        Mode::AnswersLate if *calls == 1 => {
            *withheld = Some(right);
            Ok(())
        }
        Mode::AnswersLate => {
            output.send(&right)?;
            withheld.take().map_or(Ok(()), |late| output.send(&late))
        }
        Mode::AnswersTwice => {
            output.send(&right)?;
            output.send(&right)
        }
        Mode::ClosesStdin => {
            platform::close_stdin()?;
            output.send(&right)?;
            live_on();
        }
        Mode::ClosesStdout => {
            complain("closes its output");
            platform::close_stdout()
        }
        Mode::DiesMidCall => {
            complain("dies in a call");
            process::exit(3);
        }
        Mode::LeavesGrandchild => {
            output.send(&right)?;
            process::exit(0);
        }
        Mode::NoJsonrpc => output.send(&without(&right, "jsonrpc")),
        Mode::ResultAndError => {
            output.send(&with(right, "error", json!({ "code": -32603, "message": "also failed" })))
        }
        Mode::WrongId => output.send(&with(right, "id", json!(1_000_000))),
        _ => output.send(&right),
    }
}

/// Reads to the end all the same.
fn read_slowly(input: &mut impl Read) -> io::Result<()> {
    let mut piece = [0; 1 << 10];
    while input.read(&mut piece)? > 0 {
        thread::sleep(Duration::from_millis(20));
    }
    process::exit(0);
}

fn with(mut message: Value, key: &str, value: Value) -> Value {
    message[key] = value;
    message
}

fn without(message: &Value, key: &str) -> Value {
    let members = message.as_object().into_iter().flatten();
    members
        .filter(|(name, _)| *name != key)
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn flood_stderr() -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    let line = [b'.'; 63];
    let block: Vec<u8> = [&line[..], b"\n"].concat().repeat(1 << 10);
    for _ in 0..FLOOD >> 10 {
        stderr.write_all(&block)?;
    }
    Ok(())
}
