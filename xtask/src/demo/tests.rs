//! What can be shown without a server.

use std::ffi::OsStr;

use super::options::Options;
use super::screen::{Colour, Palette, shorten};
use crate::everything::Runtime;
use crate::failure::Failure;

#[test]
fn a_line_that_fits_is_shown_whole() {
    assert_eq!(shorten("", 3), "");
    assert_eq!(shorten("abc", 3), "abc");
    assert_eq!(shorten("→→→", 3), "→→→", "characters count, not bytes");
}

#[test]
fn a_long_line_shows_its_ends() {
    assert_eq!(shorten("abcdefghijklmnop", 10), "abcdefg…op");
    assert_eq!(shorten("äöüäöüäöüäöüß", 5), "äöü…ß");
    assert_eq!(shorten("abcdef", 1), "…");
    assert_eq!(shorten("abcdef", 0), "…", "there is always something to see");
}

#[test]
fn no_line_moves_the_cursor() {
    assert_eq!(shorten("a\x1b[2Jb\r", 80), "a·[2Jb·");
    assert_eq!(shorten(&"\x07".repeat(30), 6), "····…·");
}

#[test]
fn colours_are_for_terminals_whose_owner_has_not_refused_them() {
    let choose = |is_terminal, no_colour: Option<&str>, terminal: Option<&str>| {
        Palette::choose(is_terminal, no_colour.map(OsStr::new), terminal.map(OsStr::new))
    };
    assert_eq!(choose(true, None, Some("xterm")), Palette::Coloured);
    assert_eq!(choose(true, Some(""), None), Palette::Coloured);
    assert_eq!(choose(true, Some("1"), Some("xterm")), Palette::Plain);
    assert_eq!(choose(true, None, Some("dumb")), Palette::Plain);
    assert_eq!(choose(false, None, Some("xterm")), Palette::Plain);
}

#[test]
fn a_plain_palette_adds_nothing() {
    assert_eq!(Palette::Plain.paint(Colour::Green, "✓"), "✓");
    assert_eq!(Palette::Coloured.paint(Colour::Green, "✓"), "\x1b[32m✓\x1b[0m");
}

#[test]
fn the_runtime_is_chosen_by_name() {
    let parse = |arguments: &[&str]| {
        Options::parse(&arguments.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let chosen = |arguments: &[&str]| parse(arguments).ok().flatten().map(|chosen| chosen.runtime);
    assert_eq!(chosen(&[]), Some(Runtime::Tokio));
    assert_eq!(chosen(&["--runtime", "smol"]), Some(Runtime::Smol));
    assert!(matches!(parse(&["--help"]), Ok(None)));
    for bad in [&["--runtime"][..], &["--runtime", "none"], &["--what"]] {
        assert!(matches!(parse(bad), Err(Failure::Usage(_))));
    }
}
