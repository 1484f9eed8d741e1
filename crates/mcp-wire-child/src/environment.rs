//! What a server may see of this program's environment.

use std::env;
use std::ffi::{OsStr, OsString};
use std::process::Command;

/// The variables that [`ServerCommand::limited_environment`](crate::ServerCommand::limited_environment) lets through: the same
/// as the official SDKs.
#[cfg(not(windows))]
pub const INHERITED_VARIABLES: &[&str] = &["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];

/// The variables that [`ServerCommand::limited_environment`](crate::ServerCommand::limited_environment) lets through: the same
/// as the official SDKs.
#[cfg(windows)]
pub const INHERITED_VARIABLES: &[&str] = &[
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
];

/// Lets a command inherit those variables alone, besides what it sets itself.
pub(crate) fn limit(command: &mut Command) {
    let own: Vec<(OsString, Option<OsString>)> = command
        .get_envs()
        .map(|(name, value)| (name.to_owned(), value.map(OsStr::to_owned)))
        .collect();
    command.env_clear();
    for name in INHERITED_VARIABLES {
        if let Some(value) = env::var_os(name).filter(|value| !is_function(value)) {
            command.env(name, value);
        }
    }
    for (name, value) in own {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

/// Shells have exported functions like this, and run what comes behind one when they start.
fn is_function(value: &OsStr) -> bool {
    value.as_encoded_bytes().starts_with(b"()")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// K1: what the command sets itself stays, and what it takes away too.
    #[test]
    fn the_own_choices_of_the_command_stay() {
        let mut command = Command::new("server");
        command.env("API_KEY", "secret").env("PATH", "/own").env_remove("HOME");
        limit(&mut command);
        let variable = |name: &str| {
            let found = command.get_envs().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.map(OsStr::to_owned))
        };
        assert_eq!(variable("API_KEY"), Some(Some("secret".into())));
        assert_eq!(variable("PATH"), Some(Some("/own".into())));
        // Once the environment is cleared, nothing is left to be taken away.
        assert_eq!(variable("HOME"), None);
        assert_eq!(variable("CARGO_PKG_NAME"), None);
    }

    /// K1: values that a shell would run are not passed on.
    #[test]
    fn functions_are_told_by_their_beginning() {
        assert!(is_function(OsStr::new("() { :; }; echo hello")));
        assert!(!is_function(OsStr::new("/bin:()")));
    }
}
