//! What Python decides with doubles: a run in exact rationals that follows one in doubles goes the same way.

use std::fmt::Write;

use privug::analysis::{Analysis, Note, Request, analyze, analyze_again};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::support::{assert_close, cases, float, relative_error, words};

/// Programs and the k that CPython gives them.
const DECIDED: &[(&str, f64)] = &[
    ("k = 2 if 0.1 + 0.2 == 0.3 else 3", 3.0),
    ("k = int(0.29 * 100)", 28.0),
    ("d = {'0.1': 2, '1/10': 3}\nk = d[str(0.1)]", 2.0),
    ("d = {0.1 + 0.2: 5}\nk = d.get(0.3, 7)", 7.0),
    ("k = round(2.675 * 100)", 268.0),
    ("k = round(2.675, 2) * 100", 267.0),
    ("k = round(0.5 + 0.0) + 2", 2.0),
    ("k = int(1.0 // 0.1)", 9.0),
    ("k = 3 if 1.0 % 0.1 > 0.05 else 4", 3.0),
    ("k = int(0.7 // 0.1) + 1", 7.0),
    ("k = sorted([0.3, 0.1 + 0.2, 0.25]).index(0.3) + 2", 3.0),
    ("k = [0.1 + 0.2, 0.3].index(min(0.1 + 0.2, 0.3)) + 2", 3.0),
    ("t = 0.0\nfor i in range(10):\n    t += 0.1\nk = 2 if t == 1.0 else 3", 3.0),
    ("t = 0.0\nn = 0\nfor i in range(1000):\n    t += 0.1\n    if t < 10.0:\n        n += 1\nk = n", 100.0),
    ("k = 2 if 0.3 in [0.1 + 0.2] else 5", 5.0),
    ("k = len([i for i in range(10) if i * 0.1 == i / 10]) + 1", 8.0),
    ("k = 2 if (1e16 + 1) - 1e16 else 3", 3.0),
    ("k = [7, 8, 9][int(4.35 * 100) - 434]", 7.0),
    ("k = 2 if 0.1 * 3 > 0.3 else 4", 2.0),
    ("k = 2 if 1.1 * 1.1 == 1.21 else 4", 4.0),
    ("k = 6 if math.floor(0.1 * 30) == 3 else 5", 6.0),
    ("k = 6 if math.sqrt(2) ** 2 == 2 else 5", 5.0),
    ("k = 2 if math.sqrt(0.09) == 0.3 else 4", 2.0),
    ("k = len(f'{0.1 + 0.2}')", 19.0),
    ("k = 3 if 0.1 + 0.7 < 0.8 else 5", 3.0),
    ("k = 3 if (0.1 + 0.2) * 10 == 3 else 7", 7.0),
    ("k = 2 if 10 ** -2 == 0.01 else 3", 2.0),
    ("k = 2 if 5e-324 / 2 == 0 else 3", 2.0),
    ("k = 3 if max([0.1 + 0.2, 0.3]) == 0.3 else 8", 8.0),
    ("k = 3 if float('0.1') * 3 == 0.3 else 2", 2.0),
    ("k = 4 if 2 ** 0.5 * 2 ** 0.5 == 2 else 3", 3.0),
    ("k = 4 if 3 * 1.1 == 3.3 else 9", 9.0),
    ("k = 5 if abs(-0.1 - 0.2) > 0.3 else 6", 5.0),
];

fn again(program: &str) -> Analysis {
    match analyze_again(&Request::new("program.py", program)) {
        Ok(analysis) => analysis,
        Err(refusal) => panic!("refused:\n{}\n{program}", words(&refusal)),
    }
}

#[test]
fn doubles_decide_in_both_runs() {
    for (body, k) in DECIDED {
        let lines: String = body.lines().map(|line| format!("    {line}\n")).collect();
        let program = format!("import math\ndef f():\n    x = Normal(0, 1)\n{lines}    return k * x\n");
        for analysis in [float(&program), again(&program)] {
            let variance = analysis.secrets.get(0).knowledge.posterior_variance;
            assert!(relative_error(variance, k * k) < 1e-12, "{variance} is not {}\n{body}", k * k);
        }
    }
}

#[test]
fn a_doubt_does_not_change_the_program() {
    // The last line cannot be decided in doubles; what comes before is decided by them all the same.
    let program = "
def f():
    x = Normal(0, 1)
    y = Normal(0, 1)
    w = 2 if 0.1 + 0.2 == 0.3 else 3
    condition(x + w*y, int(0.29*100))
    condition(0.1*x*3 - 0.3*x + x + w*y, 28)
    return y
";
    let analysis = float(program);
    assert!(analysis.notes.iter().any(|note| matches!(note, Note::RanAgain(_))), "{:?}", analysis.notes);
    let secret = analysis.secrets.get(0);
    assert_close(secret.posterior_mean, 28.0 * 3.0 / 10.0, 12);
    assert_close(secret.knowledge.posterior_variance, 0.1, 12);
}

