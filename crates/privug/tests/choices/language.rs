//! Every word of the language with random discrete values, by hand.

use super::support::{posterior, prior};

fn check(source: &str, expected: &str) {
    let body: String = source.lines().map(|line| format!("    {line}\n")).collect();
    assert_eq!(posterior(&format!("def main():\n{body}")), expected, "{source}");
}

#[test]
fn distributions() {
    check("return Bernoulli(0.3)", "False: 7/10; True: 3/10");
    check("return Bernoulli(p=1/4) + 0", "0: 3/4; 1: 1/4");
    check("return Categorical([0.2, 0.3, 0.5])", "0: 1/5; 1: 3/10; 2: 1/2");
    check("return Categorical({\"a\": 0.2, \"b\": 0.8})", "a: 1/5; b: 4/5");
    check("return Categorical({True: 0.2, None: 0.8})", "True: 1/5; None: 4/5");
    check("return DiscreteUniform(-1, 1)", "-1: 1/3; 0: 1/3; 1: 1/3");
    check("return DiscreteUniform(lower=2, upper=3)", "2: 1/2; 3: 1/2");
    check("return Binomial(2, 1/3)", "0: 4/9; 1: 4/9; 2: 1/9");
    check("return Binomial(n=2, p=0.5)", "0: 1/4; 1: 1/2; 2: 1/4");
}

#[test]
fn distributions_of_several() {
    check("xs = Bernoulli(0.5, size=3)\nreturn sum(xs)", "0: 1/8; 1: 3/8; 2: 3/8; 3: 1/8");
    check("xs = Categorical([0.5, 0.5], size=2)\nreturn xs[0] * 2 + xs[1]", "0: 1/4; 1: 1/4; 2: 1/4; 3: 1/4");
    check("xs = DiscreteUniform(1, 2, size=2)\nreturn xs.sum()", "2: 1/4; 3: 1/2; 4: 1/4");
    check("xs = Binomial(1, 0.5, size=2)\nreturn np.sum(xs)", "0: 1/4; 1: 1/2; 2: 1/4");
    check(
        "xs = Categorical({\"a\": 0.5, \"b\": 0.5}, size=2)\nreturn xs[0] + xs[1]",
        "aa: 1/4; ab: 1/4; ba: 1/4; bb: 1/4",
    );
}

#[test]
fn probabilities_depend_on_earlier_choices() {
    check("a = Bernoulli(0.5)\nreturn Bernoulli(0.25 if a else 0.75)", "False: 1/2; True: 1/2");
    check("a = DiscreteUniform(0, 2)\nreturn Bernoulli(a / 2)", "False: 1/2; True: 1/2");
    check("a = Bernoulli(0.5)\nreturn Categorical([0.5, 0.5] if a else [1, 0])", "0: 3/4; 1: 1/4");
    check("a = Bernoulli(0.5)\nb = Bernoulli(0.1 if a else 0.9)\ncondition(b)\nreturn a", "False: 9/10; True: 1/10");
    check("n = DiscreteUniform(1, 2)\nreturn DiscreteUniform(0, n)", "0: 5/12; 1: 5/12; 2: 1/6");
    check("n = DiscreteUniform(0, 1)\nreturn Binomial(n, 0.5)", "0: 3/4; 1: 1/4");
}

