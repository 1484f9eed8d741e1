//! Handlers that share a state.

use crate::context::Context;

/// Gives a handler a clone of `state` each time: an [`Arc`](std::sync::Arc), or a handle such as a database pool. It is for
/// tools, resources, prompts, completion and methods alike.
///
/// An `async` closure that captures something of its own is no handler, since its future borrows from it; this is the
/// way around.
///
/// ```
/// # use mcp_wire_driver::{Context, NoArguments, Server, Tool, with_state};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// let count = Arc::new(AtomicU64::new(0));
/// let schema = serde_json::json!({ "type": "object" });
/// let server = Server::new("counter", "1.0.0").tool(
///     Tool::new("count", "Counts its calls", schema),
///     with_state(count, async |count: Arc<AtomicU64>, _: Context, _: NoArguments| {
///         count.fetch_add(1, Ordering::Relaxed) + 1
///     }),
/// );
/// # _ = server;
/// ```
pub fn with_state<S: Clone, A, F>(
    state: S,
    handler: impl Fn(S, Context, A) -> F,
) -> impl Fn(Context, A) -> F {
    move |context, arguments| handler(state.clone(), context, arguments)
}