#[test]
fn numbers_that_python_loses_stay_lost() {
    // (1e17 + 1) - 1e17 is 0 to Python, and so it is as a weight.
    let program = "
def f():
    x = Normal(0, 1)
    w = (1e17 + 1) - 1e17
    v = (1e9 + 0.1) - 1e9
    return [w * x, v * x]
";
    for analysis in [float(program), again(program)] {
        assert_eq!(analysis.secrets.get(0).knowledge.posterior_variance, 0.0);
        let v = (1e9 + 0.1) - 1e9;
        assert_close(analysis.secrets.get(1).knowledge.posterior_variance, v * v, 12);
    }
}

const DECIMALS: &[&str] =
    &["0.1", "0.2", "0.3", "0.7", "1.1", "2.675", "10", "3", "1e16", "1e-9", "0.25", "100", "-0.6", "1"];

#[derive(Debug, Clone)]
enum Step {
    Arithmetic(&'static str, Index, Index),
    Literal(&'static str),
    Counted(&'static str, Index, Index),
    Taken(&'static str, Index),
    Keyed(&'static str, Index, Index),
}

fn steps() -> impl Strategy<Value = Step> {
    let index = any::<Index>;
    prop_oneof![
        3 => select(DECIMALS).prop_map(Step::Literal),
        5 => (select(&["+", "-", "*", "/", "//", "%"][..]), index(), index())
            .prop_map(|(operator, a, b)| Step::Arithmetic(operator, a, b)),
        4 => (select(&["==", "<", "<=", "!=", ">", ">="][..]), index(), index())
            .prop_map(|(operator, a, b)| Step::Counted(operator, a, b)),
        2 => (select(&["int({} * 100)", "round({})", "round({}, 1) * 10", "len(str({}))", "abs({})", "int({} * 10) % 7"][..]),
            index()).prop_map(|(function, a)| Step::Taken(function, a)),
        1 => (select(&["{{a}: 1}.get({b}, 2)", "[{a}, {b}].index(min({a}, {b}))", "sorted([{a}, {b}])[0]",
            "1 if {a} in [{b}, 0.3] else 3"][..]), index(), index()).prop_map(|(text, a, b)| Step::Keyed(text, a, b)),
    ]
}

fn program(steps: &[Step]) -> String {
    let mut text = String::from("def f():\n    x = Normal(0, 1)\n    n = 1\n    a0 = 0.1\n    a1 = 3\n");
    let mut count = 2;
    for step in steps {
        let pick = |index: &Index| format!("a{}", index.index(count));
        let made = match step {
            Step::Literal(text) => (*text).to_owned(),
            Step::Arithmetic(operator @ ("/" | "//" | "%"), a, b) => {
                format!("{0} {operator} {1} if {1} != 0 else 1", pick(a), pick(b))
            }
            Step::Arithmetic(operator, a, b) => format!("{} {operator} {}", pick(a), pick(b)),
            Step::Counted(operator, a, b) => {
                let _ = writeln!(text, "    n = 2*n + (1 if {} {operator} {} else 0)", pick(a), pick(b));
                continue;
            }
            Step::Taken(function, a) => function.replace("{}", &pick(a)),
            Step::Keyed(form, a, b) => form.replace("{a}", &pick(a)).replace("{b}", &pick(b)),
        };
        let _ = writeln!(text, "    a{count} = {made}");
        count += 1;
    }
    let _ = writeln!(text, "    return [n * x, x + a{}, x * a{}]", count - 1, count - 1);
    text
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn random_programs_go_the_same_way(steps in vec(steps(), 1..14)) {
        let text = program(&steps);
        let request = Request::new("program.py", text.clone());
        match (analyze(&request), analyze_again(&request)) {
            (Ok(first), Ok(second)) => for (a, b) in first.secrets.iter().zip(second.secrets.iter()) {
                let (v, w) = (a.knowledge.posterior_variance, b.knowledge.posterior_variance);
                prop_assert!(relative_error(v, w) < 1e-13, "variances {v} and {w}\n{text}");
                let off = (a.posterior_mean - b.posterior_mean).abs();
                prop_assert!(off <= 1e-14 * b.posterior_mean.abs(), "{} and {}\n{text}", a.posterior_mean, b.posterior_mean);
            },
            (Err(first), Err(second)) => {
                prop_assert_eq!(first.diagnostics[0].code, second.diagnostics[0].code, "{}", text);
            }
            (first, second) => {
                let refusal = first.err().or(second.err()).map(|refusal| words(&refusal)).unwrap_or_default();
                prop_assert!(false, "only one of two runs is refused:\n{refusal}\n{text}");
            }
        }
    }
}
