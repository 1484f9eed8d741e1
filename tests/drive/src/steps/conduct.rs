//! Whether our client has kept to the rules of its era, all session long.

use crate::report::{Failure, ensure};
use crate::session::Session;
use serde_json::{Value, json};
use std::collections::HashSet;

const MODERN: &str = "2026-07-28";
const META: &str = "io.modelcontextprotocol/";

/// What the modern era has no more.
const REMOVED: [&str; 6] = [
    "initialize",
    "logging/setLevel",
    "notifications/initialized",
    "ping",
    "resources/subscribe",
    "resources/unsubscribe",
];

/// What it has instead.
const ADDED: [&str; 2] = ["server/discover", "subscriptions/listen"];

/// Looks at all that the client has written. `opening` is how many requests it took to open the session.
pub(super) async fn conduct(session: &mut Session, opening: u64) -> Result<Value, Failure> {
    let is_modern = session.is_modern();
    let missed = session.wire.missed();
    let mut ids = HashSet::new();
    let mut first = None;
    for message in session.wire.all_sent().iter().map(|it| &it.value) {
        let Some(method) = message["method"].as_str() else {
            ensure(!is_modern, format_args!("the client writes no response, but {message}"))?;
            continue;
        };
        let gone: &[&str] = if is_modern { &REMOVED } else { &ADDED };
        ensure(!gone.contains(&method), format_args!("{method} is not in this era"))?;
        match message["id"].as_u64() {
            Some(id) => {
                first.get_or_insert(id);
                ensure(ids.insert(id), format_args!("the id {id} is used once"))?;
                check_meta(&message["params"]["_meta"], is_modern)?;
            }
            None => {
                let is_known = !is_modern || method == "notifications/cancelled";
                ensure(is_known, format_args!("{method} is not in this era"))?;
            }
        }
    }
    // Ids are counted, so the first one that was seen tells how many there were before.
    let before = first.ok_or("no request was seen")? - 1;
    ensure(before == opening, format_args!("{opening} requests open the session, not {before}"))?;
    Ok(json!({ "requests": ids.len(), "opening": before, "missed": missed }))
}

/// P2: a request says by itself what it needs to, in the modern era only.
fn check_meta(meta: &Value, is_modern: bool) -> Result<(), Failure> {
    let ours = |name: &str| &meta[format!("{META}{name}")];
    if is_modern {
        ensure(*ours("protocolVersion") == MODERN, format_args!("{meta} names {MODERN}"))?;
        let says_all = ours("clientCapabilities").is_object() && ours("clientInfo").is_object();
        ensure(says_all, format_args!("{meta} says who the client is, and what it can do"))?;
    } else {
        let names = meta.as_object().into_iter().flatten().map(|(name, _)| name);
        let none = names.filter(|name| name.starts_with(META)).count() == 0;
        ensure(none, format_args!("{meta} says nothing of the protocol"))?;
    }
    Ok(())
}
