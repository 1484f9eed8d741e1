//! The entries of `tests/corpus`: what goes in, what comes out. The format is told in the `README.md` there.

mod parse;
mod text;

pub use text::Text;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// One behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file that it stands in, without its extension.
    pub topic: String,
    /// What it shows, in a sentence.
    pub title: String,
    /// The rules that it shows, by name.
    pub rules: Vec<String>,
    /// What differs from the defaults, by name. All names are known.
    pub settings: BTreeMap<String, String>,
    /// What goes in and comes out, in order.
    pub steps: Vec<Step>,
}

/// A line of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The peer ends its output.
    EndOfInput,
    /// What the application sees.
    Event(Text),
    /// Bytes that the peer sends.
    Input(Text),
    /// A line that the peer reads, without its end.
    Output(Text),
}

impl Entry {
    /// A setting, where it differs from its default.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.get(name).map(String::as_str)
    }

    /// A setting that is a number.
    ///
    /// # Panics
    ///
    /// Where it is none.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<usize> {
        let read =
            |text: &str| text.parse().unwrap_or_else(|_| panic!("{self}: {name} is a number"));
        self.setting(name).map(read)
    }

    /// Is this side the client, and the peer a server?
    #[must_use]
    pub fn is_client(&self) -> bool {
        self.setting("role") == Some("client")
    }

    /// How many calls of ours it is about, made before or during it.
    #[must_use]
    pub fn calls(&self) -> usize {
        let named = self.steps.iter().map(|step| match step {
            Step::EndOfInput => 0,
            Step::Event(text) | Step::Input(text) | Step::Output(text) => text.calls(),
        });
        named.max().unwrap_or_default().max(self.number("calls").unwrap_or_default())
    }

    /// All bytes that the peer sends. `calls` is how many calls were made before this entry.
    #[must_use]
    pub fn input(&self, calls: usize) -> Vec<u8> {
        self.rendered(calls, |step| match step {
            Step::Input(text) => Some(text),
            _ => None,
        })
        .concat()
    }

    /// The lines that the peer reads.
    #[must_use]
    pub fn output(&self, calls: usize) -> Vec<String> {
        let texts = self.rendered(calls, |step| match step {
            Step::Output(text) => Some(text),
            _ => None,
        });
        texts.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect()
    }

    /// What the application sees.
    #[must_use]
    pub fn events(&self, calls: usize) -> Vec<String> {
        let texts = self.rendered(calls, |step| match step {
            Step::Event(text) => Some(text),
            _ => None,
        });
        texts.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect()
    }

    /// Does the peer end its output?
    #[must_use]
    pub fn ends(&self) -> bool {
        self.steps.contains(&Step::EndOfInput)
    }

    fn rendered(&self, calls: usize, choose: impl Fn(&Step) -> Option<&Text>) -> Vec<Vec<u8>> {
        self.steps.iter().filter_map(choose).map(|text| text.bytes(calls)).collect()
    }
}

impl std::fmt::Display for Entry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.topic, self.title)
    }
}

/// All entries, sorted by file.
///
/// # Panics
///
/// Where a file cannot be read, or breaks the format: the message says where.
#[must_use]
pub fn entries() -> Vec<Entry> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let files = fs::read_dir(&directory).expect("tests/corpus can be read");
    let mut paths: Vec<_> =
        files.map(|file| file.expect("a file of tests/corpus").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let mut entries = Vec::new();
    for path in paths {
        let topic = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&path).expect("a corpus file is UTF-8");
        entries.extend(
            parse::file(&topic, &text).unwrap_or_else(|error| panic!("{topic}.txt:{error}")),
        );
    }
    entries
}

/// Is `line` what was expected? `"*"` in `expected` stands for any string.
#[must_use]
pub fn matches(expected: &str, line: &str) -> bool {
    let mut rest = line;
    let mut parts = expected.split("\"*\"");
    match parts.next().and_then(|first| rest.strip_prefix(first)) {
        Some(behind) => rest = behind,
        None => return false,
    }
    for part in parts {
        let mut strings = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        if !matches!(strings.next(), Some(Ok(_))) {
            return false;
        }
        match rest[strings.byte_offset()..].strip_prefix(part) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    rest.is_empty()
}
