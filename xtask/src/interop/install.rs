//! Installs what the drivers and servers need into cargo's target directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::failure::Failure;
use crate::workspace;

/// How a program is installed and started. Paths are relative to `tests/interop`.
pub(crate) enum Program {
    /// The executable of a Cargo project.
    Cargo { folder: &'static str },
    /// A script in a folder with `package.json`.
    Node { folder: &'static str, script: &'static str },
    /// An executable of a package that such a folder names, started in the way that hosts are told to.
    Npx { folder: &'static str, executable: &'static str },
    /// A script, with a requirements file that is installed into an environment of its own.
    Python { script: &'static str, requirements: &'static str, environment: &'static str },
}

/// The directory `interop` of cargo's target directory. It holds a copy of `tests/interop`, since Node looks for
/// packages beside the file that imports them.
pub(crate) struct Installation {
    directory: PathBuf,
}

impl Installation {
    /// Copies the drivers and servers.
    pub(crate) fn prepare() -> Result<Self, Failure> {
        let directory = workspace::target_directory()?.join("interop");
        copy_directory(&workspace::root().join("tests/interop"), &directory)?;
        Ok(Self { directory })
    }

    /// Installs a program and what it needs, unless the same pins are installed already. Gives the command that starts it.
    pub(crate) fn install(&self, program: &Program) -> Result<Command, Failure> {
        match *program {
            Program::Cargo { folder } => {
                let manifest =
                    workspace::root().join("tests/interop").join(folder).join("Cargo.toml");
                let mut build = workspace::cargo();
                build.args(["build", "--locked", "--manifest-path"]).arg(manifest);
                build.arg("--target-dir").arg(self.directory.join("cargo"));
                Ok(Command::new(build_executable(&mut build)?))
            }
            Program::Node { folder, script } => {
                let folder = self.directory.join(folder);
                install_node(&folder)?;
                // The Inspector needs a newer Node than most systems have, and so brings one.
                let own_node = folder.join("node_modules/.bin/node");
                let mut node =
                    Command::new(if own_node.exists() { own_node } else { PathBuf::from("node") });
                node.arg(folder.join(script));
                Ok(node)
            }
            Program::Npx { folder, executable } => {
                let folder = self.directory.join(folder);
                install_node(&folder)?;
                let mut npx = Command::new("npx");
                npx.arg("--no").arg("--prefix").arg(folder).args(["--", executable]);
                Ok(npx)
            }
            Program::Python { script, requirements, environment } => {
                let environment = self.directory.join(environment);
                install_python(&self.directory.join(requirements), &environment)?;
                let mut python = python(&environment);
                python.arg(self.directory.join(script));
                Ok(python)
            }
        }
    }

    /// The file that takes what a server and its driver write to stderr.
    pub(crate) fn log_path(&self, name: &str, mode: &str) -> PathBuf {
        self.directory.join(format!("{name}-{mode}.log"))
    }

    /// An empty directory for a server.
    pub(crate) fn scratch(&self, name: &str, mode: &str) -> Result<PathBuf, Failure> {
        let scratch = self.directory.join(format!("{name}-{mode}-scratch"));
        fs::create_dir_all(&scratch)?;
        fs::remove_dir_all(&scratch)?;
        fs::create_dir(&scratch)?;
        Ok(scratch)
    }
}

/// Builds the driver of our own client, and gives the path of its executable.
pub(crate) fn build_driver() -> Result<String, Failure> {
    build_executable(workspace::cargo().args(["build", "--package", "drive"]))
}

/// Runs a build of cargo's, and gives the path of the executable that comes of it.
fn build_executable(build: &mut Command) -> Result<String, Failure> {
    let messages = workspace::output(build.args(["--message-format", "json-render-diagnostics"]))?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(str::to_owned))
        .ok_or_else(|| Failure::Task("cargo built no executable".to_owned()))
}

fn install_node(folder: &Path) -> Result<(), Failure> {
    once(folder, &folder.join("package.json"), || {
        let options = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"];
        let mut npm = Command::new("npm");
        npm.args(["install", "--loglevel", "error"]).args(options).current_dir(folder);
        quietly(&mut npm)
    })
}

fn install_python(requirements: &Path, environment: &Path) -> Result<(), Failure> {
    once(environment, requirements, || {
        // Some systems package Python without what makes environments; a plain directory does as well.
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv", "--clear"]).arg(environment);
        venv.stdout(Stdio::null()).stderr(Stdio::null());
        let has_venv =
            venv.status().map_err(|error| workspace::not_started(&venv, &error))?.success();
        if !has_venv {
            // A half-made environment would be taken for a whole one.
            fs::create_dir_all(environment)?;
            fs::remove_dir_all(environment)?;
        }
        let mut pip = python(environment);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        if !has_venv {
            pip.arg("--target").arg(environment);
        }
        quietly(pip.arg("--requirement").arg(requirements))
    })
}

/// The Python of an environment, or the system's with the environment as a plain directory of packages.
fn python(environment: &Path) -> Command {
    let own_python = environment.join("bin/python");
    if own_python.exists() {
        Command::new(own_python)
    } else {
        let mut command = Command::new("python3");
        command.env("PYTHONPATH", environment);
        command
    }
}

/// Runs an installation unless it has succeeded before with the same pins.
fn once(
    directory: &Path,
    pins: &Path,
    install: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let stamp = directory.join("installed-pins");
    let pins = fs::read_to_string(pins)?;
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == pins) {
        return Ok(());
    }
    eprintln!("installing {}", directory.display());
    install()?;
    Ok(fs::write(stamp, pins)?)
}

/// Runs an installer, whose chatter would stand in the middle of the table.
fn quietly(command: &mut Command) -> Result<(), Failure> {
    workspace::foreground(command.stdin(Stdio::null()).stdout(Stdio::null()))
}

fn copy_directory(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_directory(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
