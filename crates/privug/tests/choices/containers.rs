//! Lists, sets and dictionaries that are changed in some worlds only, by hand.

use super::support::{posterior, refused};
use privug::diagnostic::Code;

fn check(source: &str, expected: &str) {
    let body: String = source.lines().map(|line| format!("    {line}\n")).collect();
    assert_eq!(posterior(&format!("def main():\n{body}")), expected, "{source}");
}

/// Two coins decide which elements a list has.
const HOLES: &str = "xs = [v for v in [1, 2] if Bernoulli(0.5)]\n";

#[test]
fn a_list_that_is_empty_in_some_worlds_is_false_there() {
    check(&format!("{HOLES}b = Bernoulli(0.5)\nreturn 1 if xs and b else 0"), "0: 5/8; 1: 3/8");
    check(&format!("{HOLES}b = Bernoulli(0.5)\nreturn 1 if xs or b else 0"), "0: 1/8; 1: 7/8");
    check(
        &format!("{HOLES}ys = xs if Bernoulli(0.5) else [3]\nreturn 0 if not ys else len(ys)"),
        "0: 1/8; 1: 3/4; 2: 1/8",
    );
    check("d = {}\nif Bernoulli(0.5):\n    d[1] = 2\nreturn 1 if d and Bernoulli(0.5) else 0", "0: 3/4; 1: 1/4");
    check("s = set()\nif Bernoulli(0.5):\n    s.add(1)\nreturn 1 if s and Bernoulli(0.5) else 0", "0: 3/4; 1: 1/4");
}

#[test]
fn elements_are_taken_out_at_random_places() {
    let deck = "xs = [1, 2, 3]\nx = xs.pop(DiscreteUniform(0, 2))\n";
    check(&format!("{deck}return sum(xs) + 10 * x"), "15: 1/3; 24: 1/3; 33: 1/3");
    check(&format!("{deck}condition(xs[0], 2)\nreturn x"), "1: 1");
    check(&format!("{deck}return xs.pop() * 10 + len(xs)"), "21: 1/3; 31: 2/3");
    check("xs = [1, 2]\nxs.insert(DiscreteUniform(-1, 2), 9)\nreturn xs.index(9)", "0: 1/4; 1: 1/2; 2: 1/4");
    check("xs = [1, 2, 1]\nxs.remove(DiscreteUniform(1, 2))\nreturn xs[0] * 10 + xs[1]", "11: 1/2; 21: 1/2");
    check(&format!("{HOLES}xs.reverse()\nxs.append(7)\nreturn xs[0]"), "1: 1/4; 2: 1/2; 7: 1/4");
    check("xs = [1, 2]\ndel xs[DiscreteUniform(0, 1)]\nreturn xs[0]", "1: 1/2; 2: 1/2");
}

#[test]
fn other_worlds_and_other_names_see_the_same_list() {
    check("xs = [1, 2]\nys = xs\nif Bernoulli(0.25):\n    ys.pop(0)\nreturn xs[0]", "1: 3/4; 2: 1/4");
    check("xs = [1]\nys = xs\nif Bernoulli(0.25):\n    xs.clear()\nxs.append(5)\nreturn ys[0]", "1: 3/4; 5: 1/4");
    check("s = {1, 2}\nt = s\nif Bernoulli(0.25):\n    t -= {1}\n    t |= {3, 4}\nreturn len(s)", "2: 3/4; 3: 1/4");
    check("s = {1}\nt = set(s)\nif Bernoulli(0.25):\n    t.add(2)\nreturn len(s) + 10 * len(t)", "11: 3/4; 21: 1/4");
    check(
        "a = np.array([1, 2])\nb = a\nif Bernoulli(0.25):\n    a |= np.array([4, 4])\nreturn int(b[1])",
        "2: 3/4; 6: 1/4",
    );
    check("xs = [2, 1]\nif Bernoulli(0.25):\n    xs.sort(key=lambda x: x)\nreturn xs[0]", "1: 1/4; 2: 3/4");
}

