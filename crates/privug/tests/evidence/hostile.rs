//! Hostile inputs, one by one: the right code, a clear message, a place inside the text, and an end.

use privug::analysis::{Binding, BindingKind, Observed, Request};

use crate::support::survival::{assert_refused, assert_request_refused, limited, survive};

fn body(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    format!("def main():\n{lines}")
}

#[track_caller]
fn refused(lines: &str, code: &str) {
    assert_refused(&body(lines), code);
}

#[track_caller]
fn refused_exactly(lines: &str, code: &str) {
    assert_request_refused(&Request { exact: true, ..limited(body(lines)) }, code);
}

#[test]
fn text_that_is_no_program() {
    assert_refused("", "P008");
    assert_refused("\n\n# nothing\n", "P008");
    assert_refused("def main():\n    return \0\n", "P003");
    assert_refused("\0", "P003");
    assert_refused("\u{feff}", "P008");
    assert_refused("def main():\n\treturn 1\n        return 2\n", "P004");
    assert_refused("def main():\n        x = 1\n\treturn x\n", "P004");
    assert_refused("def main(:\n", "P004");
    assert_refused("def main():\n    return \"unfinished\n", "P004");
    assert_refused("return Normal(0, 1)\ndef main():\n    return Normal(0, 1)\n", "P124");
    assert_refused("𝒳 = 💥\n", "P004");
}

#[test]
fn text_that_nests_deeply() {
    let deep = 100_000;
    refused(&format!("return {}1{}", "(".repeat(deep), ")".repeat(deep)), "P005");
    refused(&format!("return {}1{}", "[".repeat(deep), "]".repeat(deep)), "P005");
    refused(&format!("return 1{}", " + 1".repeat(deep)), "P006");
    refused(&format!("return {}1", "-".repeat(deep)), "P006");
    refused(&format!("return {}1", "not ".repeat(deep)), "P006");
    refused(&format!("return {}1", "1 if 1 else ".repeat(deep)), "P006");
    refused(&format!("return x{}", "[0]".repeat(deep)), "P006");
    refused(&format!("return x{}", ".y".repeat(deep)), "P006");
    refused(&format!("return {}1", "lambda: ".repeat(deep)), "P006");
    refused(&format!("{}1", "x = ".repeat(deep)), "P006");
    let mut blocks = String::from("def main():\n");
    for level in 1..200 {
        blocks += &format!("{}if True:\n", " ".repeat(level));
    }
    blocks += &format!("{}return 1\n", " ".repeat(200));
    assert_refused(&blocks, "P005");
    let mut chain = String::from("def main():\n    if False:\n        pass\n");
    for _ in 0..20_000 {
        chain += "    elif False:\n        pass\n";
    }
    chain += "    return Normal(0, 1)\n";
    assert!(survive(&limited(chain)).is_ok(), "a long chain of elif is flat");
}

#[test]
fn text_that_is_long_but_fine() {
    let mut text = String::from("def main():\n    x = Normal(0, 1)\n");
    for _ in 0..50_000 {
        text += "    x = x + 1\n";
    }
    text += "    return x\n";
    let analysis = survive(&limited(text)).expect("an answer");
    assert_eq!(analysis.secrets.get(0).posterior_mean, 50_000.0);
}

