//! What to tell somebody at a terminal when it does not work, and what to do about it.

use mcp_wire_driver::mcp::HandshakeError;
use mcp_wire_driver::{CallError, Client, Closed, ConnectError, ErrorObject, SessionEnd};

pub(crate) fn of_connecting(error: &ConnectError) -> String {
    let hint = match error {
        ConnectError::Handshake { error: HandshakeError::Call(error), .. } => match error {
            CallError::Closed(Closed::Exited(exit)) if exit.status.success() => {
                "\nIt has exited without speaking: does it need an argument to serve over standard input and output?"
            }
            CallError::Closed(Closed::Exited(_)) => {
                "\nTry its command by itself, and look whether it needs arguments or variables: it gets hardly any of the \
                 environment (--help)."
            }
            CallError::Closed(_) => "\nIt has closed its output without speaking.",
            CallError::TimedOut => {
                "\nIt runs, but says nothing: does it speak MCP over standard input and output? Some servers have to be \
                 told so, some take longer to start the first time (--timeout)."
            }
            CallError::Peer(_) => {
                "\nIt speaks, but does not want to be initialized: is it the right kind of server?"
            }
            _ => "",
        },
        ConnectError::Handshake { error: HandshakeError::UnknownRevision(_), .. } => {
            "\nIt is newer or older than this client."
        }
        _ => "",
    };
    format!("no session: {error}{hint}")
}

pub(crate) fn of_calling(error: &CallError, client: &Client, end: &SessionEnd) -> String {
    let hint = match error {
        CallError::Peer(error) if error.code == ErrorObject::METHOD_NOT_FOUND => {
            format!("\nThe server declares: {}", client.server_info().capabilities)
        }
        CallError::Closed(Closed::Exited(_)) => String::new(),
        CallError::Closed(_) => format!("\n{end}"),
        CallError::TimedOut => "\nIt may need longer: see --timeout.".to_owned(),
        _ => String::new(),
    };
    format!("{error}{hint}")
}
