//! Programs that would take for ever, or that are not distributions, are refused for the right reason.

use super::support::refused;
use privug::diagnostic::Code;

fn first(source: &str) -> Code {
    refused(source)[0].0
}

fn main(body: &str) -> String {
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    format!("def main():\n{body}")
}

#[test]
fn probabilities_must_be_those_of_a_distribution() {
    for bad in [
        "Bernoulli(-0.1)",
        "Bernoulli(1.5)",
        "Categorical([0.5, 0.4])",
        "Categorical([0.5, 0.6])",
        "Categorical([1.5, -0.5])",
        "Categorical([])",
        "Categorical({})",
        "Categorical(0.5)",
        "Categorical(\"ab\")",
        "DiscreteUniform(2, 1)",
        "DiscreteUniform(0, 10**30)",
        "Binomial(-1, 0.5)",
        "Binomial(3, 2)",
        "Poisson(-1)",
        "Poisson(10**9)",
        "Geometric(0)",
        "Geometric(2)",
        "Bernoulli(Categorical([0.5, 0.5]) * 2)",
    ] {
        let found = first(&main(&format!("x = {bad}\nreturn x")));
        assert!(
            matches!(found, Code::BadProbability | Code::Overflow | Code::BadArgument | Code::TypeMismatch),
            "{bad}: {found:?}"
        );
    }
    for bad in [
        "Bernoulli(float('nan'))",
        "Bernoulli(math.nan)",
        "Bernoulli(1e400)",
        "Bernoulli('a')",
        "DiscreteUniform(0.5, 2)",
    ] {
        refused(&main(&format!("return {bad}")));
    }
    assert_eq!(first(&main("return Bernoulli(Normal(0, 1))")), Code::RandomVariance);
}

#[test]
fn sums_of_large_ranges_are_refused_at_once() {
    let near = "lat, lon = DiscreteUniform(0, 100_000), DiscreteUniform(0, 100_000)\n\
                return abs(lat - 40_000) + abs(lon - 40_000) <= 20_000";
    assert_eq!(first(&main(near)), Code::TooManyWorlds);
}

#[test]
fn two_to_the_sixtieth_worlds_are_refused() {
    for body in [
        "x = 1\nfor i in range(60):\n    x = x * 3 % 1000003 + 7 * Bernoulli(0.5)\nreturn x % 7",
        "bits = [Bernoulli(0.5) for i in range(60)]\nreturn str(bits)",
        "s = ''\nfor b in Bernoulli(0.5, size=60):\n    s = s + ('1' if b else '0')\nreturn s",
        "xs = [DiscreteUniform(0, 100) for i in range(60)]\nreturn sorted(xs)[30]",
        "x = 1\nfor i in range(60):\n    if Bernoulli(0.5):\n        x = x * 2 + 1\n    else:\n        x = x * 3\nreturn x",
        "xs = []\nfor i in range(60):\n    if Bernoulli(0.5):\n        xs.append(i)\nreturn xs",
        "d = {}\nfor i in range(60):\n    d[DiscreteUniform(0, 1000)] = i\nreturn str(d)",
    ] {
        let found = first(&main(body));
        assert!(matches!(found, Code::TooManyWorlds | Code::Overflow), "{body}: {found:?}");
    }
}

#[test]
fn what_has_no_end_is_refused() {
    let counting = "from itertools import count\ndef main():\n    for n in count():\n        if Bernoulli(0.5):\n            return n\n";
    assert!(matches!(first(counting), Code::While | Code::TooManyWorlds));
    assert_eq!(
        first("from itertools import count\ndef main():\n    return list(count())[0] + Bernoulli(0.5)\n"),
        Code::SizeLimit
    );
    let endless = "class Ones:\n    def __iter__(self):\n        return self\n    def __next__(self):\n        return Bernoulli(0.5)\n\ndef main():\n    n = 0\n    for x in Ones():\n        if x:\n            break\n        n += 1\n    return n\n";
    assert!(matches!(first(endless), Code::While | Code::TooManyWorlds));
}

#[test]
fn recursion_under_a_random_guard_is_refused() {
    let geometric = "
def tosses(so_far):
    if Bernoulli(0.5):
        return so_far
    return tosses(so_far + 1)

def main():
    return tosses(1)
";
    assert_eq!(first(geometric), Code::DepthLimit);
    let tree = "
def size(n):
    if Bernoulli(0.5):
        return size(n + 1) + size(n + 2)
    return n

def main():
    return size(0)
";
    let found = first(tree);
    assert!(
        matches!(found, Code::DepthLimit | Code::TooManyWorlds | Code::StepLimit | Code::VariableLimit),
        "{found:?}"
    );
}

#[test]
fn errors_in_a_possible_world_are_errors() {
    for (body, code) in [
        ("return 1 // DiscreteUniform(0, 2)", Code::DivisionByZero),
        ("return [1, 2][DiscreteUniform(0, 2)]", Code::IndexOutOfRange),
        ("return {0: 1}[DiscreteUniform(0, 2)]", Code::MissingKey),
        ("if Bernoulli(0.5):\n    x = 1\nreturn x", Code::UsedBeforeAssignment),
        ("x = DiscreteUniform(0, 2)\nassert x > 0\nreturn x", Code::AssertionFailed),
        ("x = Bernoulli(0.5)\nif x:\n    assert False\nreturn x", Code::AssertionFailed),
        ("xs = [1]\nif Bernoulli(0.5):\n    xs.append(2)\na, b = xs\nreturn a", Code::UnpackMismatch),
    ] {
        assert_eq!(first(&main(body)), code, "{body}");
    }
}
