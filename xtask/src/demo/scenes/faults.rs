//! What goes wrong, on either side.

use crate::demo::client::Trouble;
use crate::demo::stage::Stage;

/// Past the limit for a line, which is 16 MiB.
const GARBAGE: usize = 30_000_000;

pub(super) fn stray_print(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let call = stage.call("stray_print", "{}");
    stage.wait_for_log("a stray line")?;
    stage.answer(call)?;
    let is_clean = !stage.client.has_received(|message| message.line.contains("a stray line"));
    stage.check(is_clean, "it went to standard error, and the client saw nothing of it");
    Ok(())
}

pub(super) fn panic(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let call = stage.call("boom", "{}");
    stage.wait_for_log("boom")?;
    let answer = stage.answer(call)?;
    let is_contained = answer.json["error"]["code"] == -32603 && !answer.line.contains("boom");
    stage.check(is_contained, "the caller gets an error, the log gets the text");
    Ok(())
}

pub(super) fn bad_lines(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let half = r#"{"jsonrpc":"2.0","id":1000,"met"#;
    let batch = r#"[{"jsonrpc":"2.0","id":1001,"method":"ping"}]"#;
    let garbage = "x".repeat(GARBAGE);
    let lines: [(&str, &[u8]); 4] = [
        ("FF FE, two bytes that are never UTF-8", &[0xFF, 0xFE]),
        (half, half.as_bytes()),
        (batch, batch.as_bytes()),
        ("xxxxxxxxxxxxxxxx… 30 MB of it, and no line break before its end", garbage.as_bytes()),
    ];
    let unclaimed = stage.client.unclaimed();
    for (shown, bytes) in lines {
        stage.screen.sent(shown);
        stage.client.send_bytes([bytes, b"\n"].concat());
        stage.ping()?;
    }
    stage.check(true, "after each of them, a ping was answered");
    let is_silent = stage.client.unclaimed() == unclaimed;
    stage.check(is_silent, "no answer was made up where nobody can tell who asked");
    Ok(())
}
