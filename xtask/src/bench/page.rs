//! The page: its head with the machine and the versions, the promises, the sections, and how things grow.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use super::figures::show_exponent;
use super::peers::first_line;
use super::{Bench, Extent, Target};

const INTRODUCTION: &str = "\
<!-- Made by `cargo xtask bench`; do not edit. -->

# Performance

Everything here was measured in one run on one machine, ours and its peers in turns. Times are the middle of several
repetitions with the smallest and largest in brackets; ratios are taken turn by turn. Peers are stopped after two minutes
and not tried with larger sizes then. Peak memory is that of the whole process.
";

/// Writes the page and its figures; gives its path. Only a run of everything goes into the documentation.
pub fn write(bench: &Bench<'_>) -> Result<String, String> {
    let (folder, shown) = match bench.extent {
        Extent::All => ("docs", "docs/performance.md"),
        Extent::Quick | Extent::Sections(_) => ("target/bench", "target/bench/performance.md"),
    };
    let folder = bench.context.root.join(folder);
    let page = [INTRODUCTION, &machine(bench), &targets(&bench.targets), &bench.page, &growth(bench)].concat();
    store(&folder.join("performance.md"), &page)?;
    for (path, svg) in &bench.figures {
        store(&folder.join(path), svg)?;
    }
    Ok(shown.to_owned())
}

fn store(path: &Path, contents: &str) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::write(path, contents).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

fn machine(bench: &Bench<'_>) -> String {
    let line =
        |program: &str, arguments: &[&str]| first_line(Command::new(program).args(arguments)).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    let commit = first_line(bench.context.command("git").args(["rev-parse", "--short", "HEAD"])).unwrap_or_default();
    let list = |pairs: &[(String, String)]| {
        let words: Vec<String> = pairs.iter().map(|(name, version)| format!("{name} {version}")).collect();
        words.join(", ")
    };
    let missing: Vec<String> = bench.peers.missing.iter().map(|(name, why)| format!("{name} ({why})")).collect();
    let missing = if missing.is_empty() { "nothing".to_owned() } else { missing.join(", ") };
    let kind =
        if bench.is_quick() { "\n| sizes | small ones, to test the harness: the figures mean little |" } else { "" };
    format!(
        "\n| | |\n|---|---|\n| date | {} |\n| machine | {}, {cores} cores, {} of memory |\n| system | {} |\n\
         | privug | {commit}, {} |\n| peers | {} |\n| missing | {missing} |{kind}\n",
        line("date", &["-u", "+%Y-%m-%d"]),
        known("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned()),
        known("/proc/meminfo", "MemTotal").map_or("unknown size".to_owned(), |size| gigabytes(&size)),
        line("uname", &["-srm"]),
        line("rustc", &["--version"]),
        list(&bench.peers.found),
    )
}

/// The first line of a file of the system that begins with a name.
fn known(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}

fn gigabytes(kibibytes: &str) -> String {
    let number = kibibytes.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    number.map_or(kibibytes.to_owned(), |number| format!("{:.0} GB", number * 1024.0 / 1e9))
}

fn targets(targets: &[Target]) -> String {
    let mut text = String::from("\n## Promises\n\n| promise | measured | |\n|---|---|---|\n");
    for target in targets {
        let verdict = match target.is_met {
            Some(true) => "kept",
            Some(false) => "**missed**",
            None => "not measured",
        };
        let _ = writeln!(text, "| {} | {} | {verdict} |", target.promise, target.measured);
    }
    text
}

fn growth(bench: &Bench<'_>) -> String {
    let mut text = String::from(
        "\n## Growth\n\nThe exponent e of a power law fitted through the sizes named (time or memory ∝ sizeᵉ).\n\n\
         | what | over | exponent |\n|---|---|---|\n",
    );
    for (what, over, exponent) in &bench.growth {
        let _ = writeln!(text, "| {what} | {over} | {} |", show_exponent(*exponent));
    }
    text
}
