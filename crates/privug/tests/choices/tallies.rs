//! Histograms in all the ways that people write them, against the enumeration of everybody's answers.

use privug::analysis::{Analysis, Belief, Binding, BindingKind, Observed, Request, analyze};

use crate::support::{posterior, refused};

/// Programs that publish how many of `xs` are 0, 1 and 2.
const WAYS: [&str; 9] = [
    "    return [sum(x == j for x in xs) for j in range(3)]\n",
    "    return [sum(np.array(xs) == j) for j in range(3)]\n",
    "    return [np.count_nonzero(np.array(xs) == j) for j in range(3)]\n",
    "    return [xs.count(j) for j in range(3)]\n",
    "    return np.bincount(np.array(xs), minlength=3)\n",
    "    counts = [0, 0, 0]\n    for x in xs:\n        counts[x] += 1\n    return counts\n",
    "    counts = {0: 0, 1: 0, 2: 0}\n    for x in xs:\n        counts[x] += 1\n    return [counts[j] for j in range(3)]\n",
    "    counts = Counter(xs)\n    return [counts[j] for j in range(3)]\n",
    "    return [len([x for x in xs if x == j]) for j in range(3)]\n",
];

fn analysed(body: &str, prior: &str, seen: &str, exact: bool) -> Analysis {
    let source = format!("import numpy as np\nfrom collections import Counter\ndef main(xs):\n{body}");
    let request = Request {
        exact,
        bindings: vec![Binding::read(BindingKind::Prior, &format!("xs={prior}")).expect("a binding")],
        secrets: vec!["xs[0]".to_owned()],
        observations: vec![Observed::read(seen).expect("values")],
        ..Request::new("program.py", source.clone())
    };
    analyze(&request).unwrap_or_else(|refusal| panic!("{:?}\n{source}\n{prior}\n{seen}", refusal.diagnostics))
}

/// The posterior of the only secret as ratios of integers: each value with its probability.
fn told(analysis: &Analysis) -> Vec<(f64, f64)> {
    let secrets = &analysis.choices.as_ref().expect("choices").secrets;
    let Belief::Discrete(values) = &secrets[0].posterior else { panic!("a mixture") };
    values.iter().map(|chance| (chance.value.number().expect("a number"), chance.probability)).collect()
}

/// The probabilities of the first person's answers, in hundredths of each person, given how often each answer was given.
fn enumerated(people: &[[u64; 3]], histogram: [usize; 3]) -> Vec<(f64, f64)> {
    let mut weights = [0u128; 3];
    for world in 0..3usize.pow(people.len() as u32) {
        let answers: Vec<usize> = (0..people.len()).map(|person| world / 3usize.pow(person as u32) % 3).collect();
        let counted = [0, 1, 2].map(|j| answers.iter().filter(|answer| **answer == j).count());
        if counted == histogram {
            let weight: u128 = people.iter().zip(&answers).map(|(law, answer)| u128::from(law[*answer])).product();
            weights[answers[0]] += weight;
        }
    }
    let total: u128 = weights.iter().sum();
    let possible = weights.iter().enumerate().filter(|(_, weight)| **weight > 0);
    possible.map(|(value, weight)| (value as f64, *weight as f64 / total as f64)).collect()
}

fn prior_of(people: &[[u64; 3]]) -> String {
    let law = |law: &[u64; 3]| format!("Categorical([{} / 100, {} / 100, {} / 100])", law[0], law[1], law[2]);
    format!("[{}]", people.iter().map(law).collect::<Vec<_>>().join(", "))
}

fn same(found: &[(f64, f64)], expected: &[(f64, f64)], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} against {expected:?}");
    for ((value, p), (wanted, q)) in found.iter().zip(expected) {
        assert!(value == wanted && (p - q).abs() <= 1e-12 * q, "{what}: {found:?} against {expected:?}");
    }
}

#[test]
fn each_way_to_write_a_histogram_gives_the_answer_of_enumeration() {
    let different = [[20, 30, 50], [10, 60, 30], [33, 33, 34], [98, 1, 1], [5, 5, 90], [20, 30, 50], [50, 25, 25]];
    let alike = [[20, 30, 50]; 7];
    for people in [&different[..], &alike[..], &alike[..1]] {
        for histogram in [[2, 3, 2], [7, 0, 0], [0, 1, 6], [1, 0, 0]] {
            if histogram.iter().sum::<usize>() != people.len() {
                continue;
            }
            let expected = enumerated(people, histogram);
            for way in WAYS {
                for exact in [false, true] {
                    let analysis = analysed(way, &prior_of(people), &format!("{histogram:?}"), exact);
                    same(&told(&analysis), &expected, way);
                }
            }
            // What does not occur is not in a `Counter`.
            let entries = histogram.iter().enumerate().filter(|(_, count)| **count > 0);
            let entries: Vec<String> = entries.map(|(value, count)| format!("{value}: {count}")).collect();
            let seen = format!("{{{}}}", entries.join(", "));
            let analysis = analysed("    return Counter(xs)\n", &prior_of(people), &seen, true);
            same(&told(&analysis), &expected, "Counter");
            let conditioned = format!("    condition(Counter(xs) == {seen})\n    return sum(xs)\n");
            let total = histogram[1] + 2 * histogram[2];
            let analysis = analysed(&conditioned, &prior_of(people), &total.to_string(), true);
            same(&told(&analysis), &expected, "condition(Counter)");
        }
    }
}

