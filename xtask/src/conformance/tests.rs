use super::baseline::Judgement;
use super::*;
use crate::everything::Runtime;
use tools::shell_line;

fn parse(arguments: &[&str]) -> Result<Options, Failure> {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    Options::parse(&arguments)
}

fn names(options: &Options) -> Vec<String> {
    options.runs.iter().map(|run| run.name()).collect()
}

#[test]
fn everything_is_run_by_default() {
    let options = parse(&[]).ok().unwrap();

    assert_eq!(options.runs.len(), RUNS.len());
    assert_eq!(options.runtime, Runtime::Tokio);
}

#[test]
fn options_select_together() {
    let options = parse(&["--suite", "server", "--spec", "2025-11-25", "--runtime", "smol"]);
    let options = options.ok().unwrap();
    assert_eq!(names(&options), ["server-0.1-2025-11-25", "server-0.2-2025-11-25"]);
    assert_eq!(options.runtime, Runtime::Smol);

    let options = parse(&["--only", "tour-2024-11-05,client-0.2-2026-07-28"]).ok().unwrap();
    assert_eq!(names(&options), ["client-0.2-2026-07-28", "tour-2024-11-05"]);
}

#[test]
fn a_wrong_command_line_is_a_usage_failure() {
    let wrong: [&[&str]; 8] = [
        &["--nope"],
        &["--only"],
        &["--only", "nobody"],
        &["--spec", "2001-01-01"],
        &["--suite"],
        &["--suite", "nobody"],
        &["--runtime", "none"],
        &["--suite", "client", "--spec", "2024-11-05"],
    ];
    for arguments in wrong {
        assert!(matches!(parse(arguments), Err(Failure::Usage(_))), "{arguments:?}");
    }
}

#[test]
fn runs_have_different_names() {
    let mut names: Vec<String> = RUNS.iter().map(Run::name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), RUNS.len());
}

#[test]
fn the_baseline_of_the_project_is_understood() {
    assert!(Baseline::read().is_ok());
}

const BASELINE: &str = "# about\naside:\n  auth/*: why\n\nfails:\n  one: why\n  two check: why\n";

#[test]
fn a_baseline_names_scenarios_and_checks() {
    let mut baseline = Baseline::parse(BASELINE).ok().unwrap();

    assert!(baseline.is_aside("auth/basic") && !baseline.is_aside("one"));
    assert_eq!(baseline.judge("auth/basic", "any", true), Judgement::Aside);
    assert_eq!(baseline.judge("one", "any", true), Judgement::Expected);
    assert_eq!(baseline.judge("two", "check", true), Judgement::Expected);
    assert_eq!(baseline.judge("two", "other", true), Judgement::Counted);
    assert_eq!(baseline.judge("three", "check", true), Judgement::Counted);
    assert_eq!(baseline.complaints(true), Vec::<String>::new());
}

#[test]
fn what_a_baseline_names_in_vain_is_told() {
    let mut baseline = Baseline::parse(BASELINE).ok().unwrap();
    baseline.judge("one", "any", false);
    baseline.judge("two", "check", false);
    baseline.judge("two", "check", true);

    assert_eq!(baseline.complaints(false).len(), 1);
    assert!(baseline.complaints(false)[0].contains("\"one\" passes"));
    assert!(baseline.complaints(true)[0].contains("nothing asks for \"auth/*\""));
}

#[test]
fn every_line_of_a_baseline_has_a_reason() {
    for wrong in ["one: why", "fails:\n  one", "fails:\n  one: ", "fails:\none: why"] {
        assert!(Baseline::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_shell_takes_words_as_they_are() {
    let words = ["/a b/c", "it's", "$x"].map(str::to_owned);
    assert_eq!(shell_line(&words), r"'/a b/c' 'it'\''s' '$x'");
}
