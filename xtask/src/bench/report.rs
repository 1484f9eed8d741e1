//! What was found: tables and a chart, for people at a terminal and in `docs`.

use super::chart::Chart;
use super::goals::Goals;
use super::table::Table;
use crate::failure::Failure;
use crate::workspace;
use std::fs;

/// The head of the page. What follows is made by the run.
const HEAD: &str = include_str!("performance-head.md");

/// Everything that was found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) tables: Vec<Table>,
    pub(crate) chart: Chart,
    pub(crate) goals: Goals,
}

impl Report {
    pub(crate) fn print(&self) {
        for table in &self.tables {
            print!("\n{table}");
        }
    }

    /// Writes the page and the chart into `docs`.
    pub(crate) fn write(&self) -> Result<(), Failure> {
        let docs = workspace::root().join("docs");
        let tables: Vec<String> = self.tables.iter().map(Table::to_string).collect();
        let page = format!("{HEAD}\n{}\n{}", self.goals.table(), tables.join("\n"));
        fs::write(docs.join("performance.md"), page)?;
        fs::write(docs.join("performance.svg"), self.chart.to_string())?;
        println!("written: docs/performance.md and docs/performance.svg");
        Ok(())
    }
}