#[test]
fn many_people_who_are_alike_share_the_histogram_of_their_group() {
    let ways = [
        "    return [[sum(g == j) for j in range(3)] for g in [xs[1000 * i:1000 * (i + 1)] for i in range(20)]]\n",
        "    return [np.bincount(xs[1000 * i:1000 * (i + 1)], minlength=3) for i in range(20)]\n",
        "    groups = [Counter(xs[1000 * i:1000 * (i + 1)]) for i in range(20)]\n    return [[c[j] for j in range(3)] for c in groups]\n",
    ];
    let histograms: Vec<String> = (0..20).map(|i| format!("[{}, {}, {}]", 200 + i, 300 - 2 * i, 500 + i)).collect();
    let seen = format!("[{}]", histograms.join(", "));
    for way in ways {
        for exact in [false, true] {
            let analysis = analysed(way, "Categorical([0.2, 0.3, 0.5], size=20_000)", &seen, exact);
            same(&told(&analysis), &[(0.0, 0.2), (1.0, 0.3), (2.0, 0.5)], way);
        }
    }
}

/// What is known of the result of a function body.
fn result(body: &str) -> String {
    let lines: Vec<String> = body.lines().map(|line| format!("    {line}")).collect();
    posterior(&format!("from collections import Counter\ndef main():\n{}\n", lines.join("\n")))
}

#[test]
fn keys_of_a_dictionary_are_there_in_their_worlds_only() {
    let start = "x = Bernoulli(0.25)\nd = {}\nif x:\n    d['a'] = 1\nd['b'] = 2\n";
    let go = |end: &str| result(&format!("{start}{end}"));
    assert_eq!(go("s = ''\nfor k in d:\n    s += k\nreturn s"), "ab: 1/4; b: 3/4");
    assert_eq!(go("return ''.join([k for k in d])"), "ab: 1/4; b: 3/4");
    assert_eq!(go("return sum([1 for k in d])"), "1: 3/4; 2: 1/4");
    assert_eq!(go("return len(d.items()) * 10 + len(d.keys())"), "11: 3/4; 22: 1/4");
    let before = "x = Bernoulli(0.25)\nd = {}\nitems = d.items()\nif x:\n    d['a'] = 1\n";
    assert_eq!(result(&format!("{before}return len(items)")), "0: 3/4; 1: 1/4");
    assert_eq!(result(&format!("{before}return 'some' if items else 'none'")), "none: 3/4; some: 1/4");
    assert_eq!(go("e = {'a': 5}\ne.update(d)\nreturn e['a'] * 10 + len(e)"), "12: 1/4; 52: 3/4");
    assert_eq!(go("d.setdefault('a', 7)\nreturn d['a'] * 10 + len(d)"), "12: 1/4; 72: 3/4");
    assert_eq!(go("e = d.copy()\ne['c'] = 1\nreturn len(e) * 10 + len(d)"), "21: 3/4; 32: 1/4");
}

#[test]
fn what_changes_a_container_with_choices_changes_the_container() {
    let changed = "x = Bernoulli(0.25)\nd = {'a': x}\nd.update({'b': 1})\nreturn len(d) * 10 + d['a']";
    assert_eq!(result(changed), "20: 3/4; 21: 1/4");
    let kept =
        "x = Bernoulli(0.25)\nd = {'a': x}\nd.setdefault('b', 7)\nd.setdefault('a', 9)\nreturn d['b'] * 10 + d['a']";
    assert_eq!(result(kept), "70: 3/4; 71: 1/4");
    let sorted = "x = DiscreteUniform(0, 2)\nxs = [1, x]\nxs.sort(reverse=True)\nreturn xs[0] * 10 + xs[1]";
    assert_eq!(result(sorted), "10: 1/3; 11: 1/3; 21: 1/3");
}

#[test]
fn the_order_of_keys_is_that_of_each_world() {
    // In one world `a` comes first, in the other `b`.
    let start =
        "def main():\n    d = {}\n    for k in (['a', 'b'] if Bernoulli(0.25) else ['b', 'a']):\n        d[k] = 1\n";
    for end in ["return [k for k in d][0]", "return list(d)[0]", "return next(iter(d))", "return max(d, key=d.get)"] {
        assert_eq!(posterior(&format!("{start}    {end}\n")), "a: 1/4; b: 3/4", "{end}");
    }
    for (end, expected) in [
        ("return list(dict(d))[0]", "a: 1/4; b: 3/4"),
        ("return list(d.copy())[0]", "a: 1/4; b: 3/4"),
        ("return sorted(d, key=lambda k: 0)[0]", "a: 1/4; b: 3/4"),
        ("return [k for k, v in d.items()][1]", "a: 3/4; b: 1/4"),
        ("return str(d)", "{'a': 1, 'b': 1}: 1/4; {'b': 1, 'a': 1}: 3/4"),
        ("return list(d.keys())[0] + list(reversed(list(d)))[0]", "ab: 1/4; ba: 3/4"),
    ] {
        assert_eq!(posterior(&format!("{start}    {end}\n")), expected, "{end}");
    }
    // What would see them in one order is refused.
    for end in ["e = {}\n    e.update(d)\n    return list(e)[0]", "e = {} | d\n    return list(e)[0]", "return f'{d}'"]
    {
        refused(&format!("{start}    {end}\n"));
    }
    // Who publishes the dictionary publishes the order of its keys.
    assert_eq!(posterior(&format!("{start}    return d\n")), "{\"a\": 1, \"b\": 1}: 1/4; {\"b\": 1, \"a\": 1}: 3/4");
}