#[test]
fn loops_and_lists_without_an_end() {
    refused("for i in range(10**15):\n    pass\nreturn Normal(0, 1)", "P601");
    refused("for i in range(2**63 - 1):\n    pass\nreturn Normal(0, 1)", "P601");
    refused("x = [0] * 10**12\nreturn Normal(0, 1)", "P603");
    refused("x = 10**12 * (0,)\nreturn Normal(0, 1)", "P603");
    refused("x = list(range(10**15))\nreturn Normal(0, 1)", "P603");
    refused("x = list(range(10**15)[:])\nreturn Normal(0, 1)", "P603");
    refused("x = tuple(range(10**15)[::2])\nreturn Normal(0, 1)", "P603");
    refused("for i in range(10**15)[::2]:\n    pass\nreturn Normal(0, 1)", "P601");
    refused("x = 'x' * 10**12\nreturn Normal(0, 1)", "P603");
    refused("x = [i for i in range(10**7)]\nreturn Normal(0, 1)", "P601");
    refused("return Normal(sum(range(10**7)), 1)", "P603");
    refused("return Normal(0, 1, size=10**12)", "P603");
    assert_refused("import numpy as np\ndef main():\n    return Normal(np.zeros(10**12)[0], 1)\n", "P603");
    assert_refused("import numpy as np\ndef main():\n    return Normal(np.ones((1000, 1000, 1000))[0], 1)\n", "P603");
    assert_refused("import numpy as np\ndef main():\n    return Normal(np.linspace(0, 1, 10**12)[0], 1)\n", "P603");
    refused("xs = [1]\nfor x in xs:\n    xs.append(x)\nreturn Normal(0, 1)", "P601");
    refused("d = {}\nfor i in range(1000000):\n    d[i] = i\nreturn Normal(0, 1)", "P601");
    refused("x = [[0] * 1000 for i in range(1000)]\nreturn Normal(0, 1)", "P603");
    refused("x = [0]\nfor i in range(64):\n    x = x + x\nreturn Normal(0, 1)", "P603");
    refused("x = [0]\nfor i in range(64):\n    x.extend(x)\nreturn Normal(0, 1)", "P603");
    refused("x = 'x'\nfor i in range(64):\n    x = x + x\nreturn Normal(0, 1)", "P603");
    refused("x = 'x'\nfor i in range(64):\n    x = f'{x}{x}'\nreturn Normal(0, 1)", "P603");
    refused("x = 1\nreturn Normal(len(f'{x:999999999d}'), 1)", "P121");
    refused("x = 1\nreturn Normal(len(f'{x:.999999999f}'), 1)", "P121");
}

#[test]
fn ranges_at_the_end_of_the_integers() {
    let answer = |lines: &str| survive(&limited(body(lines))).map(|analysis| analysis.secrets.get(0).posterior_mean);
    assert_eq!(answer("return Normal(range(-2**63, 2**63 - 1)[-1] % 1000, 1)").ok(), Some(806.0));
    assert_eq!(answer("return Normal(range(2**63 - 1, -2**63, -2)[1] % 1000, 1)").ok(), Some(805.0));
    assert_eq!(answer("return Normal(range(-2**63, 2**63 - 1, 2**62)[3] % 1000, 1)").ok(), Some(904.0));
    refused("return Normal(len(range(-2**63, 2**63 - 1)), 1)", "P405");
    refused("return Normal(range(2**64)[0], 1)", "P408");
    refused("return Normal(range(0)[0], 1)", "P403");
    refused("return Normal([1, 2][2**63 - 1], 1)", "P403");
    refused("return Normal([1, 2][-2**63], 1)", "P403");
}

#[test]
fn recursion_without_an_end() {
    assert_refused("def main():\n    return main()\n", "P604");
    assert_refused("def f(x):\n    return g(x)\ndef g(x):\n    return f(x)\ndef main():\n    return f(1)\n", "P604");
    let tree = "def f(n):\n    if n == 0:\n        return 1\n    return f(n - 1) + f(n - 1)\ndef main():\n    return Normal(f(60), 1)\n";
    assert_refused(tree, "P601");
}

