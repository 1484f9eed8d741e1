//! The end.

use std::time::{Duration, Instant};

use crate::demo::client::Trouble;
use crate::demo::stage::Stage;

pub(super) fn hang_up(stage: &mut Stage<'_>) -> Result<(), Trouble> {
    let call = stage.call("slow", r#"{"ms":300,"steps":3}"#);
    let hung_up = Instant::now();
    stage.client.hang_up();
    stage.screen.sent("(end of input)");
    stage.answer(call)?;
    stage.check(true, "the call was answered even so");

    let status = stage.client.exit()?;
    let time = hung_up.elapsed();
    let text = format!("the process was gone after {} ms, with {status}", time.as_millis());
    stage.check(status.success() && time < Duration::from_secs(1), &text);

    let (received, unclaimed) = stage.client.finish()?;
    let count = unclaimed.len();
    let text = match unclaimed.first() {
        None => format!("{received} lines came in all, each of them JSON and asked for"),
        Some(message) => {
            stage.screen.received(&message.line);
            format!("{count} of {received} lines came unasked, the first of them above")
        }
    };
    stage.check(count == 0, &text);
    Ok(())
}
