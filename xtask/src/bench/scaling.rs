//! The paper's figure 4 with n distinct variables: their sum, and one of them after their average became known.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

use super::Bench;
use super::figures::{
    agree, exponent, inner, peak_bytes, ratio, show_megabytes, show_ratio, show_seconds, spaced, spread, wall,
};
use super::measure::{Failure, Runs};

const INTRODUCTION: &str = "
## 1. The paper's figure 4, with n distinct variables

n people are `Normal(30 + i % 40, 1 + i % 9)`, added up in a loop. Times are those of the work alone: ours from the text
of the program to its posterior, the peers' without the start of Python and its imports; what takes less than 50 ms is done
up to nine times in a process, and the middle is taken, on both sides. *process* is `privug analyze` from start to exit.

- *dense*: the paper's algorithm in numpy, statement by statement: a mean vector and a covariance matrix that grow by a
  row and a column with each variable, and a Schur complement for `condition`.
- *NUTS*: PyMC (with nutpie if it is there), 2 chains of 1 000 + 1 000 draws. It only approximates, and needs noise on
  what is observed.
- *PSI*: if it is on the PATH.
";

/// What a program does with the people.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Sum,
    Condition,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Sum => "sum",
            Kind::Condition => "condition",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Kind::Sum => "The sum of n variables",
            Kind::Condition => "The average of n variables, and a condition on it",
        }
    }

    fn program(self, n: u64) -> String {
        let result = match self {
            Kind::Sum => "    return total\n".to_owned(),
            Kind::Condition => format!("    average = total / {n}\n    condition(average, 50)\n    return people[0]\n"),
        };
        format!(
            "def main():\n    people = [Normal(30 + i % 40, 1 + i % 9) for i in range({n})]\n    total = 0\n    \
             for person in people:\n        total = total + person\n{result}"
        )
    }

    /// The same for PSI, whose `gauss` takes a variance.
    fn psi(self, n: u64) -> String {
        let result = match self {
            Kind::Sum => "return total;",
            Kind::Condition => "cobserve(total / n, 50); return people[0];",
        };
        format!(
            "def main() {{ n := {n}; people := array(n, 0); total := 0; for i in [0..n) {{ \
             people[i] = gauss(30 + i % 40, 1 + i % 9); total += people[i]; }} {result} }}\n"
        )
    }

    /// Mean and variance by hand: Σμ, Σv, and μ₀ + v₀·(50n − Σμ)/Σv, v₀ − v₀²/Σv.
    fn expected(self, n: u64) -> (f64, f64) {
        let mean: u64 = (0..n).map(|i| 30 + i % 40).sum();
        let variance: u64 = (0..n).map(|i| 1 + i % 9).sum();
        match self {
            Kind::Sum => (mean as f64, variance as f64),
            Kind::Condition => {
                let surprise = 50.0 * n as f64 - mean as f64;
                (30.0 + surprise / variance as f64, 1.0 - 1.0 / variance as f64)
            }
        }
    }
}