#[test]
fn arithmetic() {
    let die = "x = DiscreteUniform(1, 4)\n";
    for (expression, expected) in [
        ("x * x", "1: 1/4; 4: 1/4; 9: 1/4; 16: 1/4"),
        ("x // 2", "0: 1/4; 1: 1/2; 2: 1/4"),
        ("-x // 2", "-2: 1/2; -1: 1/2"),
        ("x % 3", "0: 1/4; 1: 1/2; 2: 1/4"),
        ("x ** 2 % 5", "1: 1/2; 4: 1/2"),
        ("2 ** x", "2: 1/4; 4: 1/4; 8: 1/4; 16: 1/4"),
        ("x / 2", "0.5: 1/4; 1: 1/4; 1.5: 1/4; 2: 1/4"),
        ("min(x, 2)", "1: 1/4; 2: 3/4"),
        ("max(x, 3, 0)", "3: 3/4; 4: 1/4"),
        ("abs(x - 3)", "0: 1/4; 1: 1/2; 2: 1/4"),
        ("round(x / 4)", "0: 1/2; 1: 1/2"),
        ("-x", "-4: 1/4; -3: 1/4; -2: 1/4; -1: 1/4"),
        ("int(x / 2)", "0: 1/4; 1: 1/2; 2: 1/4"),
        ("str(x % 2)", "0: 1/2; 1: 1/2"),
        ("f\"{x % 2}!\"", "0!: 1/2; 1!: 1/2"),
        ("math.floor(x / 3)", "0: 1/2; 1: 1/2"),
        ("x > 2", "False: 1/2; True: 1/2"),
        ("1 < x <= 3", "False: 1/2; True: 1/2"),
        ("x == 2 or x == 3", "False: 1/2; True: 1/2"),
        ("x != 2 and not x == 3", "False: 1/2; True: 1/2"),
        ("x in [1, 7]", "False: 3/4; True: 1/4"),
        ("x not in (1, 2)", "False: 1/2; True: 1/2"),
        ("x in {1: 0, 2: 0}", "False: 1/2; True: 1/2"),
        ("x in range(2, 9)", "False: 1/4; True: 3/4"),
        ("[10, 20, 30, 40][x - 1]", "10: 1/4; 20: 1/4; 30: 1/4; 40: 1/4"),
        ("{1: \"a\", 2: \"b\", 3: \"a\", 4: \"b\"}[x]", "a: 1/2; b: 1/2"),
        ("{1: 5}.get(x, 0)", "0: 3/4; 5: 1/4"),
        ("\"abcd\"[x - 1]", "a: 1/4; b: 1/4; c: 1/4; d: 1/4"),
        ("(x if x > 2 else 0)", "0: 1/2; 3: 1/4; 4: 1/4"),
        ("sum([x, x])", "2: 1/4; 4: 1/4; 6: 1/4; 8: 1/4"),
        ("sum(range(x))", "0: 1/4; 1: 1/4; 3: 1/4; 6: 1/4"),
        ("len([v for v in range(4) if v < x])", "1: 1/4; 2: 1/4; 3: 1/4; 4: 1/4"),
        ("sum(1 for v in [1, 2, 3] if v > x)", "0: 1/2; 1: 1/4; 2: 1/4"),
        ("any([x == 1, x == 2])", "False: 1/2; True: 1/2"),
        ("all(v < x for v in [1, 2])", "False: 1/2; True: 1/2"),
        ("(x % 2 == 0) + (x > 3)", "0: 1/2; 1: 1/4; 2: 1/4"),
        ("(x > 1) * 5", "0: 1/4; 5: 3/4"),
        ("x and x - 4", "-3: 1/4; -2: 1/4; -1: 1/4; 0: 1/4"),
        ("(x - 1) or 9", "1: 1/4; 2: 1/4; 3: 1/4; 9: 1/4"),
        ("bool(x - 1)", "False: 1/4; True: 3/4"),
    ] {
        check(&format!("{die}return {expression}"), expected);
    }
}

#[test]
fn branches_and_early_exits() {
    check(
        "x = DiscreteUniform(0, 3)\nif x == 0:\n    y = 'none'\nelif x < 3:\n    y = 'some'\nelse:\n    y = 'all'\nreturn y",
        "all: 1/4; none: 1/4; some: 1/2",
    );
    check("if Bernoulli(0.5):\n    return 1\nif Bernoulli(0.5):\n    return 2\nreturn 3", "1: 1/2; 2: 1/4; 3: 1/4");
    check(
        "n = 0\nfor i in range(3):\n    if Bernoulli(0.5):\n        break\n    n += 1\nreturn n",
        "0: 1/2; 1: 1/4; 2: 1/8; 3: 1/8",
    );
    check(
        "n = 0\nfor i in range(2):\n    if Bernoulli(0.5):\n        continue\n    n += i + 1\nreturn n",
        "0: 1/4; 1: 1/4; 2: 1/4; 3: 1/4",
    );
    check(
        "for i in range(2):\n    if Bernoulli(0.5):\n        break\nelse:\n    return 'end'\nreturn i",
        "0: 1/2; 1: 1/4; end: 1/4",
    );
    check("n = 0\nfor i in range(DiscreteUniform(0, 2)):\n    n += i\nreturn n", "0: 2/3; 1: 1/3");
}

