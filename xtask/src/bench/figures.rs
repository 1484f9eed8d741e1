//! What a measuring program prints: one line of JSON, an object of numbers.

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};

/// Numbers by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Figures(BTreeMap<String, f64>);

/// The figures of a program, or why there are none.
pub(crate) type Outcome = Result<Figures, String>;

impl Figures {
    /// The figure of this name; not a number where there is none.
    pub(crate) fn named(&self, name: &str) -> f64 {
        self.0.get(name).copied().unwrap_or(f64::NAN)
    }

    /// Reads a line of JSON. Truth counts as 1.
    fn read(line: &str) -> Outcome {
        let object: BTreeMap<String, Value> =
            serde_json::from_str(line).map_err(|_| "it printed no figures".to_owned())?;
        if let Some(error) = object.get("error") {
            return Err(error.as_str().unwrap_or("it failed").to_owned());
        }
        let number = |value: &Value| value.as_f64().or(value.as_bool().map(f64::from));
        let numbers =
            object.iter().filter_map(|(name, value)| Some((name.clone(), number(value)?)));
        Ok(Self(numbers.collect()))
    }
}

/// One figure of an outcome; not a number where there is none.
pub(crate) fn figure(outcome: &Outcome, name: &str) -> f64 {
    outcome.as_ref().map_or(f64::NAN, |figures| figures.named(name))
}

/// Runs a program, and reads what it prints.
pub(crate) fn measure(command: &mut Command) -> Outcome {
    let output = command.stderr(Stdio::null()).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("it cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Figures::read(text.lines().last().unwrap_or_default())
}

/// Measures each of several things in turn, so often, and gives the medians: a machine that gets slower meanwhile is slower for
/// all of them.
pub(crate) fn in_turn<T>(things: &[T], rounds: usize, run: impl Fn(&T) -> Outcome) -> Vec<Outcome> {
    let mut outcomes: Vec<Vec<Outcome>> = things.iter().map(|_| Vec::new()).collect();
    for _ in 0..rounds {
        for (thing, outcomes) in things.iter().zip(&mut outcomes) {
            // What has failed once fails again.
            if outcomes.last().is_none_or(Result::is_ok) {
                outcomes.push(run(thing));
            }
        }
    }
    outcomes.into_iter().map(medians).collect()
}

fn medians(outcomes: Vec<Outcome>) -> Outcome {
    let figures: Vec<Figures> = outcomes.into_iter().collect::<Result<_, _>>()?;
    let names = figures.first().map(|first| first.0.keys().cloned().collect::<Vec<_>>());
    let median_of = |name: String| {
        let median = median(figures.iter().map(|figures| figures.named(&name)).collect());
        (name, median)
    };
    Ok(Figures(names.unwrap_or_default().into_iter().map(median_of).collect()))
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_a_line() {
        let figures = Figures::read(r#"{"a":1.5,"b":true,"end":"exit 0"}"#).unwrap();
        assert_eq!((figures.named("a"), figures.named("b")), (1.5, 1.0));
        assert!(figures.named("end").is_nan());
        assert_eq!(Figures::read(r#"{"error":"no"}"#), Err("no".to_owned()));
        assert!(Figures::read("").is_err());
    }

    #[test]
    fn medians_are_taken_for_each_figure() {
        let lines = [r#"{"a":1}"#, r#"{"a":100}"#, r#"{"a":3}"#];
        let figures = medians(lines.map(Figures::read).into()).unwrap();
        assert_eq!(figures.named("a"), 3.0);
    }

    #[test]
    fn what_fails_is_not_run_again() {
        let runs = std::cell::Cell::new(0);
        let outcomes = in_turn(&[()], 5, |()| {
            runs.set(runs.get() + 1);
            Err("no".to_owned())
        });
        assert_eq!((runs.get(), &outcomes[0]), (1, &Err("no".to_owned())));
    }
}
