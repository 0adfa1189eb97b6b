//! `cargo xtask bench`: everything beside its peers, in one run on the machine at hand, written to docs/performance.md.

mod audits;
pub mod build;
mod choices;
mod closed_form;
mod counts;
mod exact;
mod figures;
mod interpreter;
pub mod launch;
mod live;
mod measure;
mod observations;
mod page;
mod peers;
mod scaling;
mod startup;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::context::Context;
use measure::{Failure, Runs};
use peers::Peers;

/// Measures something, and writes about it.
type Section = fn(&mut Bench<'_>) -> Result<(), String>;

/// The sections of the page, in order, with the names that choose them.
const SECTIONS: &[(&str, Section)] = &[
    ("scaling", scaling::section),
    ("closed-form", closed_form::section),
    ("interpreter", interpreter::section),
    ("dense", observations::dense_section),
    ("sparse", observations::sparse_section),
    ("exact", exact::section),
    ("counts", counts::section),
    ("choices", choices::section),
    ("startup", startup::section),
    ("audits", audits::section),
    ("live", live::section),
    ("compare", closed_form::compare),
];

/// How much is measured.
#[derive(Clone, Copy, PartialEq)]
pub enum Extent<'a> {
    /// Everything, for the page of the documentation.
    All,
    /// Everything with small sizes, to test the harness.
    Quick,
    /// Some sections.
    Sections(&'a [&'a str]),
}

impl Extent<'_> {
    /// The sections that are measured, or the name that none has.
    fn sections(self) -> Result<Vec<Section>, String> {
        let Extent::Sections(names) = self else { return Ok(SECTIONS.iter().map(|(_, section)| *section).collect()) };
        let named = |name: &&str| {
            let found = SECTIONS.iter().find(|(other, _)| other == name);
            let all = || SECTIONS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            found
                .map(|(_, section)| *section)
                .ok_or_else(|| format!("there is no section `{name}`: they are {}", all()))
        };
        names.iter().map(named).collect()
    }
}

/// A run of all benchmarks.
pub struct Bench<'c> {
    context: &'c Context,
    extent: Extent<'c>,
    /// The program under test.
    binary: PathBuf,
    /// Where the library's examples are, which measure their own time.
    examples: PathBuf,
    peers: Peers,
    /// For programs and logs.
    folder: PathBuf,
    page: String,
    figures: Vec<(String, String)>,
    targets: Vec<Target>,
    growth: Vec<(String, String, Option<f64>)>,
    failures: Vec<String>,
}

/// A promise, and what was measured.
struct Target {
    promise: &'static str,
    measured: String,
    /// `None` if it could not be measured.
    is_met: Option<bool>,
}

/// The examples that are measured.
const EXAMPLES: &[&str] = &["analysis_alone", "many_observations"];

/// Measures everything and writes the page; an error if one of our programs failed or gave another answer than its peer.
pub fn run<'c>(context: &'c Context, extent: Extent<'c>) -> Result<String, String> {
    let sections = extent.sections()?;
    build(context)?;
    let folder = context.root.join("target/bench");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut bench = Bench {
        context,
        extent,
        binary: context.root.join("target/release/privug"),
        examples: context.root.join("target/release/examples"),
        peers: Peers::install(context, extent == Extent::Quick),
        folder,
        page: String::new(),
        figures: Vec::new(),
        targets: Vec::new(),
        growth: Vec::new(),
        failures: Vec::new(),
    };
    for section in sections {
        // The other sections are worth their time nevertheless.
        if let Err(reason) = section(&mut bench) {
            bench.failures.push(reason);
        }
    }
    let path = page::write(&bench)?;
    if bench.failures.is_empty() {
        Ok(format!("{path} is written"))
    } else {
        Err(format!("{path} is written, but: {}", bench.failures.join("; ")))
    }
}

fn build(context: &Context) -> Result<(), String> {
    context.run(&mut context.cargo(&["build", "--release", "--locked", "--package", "privug-cli"]))?;
    let mut examples = vec!["build", "--release", "--locked", "--package", "privug"];
    examples.extend(EXAMPLES.iter().flat_map(|name| ["--example", *name]));
    context.run(&mut context.cargo(&examples))
}

impl Bench<'_> {
    /// Whether sizes are small.
    fn is_quick(&self) -> bool {
        self.extent == Extent::Quick
    }

    /// How often each command is run.
    fn repetitions(&self) -> usize {
        if self.is_quick() { 2 } else { 5 }
    }

    /// One of two lists of sizes.
    fn sizes(&self, quick: &[u64], full: &[u64]) -> Vec<u64> {
        (if self.is_quick() { quick } else { full }).to_vec()
    }

    /// Writes a program to analyse; gives its path.
    fn program(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{name} cannot be written: {error}"))?;
        Ok(path)
    }

    /// One of the library's examples.
    fn example(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = self.context.command(&self.examples.join(name).to_string_lossy());
        command.args(arguments);
        command
    }

    /// `privug analyze PROGRAM …`
    fn analyze(&self, program: &PathBuf, arguments: &[&str]) -> Command {
        let mut command = self.context.command(&self.binary.to_string_lossy());
        command.arg("analyze").arg(program).args(arguments);
        command
    }

    /// A peer's script.
    fn peer(&self, package: &str, script: &str, arguments: &[&str]) -> Option<Command> {
        self.peers.script(self.context, package, script, arguments)
    }

    fn in_turns(&mut self, what: &str, commands: &mut [Option<Command>], repetitions: usize) -> Vec<Runs> {
        println!("{what}");
        let all = measure::in_turns(commands, repetitions, &self.folder.join("stderr.txt"));
        // The first is ours, and must not fail.
        if let Some(Err(failure)) = all.first()
            && *failure != Failure::NotTried
        {
            self.failures.push(format!("{what}: {failure:?}"));
        }
        for failure in all.iter().skip(1).filter_map(|runs| runs.as_ref().err()) {
            if let Failure::Failed(words) = failure {
                println!("  a peer failed: {words}");
            }
        }
        all
    }

    /// Notes down that two sides do not agree.
    fn require(&mut self, agrees: bool, what: &str) {
        if !agrees {
            self.failures.push(format!("{what}: the answers differ"));
        }
    }

    /// A double-logarithmic plot beside the page.
    fn figure(&mut self, file: &str, title: &str, labels: [&str; 2], series: Vec<(&str, Vec<(f64, f64)>)>) {
        let series: Vec<_> = series.into_iter().filter(|(_, points)| !points.is_empty()).collect();
        let plot = json!({ "title": title, "x_label": labels[0], "y_label": labels[1], "series": series });
        match self.drawn(&plot.to_string()) {
            Ok(svg) => self.figures.push((format!("performance/{file}"), svg)),
            Err(error) => self.failures.push(format!("{file} is not drawn: {error}")),
        }
        self.page.push_str(&format!("\n![{title}](performance/{file})\n"));
    }

    fn drawn(&self, plot: &str) -> std::io::Result<String> {
        let example = ["run", "--locked", "--release", "--quiet", "--package", "privug", "--example", "line_plot"];
        let mut command = self.context.cargo(&example);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(plot.as_bytes()))?;
        let output = child.wait_with_output()?;
        String::from_utf8(output.stdout).map_err(std::io::Error::other)
    }

    fn target(&mut self, promise: &'static str, measured: String, is_met: Option<bool>) {
        self.targets.push(Target { promise, measured, is_met });
    }

    /// How something grows, for the section on growth.
    fn grows(&mut self, what: &str, over: &str, exponent: Option<f64>) {
        self.growth.push((what.to_owned(), over.to_owned(), exponent));
    }
}
