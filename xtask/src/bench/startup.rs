//! How long a small program takes from start to exit.

use std::fmt::Write;

use super::Bench;
use super::figures::{peak_bytes, show_megabytes, show_seconds, spread, wall};

const PROGRAM: &str = "\
def main():
    incomes = [Normal(480_000, 100) for _ in range(10)]
    total = 0
    for income in incomes:
        total = total + income
    average = total / len(incomes)
    condition(average, 483_000)
    victim = incomes[0]
    others = total - victim
    return victim, others
";

pub fn section(bench: &mut Bench<'_>) -> Result<(), String> {
    let path = bench.program("ten-lines.py", PROGRAM)?;
    let commands =
        &mut [Some(bench.analyze(&path, &[])), bench.peers.python.is_some().then(|| python(bench)).flatten()];
    let runs = bench.in_turns("start-up", commands, if bench.is_quick() { 5 } else { 31 });
    let _ = write!(
        bench.page,
        "\n## 6. Start-up\n\n`privug analyze` of a program of ten lines, the whole process: {}, {} at its peak. Python \
         that imports numpy and ends: {}.\n",
        show_seconds(&runs[0], wall),
        show_megabytes(peak_bytes(&runs[0])),
        show_seconds(&runs[1], wall),
    );
    let time = spread(&runs[0], wall);
    let shown = show_seconds(&runs[0], wall);
    bench.target("a program of ten lines in at most 10 ms", shown, time.map(|time| time.middle <= 0.010));
    Ok(())
}

fn python(bench: &Bench<'_>) -> Option<std::process::Command> {
    let python = bench.peers.python.as_ref().filter(|_| bench.peers.has("numpy"))?;
    let mut command = bench.context.command(&python.to_string_lossy());
    command.args(["-c", "import numpy"]);
    Some(command)
}
