//! Irrational weights: what is decided of them is what is decided of the doubles that they are, written out exactly.

use std::fmt::Write;

use privug::analysis::{Analysis, Request, analyze};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::{assert_close, cases};

const VARIABLES: usize = 4;
const DIGITS: i32 = 9;

/// A figure: a weighted sum of variables, or of figures.
#[derive(Debug, Clone)]
enum Figure {
    /// √n·x for some of the variables, with other n for each figure or the same for all.
    Weighted(Vec<(usize, u32)>),
    /// The sum, the difference or three times one of the figures before.
    Of(u8, prop::sample::Index, prop::sample::Index),
}

fn figures() -> impl Strategy<Value = Vec<Figure>> {
    let terms = vec((0..VARIABLES, 2..9u32), 1..5);
    let figure = prop_oneof![
        2 => terms.prop_map(Figure::Weighted),
        3 => (0..4u8, any::<prop::sample::Index>(), any::<prop::sample::Index>())
            .prop_map(|(form, a, b)| Figure::Of(form, a, b)),
    ];
    vec(figure, 2..7)
}

/// The program, with each root written by `root`.
fn program(figures: &[Figure], root: impl Fn(u32) -> String) -> String {
    let mut text = String::from("import math\ndef f():\n");
    for variable in 0..VARIABLES {
        let _ = writeln!(text, "    x{variable} = Normal({variable}, {})", variable + 1);
    }
    for n in 2..9 {
        let _ = writeln!(text, "    r{n} = {}", root(n));
    }
    for (place, figure) in figures.iter().enumerate() {
        let pick = |index: &prop::sample::Index| format!("y{}", index.index(place));
        let made = match figure {
            Figure::Of(form, a, b) if place > 0 => match form {
                0 => format!("{} + {}", pick(a), pick(b)),
                1 => format!("{} - 2 * {}", pick(a), pick(b)),
                2 => format!("3 * {}", pick(a)),
                _ => format!("{} * r{}", pick(a), 2 + b.index(7)),
            },
            Figure::Of(..) => "x0".to_owned(),
            Figure::Weighted(terms) => {
                let terms = terms.iter().map(|(variable, n)| format!("r{n} * x{variable}"));
                terms.collect::<Vec<_>>().join(" + ")
            }
        };
        let _ = writeln!(text, "    y{place} = {made}");
    }
    let all: Vec<String> = (0..figures.len()).map(|place| format!("y{place}")).collect();
    let _ = writeln!(text, "    return [{}]", all.join(", "));
    text
}

fn found(text: &str) -> Result<Analysis, String> {
    let mut request = Request::new("rounded.py", text);
    request.secrets = (0..VARIABLES).map(|variable| format!("x{variable}")).collect();
    analyze(&request).map_err(|refusal| refusal.diagnostics[0].code.id().to_owned())
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn irrational_weights_tell_what_their_doubles_tell(figures in figures()) {
        let rounded = found(&program(&figures, |n| format!("math.sqrt({n})")));
        // 53 binary digits, exactly.
        let exactly = found(&program(&figures, |n| {
            let digits = f64::from(n).sqrt() * 2f64.powi(52);
            format!("{digits:.0} / 2 ** 52")
        }));
        match (rounded, exactly) {
            (Ok(rounded), Ok(exactly)) => {
                for (one, other) in rounded.secrets.iter().zip(exactly.secrets.iter()) {
                    assert_close(one.knowledge.variance_if_all_published, other.knowledge.variance_if_all_published, DIGITS);
                }
                let statuses = |analysis: &Analysis| analysis.outputs.iter().map(|output| output.status).collect::<Vec<_>>();
                prop_assert_eq!(statuses(&rounded), statuses(&exactly));
            }
            // Only what the last digits would decide is left open.
            (Err(code), Ok(_)) => prop_assert_eq!(code, "P504"),
            (rounded, exactly) => prop_assert_eq!(rounded.err(), exactly.err()),
        }
    }
}

/// What adds up term by term does so whatever the weights are.
#[test]
fn totals_of_irrational_weights_follow_from_their_parts() {
    let text = "import math\n\ndef f():\n    x = [Normal(10, 4) for _ in range(4)]\n    w = [math.log(i + 2) for i in range(4)]\n    \
                y = [w[i] * x[i] for i in range(4)]\n    return [sum(y[:2]), sum(y[2:]), sum(y)]\n";
    let mut request = Request::new("rounded.py", text);
    request.secrets = vec!["x[0]".to_owned()];
    let analysis = analyze(&request).expect("it follows");
    let redundant: Vec<&str> = analysis.outputs.iter().map(|output| output.status.name()).collect();
    assert_eq!(redundant, ["used", "used", "redundant"]);
}

/// Mathematically the same, and not so in doubles: nobody can tell.
#[test]
fn what_the_last_digits_decide_is_refused() {
    let text = "import math\n\ndef f():\n    x = [Normal(10, 4) for _ in range(2)]\n    a = math.sqrt(2) * math.sqrt(3)\n    \
                return [a * x[0] + x[1], math.sqrt(6) * x[0] + x[1]]\n";
    let mut request = Request::new("rounded.py", text);
    request.secrets = vec!["x[0]".to_owned()];
    let refusal = analyze(&request).expect_err("in doubt");
    let finding = &refusal.diagnostics[0];
    assert_eq!((finding.code.id(), finding.related.len()), ("P504", 1), "{}", finding.message);
}

/// Weights that are calibrated step by step have more digits with each step; they become doubles.
#[test]
fn numbers_with_too_many_digits_become_doubles() {
    let text = "def f():\n    x = [Normal(10, 4) for _ in range(4)]\n    w = [1.1, 0.9, 1.3, 0.7]\n    for _ in range(30):\n        \
                a, b = w[0] + w[1], w[2] + w[3]\n        w = [w[0] * 3 / a, w[1] * 3 / a, w[2] * 5 / b, w[3] * 5 / b]\n        \
                a, b = w[0] + w[2], w[1] + w[3]\n        w = [w[0] * 4 / a, w[1] * 4 / b, w[2] * 4 / a, w[3] * 4 / b]\n    \
                y = [w[i] * x[i] for i in range(4)]\n    return [y[0] + y[1], y[2] + y[3], sum(y)]\n";
    let mut request = Request::new("rounded.py", text);
    request.secrets = vec!["x[0]".to_owned()];
    let analysis = analyze(&request).expect("it follows");
    assert_eq!(analysis.outputs[2].status.name(), "redundant");
}
