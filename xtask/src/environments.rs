//! Python's environments, made while other parts are built and tested: they wait for the network more than they compute.

use std::process::{Child, Stdio};

use crate::context::Context;
use crate::parts::{Part, python, registers};

/// The parts with an environment of their own, and the scripts that make it when they are told `--prepare`.
const SCRIPTS: &[(&str, &str)] = &[(python::PART.name, python::SCRIPT), (registers::PART.name, registers::SCRIPT)];

/// Environments that are being made.
pub struct Environments {
    made: Vec<(&'static str, Child)>,
}

impl Environments {
    /// Begins with the environments of some parts. One that cannot be made says so when its part is run, which makes it
    /// again.
    pub fn begin(context: &Context, parts: &[&Part]) -> Self {
        let first = parts.first().map(|part| part.name);
        // A part that comes first would only wait.
        let wanted = |name: &str| first != Some(name) && parts.iter().any(|part| part.name == name);
        let begin = |(name, script): &(&'static str, &str)| {
            let mut command = context.command("sh");
            command.args([script, "--prepare"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().ok().map(|child| (*name, child))
        };
        Environments { made: SCRIPTS.iter().filter(|(name, _)| wanted(name)).filter_map(begin).collect() }
    }

    /// Waits until a part has its environment.
    pub fn wait_for(&mut self, part: &Part) {
        for (name, child) in &mut self.made {
            if *name == part.name {
                // Whether it was made well is seen by the part itself.
                let _ = child.wait();
            }
        }
    }
}
