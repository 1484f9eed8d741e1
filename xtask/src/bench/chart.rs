//! A chart of bars, as SVG.

use std::fmt;

const BAR: usize = 18;
const GAP: usize = 6;
const LABELS: usize = 190;
const BARS: usize = 520;
const MARGIN: usize = 12;

/// Bars from few to many, on a scale of powers of ten: the peers are far apart.
#[derive(Debug, Default)]
pub(crate) struct Chart {
    bars: Vec<Bar>,
}

#[derive(Debug)]
struct Bar {
    label: String,
    value: f64,
    color: Color,
}

/// Whose bar it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Color {
    Limit,
    Ours,
    Peer,
}

impl Color {
    fn code(self) -> &'static str {
        match self {
            Self::Limit => "#8a8a8a",
            Self::Ours => "#1f77b4",
            Self::Peer => "#d98c3f",
        }
    }
}

impl Chart {
    pub(crate) fn add(&mut self, label: &str, value: f64, color: Color) {
        if value.is_finite() && value > 0.0 {
            self.bars.push(Bar { label: label.to_owned(), value, color });
        }
    }

    /// How long a bar is. A value of 1, the limit's, is still to be seen.
    fn length(&self, value: f64) -> usize {
        let most = self.bars.iter().map(|bar| bar.value).fold(1.0, f64::max);
        let part = (1.0 + value.max(1.0).log10()) / (1.0 + most.log10());
        (part * BARS as f64) as usize
    }
}

impl fmt::Display for Chart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = 2 * MARGIN + LABELS + BARS + 60;
        let height = 2 * MARGIN + 30 + self.bars.len() * (BAR + GAP);
        writeln!(
            formatter,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"13\" role=\"img\">"
        )?;
        writeln!(formatter, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>")?;
        writeln!(
            formatter,
            "<text x=\"{MARGIN}\" y=\"{}\" font-weight=\"bold\">CPU time of the server for one echo, 256 requests under \
             way: multiples of a bare loop's (logarithmic)</text>",
            MARGIN + 14
        )?;
        for (place, bar) in self.bars.iter().enumerate() {
            let top = MARGIN + 30 + place * (BAR + GAP);
            let (text, length) = (top + BAR - 5, self.length(bar.value));
            let (left, end) = (MARGIN + LABELS, MARGIN + LABELS + length + 6);
            writeln!(
                formatter,
                "<text x=\"{}\" y=\"{text}\" text-anchor=\"end\">{}</text>\
                 <rect x=\"{left}\" y=\"{top}\" width=\"{length}\" height=\"{BAR}\" fill=\"{}\"/>\
                 <text x=\"{end}\" y=\"{text}\">{}</text>",
                left - 8,
                bar.label,
                bar.color.code(),
                super::table::ratio(bar.value),
            )?;
        }
        writeln!(formatter, "</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_bars_mean_more() {
        let mut chart = Chart::default();
        chart.add("limit", 1.0, Color::Limit);
        chart.add("ours", 2.0, Color::Ours);
        chart.add("theirs", 100.0, Color::Peer);
        chart.add("failed", f64::NAN, Color::Peer);
        assert!(0 < chart.length(1.0) && chart.length(1.0) < chart.length(2.0));
        assert_eq!(chart.length(100.0), BARS);
        let svg = chart.to_string();
        assert_eq!(svg.matches("<rect").count(), 4, "three bars and the ground");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
}
