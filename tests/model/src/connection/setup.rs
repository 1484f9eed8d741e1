//! Configurations whose limits are soon reached.

use crate::source::Source;
use mcp_wire_core::mcp;
use mcp_wire_core::rpc::{Budget, Config, IdMatching, Role, Unattributed};
use std::time::Duration;

/// Choices that leave everything at its default but the role.
pub(super) fn defaults(is_client: bool) -> Vec<u8> {
    let mut choices = vec![0; 16];
    choices[0] = is_client.into();
    choices
}

pub(super) fn choose(source: &mut Source<'_>) -> (Config, Budget) {
    let mut config = Config::default();
    config.dialect = mcp::dialect();
    config.role = source.pick(&[Role::Server, Role::Client]);
    config.unattributed =
        source.pick(&[Unattributed::Silent, Unattributed::NullId, Unattributed::OmitId]);
    config.id_matching = source.pick(&[IdMatching::Exact, IdMatching::Lenient]);
    config.eof_grace = source.pick(&[
        Some(Duration::from_secs(1)),
        Some(Duration::ZERO),
        None,
        Some(Duration::MAX),
    ]);
    config.callback_timeout = source.pick(&[None, None, Some(Duration::from_millis(50))]);
    config.max_events = source.pick(&[4096, 3, 1]);
    config.max_event_bytes = source.pick(&[16 << 20, 1_000]);
    config.max_faults = source.pick(&[64, 2, 0]);
    config.max_frame = source.pick(&[16 << 20, 256]);
    config.max_frame_out = source.pick(&[10_000_000, 4096]);
    config.max_in_flight_bytes = source.pick(&[64 << 20, 200]);
    config.max_outbound = source.pick(&[64 << 20, 1_000, 1]);
    config.outbound_reserve = source.pick(&[1 << 20, 200, 0]);
    config.max_queued = source.pick(&[0, 1, 3]);
    config.max_streams = source.pick(&[64, 1, 0]);
    let budget = Budget::with_share(source.pick(&[4, 2, 1]), source.pick(&[4, 1]));
    (config, budget)
}
