use super::*;

fn parse(arguments: &[&str]) -> Result<Options, Failure> {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    Options::parse(&arguments)
}

fn names(options: &Options) -> Vec<(&'static str, &'static str)> {
    options.clients.iter().map(|client| (client.name, client.mode)).collect()
}

#[test]
fn drives_every_client_by_default() {
    let options = parse(&[]).ok().unwrap();

    assert_eq!(options.clients.len(), CLIENTS.len());
    assert_eq!(options.server, None);
}

#[test]
fn only_selects_every_mode_of_a_client() {
    let options = parse(&["--only", "python-2,typescript-1"]).ok().unwrap();

    assert_eq!(
        names(&options),
        [("typescript-1", "legacy"), ("python-2", "legacy"), ("python-2", "auto")]
    );
}

#[test]
fn smoke_selects_one_client_of_each_language_and_fewer_calls() {
    let options = parse(&["--smoke"]).ok().unwrap();

    assert_eq!(names(&options), [("typescript-1", "legacy"), ("python-2", "auto")]);
    assert!(options.calls < parse(&[]).ok().unwrap().calls);
}

#[test]
fn what_follows_two_dashes_is_the_server_even_if_it_looks_like_an_option() {
    let options = parse(&["--smoke", "--", "server", "--only", "--"]).ok().unwrap();

    assert_eq!(options.server.unwrap(), ["server", "--only", "--"]);
}

#[test]
fn a_wrong_command_line_is_a_usage_failure() {
    let wrong: [&[&str]; 5] = [
        &["--nope"],
        &["--only"],
        &["--only", "nobody"],
        &["--smoke", "--only", "inspector"],
        &["--"],
    ];
    for arguments in wrong {
        assert!(matches!(parse(arguments), Err(Failure::Usage(_))), "{arguments:?}");
    }
}
