//! `cargo xtask demo`: a server as a child process, and what it says on its real standard streams.
//!
//! The client is a few lines of blocking code that know nothing of this project, so that what is shown is the wire.

mod client;
mod options;
mod scenes;
mod screen;
mod stage;
#[cfg(test)]
mod tests;

use client::Client;
use options::{HELP, Options};
use scenes::SCENES;
use screen::Screen;
use stage::Stage;

use crate::everything;
use crate::failure::Failure;

/// How many lines of the server's standard error are shown when something went wrong.
const LOG_LINES: usize = 12;

/// Plays the scenes, and fails where a check does.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let Some(options) = Options::parse(arguments)? else {
        println!("{HELP}");
        return Ok(());
    };
    // Optimised, although nothing here is about speed: from scratch that takes about as long as a development build,
    // and the other tasks that start this server find it built.
    let server = everything::build(options.runtime)?;

    let mut screen = Screen::for_stdout();
    screen.opening(&options.runtime_name);
    let mut client = Client::start(&server, scenes::SERVER_ARGUMENTS)?;
    play(&mut Stage::new(&mut screen, &mut client));
    if screen.wrong() > 0 {
        screen.log(&client.log(LOG_LINES));
    }
    screen.closing();

    match screen.wrong() {
        0 => Ok(()),
        _ => Err(Failure::Task("the server is not what it should be: see each ✗ above".to_owned())),
    }
}

/// Plays scene after scene. A server that is gone, or says nothing, ends the play; a wrong answer does not.
fn play(stage: &mut Stage<'_>) {
    for scene in SCENES {
        stage.screen.title(scene.title);
        if let Err(trouble) = (scene.play)(stage) {
            stage.screen.check(false, &trouble.to_string());
            stage.screen.note("the play ends here");
            return;
        }
    }
}
