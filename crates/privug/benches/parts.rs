//! `cargo bench`: what each stage costs on its own. Whole programs beside their peers are measured by `cargo xtask bench`.

use divan::Bencher;
use divan::counter::ItemsCount;
use privug::analysis::{Request, analyze};
use privug::evaluate::{Inputs, Limits, Model, evaluate};
use privug::network::{Affine, Network, NodeId};
use privug::number::Rational;
use privug::posterior::{Observation, Options, condition, survey};
use privug::program::{Program, check};
use privug::report::{Palette, to_json, to_text};
use privug::source::{Sources, Span};
use privug::syntax::parse_module;

fn main() {
    divan::main();
}

/// A program of many short functions.
fn long_text() -> String {
    let function = |index: usize| {
        format!(
            "def step_{index}(x, y=2):\n    total = 0\n    for i in range(3):\n        total = total + x * i - y\n    return total\n\n"
        )
    };
    (0..500).map(function).collect::<String>() + "def main():\n    return step_0(Normal(0, 1))\n"
}

fn compile(text: &str) -> Program {
    let mut sources = Sources::default();
    let id = sources.add("bench.py", text);
    let module = parse_module(&sources, id).expect("the program is well-formed");
    check(&sources, id, &module, Some(("main", Span::START)), &[]).expect("the program is in the language")
}

fn run(program: &Program) -> Model<f64> {
    let limits = Limits { elements: u64::MAX, steps: u64::MAX, ..Limits::default() };
    evaluate(program, &Inputs { limits, ..Inputs::default() }).expect("the program runs")
}

#[divan::bench]
fn parse(bencher: Bencher) {
    let mut sources = Sources::default();
    let id = sources.add("bench.py", long_text());
    bencher.bench(|| parse_module(&sources, id).expect("the program is well-formed"));
}

#[divan::bench]
fn parse_and_check(bencher: Bencher) {
    let text = long_text();
    bencher.bench(|| compile(&text));
}

/// What the interpreter does, for an item each.
const PROGRAMS: [(&str, &str); 9] = [
    ("empty loop", "    for i in range(100_000):\n        pass\n    return Normal(0, 1)\n"),
    (
        "loop over floats",
        "    x = [0.5] * 1000\n    total = 0.0\n    for _ in range(100):\n        for i in range(1000):\n            \
         total = total + x[i]\n    return Normal(total, 1)\n",
    ),
    ("comprehension", "    x = [i * 0.5 for i in range(100_000)]\n    return Normal(x[0], 1)\n"),
    (
        "call",
        "    total = 0.0\n    for i in range(100_000):\n        total = add(total, 0.5)\n    return Normal(total, 1)\n",
    ),
    (
        "branch",
        "    n = 0\n    for i in range(100_000):\n        if i % 3 == 0:\n            n += 1\n    return Normal(n, 1)\n",
    ),
    ("variables, one by one", "    x = [Normal(0, 1) for i in range(100_000)]\n    return x[0]\n"),
    ("variables, at once", "    x = Normal(0, 1, size=100_000)\n    return x[0]\n"),
    (
        "variables, added in a loop",
        "    x = Normal(0, 1, size=100_000)\n    total = 0\n    for person in x:\n        total = total + person\n    \
         return total\n",
    ),
    ("variables, added at once", "    x = Normal(0, 1, size=100_000)\n    return sum(x[:50_000]) + sum(x[50_000:])\n"),
];

#[divan::bench(args = PROGRAMS.map(|(name, _)| name))]
fn interpret(bencher: Bencher, name: &str) {
    let body = PROGRAMS.iter().find(|(known, _)| *known == name).expect("a known program").1;
    let program = compile(&format!("def add(a, b):\n    return a + b\n\ndef main():\n{body}"));
    bencher.counter(ItemsCount::new(100_000_usize)).bench(|| run(&program));
}

fn plain<S: privug::number::Scalar>(node: NodeId) -> Affine<S> {
    Affine { node, scale: S::one(), offset: S::zero() }
}

/// `n` people and `k` sums over pseudo-random halves of them.
fn tables<S: privug::number::Scalar>(n: usize, k: usize) -> (Network<S>, Vec<Observation<S>>, Vec<Affine<S>>) {
    let mut network = Network::default();
    let people: Vec<NodeId> = (0..n)
        .map(|i| network.push(S::from_i64(30 + i as i64 % 40), [], S::from_i64(1 + i as i64 % 9), Span::START))
        .collect();
    let is_member =
        |i: usize, t: usize| (i * i * (7919 * t + 104_729) + i * (31 * t + 17) + t * t) % 1_000_003 % 2 == 1;
    let observations = (0..k)
        .map(|t| {
            let terms =
                people.iter().enumerate().filter(|(i, _)| is_member(*i, t)).map(|(_, &person)| (person, S::one()));
            let sum = network.push(S::zero(), terms, S::zero(), Span::START);
            Observation { variable: plain(sum), value: Some(S::from_i64(25 * n as i64)) }
        })
        .collect();
    let targets = people.into_iter().map(plain).collect();
    (network, observations, targets)
}

#[divan::bench(args = [(100_000, 1), (10_000, 3), (2_000, 20)])]
fn condition_one_target(bencher: Bencher, (n, k): (usize, usize)) {
    let (network, observations, targets) = tables::<f64>(n, k);
    bencher.bench(|| condition(&network, &observations, &targets[..1], &Options::default()).expect("a posterior"));
}

#[divan::bench(args = [(100_000, 1), (10_000, 3), (2_000, 20)])]
fn survey_everybody(bencher: Bencher, (n, k): (usize, usize)) {
    let (network, observations, targets) = tables::<f64>(n, k);
    let targets = targets.into_iter().collect();
    bencher
        .counter(ItemsCount::new(n))
        .bench(|| survey(&network, &observations, &targets, &Options::default()).expect("a posterior"));
}

#[divan::bench(args = [(1_000, 1), (100, 10)])]
fn condition_exactly(bencher: Bencher, (n, k): (usize, usize)) {
    let (network, observations, targets) = tables::<Rational>(n, k);
    bencher.bench(|| condition(&network, &observations, &targets[..1], &Options::default()).expect("a posterior"));
}

const TEN_LINES: &str = "\
def main():
    incomes = [Normal(480_000, 100) for _ in range(10)]
    total = 0
    for income in incomes:
        total = total + income
    average = total / len(incomes)
    condition(average, 483_000)
    return incomes
";

#[divan::bench]
fn analyze_ten_lines() {
    analyze(&Request::new("ten.py", TEN_LINES)).expect("an analysis");
}

#[divan::bench]
fn report_as_text(bencher: Bencher) {
    let analysis = analyze(&Request::new("ten.py", TEN_LINES)).expect("an analysis");
    bencher.bench(|| to_text(&analysis, Palette::PLAIN, None));
}

#[divan::bench]
fn report_as_json(bencher: Bencher) {
    let analysis = analyze(&Request::new("ten.py", TEN_LINES)).expect("an analysis");
    bencher.bench(|| to_json(&analysis));
}