#[test]
fn values_that_contain_themselves() {
    refused("x = []\nx.append(x)\nreturn x", "P607");
    refused("x = []\nx.append(x)\ny = []\ny.append(y)\nreturn Normal(x == y, 1)", "P607");
    refused("x = [Normal(0, 1)]\nfor i in range(20000):\n    x = [x]\nreturn x", "P607");
    refused("x = []\ny = []\nfor i in range(10000):\n    x = [x]\n    y = [y]\nreturn Normal(x == y, 1)", "P607");
    refused("x = ()\ny = ()\nfor i in range(10000):\n    x = (x,)\n    y = (y,)\nreturn Normal(x < y, 1)", "P607");
    refused("d = {}\nd['d'] = d\nreturn d", "P607");
    refused("x = (1,)\nfor i in range(10000):\n    x = (x,)\nd = {x: 1}\nreturn Normal(0, 1)", "P407");
    let million = "x = [Normal(0, 1)]\nfor i in range(1000000):\n    x = [x]\nreturn x";
    assert_request_refused(&Request::new("program.py", body(million)), "P607");
    let halves = "x = [Normal(0, 1)]\nfor i in range(60):\n    x = [x, x]\nreturn x";
    refused(halves, "P603");
    refused(
        "x = []\nfor i in range(60):\n    x = [x, x]\ny = []\nfor i in range(60):\n    y = [y, y]\nreturn Normal(x == y, 1)",
        "P601",
    );
}

#[test]
fn numbers_that_are_too_large() {
    refused("return Normal(10 ** 10 ** 10, 1)", "P605");
    refused("return Normal(2 ** (2 ** 40), 1)", "P605");
    refused("x = 3\nfor i in range(60):\n    x = x * x\nreturn Normal(x, 1)", "P605");
    refused("return Normal(2 ** 2000, 1)", "P405");
    refused("return Normal(1e999, 1)", "P416");
    refused("return Normal(0, 1e999)", "P416");
    refused(&format!("return Normal({}, 1)", "9".repeat(100_000)), "P605");
    refused("return Normal(1e308 * 10, 1)", "P405");
    refused("return Normal(1e308 + 1e308, 1)", "P405");
    refused("return 1e308 * (Normal(1, 1) + 1e308)", "P405");
    refused("return Normal(float('inf'), 1)", "P408");
    refused("return Normal(float('nan'), 1)", "P408");
    refused("return Normal(2.0 ** 10000, 1)", "P405");
    refused("return Normal((-8) ** 0.5, 1)", "P406");
    refused("return Normal(0 ** -1, 1)", "P402");
    refused("return Normal(int('9' * 5000), 1)", "P605");
    refused_exactly("return Normal(1e999999999, 1)", "P416");
    refused_exactly("return Normal(1e-999999999, 1)", "P416");
    refused_exactly("return Normal(float('1e999999999'), 1)", "P408");
    refused_exactly("return Normal(0.1 ** 999999999, 1)", "P605");
    refused_exactly("return Normal(2.5 ** -999999999, 1)", "P605");
    refused_exactly("x = 0.1\nfor i in range(60):\n    x = x * x + 0.1\nreturn Normal(x, 1)", "P605");
}

#[test]
fn spreads_that_are_none() {
    refused("return Normal(0, -1)", "P401");
    refused("return Normal(0, std=-1)", "P401");
    refused("return Normal(0, -1e-300)", "P401");
    refused("return Normal(0)", "P414");
    refused("return Normal(0, 1, std=1)", "P414");
    refused("return Normal(0, Normal(1, 1))", "P308");
    refused("return Normal(0, 'x')", "P407");
    refused("return Normal(0, std=1e200)", "P405");
    refused("return Normal(0, std=1e-200)", "P505");
    refused("return MultivariateNormal([0, 0], [[1, 2], [2, 1]])", "P413");
    refused("return MultivariateNormal([0, 0], [[1, 2], [3, 4]])", "P413");
    refused("return MultivariateNormal([0, 0], [[1, 0]])", "P413");
    refused("return MultivariateNormal([0], [[-1]])", "P413");
    refused("return MultivariateNormal([0, 0], [[0, 1], [1, 0]])", "P413");
    let analysis = survive(&limited(body("x = Normal(3, 0)\ncondition(x, 3)\nreturn x"))).expect("an answer");
    assert_eq!(analysis.secrets.get(0).knowledge.prior_variance, 0.0);
    refused("x = Normal(3, 0)\ncondition(x, 4)\nreturn x", "P501");
}

