//! What is run: each suite for each revision that it knows, against either side.

/// One suite for one revision against one side.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) leg: Leg,
    /// The generation of the suite, as `package.json` calls it; empty where there is none.
    suite: &'static str,
    pub(crate) revision: &'static str,
    /// What selects the revision, besides its name.
    selection: &'static [&'static str],
}

/// Whom a run is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leg {
    Client,
    Server,
    /// Both of ours, talking to each other.
    Tour,
}

impl Leg {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
            Self::Tour => "tour",
        }
    }
}

const ALL: &[&str] = &["--suite", "all", "--spec-version"];
const ACTIVE: &[&str] = &["--spec-version"];
const REQUIREMENTS: &[&str] = &["--requirements"];

const fn server(
    suite: &'static str,
    revision: &'static str,
    selection: &'static [&'static str],
) -> Run {
    Run { leg: Leg::Server, suite, revision, selection }
}

const fn client(suite: &'static str, revision: &'static str) -> Run {
    Run { leg: Leg::Client, suite, revision, selection: ACTIVE }
}

const fn tour(revision: &'static str) -> Run {
    Run { leg: Leg::Tour, suite: "", revision, selection: &[] }
}

pub(crate) const RUNS: &[Run] = &[
    server("0.1", "2025-06-18", ALL),
    server("0.1", "2025-11-25", ALL),
    server("0.2", "2025-06-18", ACTIVE),
    server("0.2", "2025-11-25", REQUIREMENTS),
    server("0.2", "2026-07-28", REQUIREMENTS),
    client("0.1", "2025-06-18"),
    client("0.1", "2025-11-25"),
    client("0.2", "2025-06-18"),
    client("0.2", "2025-11-25"),
    client("0.2", "2026-07-28"),
    tour("2024-11-05"),
    tour("2025-03-26"),
    tour("2025-06-18"),
    tour("2025-11-25"),
    tour("2026-07-28"),
];

impl Run {
    /// What it is called on the command line.
    pub(crate) fn name(&self) -> String {
        let parts = [self.leg.name(), self.suite, self.revision];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
    }

    pub(crate) fn description(&self) -> String {
        match self.leg {
            Leg::Tour => format!("our client and our server, in revision {}", self.revision),
            leg => format!(
                "suite {} for revision {} against our {}",
                self.suite,
                self.revision,
                leg.name()
            ),
        }
    }

    /// The folder that the suite is installed as.
    pub(crate) fn package(&self) -> String {
        format!("conformance-{}", self.suite)
    }

    /// The arguments of the suite that select what is run.
    pub(crate) fn selection(&self) -> impl Iterator<Item = &'static str> {
        self.selection.iter().copied().chain([self.revision])
    }

    /// Since this revision there are no sessions.
    pub(crate) fn is_modern(&self) -> bool {
        self.revision >= "2026-07-28"
    }
}