#[test]
fn functions_are_called_in_some_worlds_only() {
    let program = "
def toss(p):
    if p > 0.4:
        return Bernoulli(p)
    return False

def main():
    a = Bernoulli(0.5)
    if a:
        b = toss(0.5)
    else:
        b = toss(0.25)
    return a, b
";
    // The second secret is b.
    let choices = super::support::analysis(program, true).choices.expect("choices");
    assert_eq!(choices.secrets.len(), 2);
    let countdown = "
def count(n):
    if n == 0:
        return 0
    return 1 + count(n - 1)

def main():
    return count(DiscreteUniform(0, 3)) % 2
";
    assert_eq!(posterior(countdown), "0: 1/2; 1: 1/2");
}

#[test]
fn containers_change_in_some_worlds_only() {
    check("xs = [0, 0]\nif Bernoulli(0.25):\n    xs[1] = 5\nreturn xs[1]", "0: 3/4; 5: 1/4");
    check(
        "xs = []\nfor i in range(2):\n    if Bernoulli(0.5):\n        xs.append(i)\nreturn len(xs)",
        "0: 1/4; 1: 1/2; 2: 1/4",
    );
    check(
        "xs = []\nfor i in range(2):\n    if Bernoulli(0.5):\n        xs.append(i)\nreturn str(xs)",
        "[0, 1]: 1/4; [0]: 1/4; [1]: 1/4; []: 1/4",
    );
    check("d = {}\nif Bernoulli(0.5):\n    d['a'] = 1\nreturn len(d)", "0: 1/2; 1: 1/2");
    check("d = {}\nif Bernoulli(0.5):\n    d['a'] = 1\nelse:\n    d['a'] = 2\nreturn d['a']", "1: 1/2; 2: 1/2");
    check("d = {}\nif Bernoulli(0.5):\n    d['a'] = 1\nreturn d.get('a', 7)", "1: 1/2; 7: 1/2");
    check("d = {}\nif Bernoulli(0.5):\n    d['a'] = 1\nreturn 'a' in d", "False: 1/2; True: 1/2");
    check("d = {'a': 0}\nd[Categorical({'a': 0.5, 'b': 0.5})] = 3\nreturn d['a']", "0: 1/2; 3: 1/2");
    check("xs = [1, 2, 3]\nxs[DiscreteUniform(0, 2)] = 0\nreturn sum(xs)", "3: 1/3; 4: 1/3; 5: 1/3");
    check("xs = np.zeros(2)\nif Bernoulli(0.5):\n    xs[0] = 4\nreturn xs[0] + 1", "1: 1/2; 5: 1/2");
    // Registers that hold something else in other worlds.
    check("xs = [v for v in range(2)]\nif Bernoulli(0.5):\n    xs = xs + [-2]\nreturn sum(xs[-1:])", "-2: 1/2; 1: 1/2");
    check("xs = [3, 1]\nys = xs\nif Bernoulli(0.5):\n    ys.append(9)\nreturn len(xs)", "2: 1/2; 3: 1/2");
}

