//! Every limit, each with a program that reaches it and one that just does not.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use privug::analysis::{Request, WorkLimits};
use privug::evaluate::Limits;

use crate::support::survival::{assert_request_refused, survive};

fn with(program: &str, limits: Limits) -> Request {
    Request { limits, ..Request::new("program.py", program) }
}

#[test]
fn steps() {
    let program = "def main():\n    x = Normal(0, 1)\n    for i in range(100):\n        x = x + 1\n    return x\n";
    let limits = |steps| Limits { steps, ..Limits::default() };
    let refusal = assert_request_refused(&with(program, limits(150)), "P601");
    assert!(refusal.diagnostics[0].message.contains("150"));
    assert!(survive(&with(program, limits(1000))).is_ok());
}

#[test]
fn variables() {
    let program = "def main():\n    return sum(Normal(0, 1, size=100))\n";
    let limits = |variables| Limits { variables, ..Limits::default() };
    let refusal = assert_request_refused(&with(program, limits(99)), "P602");
    assert!(refusal.diagnostics[0].message.contains("99"));
    assert!(survive(&with(program, limits(101))).is_ok());
}

#[test]
fn elements() {
    let program = "def main():\n    xs = [0] * 1000\n    return Normal(sum(xs), 1)\n";
    let limits = |elements| Limits { elements, ..Limits::default() };
    assert_request_refused(&with(program, limits(999)), "P603");
    assert!(survive(&with(program, limits(10_000))).is_ok());
}

/// A list that only one call can see is freed after it, and nothing else is.
#[test]
fn elements_of_lists_within_a_call() {
    let program = "
def main():
    rows = [[1, 2, 3], [4, 5, 6]]
    part = rows[0][1:]
    sums = []
    for i in range(100):
        sums.append(sum(rows[1][i % 3:]) + sum([sum(row[:2]) for row in rows]) + len([v for v in part if v > 2]))
    again = rows[1][1:]
    return Normal(sum(sums) + sum(part) + sum(again[:1]) + sum(rows[0]) + len(rows[1]), 1)
";
    let limits = |elements| Limits { elements, ..Limits::default() };
    let analysis = survive(&with(program, limits(250))).expect("an analysis");
    // 34 times 15, 33 times 11 and 6, each with 12 and 1 more; then 5, 5, 6 and 3.
    assert_eq!(analysis.secrets.get(0).posterior_mean, 34.0 * 15.0 + 33.0 * 17.0 + 100.0 * 13.0 + 19.0);
    assert_request_refused(&with(program, limits(100)), "P603");
}

#[test]
fn depth() {
    let program = "
def count(n):
    if n == 0:
        return 0
    return 1 + count(n - 1)

def main():
    return Normal(count(50), 1)
";
    let limits = |depth| Limits { depth, ..Limits::default() };
    assert_request_refused(&with(program, limits(50)), "P604");
    assert!(survive(&with(program, limits(60))).is_ok());
}

#[test]
fn number_bits_of_integers() {
    let program = "def main():\n    return Normal((2 ** 500) % 7, 1)\n";
    let limits = |number_bits| Limits { number_bits, ..Limits::default() };
    assert_request_refused(&with(program, limits(400)), "P605");
    assert!(survive(&with(program, limits(1100))).is_ok());
}

#[test]
fn number_bits_of_exact_rationals() {
    let program = "def main():\n    x = 1 / 3\n    for i in range(12):\n        x = x * x\n    return Normal(x, 1)\n";
    let limits = |number_bits| Limits { number_bits, ..Limits::default() };
    let exact = |bits| Request { exact: true, ..with(program, limits(bits)) };
    assert_request_refused(&exact(1000), "P605");
    assert!(survive(&exact(20_000)).is_ok());
    assert!(survive(&with(program, limits(1000))).is_ok(), "doubles stay small");
}

/// Forty overlapping sums of four hundred people.
const OVERLAPPING: &str = "
def main():
    people = Normal(0, 1, size=400)
    for i in range(40):
        condition(sum([((j * j + 7) * (i + 3) % 101 * (j % (i + 2))) * people[j] for j in range(400)]), i)
    return people[0]
";

#[test]
fn work_in_multiplications() {
    let work = |operations| WorkLimits { operations, ..WorkLimits::default() };
    let request = |operations| Request { work: work(operations), ..Request::new("program.py", OVERLAPPING) };
    let refusal = assert_request_refused(&request(1000), "P606");
    assert!(refusal.diagnostics[0].message.contains("multiplications"));
    assert!(survive(&request(100_000_000)).is_ok());
}

#[test]
fn work_in_memory() {
    let work = |cells| WorkLimits { cells, ..WorkLimits::default() };
    let request = |cells| Request { work: work(cells), ..Request::new("program.py", OVERLAPPING) };
    let refusal = assert_request_refused(&request(1000), "P606");
    assert!(refusal.diagnostics[0].message.contains("memory"));
    assert!(survive(&request(10_000_000)).is_ok());
}

#[test]
fn cancellation() {
    let program = "def main():\n    x = Normal(0, 1)\n    for i in range(10**8):\n        x = x + 1\n    return x\n";
    let cancelled = Some(Arc::new(AtomicBool::new(true)));
    assert_request_refused(&Request { cancelled, ..Request::new("program.py", program) }, "P608");
}
