use std::path::Path;

use super::*;

fn parse(arguments: &[&str]) -> Result<Options, Failure> {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    Options::parse(&arguments)
}

fn clients(options: &Options) -> Vec<(&'static str, &'static str)> {
    options.clients.iter().map(|(client, mode)| (client.name, *mode)).collect()
}

fn servers(options: &Options) -> Vec<(&'static str, &'static str)> {
    options.servers.iter().map(|(server, mode)| (server.name, *mode)).collect()
}

fn server(name: &str) -> &'static Server {
    SERVERS.iter().find(|server| server.name == name).unwrap()
}

#[test]
fn drives_every_client_and_server_in_each_mode_by_default() {
    let options = parse(&[]).ok().unwrap();

    assert_eq!(options.clients.len(), CLIENTS.iter().map(|it| it.modes.len()).sum::<usize>());
    assert_eq!(options.servers.len(), SERVERS.iter().map(|it| it.modes.len()).sum::<usize>());
    assert_eq!(options.server, None);
}

#[test]
fn only_selects_clients_and_servers_in_every_mode() {
    let options = parse(&["--only", "python-2,server-memory,typescript-1"]).ok().unwrap();

    assert_eq!(
        clients(&options),
        [
            ("typescript-1", "legacy"),
            ("python-2", "legacy"),
            ("python-2", "auto"),
            ("python-2", "modern")
        ]
    );
    assert_eq!(servers(&options), [("server-memory", "legacy"), ("server-memory", "auto")]);
}

#[test]
fn smoke_selects_a_few_of_either_era_and_fewer_calls() {
    let options = parse(&["--smoke"]).ok().unwrap();

    assert_eq!(clients(&options), [("typescript-1", "legacy"), ("python-2", "modern")]);
    assert_eq!(
        servers(&options),
        [
            ("server-typescript", "modern"),
            ("server-python", "legacy"),
            ("server-fragile", "auto"),
            ("server-filesystem", "auto")
        ]
    );
    assert!(options.calls < parse(&[]).ok().unwrap().calls);
}

#[test]
fn smoke_is_part_of_what_there_is() {
    let pairs = CLIENTS.iter().map(|it| (it.name, it.modes, it.smoke));
    for (name, modes, smoke) in pairs.chain(SERVERS.iter().map(|it| (it.name, it.modes, it.smoke)))
    {
        assert!(smoke.iter().all(|mode| modes.contains(mode)), "{name}");
    }
}

#[test]
fn the_driver_is_told_the_era_that_a_mode_leads_to() {
    let arguments = |name: &str, mode: &str| {
        let [_, era, _, steps, ..] = server(name).driver_arguments(mode);
        (era, steps.ends_with(",subscribe"))
    };

    assert_eq!(arguments("server-python", "legacy"), ("legacy".to_owned(), false));
    assert_eq!(arguments("server-python", "auto"), ("modern".to_owned(), true));
    assert_eq!(arguments("server-python", "modern"), ("modern".to_owned(), true));
    assert_eq!(arguments("server-filesystem", "auto"), ("legacy".to_owned(), false));
}

#[test]
fn what_follows_two_dashes_is_the_server_even_if_it_looks_like_an_option() {
    let options = parse(&["--smoke", "--", "server", "--only", "--"]).ok().unwrap();

    assert_eq!(options.server.as_deref().unwrap(), ["server", "--only", "--"]);
    assert!(options.servers.is_empty());
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
    let line = |name| server(name).command_line(Command::new("program"), Path::new("/empty"));

    assert_eq!(line("server-rust"), ["program"]);
    assert_eq!(line("server-filesystem"), ["program", "/empty"]);
    assert_eq!(line("server-memory"), ["env", "MEMORY_FILE_PATH=/empty/memory.jsonl", "program"]);
}
