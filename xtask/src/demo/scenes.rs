//! What is played, scene by scene. The scenes belong to one connection, and follow on from each other.

mod basics;
mod concurrency;
mod ending;
mod faults;

use super::client::Trouble;
use super::stage::Stage;

/// The limit is low, so that a scene can reach it.
pub(super) const SERVER_ARGUMENTS: &[&str] = &["--max-in-flight", "256"];

/// The calls that one connection may have in flight: half of the server's limit.
const SLOTS: usize = 128;

/// Longer than anybody waits here: calls that take this long are cancelled.
const A_MINUTE: &str = r#"{"ms":60000,"steps":600}"#;

pub(super) struct Scene {
    pub(super) title: &'static str,
    pub(super) play: fn(&mut Stage<'_>) -> Result<(), Trouble>,
}

pub(super) const SCENES: &[Scene] = &[
    Scene { title: "Handshake", play: basics::handshake },
    Scene { title: "Tools", play: basics::tools },
    Scene { title: "Progress", play: basics::progress },
    Scene { title: "A question to the user", play: basics::elicitation },
    Scene { title: "A hundred calls beside a slow one", play: concurrency::hundred_calls },
    Scene { title: "Cancelling the slow one", play: concurrency::cancellation },
    Scene { title: "Every slot taken", play: concurrency::limit },
    Scene { title: "A stray println! in a tool", play: faults::stray_print },
    Scene { title: "A tool that panics", play: faults::panic },
    Scene { title: "Bad lines", play: faults::bad_lines },
    Scene { title: "The client hangs up, with a call in flight", play: ending::hang_up },
];
