//! The command line.

use children::Mode;
use std::process::{Command, Output};

fn misbehave(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_misbehave")).args(arguments).output().unwrap()
}

#[test]
fn all_modes_are_listed() {
    let output = misbehave(&["--list"]);
    let list = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert_eq!(list.lines().count(), Mode::ALL.len());
    for (line, mode) in list.lines().zip(Mode::ALL) {
        assert!(line.starts_with(&format!("{} ", mode.name())), "{line}");
        assert!(line.ends_with(mode.description()), "{line}");
        assert_eq!(mode.name().parse(), Ok(*mode));
    }
}

#[test]
fn wrong_arguments_are_refused() {
    for (arguments, says) in [
        (&[][..], "usage: misbehave MODE"),
        (&["sings"], "there is no mode \"sings\": --list names them"),
        (&["dies-after-bytes"], "after how many bytes?"),
        (&["dies-after-bytes", "many"], "\"many\": invalid digit"),
        (&["well", "5"], "what is \"5\" for?"),
    ] {
        let output = misbehave(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(errors.contains(says), "{arguments:?}: {errors}");
    }
}
