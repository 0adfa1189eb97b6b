//! Programs with many dependent choices: chains, elections, rings.

use std::fmt::Write;

use super::Bench;
use super::figures::{peak_bytes, show_megabytes, show_seconds, wall};
use super::measure::Runs;

const INTRODUCTION: &str = "
## Choices

Programs whose choices depend on each other, from the start of the process to the answer in JSON. *chain*: 1 000 choices, each
with a probability that depends on the one before; *hidden chain*: the same, with something seen of each; *election*: 20 votes
for one of three, the number of votes for each published; *ring*: dining cryptographers, 12 of them; *noisy ring*: 30 yes-or-no
answers in a circle, each pair of neighbours seen through noise; *histograms*: 1 000 000 people who are alike, in 100 groups, with
the histogram of each group published.

| program | worlds | ours | peak |
|---|--:|--:|--:|
";

const CHAIN: &str = "
def chain():
    x = Bernoulli(0.5)
    for i in range(1000):
        x = Bernoulli(0.9 if x else 0.2)
    return x
";

const HIDDEN_CHAIN: &str = "
def chain():
    first = Bernoulli(0.5)
    x = first
    for i in range(1000):
        x = Bernoulli(0.9 if x else 0.2)
        condition(Bernoulli(0.7 if x else 0.4), i % 3 == 0)
    return first
";

const ELECTION: &str = "
def election():
    votes = [Categorical([0.3, 0.5, 0.2]) for _ in range(20)]
    return [sum(vote == who for vote in votes) for who in range(3)]
";

const RING: &str = "
def ring():
    payer = DiscreteUniform(0, 12)
    coins = [Bernoulli(0.5) for _ in range(12)]
    return [(coins[i] != coins[(i + 1) % 12]) != (payer == i) for i in range(12)]
";

const NOISY_RING: &str = "
def circle():
    s = [Bernoulli(0.5) for _ in range(30)]
    for a, b in zip(s, s[1:] + s[:1]):
        condition(Bernoulli(0.7 if a == b else 0.3))
    return s[0] == s[15]
";

const HISTOGRAMS: &str = "
def histograms():
    xs = Categorical([0.2, 0.3, 0.5], size=1_000_000)
    groups = [xs[10_000 * g:10_000 * (g + 1)] for g in range(100)]
    return [[sum(group == j) for j in range(3)] for group in groups]
";

pub fn section(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.page.push_str(INTRODUCTION);
    let published: Vec<String> = (0..100).map(|g| format!("[{}, {}, {}]", 2000 + g, 3000 - 2 * g, 5000 + g)).collect();
    let published = format!("[{}]", published.join(", "));
    let seen = ["--secret", "xs[0]", "--observe", &published];
    let programs: [(&str, &str, &str, &[&str]); 6] = [
        ("chain", CHAIN, "2^2001", &[]),
        ("hidden chain", HIDDEN_CHAIN, "2^4001", &[]),
        ("election", ELECTION, "3^20", &["--secret", "votes[0]"]),
        ("ring", RING, "13·2^12", &["--secret", "payer"]),
        ("noisy ring", NOISY_RING, "2^90", &[]),
        ("histograms", HISTOGRAMS, "3^1000000", &seen),
    ];
    for (name, program, worlds, arguments) in programs {
        let path = bench.program(&format!("{}.py", name.replace(' ', "_")), program)?;
        let mut all = arguments.to_vec();
        all.push("--json");
        let ours = bench.analyze(&path, &all);
        let repetitions = bench.repetitions();
        let runs = bench.in_turns(name, &mut [Some(ours)], repetitions);
        let [ours] = <[Runs; 1]>::try_from(runs).map_err(|_| "one side was run")?;
        let (time, peak) = (show_seconds(&ours, wall), show_megabytes(peak_bytes(&ours)));
        let _ = writeln!(bench.page, "| {name} | {worlds} | {time} | {peak} |");
    }
    Ok(())
}
