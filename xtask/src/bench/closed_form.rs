//! All posteriors of n people after three overlapping averages, against the closed form written by hand in numpy.

use std::fmt::Write;

use super::Bench;
use super::figures::{
    agree, exponent, peak_bytes, ratio, show_megabytes, show_ratio, show_seconds, spaced, spread, wall,
};
use super::measure::{Run, Runs};

/// How everybody's posterior is asked for: computed, and not printed.
const OURS: &[&str] = &["--quiet"];
/// How the same is asked for where the answers are compared.
const OURS_PRINTED: &[&str] = &["--json"];
/// The answers are compared at this size.
const COMPARED: u64 = 20_000;

const INTRODUCTION: &str = "
## 2. The closed form by hand

n people, three overlapping averages (the first half, the middle half, all), the posterior of everybody. The peer is what
somebody writes who knows the closed form: a 3×3 system in numpy. Whole processes, from start to exit. Both give the same
sums of means and variances (compared at n = 20 000).

| n | ours | peak | numpy | peak | ours / numpy |
|--:|--:|--:|--:|--:|--:|
";

fn program(n: u64) -> String {
    let (half, quarter) = (n / 2, n / 4);
    let three_quarters = quarter * 3;
    let middle = three_quarters - quarter;
    format!(
        "def main():\n    people = [Normal(30 + i % 40, 1 + i % 9) for i in range({n})]\n    \
         condition(sum(people[:{half}]) / {half}, 50)\n    \
         condition(sum(people[{quarter}:{three_quarters}]) / {middle}, 50.5)\n    \
         condition(sum(people) / {n}, 50.2)\n    return people\n"
    )
}

pub fn section(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.page.push_str(INTRODUCTION);
    let (mut times, mut peaks, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for n in bench.sizes(&[20_000, 100_000], &[10_000, 100_000, 1_000_000, 10_000_000]) {
        let path = bench.program(&format!("closed-form-{n}.py"), &program(n))?;
        let ours = bench.analyze(&path, OURS);
        let peer = bench.peer("numpy", "closed_form.py", &[&n.to_string()]);
        let repetitions = bench.repetitions();
        let runs = bench.in_turns(&format!("closed form, n = {n}"), &mut [Some(ours), peer], repetitions);
        let [ours, numpy] = <[Runs; 2]>::try_from(runs).map_err(|_| "two sides were run")?;
        let _ = writeln!(
            bench.page,
            "| {} | {} | {} | {} | {} | {} |",
            spaced(n as i64),
            show_seconds(&ours, wall),
            show_megabytes(peak_bytes(&ours)),
            show_seconds(&numpy, wall),
            show_megabytes(peak_bytes(&numpy)),
            show_ratio(ratio(&numpy, wall, &ours, wall)),
        );
        times.extend(spread(&ours, wall).filter(|_| n >= 100_000).map(|spread| (n as f64, spread.middle)));
        peaks.extend(peak_bytes(&ours).filter(|_| n >= 100_000).map(|bytes| (n as f64, bytes)));
        all.push((n, ours, numpy));
    }
    let points = |side: fn(&(u64, Runs, Runs)) -> &Runs| -> Vec<(f64, f64)> {
        all.iter().filter_map(|row| Some((row.0 as f64, spread(side(row), wall)?.middle))).collect()
    };
    let series = vec![("privug", points(|row| &row.1)), ("numpy", points(|row| &row.2))];
    bench.figure("closed-form.svg", "Three averages, all posteriors", ["people", "seconds"], series);
    let (time, memory) = (exponent(&times), exponent(&peaks));
    bench.grows("ours, three averages, time", "n ≥ 100 000", time);
    bench.grows("ours, three averages, peak memory", "n ≥ 100 000", memory);
    promises(bench, &all);
    let measured = match (time, memory) {
        (Some(time), Some(memory)) => format!("{time:.2} and {memory:.2}"),
        _ => "–".to_owned(),
    };
    let is_met = time.zip(memory).map(|(time, memory)| time.max(memory) <= 1.05);
    bench.target("time and memory linear in n for three outputs (exponent at most 1.05)", measured, is_met);
    Ok(())
}

fn promises(bench: &mut Bench<'_>, all: &[(u64, Runs, Runs)]) {
    let at = |n: u64| all.iter().find(|row| row.0 == n);
    let million = at(1_000_000).and_then(|(_, ours, numpy)| ratio(numpy, wall, ours, wall));
    bench.target(
        "1 000 000 variables in at most 1.5 times the closed form's whole process",
        show_ratio(million),
        million.map(|times| times.middle <= 1.5),
    );
    let ten_million = at(10_000_000).map(|(_, ours, _)| ours);
    let peak = ten_million.and_then(peak_bytes);
    let is_met = ten_million.map(|runs| runs.is_ok() && peak.is_some_and(|bytes| bytes <= 8e9));
    bench.target("10 000 000 variables finish within 8 GB", show_megabytes(peak), is_met);
}

/// Both sides must give the same sums. The harness reads a large document here, and whatever it starts afterwards would
/// seem to need as much memory as that took: so this comes last.
pub fn compare(bench: &mut Bench<'_>) -> Result<(), String> {
    let path = bench.program("closed-form-compared.py", &program(COMPARED))?;
    let ours = bench.analyze(&path, OURS_PRINTED);
    let peer = bench.peer("numpy", "closed_form.py", &[&COMPARED.to_string()]);
    let runs = bench.in_turns("closed form, the answers", &mut [Some(ours), peer], 1);
    if let [Ok(ours), Ok(numpy)] = runs.as_slice() {
        let sum = |run: &Run, name: &str| {
            let values = run.answer.pointer(&format!("/posterior/{name}"))?.as_array()?;
            values.iter().map(|value| value.as_f64()).sum::<Option<f64>>()
        };
        let agrees = agree(sum(&ours[0], "mean"), numpy[0].number("sum_mean"))
            && agree(sum(&ours[0], "variance"), numpy[0].number("sum_variance"));
        bench.require(agrees, "closed form");
    }
    Ok(())
}