#[test]
fn each_world_sees_the_keys_of_a_dictionary_in_its_own_order() {
    // b first: 1/2. Then a comes, or b again.
    let counted = "d = {}\nfor _ in range(2):\n    v = 'a' if Bernoulli(0.5) else 'b'\n    d[v] = d.get(v, 0) + 1\n";
    check(&format!("{counted}return ''.join(d)"), "a: 1/4; ab: 1/4; b: 1/4; ba: 1/4");
    check(
        &format!("{counted}return str(list(d.items()))"),
        "[('a', 1), ('b', 1)]: 1/4; [('a', 2)]: 1/4; [('b', 1), ('a', 1)]: 1/4; [('b', 2)]: 1/4",
    );
    // Of two that are as frequent, the first that came.
    check(&format!("{counted}return max(d, key=d.get)"), "a: 1/2; b: 1/2");
    check(
        &format!("{counted}del d['a']\nd['a'] = 0\nreturn ''.join(d)").replace("del d['a']", "d.pop('a', 0)"),
        "a: 1/4; ba: 3/4",
    );
    check(&format!("{counted}return len(d) if 'a' in d else 0"), "0: 1/4; 1: 1/4; 2: 1/2");
    let votes = "from collections import Counter\nxs = ['a' if Bernoulli(0.5) else 'b' for _ in range(2)]\n";
    check(&format!("{votes}return Counter(xs).most_common(1)[0][0]"), "a: 1/2; b: 1/2");
    check(&format!("{votes}return ''.join(dict.fromkeys(xs))"), "a: 1/4; ab: 1/4; b: 1/4; ba: 1/4");
}

#[test]
fn many_choices_are_sorted_by_a_key_that_tells_them_apart() {
    let largest = "xs = [DiscreteUniform(0, 9) for _ in range(12)]\nys = sorted(xs, key=lambda x: -x)\n";
    // All twelve are below 9 with probability (9/10)¹².
    let below = "282429536481/1000000000000";
    check(&format!("{largest}return ys[0] == 9"), &format!("False: {below}; True: 717570463519/1000000000000"));
    let pairs = "xs = sorted((DiscreteUniform(0, 9), i) for i in range(12))\n";
    check(&format!("{pairs}return xs[0][0] > 0"), &format!("False: 717570463519/1000000000000; True: {below}"));
}

#[test]
fn sorting_by_a_random_key_keeps_equal_ones_in_order() {
    let pairs = "xs = [(Bernoulli(0.5), i) for i in range(2)]\n";
    check(&format!("{pairs}return sorted(xs, key=lambda p: p[0])[0][1]"), "0: 3/4; 1: 1/4");
    check(&format!("{pairs}return sorted(xs, key=lambda p: p[0], reverse=True)[0][1]"), "0: 3/4; 1: 1/4");
    check(&format!("{pairs}return max(xs, key=lambda p: p[0])[1]"), "0: 3/4; 1: 1/4");
    check("d = {\"a\": Bernoulli(0.5) + 0, \"b\": 1}\nreturn max(d, key=d.get)", "a: 1/2; b: 1/2");
}

#[test]
fn sets_know_which_elements_they_have() {
    let set = "s = {DiscreteUniform(0, 1), DiscreteUniform(0, 2)}\n";
    check(&format!("{set}return len(s)"), "1: 1/3; 2: 2/3");
    check(&format!("{set}return sorted(s)[0]"), "0: 2/3; 1: 1/3");
    check(&format!("{set}return s == {{0, 1}}"), "False: 2/3; True: 1/3");
    check(&format!("{set}return len(s & {{0, 2}}) + 10 * (s <= {{0, 1}})"), "1: 1/6; 2: 1/6; 10: 1/6; 11: 1/2");
    check("s = {0, 1, 2}\ns.discard(DiscreteUniform(0, 3))\nreturn sum(s)", "1: 1/4; 2: 1/4; 3: 1/2");
}

#[test]
fn what_python_does_not_do_is_refused() {
    let code = |body: &str| -> Vec<Code> {
        let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
        refused(&format!("def main():\n{body}")).into_iter().map(|(code, _)| code).collect()
    };
    assert!(code("xs = [1]\nxs.pop(DiscreteUniform(0, 1))\nreturn xs").contains(&Code::IndexOutOfRange));
    assert!(code("xs = [1]\nxs.remove(DiscreteUniform(0, 1))\nreturn xs").contains(&Code::BadArgument));
    assert!(code("s = {1}\ns.remove(DiscreteUniform(0, 1))\nreturn len(s)").contains(&Code::MissingKey));
    // A loop would lose its place.
    let loses = "xs = [1, 2, 3]\nfor x in xs:\n    if Bernoulli(0.5):\n        xs.remove(x)\nreturn len(xs)";
    assert!(code(loses).contains(&Code::RandomIndex));
    // Python would go through the list after it was changed.
    let later = "from itertools import chain\nxs = [1]\nys = chain(xs, [2])\nxs.append(Bernoulli(0.5))\nreturn sum(ys)";
    assert!(code(later).contains(&Code::FunctionAsValue));
}
