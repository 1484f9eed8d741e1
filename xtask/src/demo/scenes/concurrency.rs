//! Many calls at once.

use std::time::{Duration, Instant};

use super::{A_MINUTE, SLOTS};
use crate::child::PATIENCE;
use crate::demo::client::{Message, Trouble};
use crate::demo::stage::Stage;

const CALLS: usize = 100;
const TOKEN: &str = "slow";

pub(super) fn hundred_calls(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let slow = stage.call_with_progress("slow", A_MINUTE, TOKEN);
    let began = Instant::now();
    let calls: Vec<u64> = (0..CALLS)
        .map(|number| stage.client.call("add", &format!(r#"{{"a":{number},"b":1}}"#)).id)
        .collect();
    stage.screen.sent(&format!("{CALLS} calls of add, without waiting in between"));

    let mut right = 0;
    for (number, call) in calls.into_iter().enumerate() {
        let answer = stage.client.answer(call)?;
        right += usize::from(answer.text() == Some((number + 1).to_string().as_str()));
    }
    stage.screen.received(&format!("{CALLS} answers in {}", milliseconds(began.elapsed())));
    stage.check(right == CALLS, &format!("{right} calls of {CALLS} got their own sum"));

    let is_running = !stage.client.has_received(|message| message.answers(slow));
    stage.check(is_running, "the slow call, sent first, held nobody up");
    stage.slow_call = Some(slow);
    Ok(())
}

/// Once a ping behind the cancellation is answered, nothing may come for the cancelled call any more.
pub(super) fn cancellation(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let slow = stage.slow_call.unwrap_or_default();
    stage.wait_for("notifications/progress")?;
    stage.cancel(slow);
    stage.ping()?;
    stage.client.forget(is_its_progress);

    let other = stage.call("slow", r#"{"ms":300,"steps":3}"#);
    stage.answer(other)?;
    let is_silent =
        !stage.client.has_received(|message| message.answers(slow) || is_its_progress(message));
    stage.check(is_silent, "nothing more was written for it, in the time of three more steps");
    stage.client.forget(|message| message.answers(slow) || is_its_progress(message));
    Ok(())
}

pub(super) fn limit(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let slow: Vec<u64> = (0..SLOTS).map(|_| stage.client.call("slow", A_MINUTE).id).collect();
    stage.screen.sent(&format!("{SLOTS} calls of slow, as many as a connection may have running"));
    let call = stage.call("echo", r#"{"message":"hello?"}"#);
    let busy = stage.answer(call)?;
    let ping = stage.request("ping", "{}");
    let pong = stage.answer(ping)?;
    stage.check(busy.is_busy(), "one call too many is told so at once");
    stage.check(pong.json["result"].is_object(), "a ping is answered even so");

    for id in slow {
        stage.client.cancel(id);
    }
    stage.screen.sent(&format!("{SLOTS} cancellations"));
    let is_free = call_until_free(stage)?;
    stage.check(is_free, "what is cancelled makes room");
    Ok(())
}

/// A slot is free once the cancelled handler is gone, which can be a moment after the cancellation was read.
fn call_until_free(stage: &mut Stage<'_>) -> Result<bool, Trouble> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let sent = stage.client.call("echo", r#"{"message":"hello!"}"#);
        let answer = stage.client.answer(sent.id)?;
        let is_free = !answer.is_busy();
        if is_free || Instant::now() >= deadline {
            stage.screen.sent(&sent.line);
            stage.screen.received(&answer.line);
            return Ok(is_free);
        }
    }
}

fn is_its_progress(message: &Message) -> bool {
    message.json["params"]["progressToken"] == TOKEN
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