#[test]
fn noise_that_a_double_cannot_hold() {
    let published = |observed: &str| Request {
        bindings: vec![Binding::read(BindingKind::Prior, "ages=[Normal(35, 4) for _ in range(3)]").expect("a binding")],
        secrets: vec!["ages[0]".into()],
        observations: vec![Observed::read(observed).expect("a value")],
        ..limited("def average(ages):\n    return sum(ages) / len(ages)\n")
    };
    // Squared, these are infinite and zero: neither no news nor an exact observation.
    assert_request_refused(&published("44±1e200"), "P405");
    assert_request_refused(&published("44±1e-200"), "P505");
    assert_request_refused(&published("44±-1"), "P401");
    for malformed in ["44±", "±1", ""] {
        let refusal = Observed::read(malformed).expect_err("no value");
        assert_eq!(refusal.diagnostics[0].code.id(), "P014", "{malformed}");
    }
    assert_request_refused(&published("return[7]=3"), "P015");
    assert_request_refused(&published("1e999"), "P416");
    let refusal = survive(&Request { exact: true, ..published("44±1e-200") });
    assert!(refusal.is_ok(), "rationals can");
}

#[test]
fn what_is_not_gaussian() {
    refused("x = Normal(0, 1)\nreturn x * x", "P301");
    refused("x = Normal(0, 1)\nreturn 1 / x", "P302");
    refused("x = Normal(0, 1)\nreturn x ** 2", "P303");
    refused("x = Normal(0, 1)\nreturn [x, 1] if x > 0 else x", "P304");
    refused("x = Normal(0, 1)\nif x:\n    return 1\nreturn x", "P305");
    refused("x = Normal(0, 1)\nreturn abs(x)", "P306");
    refused("x = Normal(0, 1)\nreturn [1, 2][x]", "P307");
    refused("x = Normal(0, 1)\nreturn int(x)", "P309");
    refused("x = Normal(0, 1)\nreturn x // 2", "P310");
    refused("x = Normal(0, 1)\nwhile True:\n    x = x + 1\nreturn x", "P101");
    refused("x = Normal(0, 1)\nreturn x / 0", "P402");
    refused("x = Normal(0, 1)\ncondition(3, 3)\nreturn x", "P502");
    refused("x = Normal(0, 1)\ncondition(x, 'three')\nreturn x", "P503");
    refused("return 3", "P016");
    refused("pass", "P016");
}

#[test]
fn scales_that_leave_the_doubles() {
    // Each is answered or refused, never answered with zeros or infinities.
    for lines in [
        "x = Normal(0, 1e-300)\nreturn x * 1e-10",
        "x = Normal(0, 1e300)\nreturn x * 1e10",
        "x = Normal(0, 5e-324)\nreturn x",
        "x = Normal(0, 1e308)\nreturn x + x",
        "x = Normal(0, 1)\nfor i in range(40):\n    x = x * 1e-10\nreturn x",
        "x = Normal(0, 1)\nfor i in range(40):\n    x = Normal(x * 1e10, 1)\nreturn x",
        "x = Normal(0, 1e-308)\ny = Normal(0, 1e308)\ncondition(x + y, 1e154)\nreturn x, y",
        "x = Normal(1e308, 1)\ny = Normal(-1e308, 1)\nreturn x - y",
        "x = Normal(0, 1e-200)\ncondition(x, 1e200)\nreturn x",
    ] {
        for exact in [false, true] {
            match survive(&Request { exact, ..limited(body(lines)) }) {
                Ok(analysis) => assert!(analysis.secrets.iter().all(|s| s.knowledge.prior_variance > 0.0), "{lines}"),
                Err(refusal) => assert!(["P405", "P505"].contains(&refusal.diagnostics[0].code.id()), "{lines}"),
            }
        }
    }
}
