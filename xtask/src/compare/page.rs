//! `docs/comparison.md`.

use super::servers::Server;
use super::situations::Situation;
use crate::failure::Failure;
use crate::workspace;
use std::fmt;
use std::fs;

/// The head of the page. What follows is made by the run.
const HEAD: &str = include_str!("comparison-head.md");

/// A row a situation, a column a server.
#[derive(Debug)]
pub(crate) struct Page {
    versions: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Page {
    pub(crate) fn new(servers: &[Server]) -> Self {
        let version = |server: &Server| format!("{} {}", server.name, server.version);
        let mut header = vec!["Situation".to_owned(), "Rules".to_owned()];
        header.extend(servers.iter().map(|server| server.name.to_owned()));
        let line = vec!["---".to_owned(); header.len()];
        Self { versions: servers.iter().map(version).collect(), rows: vec![header, line] }
    }

    pub(crate) fn row(&mut self, situation: &Situation, seen: Vec<String>) {
        let mut row = vec![situation.title.to_owned(), situation.rules.to_owned()];
        row.extend(seen);
        self.rows.push(row);
    }

    pub(crate) fn write(&self) -> Result<(), Failure> {
        fs::write(workspace::root().join("docs/comparison.md"), self.to_string())?;
        println!("written: docs/comparison.md");
        Ok(())
    }
}

impl fmt::Display for Page {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{HEAD}\nSeen of: {}.\n", self.versions.join(", "))?;
        for row in &self.rows {
            writeln!(formatter, "| {} |", row.join(" | "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::servers::Owner;
    use super::super::situations::SITUATIONS;
    use super::*;

    #[test]
    fn the_page_names_versions_and_has_a_column_for_each_server() {
        let server = |name, version: &str| Server {
            name,
            version: version.to_owned(),
            command: Vec::new(),
            owner: Owner::Other,
        };
        let mut page = Page::new(&[server("one", "1.0.0"), server("two", "2.0.0")]);
        page.row(&SITUATIONS[0], vec!["nothing".to_owned(), "ends".to_owned()]);
        let page = page.to_string();
        assert!(page.contains("\nSeen of: one 1.0.0, two 2.0.0.\n"));
        let table = "| Situation | Rules | one | two |\n| --- | --- | --- | --- |\n\
                     | a call that is not UTF-8 | M2 | nothing | ends |\n";
        assert!(page.ends_with(table), "{page}");
    }
}
