//! Published counts over many people against a dynamic program in numpy.

use std::fmt::Write;

use super::Bench;
use super::figures::{inner, peak_bytes, ratio, show_megabytes, show_ratio, show_seconds, wall};
use super::measure::Runs;

const INTRODUCTION: &str = "
## Counts

n people say yes or no, each with a prior of their own; one count is published, and the posterior of everybody, or of one
person, is asked for. The peer finds the distribution of the count in numpy, one person after the other, and divides each person
out again; its time leaves out the start of Python, ours is the whole process, up to the JSON document; of a million people, whose
document would be gigabytes, up to the report.

| n | different priors | asked for | arithmetic | ours | peak | numpy | numpy / ours |
|--:|--:|---|---|--:|--:|--:|--:|
";

const PROGRAM: &str = "def survey(ill):\n    return sum(ill)\n";

const EVERYBODY: &str = "everybody";
const ONE: &str = "one person";

pub fn section(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.page.push_str(INTRODUCTION);
    let path = bench.program("counts.py", PROGRAM)?;
    for n in bench.sizes(&[1_000], &[1_000, 10_000]) {
        let k = 2 * n / 5;
        let prior = format!("ill=[Bernoulli(0.02 + 0.9 * (i * 7919 % {n}) / {n}) for i in range({n})]");
        let observed = k.to_string();
        let ours = bench.analyze(&path, &["--prior", &prior, "--secret", "ill", "--observe", &observed, "--json"]);
        let peer = bench.peer("numpy", "counts.py", &[&n.to_string(), &observed]);
        let what = format!("a count of {n} people");
        let repetitions = bench.repetitions();
        let runs = bench.in_turns(&what, &mut [Some(ours), peer], repetitions);
        let [ours, numpy] = <[Runs; 2]>::try_from(runs).map_err(|_| "two sides were run")?;
        if let (Ok(ours), Ok(numpy)) = (&ours, &numpy) {
            let found = ours[0].answer.pointer("/distributions/1/posterior/1/probability");
            let agrees = match (found.and_then(serde_json::Value::as_f64), numpy[0].number("first")) {
                (Some(found), Some(peer)) => (found - peer).abs() <= 1e-9,
                _ => false,
            };
            bench.require(agrees, &what);
        }
        row(bench, [n, n], EVERYBODY, "doubles", &ours, &numpy);
    }
    // Equal priors are one; the peer has no better way for these.
    let few: [(u64, u64, &str, &[&str]); 9] = [
        (10_000, 10, ONE, &["--exact", "--json"]),
        (10_000, 50, ONE, &["--exact", "--json"]),
        (10_000, 100, ONE, &["--exact", "--json"]),
        (3_000, 3_000, ONE, &["--exact", "--json"]),
        (10_000, 10_000, ONE, &["--exact", "--json"]),
        (1_000_000, 1_000, ONE, &["--json"]),
        (1_000_000, 1_000_000, ONE, &["--json"]),
        (1_000_000, 1_000, EVERYBODY, &[]),
        (1_000_000, 1_000_000, EVERYBODY, &[]),
    ];
    for (n, kinds, asked, arguments) in few {
        if bench.is_quick() && n > 10_000 {
            continue;
        }
        let prior = format!("ill=[Bernoulli((1 + i % {kinds}) / {}) for i in range({n})]", 2 * kinds);
        let observed = (n / 4).to_string();
        let secret = if asked == EVERYBODY { "ill" } else { "ill[0]" };
        let mut all = vec!["--prior", &prior, "--secret", secret, "--observe", &observed];
        all.extend(arguments);
        let ours = bench.analyze(&path, &all);
        let what = format!("a count of {n} people with {kinds} priors, {asked}");
        let repetitions = bench.repetitions().min(3);
        let runs = bench.in_turns(&what, &mut [Some(ours), None], repetitions);
        let [ours, none] = <[Runs; 2]>::try_from(runs).map_err(|_| "two sides were run")?;
        let arithmetic = if arguments.contains(&"--exact") { "rationals" } else { "doubles" };
        row(bench, [n, kinds], asked, arithmetic, &ours, &none);
    }
    Ok(())
}

fn row(bench: &mut Bench<'_>, [n, kinds]: [u64; 2], asked: &str, arithmetic: &str, ours: &Runs, numpy: &Runs) {
    let _ = writeln!(
        bench.page,
        "| {n} | {kinds} | {asked} | {arithmetic} | {} | {} | {} | {} |",
        show_seconds(ours, wall),
        show_megabytes(peak_bytes(ours)),
        show_seconds(numpy, inner),
        show_ratio(ratio(ours, wall, numpy, inner)),
    );
}
