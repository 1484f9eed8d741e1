//! Installs what the drivers need into cargo's target directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::client::{Client, Kit};
use crate::failure::Failure;
use crate::workspace;

/// The directory `interop` of cargo's target directory. It holds a copy of `tests/interop`, since Node looks for
/// packages beside the file that imports them.
pub(crate) struct Installation {
    directory: PathBuf,
}

impl Installation {
    /// Copies the drivers.
    pub(crate) fn prepare() -> Result<Self, Failure> {
        let directory = workspace::target_directory()?.join("interop");
        copy_directory(&workspace::root().join("tests/interop"), &directory)?;
        Ok(Self { directory })
    }

    /// Installs a client's packages, unless the same pins are installed already. Gives the command of its driver.
    pub(crate) fn install(&self, client: &Client) -> Result<Command, Failure> {
        match client.kit {
            Kit::Node { folder } => self.install_node(&self.directory.join(folder)),
            Kit::Python { requirements, environment } => {
                let drivers = self.directory.join("python");
                let environment = self.directory.join(environment);
                install_python(&drivers.join(requirements), &environment)?;
                let mut driver = python(&environment);
                driver.arg(drivers.join("drive.py"));
                Ok(driver)
            }
        }
    }

    /// The file that takes what the server and the driver write to stderr.
    pub(crate) fn log_path(&self, client: &Client) -> PathBuf {
        self.directory.join(format!("{}-{}.log", client.name, client.mode))
    }

    fn install_node(&self, folder: &Path) -> Result<Command, Failure> {
        once(folder, &folder.join("package.json"), || {
            let options = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"];
            let mut npm = Command::new("npm");
            npm.args(["install", "--loglevel", "error"]).args(options).current_dir(folder);
            quietly(&mut npm)
        })?;
        // The Inspector needs a newer Node than most systems have, and so brings one.
        let own_node = folder.join("node_modules/.bin/node");
        let mut driver =
            Command::new(if own_node.exists() { own_node } else { PathBuf::from("node") });
        driver.arg(folder.join("drive.mjs"));
        Ok(driver)
    }
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
