//! What the interpreter's steps cost, against CPython doing the same on floats.

use std::fmt::Write;
use std::process::Command;

use super::Bench;
use super::figures::{Spread, short};
use super::measure::Runs;

const INTRODUCTION: &str = "
## 3. The interpreter

The cost of one round of a loop, one element of a comprehension and one call, on floats. The same text is run by CPython
(the fastest one at hand). Processor time, of ours without the start of the process; the ratio is that of the best runs.

| | ours | CPython | ours / CPython |
|---|--:|--:|--:|
";

/// What is measured, the program's text, and which of its numbers is the count of rounds.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "`total = total + x[i]`",
        "loop",
        "def main():\n    x = [0.5 for _ in range(1000)]\n    total = 0.0\n    for _ in range(ROUNDS // 1000):\n        \
         for i in range(1000):\n            total = total + x[i]\n    return Normal(total, 1)\n",
    ),
    (
        "`[v * 2.0 for v in x]`, an element",
        "comprehension",
        "def main():\n    x = [0.5 for _ in range(100_000)]\n    y = x\n    for _ in range(ROUNDS // 100_000):\n        \
         y = [v * 2.0 for v in x]\n    return Normal(y[0], 1)\n",
    ),
    (
        "`total = add(total, 0.5)`",
        "call",
        "def add(a, b):\n    return a + b\n\ndef main():\n    total = 0.0\n    for _ in range(ROUNDS):\n        \
         total = add(total, 0.5)\n    return Normal(total, 1)\n",
    ),
];

pub fn section(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.page.push_str(INTRODUCTION);
    let rounds: u64 = if bench.is_quick() { 5_000_000 } else { 10_000_000 };
    for (title, name, text) in PROGRAMS {
        let path = bench.program(&format!("{name}.py"), &text.replace("ROUNDS", &rounds.to_string()))?;
        let start = bench.program(&format!("{name}-start.py"), &text.replace("ROUNDS", "0"))?;
        let mut commands = vec![Some(bench.analyze(&path, &["--json"])), Some(bench.analyze(&start, &["--json"]))];
        let file = path.to_string_lossy().into_owned();
        let pythons = pythons(bench);
        commands.extend(pythons.iter().map(|python| {
            let mut command = bench.context.command(python);
            command.args(["xtask/bench/interpreter.py", &file, &rounds.to_string()]);
            Some(command)
        }));
        // Whatever else the machine does only adds to a cost, so the best of many runs is nearest to it.
        let repetitions = 2 * bench.repetitions() + 1;
        let runs = bench.in_turns(&format!("the interpreter, {name}"), &mut commands, repetitions);
        let ours = nanoseconds(&runs[0], &runs[1], rounds);
        let python = runs[2..].iter().filter_map(python_nanoseconds).min_by(|a, b| a.low.total_cmp(&b.low));
        let times = ours.zip(python).map(|(ours, python)| ours.low / python.low);
        let shown = |cost: Option<Spread>| {
            cost.map_or("–".to_owned(), |cost| {
                format!("{} ns ({}–{})", short(cost.middle), short(cost.low), short(cost.high))
            })
        };
        let ratio = times.map_or("–".to_owned(), |times| format!("{} ×", short(times)));
        let _ = writeln!(bench.page, "| {title} | {} | {} | {ratio} |", shown(ours), shown(python));
        if *name == "loop" {
            bench.target("a loop's round costs at most half of CPython's", ratio, times.map(|times| times <= 0.5));
        }
    }
    Ok(())
}

/// The environment's Python and the system's, which are often built differently.
fn pythons(bench: &Bench<'_>) -> Vec<String> {
    let own = bench.peers.python.as_ref().map(|path| path.to_string_lossy().into_owned());
    let works =
        |python: &str| Command::new(python).arg("--version").output().is_ok_and(|output| output.status.success());
    own.into_iter().chain(["/usr/bin/python3".to_owned()].into_iter().filter(|python| works(python))).collect()
}

fn nanoseconds(runs: &Runs, start: &Runs, rounds: u64) -> Option<Spread> {
    let start = Spread::of(start.as_ref().ok()?.iter().map(|run| run.cpu_seconds))?.low;
    Spread::of(runs.as_ref().ok()?.iter().map(|run| (run.cpu_seconds - start) / rounds as f64 * 1e9))
}

fn python_nanoseconds(runs: &Runs) -> Option<Spread> {
    let costs = runs.as_ref().ok()?.iter().filter_map(|run| Some(run.number("seconds")? / run.number("rounds")? * 1e9));
    Spread::of(costs)
}
