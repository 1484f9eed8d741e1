//! `docs/limits.md` says what the code does: every default, and every field of every type that has defaults.

mod constant;
mod fields;
mod quantity;
mod table;

use fields::fields;
use mcp_wire_tokio::message::Rules;
use mcp_wire_tokio::shutdown::Times;
use mcp_wire_tokio::{Budget, CallOptions, Config, Host, ObserverLimits};
use std::collections::BTreeMap;
use std::fmt::Debug;
use table::{Row, Source};

const TABLE: &str = include_str!("../../../../docs/limits.md");

/// What is no limit: a protocol, and handlers.
const LEFT_OUT: [&str; 2] = ["dialect", "handlers"];

fn defaults() -> BTreeMap<&'static str, BTreeMap<String, String>> {
    let of = |value: &dyn Debug| {
        let mut fields = fields(value);
        fields.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
        fields
    };
    let budget = Budget::default();
    let slots = [("slots", budget.slots()), ("share", budget.share())];
    let slots = slots.map(|(name, count)| (name.to_owned(), count.to_string()));
    BTreeMap::from([
        ("Budget", BTreeMap::from(slots)),
        ("CallOptions", of(&CallOptions::default())),
        ("Config", of(&Config::default())),
        ("Host", of(&Host::new("", ""))),
        ("ObserverLimits", of(&ObserverLimits::default())),
        ("Rules", of(&Rules::default())),
        ("Times", of(&Times::default())),
    ])
}

#[test]
fn each_default_is_told_as_it_is() {
    let mut left = defaults();
    for Row { limit, source, default } in table::rows(TABLE) {
        let told = quantity::read(default);
        let actual = match source {
            Source::Constant { name, path } => constant::value(name, path),
            Source::Field { of } => {
                left.get_mut(of).and_then(|fields| fields.remove(limit.trim_matches('`')))
            }
        };
        assert_eq!(Some(told), actual, "the row of {limit}");
    }
    left.retain(|_, fields| !fields.is_empty());
    assert!(left.is_empty(), "these have no row in docs/limits.md: {left:?}");
}
