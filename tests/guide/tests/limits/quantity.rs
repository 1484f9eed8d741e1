//! Quantities as people write them, in the form that `{:?}` gives to the same value.

use std::time::Duration;

/// `16 MiB`, `10 min`, `10,000`, `none`, or the name of a choice.
pub(crate) fn read(text: &str) -> String {
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let Ok(number) = number.replace(',', "").parse::<i64>() else {
        return if text == "none" { "None".to_owned() } else { text.replace('`', "") };
    };
    let seconds = |count: i64| format!("{:?}", Duration::from_secs(count.unsigned_abs()));
    match unit {
        "" => number.to_string(),
        "KiB" => (number << 10).to_string(),
        "MiB" => (number << 20).to_string(),
        "ms" => format!("{:?}", Duration::from_millis(number.unsigned_abs())),
        "s" => seconds(number),
        "min" => seconds(number * 60),
        _ => panic!("{text}: the unit {unit} is not known"),
    }
}

#[test]
fn quantities_are_read() {
    for (text, value) in [
        ("16 MiB", "16777216"),
        ("1 KiB", "1024"),
        ("10,000", "10000"),
        ("-32603", "-32603"),
        ("10 min", "600s"),
        ("500 ms", "500ms"),
        ("0 s", "0ns"),
        ("none", "None"),
        ("`Exact`", "Exact"),
    ] {
        assert_eq!(read(text), value, "{text}");
    }
}
