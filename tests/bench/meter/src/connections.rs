//! Many connections of one server in one process.

use crate::process::{allow_many_descriptors, cpu, resident_kib, thread_cpu};
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// How many round trips are measured, at least.
const REQUESTS: usize = 20_000;

/// Opens as many connections as the first argument says, and measures what they take at rest, and what a round trip takes
/// when all of them are used in turn.
///
/// `serve` starts to serve one connection in the background, in threads other than this one: this one is the client, and
/// its CPU time does not count.
///
/// # Errors
///
/// Where the argument is no number, the system allows no more connections, or an answer is wrong.
pub fn measure_connections(
    mut serve: impl FnMut(UnixStream),
) -> Result<Value, Box<dyn Error + Send + Sync>> {
    let count = std::env::args().nth(1).and_then(|count| count.parse::<usize>().ok());
    let count = count.filter(|count| *count > 0).ok_or("name a number of connections")?;
    allow_many_descriptors()?;
    let mut clients = Vec::with_capacity(count + 1);
    // What the first one makes the runtime allocate is no cost of a connection.
    clients.push(Client::connect(&mut serve)?);
    let base = resident_kib()?;
    for _ in 0..count {
        clients.push(Client::connect(&mut serve)?);
    }
    let kib = resident_kib()?.saturating_sub(base) as f64 / count as f64;
    clients.remove(0);

    let rounds = REQUESTS.div_ceil(count);
    let before = others_cpu();
    for number in 0..rounds {
        for client in &mut clients {
            client.echo(number)?;
        }
    }
    let spent = others_cpu().saturating_sub(before);
    let requests = (rounds * count) as f64;
    Ok(json!({
        "connections": count,
        "base_kib": base,
        "kib_per_connection": (kib * 100.0).round() / 100.0,
        "cpu_us_per_request": (spent.as_secs_f64() * 1e9 / requests).round() / 1e3,
    }))
}

/// The CPU time of all threads but this one.
fn others_cpu() -> Duration {
    cpu().saturating_sub(thread_cpu())
}

/// The other end of a connection, which writes and reads lines by hand.
struct Client {
    stream: BufReader<UnixStream>,
    line: String,
}

impl Client {
    fn connect(serve: &mut impl FnMut(UnixStream)) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let (ours, theirs) = UnixStream::pair()?;
        serve(theirs);
        // Small, since it counts as the server's.
        let mut client = Self { stream: BufReader::with_capacity(512, ours), line: String::new() };
        let greeting = json!({ "jsonrpc": "2.0", "id": "greeting", "method": "initialize", "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "meter", "version": "1" },
        } });
        let answer = client.ask(&greeting)?;
        if !answer["result"]["protocolVersion"].is_string() {
            return Err(format!("initialize was answered with {answer}").into());
        }
        client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        client.echo(0)?;
        Ok(client)
    }

    fn echo(&mut self, number: usize) -> Result<(), Box<dyn Error + Send + Sync>> {
        let message = format!("{number:010} and some more words");
        let params = json!({ "name": "echo", "arguments": { "message": message } });
        let request =
            json!({ "jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params });
        let answer = self.ask(&request)?;
        let is_right = answer["id"] == number && answer["result"]["content"][0]["text"] == *message;
        if is_right { Ok(()) } else { Err(format!("{request} was answered with {answer}").into()) }
    }

    fn ask(&mut self, request: &Value) -> Result<Value, Box<dyn Error + Send + Sync>> {
        self.write(request)?;
        self.line.clear();
        self.stream.read_line(&mut self.line)?;
        Ok(serde_json::from_str(&self.line)?)
    }

    fn write(&self, message: &Value) -> std::io::Result<()> {
        self.stream.get_ref().write_all(format!("{message}\n").as_bytes())
    }
}
