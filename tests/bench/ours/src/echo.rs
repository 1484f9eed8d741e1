//! The smallest server: one tool that is answered at once, and the same as a task.

use mcp_wire_driver::{Context, Server, Tool};
use serde::Deserialize;
use serde_json::json;

/// What the command line of such a server says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EchoOptions {
    /// See [`Server::max_in_flight`]: a depth needs twice as many.
    max_in_flight: Option<usize>,
}

impl EchoOptions {
    /// Reads flags.
    ///
    /// # Errors
    ///
    /// A message that says how they are used.
    pub fn from_arguments(arguments: &[String]) -> Result<Self, String> {
        match arguments {
            [] => Ok(Self::default()),
            [flag, number] if flag == "--max-in-flight" => match number.parse() {
                Ok(number) => Ok(Self { max_in_flight: Some(number) }),
                Err(_) => Err(format!("--max-in-flight needs a number, not {number}")),
            },
            _ => Err("the only flag is --max-in-flight NUMBER".to_owned()),
        }
    }
}

#[derive(Deserialize)]
struct Echo {
    message: String,
}

/// A server with the tools `echo` and `echo_task`.
#[must_use]
pub fn echo_server(options: EchoOptions) -> Server {
    let schema = json!({
        "type": "object",
        "properties": { "message": { "type": "string" } },
        "required": ["message"],
    });
    let server = Server::new("echo", env!("CARGO_PKG_VERSION"))
        .tool_now(
            Tool::new("echo", "Gives back a message", schema.clone()),
            |_: &Context, echo: Echo| echo.message,
        )
        .tool(
            Tool::new("echo_task", "Gives back a message, from a task", schema),
            async |_: Context, echo: Echo| echo.message,
        );
    match options.max_in_flight {
        Some(requests) => server.max_in_flight(requests),
        None => server,
    }
}