/// The runs of all sides, by n.
struct Table {
    ours: BTreeMap<u64, Runs>,
    processes: BTreeMap<u64, Runs>,
    peers: Vec<(&'static str, BTreeMap<u64, Runs>)>,
}

pub fn section(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.page.push_str(INTRODUCTION);
    for kind in [Kind::Sum, Kind::Condition] {
        let table = measure(bench, kind)?;
        show(bench, kind, &table);
        if kind == Kind::Condition {
            promise(bench, &table);
        }
    }
    Ok(())
}

fn measure(bench: &mut Bench<'_>, kind: Kind) -> Result<Table, String> {
    let ours_sizes = bench.sizes(&[100, 1_000, 10_000], &[100, 1_000, 10_000, 100_000, 1_000_000]);
    let dense_sizes = bench.sizes(&[100, 300], &[100, 300, 1_000, 2_000, 3_000, 5_000]);
    // A sampler takes minutes for what it needs no more than once.
    let nuts_sizes = if kind == Kind::Condition { bench.sizes(&[], &[10, 30, 100, 300]) } else { Vec::new() };
    let psi_sizes = bench.sizes(&[5], &[5, 10, 20, 50]);
    let mut sizes: Vec<u64> = [&ours_sizes, &dense_sizes, &nuts_sizes].into_iter().flatten().copied().collect();
    if bench.peers.has("PSI") {
        sizes.extend(&psi_sizes);
    }
    sizes.sort_unstable();
    sizes.dedup();
    let names = ["dense", "NUTS", "PSI"];
    let peers = names.map(|name| (name, BTreeMap::new())).into();
    let mut table = Table { ours: BTreeMap::new(), processes: BTreeMap::new(), peers };
    for n in sizes {
        let program = bench.program(&format!("{}-{n}.py", kind.name()), &kind.program(n))?;
        let number = n.to_string();
        let is_tried = |peer: usize, sizes: &[u64]| {
            let gave_up = table.peers[peer].1.values().any(|runs| matches!(runs, Err(Failure::CutOff)));
            sizes.contains(&n) && !gave_up
        };
        let dense =
            is_tried(0, &dense_sizes).then(|| bench.peer("numpy", "paper_dense.py", &[kind.name(), &number])).flatten();
        let nuts = is_tried(1, &nuts_sizes).then(|| bench.peer("pymc", "nuts.py", &[&number])).flatten();
        let psi = (is_tried(2, &psi_sizes) && bench.peers.has("PSI")).then(|| psi(bench, kind, n)).transpose()?;
        let ours = bench.example("analysis_alone", &[&program.to_string_lossy()]);
        let process = bench.analyze(&program, &["--json"]);
        let mut commands = [Some(ours), Some(process), dense, nuts, psi];
        let what = format!("{}, n = {n}", kind.title());
        let repetitions = bench.repetitions();
        let runs = bench.in_turns(&what, &mut commands, repetitions);
        check(bench, kind, n, &runs, &what);
        let mut runs = runs.into_iter();
        table.ours.insert(n, runs.next().unwrap_or(Err(Failure::NotTried)));
        table.processes.insert(n, runs.next().unwrap_or(Err(Failure::NotTried)));
        for ((_, peer), runs) in table.peers.iter_mut().zip(runs) {
            peer.insert(n, runs);
        }
    }
    Ok(table)
}

fn psi(bench: &Bench<'_>, kind: Kind, n: u64) -> Result<Command, String> {
    let path = bench.program(&format!("{}-{n}.psi", kind.name()), &kind.psi(n))?;
    let mut command = bench.context.command("psi");
    command.arg(path);
    Ok(command)
}

/// Ours and the dense algorithm must give what is computed by hand.
fn check(bench: &mut Bench<'_>, kind: Kind, n: u64, runs: &[Runs], what: &str) {
    let (mean, variance) = kind.expected(n);
    if let Some(Ok(processes)) = runs.get(1) {
        for run in processes {
            let of = |name: &str| run.answer.pointer(&format!("/posterior/{name}/0")).and_then(|value| value.as_f64());
            bench.require(agree(of("mean"), Some(mean)) && agree(of("variance"), Some(variance)), what);
        }
    }
    for (runs, name) in [(runs.first(), "ours"), (runs.get(2), "dense")] {
        for run in runs.and_then(|runs| runs.as_ref().ok()).into_iter().flatten() {
            let agrees = agree(run.number("mean"), Some(mean)) && agree(run.number("variance"), Some(variance));
            bench.require(agrees, &format!("{what}, {name}"));
        }
    }
}

fn show(bench: &mut Bench<'_>, kind: Kind, table: &Table) {
    let used: Vec<&(&str, BTreeMap<u64, Runs>)> =
        table.peers.iter().filter(|(_, runs)| runs.values().any(|runs| *runs != Err(Failure::NotTried))).collect();
    let _ = write!(bench.page, "\n### {}\n\n| n | ours | process | peak |", kind.title());
    for (name, _) in &used {
        let _ = write!(bench.page, " {name} | peak | {name} / ours |");
    }
    bench.page.push_str("\n|--:|--:|--:|--:|");
    bench.page.push_str(&"--:|--:|--:|".repeat(used.len()));
    bench.page.push('\n');
    for (n, ours) in &table.ours {
        let _ = write!(
            bench.page,
            "| {} | {} | {} | {} |",
            spaced(*n as i64),
            show_seconds(ours, inner),
            show_seconds(&table.processes[n], wall),
            show_megabytes(peak_bytes(&table.processes[n]))
        );
        for (_, peer) in &used {
            let runs = &peer[n];
            let times = show_ratio(ratio(ours, inner, runs, inner));
            let _ =
                write!(bench.page, " {} | {} | {times} |", show_seconds(runs, inner), show_megabytes(peak_bytes(runs)));
        }
        bench.page.push('\n');
    }
    let points = |runs: &BTreeMap<u64, Runs>, time| -> Vec<(f64, f64)> {
        runs.iter().filter_map(|(n, runs)| Some((*n as f64, spread(runs, time)?.middle))).collect()
    };
    let ours = points(&table.ours, inner);
    let file = format!("{}.svg", kind.name());
    let mut series = vec![("privug", ours.clone())];
    series.extend(table.peers.iter().map(|(name, runs)| (*name, points(runs, inner))));
    bench.figure(&file, kind.title(), ["variables", "seconds"], series);
    // Below, what does not depend on n is much of it.
    let large: Vec<(f64, f64)> = ours.into_iter().filter(|(n, _)| *n >= 10_000.0).collect();
    bench.grows(&format!("ours, {}", kind.name()), "n ≥ 10 000", exponent(&large));
    let dense: Vec<(f64, f64)> = points(&table.peers[0].1, inner).into_iter().filter(|(n, _)| *n >= 1_000.0).collect();
    bench.grows(&format!("dense, {}", kind.name()), "n ≥ 1 000", exponent(&dense));
}

fn promise(bench: &mut Bench<'_>, table: &Table) {
    const PROMISE: &str = "5 000 variables, one condition: at least 20 000 times faster than the dense algorithm";
    const SIZE: u64 = 5_000;
    let (Some(ours), Some(dense)) = (table.ours.get(&SIZE), table.peers[0].1.get(&SIZE)) else {
        bench.target(PROMISE, "–".to_owned(), None);
        return;
    };
    match (ratio(ours, inner, dense, inner), spread(ours, inner)) {
        (Some(times), _) => bench.target(PROMISE, show_ratio(Some(times)), Some(times.middle >= 20_000.0)),
        (None, Some(ours)) if *dense == Err(Failure::CutOff) => {
            let at_least = super::measure::CUT_OFF.as_secs_f64() / ours.middle;
            let measured = format!("more than {} × (the peer was stopped)", spaced(at_least as i64));
            bench.target(PROMISE, measured, (at_least >= 20_000.0).then_some(true));
        }
        _ => bench.target(PROMISE, "–".to_owned(), None),
    }
}
