//! The rows of the table.

/// A limit, as the table tells of it.
#[derive(Debug, PartialEq)]
pub(crate) struct Row<'a> {
    pub(crate) limit: &'a str,
    pub(crate) source: Source<'a>,
    pub(crate) default: &'a str,
}

/// What decides it.
#[derive(Debug, PartialEq)]
pub(crate) enum Source<'a> {
    Constant { name: &'a str, path: &'a str },
    Field { of: &'a str },
}

/// All rows but headings, which have no default.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    let lines = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    lines.filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [limit, place, _unit, default, _effect] = cells[..] else {
            panic!("a row needs five cells: {line}");
        };
        (!default.is_empty()).then(|| Row { limit, source: source(place), default })
    })
}

/// Either `` `Type` ``, or a link whose text is a constant.
fn source(place: &str) -> Source<'_> {
    let link = place.split_once('[').and_then(|(_, link)| link.split_once("]("));
    match link {
        Some((name, path)) => {
            let path = path.trim_start_matches("../").trim_end_matches(')');
            Source::Constant { name: name.trim_matches('`'), path }
        }
        None => Source::Field { of: place.trim_matches('`') },
    }
}

#[test]
fn rows_are_read() {
    let table = "| Limit | Where | Unit | Default | Then |\n|---|---|---|---|---|\n\
        | **Heading** | | | | |\n| `a` | `Config` | bytes | 1 KiB | x |\n\
        | b | fixed: [`B`](../crates/b.rs) | time | 1 s | y |\n";
    let rows: Vec<Row<'_>> = rows(table).collect();
    let of_a = Row { limit: "`a`", source: Source::Field { of: "Config" }, default: "1 KiB" };
    let constant = Source::Constant { name: "B", path: "crates/b.rs" };
    assert_eq!(rows, [of_a, Row { limit: "b", source: constant, default: "1 s" }]);
}
