//! Where the repository is, and how commands are started in it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// How many cases the slow tests try if they are to be thorough: of programs in Rust, of programs and of tables in Python.
const THOROUGH: &[(&str, &str)] =
    &[("PRIVUG_TESTS_TIMES", "20"), ("PRIVUG_ORACLE_PROGRAMS", "5000"), ("PRIVUG_GAP_TABLES", "200")];

/// What every part needs to know.
pub struct Context {
    /// The repository's root.
    pub root: PathBuf,
    /// Whether this is a run that nobody watches, where nothing may be skipped.
    pub is_ci: bool,
    cargo: String,
    /// Where this program was when it was started: a build of the workspace may put a new one there meanwhile, and what is
    /// running has no path any more then.
    program: Option<PathBuf>,
    /// Whether property tests try many more cases than usual.
    pub thorough: bool,
}

/// What a command left behind: whether it succeeded, and everything it printed.
pub struct Finished {
    pub succeeded: bool,
    pub text: String,
}

impl Context {
    pub fn new() -> Self {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        Context {
            root: folder.parent().map_or(folder.clone(), PathBuf::from),
            is_ci: std::env::var("CI").is_ok_and(|value| value == "true" || value == "1"),
            cargo: std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()),
            program: std::env::current_exe().ok(),
            thorough: false,
        }
    }

    /// The same, with property tests that try many more cases.
    pub fn thoroughly(self) -> Self {
        Context { thorough: true, ..self }
    }

    /// `cargo …` in the repository's root.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.cargo);
        command.args(arguments);
        command
    }

    /// Whether cargo knows a command that need not be installed.
    pub fn has_cargo_command(&self, name: &str) -> bool {
        self.cargo(&[name, "--version"]).output().is_ok_and(|output| output.status.success())
    }

    /// Whether there is a Python that virtual environments can be made with.
    pub fn has_python(&self) -> bool {
        let mut command = self.command("python3");
        command.args(["-c", "import venv, ensurepip"]).output().is_ok_and(|output| output.status.success())
    }

    /// `xtask …` in the repository's root.
    pub fn xtask(&self, arguments: &[&str]) -> Result<Command, String> {
        let program = self.program.as_ref().ok_or("the path of this program is not known")?;
        let mut command = self.command(&program.to_string_lossy());
        command.args(arguments);
        Ok(command)
    }

    /// A command in the repository's root.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        if self.thorough {
            command.envs(THOROUGH.iter().copied());
        }
        command
    }

    /// Runs a command and shows what it prints; tells whether it succeeded.
    pub fn run(&self, command: &mut Command) -> Result<(), String> {
        println!("$ {}", words(command));
        let status = command.status().map_err(|error| format!("{} cannot be started: {error}", words(command)))?;
        if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", words(command))) }
    }

    /// Runs a command, shows what it prints on both streams, and keeps it.
    pub fn run_and_read(&self, command: &mut Command) -> Result<Finished, String> {
        println!("$ {}", words(command));
        let failed = |error: std::io::Error| format!("`{}` cannot be run: {error}", words(command));
        let (reader, writer) = std::io::pipe().map_err(failed)?;
        let (stdout, stderr) = (writer.try_clone().map_err(failed)?, writer);
        let mut child = {
            let started = command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).spawn();
            // The command keeps its ends of the pipe until they are replaced, and the pipe ends only without them.
            command.stdout(Stdio::null()).stderr(Stdio::null());
            started.map_err(|error| format!("`{}` cannot be run: {error}", words(command)))?
        };
        let mut text = String::new();
        for line in BufReader::new(reader).split(b'\n') {
            let line = line.map_err(|error| error.to_string())?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            text.push_str(&line);
            text.push('\n');
        }
        let status = child.wait().map_err(|error| error.to_string())?;
        Ok(Finished { succeeded: status.success(), text })
    }
}

/// A command as a person would type it.
fn words(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
}
