//! Sweeps and calibrations over parameters that take integers only.

use serde_json::Value;

use crate::run::{Run, privug_with_input};

/// The sum of n people, of whom one is the secret: ½ log₂(n/(n − 1)) bits.
const SUM: &str = "def f(n):\n    x = Normal(50, std=10, size=n)\n    return sum(x)\n";
const RANGE: &str = "def f(n):\n    x = [Normal(50, std=10) for _ in range(n)]\n    return sum(x)\n";

fn privug(arguments: &[&str], program: &str) -> Run {
    privug_with_input(&[arguments, &["--secret", "x[0]", "--json"]].concat(), program.as_bytes())
}

fn bits(n: f64) -> f64 {
    0.5 * (n / (n - 1.0)).log2()
}

#[test]
fn a_parameter_that_takes_integers_runs_through_them() {
    for program in [SUM, RANGE] {
        let document = privug(&["sweep", "-", "n=2..6"], program).json();
        let points = document["points"].as_array().unwrap_or_else(|| panic!("{document}"));
        let ns: Vec<f64> = points.iter().filter_map(|point| point["parameters"][0].as_f64()).collect();
        assert_eq!(ns, [2.0, 3.0, 4.0, 5.0, 6.0]);
        for point in points {
            let (n, told) = (point["parameters"][0].as_f64().expect("n"), point["values"][0].as_f64().expect("bits"));
            assert!((told / bits(n) - 1.0).abs() < 1e-12, "{told} at {n}");
        }
    }
    let logarithmic = privug(&["sweep", "-", "n=2..2000", "--log", "--steps", "4"], SUM).json();
    let ns = logarithmic["points"].as_array().expect("points").iter().map(|point| point["parameters"][0].clone());
    assert_eq!(ns.collect::<Vec<Value>>(), [2.0, 20.0, 200.0, 2000.0]);
}

#[test]
fn a_parameter_that_takes_any_number_still_does() {
    let program = "def f(s):\n    x = Normal(50, std=10, size=1)\n    return x[0] + Normal(0, std=s)\n";
    let document = privug(&["sweep", "-", "s=1..2", "--steps", "3"], program).json();
    let values = document["points"].as_array().expect("points").iter().map(|point| point["parameters"][0].clone());
    assert_eq!(values.collect::<Vec<Value>>(), [1.0, 1.5, 2.0]);
}

#[test]
fn an_integer_is_calibrated_too() {
    // n/(n − 1) ≤ 2^0.2 from 7.73 on.
    let arguments = ["calibrate", "-", "n=2..1000", "--smallest", "--require", "mutual_information_bits <= 0.1"];
    let document = privug(&arguments, SUM).json();
    assert_eq!((&document["value"], &document["fails_at"]), (&8.0.into(), &7.0.into()));
}

#[test]
fn what_no_value_suits_is_refused() {
    let refused = privug(&["sweep", "-", "n=0.5..6"], SUM);
    assert_eq!(refused.code, Some(1), "{}", refused.stdout);
    let program = "def f(n):\n    x = Normal(50, std=10, size=n)\n    return sum(x)\n";
    let arguments = ["sweep", "-", "n=1..3", "--secret", "x", "--json"];
    assert_eq!(privug_with_input(&arguments, program.as_bytes()).codes(), ["P708"]);
}