#[test]
fn lists_whose_length_is_random_are_seen_without_their_holes() {
    let list = "k = DiscreteUniform(1, 2)\nxs = [v for v in range(4) if v != k]\n";
    // [0, 2, 3] or [0, 1, 3]
    for (rest, expected) in [
        ("xs[1] += 5\nreturn sum(xs)", "9: 1/2; 10: 1/2"),
        ("xs[-1] = 0\nreturn sum(xs)", "1: 1/2; 2: 1/2"),
        ("xs[k] = 9\nreturn str(xs)", "[0, 1, 9]: 1/2; [0, 9, 3]: 1/2"),
        ("return 2 in xs", "False: 1/2; True: 1/2"),
        ("return xs.count(1)", "0: 1/2; 1: 1/2"),
        ("return max(xs if k == 1 else [7])", "3: 1/2; 7: 1/2"),
        ("return min(xs[1:])", "1: 1/2; 2: 1/2"),
        ("return str(xs[:k])", "[0, 1]: 1/2; [0]: 1/2"),
        ("return xs[1] + len(xs)", "4: 1/2; 5: 1/2"),
    ] {
        check(&format!("{list}{rest}"), expected);
    }
}

#[test]
fn arrays_of_choices() {
    let two = "x = Bernoulli(0.5, size=2)\n";
    check(&format!("{two}return np.sum(x)"), "0: 1/4; 1: 1/2; 2: 1/4");
    check(&format!("{two}return x.mean()"), "0: 1/4; 0.5: 1/2; 1: 1/4");
    check(&format!("{two}return np.sum(np.where(x, 3, 1))"), "2: 1/4; 4: 1/2; 6: 1/4");
    check("x = DiscreteUniform(0, 2, size=2)\nreturn np.sum(x > 1)", "0: 4/9; 1: 4/9; 2: 1/9");
    check("x = DiscreteUniform(0, 1, size=2)\nreturn np.sum(x * np.array([1, 2]))", "0: 1/4; 1: 1/4; 2: 1/4; 3: 1/4");
    check("x = DiscreteUniform(0, 1, size=2)\nreturn np.sum((x + 1)[x > 0])", "0: 1/4; 2: 1/2; 4: 1/4");
    check("x = DiscreteUniform(0, 1, size=2)\nreturn x.max() - x.min()", "0: 1/2; 1: 1/2");
    check("x = DiscreteUniform(0, 3, size=1)\nreturn np.sum((x > 0) & (x < 3))", "0: 1/2; 1: 1/2");
    check("x = Bernoulli(0.25, size=1)\nreturn np.sum(~x)", "0: 1/4; 1: 3/4");
    check("x = DiscreteUniform(0, 1, size=2)\nreturn len(x[x > 0])", "0: 1/4; 1: 1/2; 2: 1/4");
    check("x = DiscreteUniform(0, 1, size=2)\nreturn np.sum(-x)", "-2: 1/4; -1: 1/2; 0: 1/4");
}

#[test]
fn large_ranges_are_compared_by_intervals() {
    check("x = DiscreteUniform(0, 10**7 - 1)\nreturn x < 2500000", "False: 3/4; True: 1/4");
    check("x = DiscreteUniform(1, 10**9)\nreturn 1 if x > 10**8 else 0", "0: 1/10; 1: 9/10");
    check(
        "x = DiscreteUniform(0, 999999)\ny = DiscreteUniform(0, 999999)\nreturn 250000 <= x < 500000 and y >= 500000",
        "False: 7/8; True: 1/8",
    );
    check("x = DiscreteUniform(0, 9999)\ncondition(x < 5000)\nreturn x < 2500", "False: 1/2; True: 1/2");
    check("x = DiscreteUniform(0, 9999)\nreturn 2 * x + 1 > 9999", "False: 1/2; True: 1/2");
}

#[test]
fn what_is_known_beforehand_is_asked_of_all_worlds() {
    // What comes after `condition` is part of the prior too.
    let program =
        "def main():\n    a, b = Bernoulli(0.5), Bernoulli(0.5)\n    condition(a or b)\n    return a * 2 + b * a\n";
    assert_eq!(prior(program), "0: 1/2; 2: 1/4; 3: 1/4");
    assert_eq!(posterior(program), "0: 1/3; 2: 1/3; 3: 1/3");
    // Worlds that were excluded, and in which the program would fail, do not count.
    let program = "def main():\n    n = DiscreteUniform(0, 2)\n    condition(n > 0)\n    return 2 // n\n";
    assert_eq!(prior(program), "1: 1/2; 2: 1/2");
    assert_eq!(posterior(program), "1: 1/2; 2: 1/2");
}
