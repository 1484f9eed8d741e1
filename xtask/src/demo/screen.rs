//! What the people in front of the terminal see.

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};

/// Wide enough for most terminals, so that no line wraps.
const WIDTH: usize = 80;
const MARGIN: &str = "  ";

/// Every message carries this, and nobody wants to read it every time.
const VERSION: &str = r#""jsonrpc":"2.0","#;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    Bold,
    Cyan,
    Dim,
    Green,
    Red,
    Yellow,
}

impl Colour {
    fn code(self) -> &'static str {
        match self {
            Colour::Bold => "1",
            Colour::Cyan => "36",
            Colour::Dim => "2",
            Colour::Green => "32",
            Colour::Red => "1;31",
            Colour::Yellow => "33",
        }
    }
}

/// Whether to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Palette {
    Coloured,
    Plain,
}

impl Palette {
    /// Colours are for terminals, and only for people who have not refused them: <https://no-color.org>.
    pub(super) fn choose(
        is_terminal: bool,
        no_colour: Option<&OsStr>,
        terminal: Option<&OsStr>,
    ) -> Self {
        let is_refused = no_colour.is_some_and(|value| !value.is_empty());
        let is_dumb = terminal.is_some_and(|terminal| terminal == "dumb");
        if is_terminal && !is_refused && !is_dumb { Palette::Coloured } else { Palette::Plain }
    }

    pub(super) fn paint(self, colour: Colour, text: &str) -> String {
        match self {
            Palette::Coloured => format!("\x1b[{}m{text}\x1b[0m", colour.code()),
            Palette::Plain => text.to_owned(),
        }
    }
}

pub(super) struct Screen {
    palette: Palette,
    right: usize,
    wrong: usize,
}

impl Screen {
    pub(super) fn for_stdout() -> Self {
        let (no_colour, terminal) = (env::var_os("NO_COLOR"), env::var_os("TERM"));
        let is_terminal = io::stdout().is_terminal();
        let palette = Palette::choose(is_terminal, no_colour.as_deref(), terminal.as_deref());
        Self { palette, right: 0, wrong: 0 }
    }

    pub(super) fn wrong(&self) -> usize {
        self.wrong
    }

    pub(super) fn opening(&self, runtime: &str) {
        let title = format!("An MCP server on {runtime}, over its real standard streams");
        println!("\n{}", self.palette.paint(Colour::Bold, &title));
        println!(
            "{MARGIN}{} to its stdin   {} from its stdout   {}",
            self.palette.paint(Colour::Cyan, "→"),
            self.palette.paint(Colour::Yellow, "←"),
            self.palette.paint(Colour::Dim, r#"("jsonrpc":"2.0" in every line is not shown)"#),
        );
    }

    pub(super) fn title(&self, title: &str) {
        println!("\n{}", self.palette.paint(Colour::Bold, title));
    }

    pub(super) fn sent(&self, line: &str) {
        self.line(Colour::Cyan, "→", line);
    }

    pub(super) fn received(&self, line: &str) {
        self.line(Colour::Yellow, "←", line);
    }

    pub(super) fn check(&mut self, is_right: bool, text: &str) {
        if is_right {
            self.right += 1;
            println!("{MARGIN}{} {text}", self.palette.paint(Colour::Green, "✓"));
        } else {
            self.wrong += 1;
            println!("{MARGIN}{}", self.palette.paint(Colour::Red, &format!("✗ {text}")));
        }
    }

    pub(super) fn note(&self, text: &str) {
        let text = shorten(text, WIDTH - MARGIN.len() - 2);
        println!("{MARGIN}  {}", self.palette.paint(Colour::Dim, &text));
    }

    /// Shows what the server logged, if anything.
    pub(super) fn log(&self, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        self.title("The last that the server wrote to standard error");
        for line in lines {
            self.note(line);
        }
    }

    pub(super) fn closing(&self) {
        let (right, checks) = (self.right, self.right + self.wrong);
        let line = if self.wrong == 0 {
            self.palette.paint(Colour::Green, &format!("✓ all {checks} checks went right"))
        } else {
            self.palette.paint(Colour::Red, &format!("✗ {right} of {checks} checks went right"))
        };
        println!("\n{line}");
    }

    fn line(&self, colour: Colour, arrow: &str, line: &str) {
        let line = shorten(&line.replacen(VERSION, "", 1), WIDTH - MARGIN.len() - 2);
        println!("{MARGIN}{} {line}", self.palette.paint(colour, arrow));
    }
}

/// At most `width` characters of a line, from its ends where that is not all of it. Nothing in it can move the cursor.
pub(super) fn shorten(line: &str, width: usize) -> String {
    let visible = |character: char| if character.is_control() { '·' } else { character };
    let length = line.chars().count();
    if length <= width {
        return line.chars().map(visible).collect();
    }
    let kept = width.saturating_sub(1);
    let end = kept / 4;
    let first = line.chars().take(kept - end);
    let last = line.chars().skip(length - end);
    first.chain(['…']).chain(last).map(visible).collect()
}
