//! Exact arithmetic against Python's fractions doing the same elimination.

use std::fmt::Write;

use super::Bench;
use super::figures::{exponent, inner, peak_bytes, ratio, show_megabytes, show_ratio, show_seconds, spread, wall};
use super::measure::{Failure, Runs};

const PEOPLE: u64 = 100;

const INTRODUCTION: &str = "
## 5. Exact arithmetic

100 people with variances in sevenths, k sums over pseudo-random halves, the posterior of one person in exact
rationals (`--exact`). The peer does the elimination in Python's `fractions`; its time leaves out the start of Python,
ours is the whole process. Both give the same fractions.

| k | ours | peak | fractions | peak | fractions / ours |
|--:|--:|--:|--:|--:|--:|
";

fn program(k: u64) -> String {
    format!(
        "def main():\n    people = [Normal(30 + i % 40, (1 + i % 9) / 7) for i in range({PEOPLE})]\n    \
         for t in range({k}):\n        \
         members = [i for i in range({PEOPLE}) if (i * i * (7919 * t + 104_729) + i * (31 * t + 17) + t * t) % 1_000_003 % 2]\n        \
         value = sum([30 + i % 40 for i in members]) + 10 * (t % 7 - 3)\n        \
         condition(sum([people[i] for i in members]), value)\n    return people[0]\n"
    )
}

pub fn section(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.page.push_str(INTRODUCTION);
    let (mut ours_points, mut peer_points, mut gave_up) = (Vec::new(), Vec::new(), false);
    for k in bench.sizes(&[5, 10], &[5, 10, 20, 40, 80]) {
        let path = bench.program(&format!("exact-{k}.py"), &program(k))?;
        let ours = bench.analyze(&path, &["--exact", "--json", "--max-work", "100"]);
        let peer = (!gave_up)
            .then(|| bench.peer("Python", "exact_fractions.py", &[&PEOPLE.to_string(), &k.to_string()]))
            .flatten();
        let what = format!("exact arithmetic, k = {k}");
        let repetitions = bench.repetitions().min(3);
        let runs = bench.in_turns(&what, &mut [Some(ours), peer], repetitions);
        let [ours, fractions] = <[Runs; 2]>::try_from(runs).map_err(|_| "two sides were run")?;
        gave_up = gave_up || fractions == Err(Failure::CutOff);
        if let (Ok(ours), Ok(fractions)) = (&ours, &fractions) {
            let agrees = ["mean", "variance"].iter().all(|name| {
                let exact = ours[0].answer.pointer(&format!("/exact/{name}/0"));
                exact.is_some() && exact == fractions[0].answer.get(name)
            });
            bench.require(agrees, &what);
        }
        let _ = writeln!(
            bench.page,
            "| {k} | {} | {} | {} | {} | {} |",
            show_seconds(&ours, wall),
            show_megabytes(peak_bytes(&ours)),
            show_seconds(&fractions, inner),
            show_megabytes(peak_bytes(&fractions)),
            show_ratio(ratio(&ours, wall, &fractions, inner)),
        );
        ours_points.extend(spread(&ours, wall).filter(|_| k >= 10).map(|spread| (k as f64, spread.middle)));
        peer_points.extend(spread(&fractions, inner).filter(|_| k >= 10).map(|spread| (k as f64, spread.middle)));
    }
    bench.grows("ours, exact", "k ≥ 10", exponent(&ours_points));
    bench.grows("fractions", "k ≥ 10", exponent(&peer_points));
    Ok(())
}
