//! Tables of Markdown, as wide as they need to be.

use std::fmt;

/// A table, with what it shows in a few words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    title: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(title: impl Into<String>, header: &[&str]) -> Self {
        let header = header.iter().map(|column| (*column).to_owned()).collect();
        Self { title: title.into(), header, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

/// Numbers stand at the right, as far as the first column allows.
impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "### {}\n", self.title)?;
        let lines = || std::iter::once(&self.header).chain(&self.rows);
        let width = |column: usize| {
            lines().filter_map(|cells| cells.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> =
            (0..self.header.len()).map(|column| width(column).unwrap_or(0).max(3)).collect();
        for (number, cells) in lines().enumerate() {
            write!(formatter, "|")?;
            for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
                match column {
                    0 => write!(formatter, " {cell:<width$} |")?,
                    _ => write!(formatter, " {cell:>width$} |")?,
                }
            }
            writeln!(formatter)?;
            if number == 0 {
                write!(formatter, "|")?;
                for (column, width) in widths.iter().enumerate() {
                    let (dashes, end) =
                        ("-".repeat(width + 1), if column == 0 { "-" } else { ":" });
                    write!(formatter, "{dashes}{end}|")?;
                }
                writeln!(formatter)?;
            }
        }
        Ok(())
    }
}

/// A ratio, with as many digits as it deserves.
pub(crate) fn ratio(value: f64) -> String {
    match value {
        _ if value.is_nan() => "-".to_owned(),
        _ if value.is_infinite() => "not at all".to_owned(),
        _ if value < 0.095 => format!("{value:.3}"),
        _ if value < 9.95 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

/// A count of anything, which may be a mean.
pub(crate) fn count(value: f64) -> String {
    match value {
        _ if value.is_nan() => "-".to_owned(),
        _ if value >= 9.95 => thousands(value.round() as u64),
        _ => format!("{value:.2}"),
    }
}

/// Kibibytes as mebibytes.
pub(crate) fn mebibytes(kibibytes: f64) -> String {
    if kibibytes.is_nan() { "-".to_owned() } else { format!("{:.1}", kibibytes / 1024.0) }
}

fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown() {
        let mut table = Table::new("Fruit", &["name", "weight"]);
        table.row(["apple".to_owned(), "1".to_owned()]);
        let expected = "### Fruit\n\n| name  | weight |\n|-------|-------:|\n| apple |      1 |\n";
        assert_eq!(table.to_string(), expected);
    }

    #[test]
    fn numbers_have_the_digits_they_deserve() {
        assert_eq!([0.0123, 1.234, 12.34].map(ratio), ["0.012", "1.23", "12"]);
        assert_eq!([0.5, 10.4, 1234567.0].map(count), ["0.50", "10", "1,234,567"]);
        assert_eq!((ratio(f64::NAN), mebibytes(1536.0)), ("-".to_owned(), "1.5".to_owned()));
    }
}
