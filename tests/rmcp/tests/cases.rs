//! What a server over our transport does with every input. What it does over the other one is nobody's promise, and is
//! recorded in `docs/rmcp.md`.

use compare_rmcp::{CASES, Peer};
use std::path::Path;

#[test]
fn our_transport_does_what_it_promises() {
    let program = Path::new(env!("CARGO_BIN_EXE_compare-rmcp"));
    for case in &CASES {
        let mut peer = Peer::start(program, "mcp-wire").unwrap();
        let seen = case.run(&mut peer).unwrap();
        assert_eq!(seen, case.ours, "{}", case.input);
    }
}
