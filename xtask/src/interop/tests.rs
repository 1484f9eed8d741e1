use std::path::Path;

use super::*;

fn parse(arguments: &[&str]) -> Result<Options, Failure> {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    Options::parse(&arguments)
}

fn clients(options: &Options) -> Vec<(&'static str, &'static str)> {
    options.clients.iter().map(|client| (client.name, client.mode)).collect()
}

fn servers(options: &Options) -> Vec<&'static str> {
    options.servers.iter().map(|server| server.name).collect()
}

#[test]
fn drives_every_client_and_server_by_default() {
    let options = parse(&[]).ok().unwrap();

    assert_eq!(options.clients.len(), CLIENTS.len());
    assert_eq!(options.servers.len(), SERVERS.len());
    assert_eq!(options.server, None);
}

#[test]
fn only_selects_clients_and_servers_in_every_mode() {
    let options = parse(&["--only", "python-2,server-rust,typescript-1"]).ok().unwrap();

    assert_eq!(
        clients(&options),
        [("typescript-1", "legacy"), ("python-2", "legacy"), ("python-2", "auto")]
    );
    assert_eq!(servers(&options), ["server-rust"]);
}

#[test]
fn smoke_selects_a_few_and_fewer_calls() {
    let options = parse(&["--smoke"]).ok().unwrap();

    assert_eq!(clients(&options), [("typescript-1", "legacy"), ("python-2", "auto")]);
    assert_eq!(servers(&options), ["server-typescript", "server-python", "server-filesystem"]);
    assert!(options.calls < parse(&[]).ok().unwrap().calls);
}

#[test]
fn what_follows_two_dashes_is_the_server_even_if_it_looks_like_an_option() {
    let options = parse(&["--smoke", "--", "server", "--only", "--"]).ok().unwrap();

    assert_eq!(options.server.as_deref().unwrap(), ["server", "--only", "--"]);
    assert_eq!(servers(&options), Vec::<&str>::new());
}

#[test]
fn a_wrong_command_line_is_a_usage_failure() {
    let wrong: [&[&str]; 6] = [
        &["--nope"],
        &["--only"],
        &["--only", "nobody"],
        &["--smoke", "--only", "inspector"],
        &["--only", "server-rust", "--", "server"],
        &["--"],
    ];
    for arguments in wrong {
        assert!(matches!(parse(arguments), Err(Failure::Usage(_))), "{arguments:?}");
    }
}

#[test]
fn a_server_is_told_its_scratch_directory() {
    let line = |name: &str| {
        let server = SERVERS.iter().find(|server| server.name == name).unwrap();
        server.command_line(Command::new("program"), Path::new("/empty"))
    };

    assert_eq!(line("server-rust"), ["program"]);
    assert_eq!(line("server-filesystem"), ["program", "/empty"]);
    assert_eq!(line("server-memory"), ["env", "MEMORY_FILE_PATH=/empty/memory.jsonl", "program"]);
}
