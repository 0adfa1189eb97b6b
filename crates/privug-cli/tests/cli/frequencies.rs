//! `privug audit` of frequency tables: what the attacker knows, rows as they are, sensitive values, rounding; each against a
//! computation of its own.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::run::{Run, privug};

/// A file that one test alone uses.
fn scratch(name: &str, text: &str) -> String {
    let folder: PathBuf = std::env::temp_dir().join(format!("privug-frequencies-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

/// One row of the table.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Person {
    ward: &'static str,
    sex: &'static str,
    disease: &'static str,
}

fn people(counts: &[(&'static str, &'static str, &'static str, usize)]) -> Vec<Person> {
    let each = counts.iter().flat_map(|(ward, sex, disease, count)| vec![Person { ward, sex, disease }; *count]);
    each.collect()
}

fn csv(people: &[Person]) -> String {
    let rows = people.iter().map(|one| format!("{},{},{}\n", one.ward, one.sex, one.disease));
    format!("ward,sex,disease\n{}", rows.collect::<String>())
}

const DISEASES: [&str; 3] = ["HIV", "flu", "none"];
const PRIOR: &str = "Categorical(people.disease.value_counts(normalize=True))";

/// Runs an audit of the diseases of people.
fn audit(test: &str, people: &[Person], script: Option<&str>, more: &[&str]) -> Run {
    let table = format!("people={}", scratch(&format!("{test}.csv"), &csv(people)));
    let script = script.map(|text| scratch(&format!("{test}.py"), text));
    let mut arguments = vec!["audit"];
    match &script {
        Some(script) => arguments.push(script),
        None => arguments.push("--release-rows"),
    }
    arguments.extend(["--table", &table, "--secret", "people.disease", "--prior", PRIOR, "--json", "--all-people"]);
    arguments.extend(more);
    privug(&arguments)
}

/// P(disease) of everybody after the release.
fn posteriors(document: &Value) -> Vec<[f64; 3]> {
    let of = |person: &Value| {
        let law = person["distribution"]["posterior"].as_array().expect("known").clone();
        DISEASES.map(|disease| {
            let entry = law.iter().find(|entry| entry["value"] == disease).expect("a value");
            entry["probability"].as_f64().expect("a number")
        })
    };
    document["people"].as_array().expect("a list").iter().map(of).collect()
}

/// How many of some people have each disease.
fn histogram<'p>(people: impl Iterator<Item = &'p Person>) -> [f64; 3] {
    let mut counts = [0.0; 3];
    people.for_each(|one| counts[DISEASES.iter().position(|disease| *disease == one.disease).expect("known")] += 1.0);
    counts
}

fn share(counts: [f64; 3]) -> [f64; 3] {
    let all: f64 = counts.iter().sum();
    counts.map(|count| count / all)
}

fn near(found: [f64; 3], wanted: [f64; 3]) -> bool {
    found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9)
}

const BY_WARD_AND_SEX: &str =
    "def release(people):\n    return people.groupby([\"ward\", \"sex\"]).disease.value_counts().sort_index()\n";

#[test]
fn an_attacker_who_knows_less_has_the_mean_over_those_who_look_alike() {
    let table = people(&[
        ("A", "f", "HIV", 4),
        ("A", "f", "none", 8),
        ("A", "m", "flu", 11),
        ("A", "m", "HIV", 2),
        ("B", "f", "none", 14),
        ("B", "m", "none", 6),
        ("B", "m", "flu", 7),
    ]);
    let everything = audit("everything", &table, Some(BY_WARD_AND_SEX), &[]).json();
    let some = audit("some", &table, Some(BY_WARD_AND_SEX), &["--known", "sex"]).json();
    for (person, found) in table.iter().zip(posteriors(&everything)) {
        let alike = |other: &&Person| (other.ward, other.sex) == (person.ward, person.sex);
        assert!(near(found, share(histogram(table.iter().filter(alike)))), "{found:?}");
    }
    // The mean over everybody of the same sex of what is known about them is how often it occurs among these.
    for (person, found) in table.iter().zip(posteriors(&some)) {
        let alike = |other: &&Person| other.sex == person.sex;
        assert!(near(found, share(histogram(table.iter().filter(alike)))), "{found:?}");
    }
}

/// The rules that each figure breaks, by its name.
fn broken(document: &Value) -> BTreeMap<String, Vec<String>> {
    let of = |figure: &Value| {
        let rules = figure["rules"].as_array().expect("a list");
        let names = rules.iter().map(|rule| rule["rule"].as_str().expect("a name").to_owned());
        (figure["name"].as_str().expect("a name").to_owned(), names.collect())
    };
    document["figures"].as_array().expect("a list").iter().map(of).collect()
}

#[test]
fn released_rows_are_judged_by_who_agrees_in_what_is_known() {
    let table = people(&[
        // Four people are too few; seven with one disease are not diverse; eight as all others are.
        ("A", "f", "HIV", 2),
        ("A", "f", "none", 2),
        ("A", "m", "flu", 7),
        ("B", "f", "none", 5),
        ("B", "f", "flu", 3),
        ("B", "m", "none", 9),
        ("B", "m", "HIV", 1),
    ]);
    let rules = ["--rule", "l_diversity.fail=1.5", "--rule", "t_closeness.fail=0.3"];
    let run = audit("rows", &table, None, &[&["--known", "ward,sex"], &rules[..]].concat());
    let document = run.json();
    let found = broken(&document);
    let whole = share(histogram(table.iter()));
    for ward in ["A", "B"] {
        for sex in ["f", "m"] {
            let group = histogram(table.iter().filter(|one| (one.ward, one.sex) == (ward, sex)));
            let (size, of_group) = (group.iter().sum::<f64>(), share(group));
            let entropy: f64 = of_group.iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum();
            let distance: f64 = of_group.iter().zip(whole).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0;
            for disease in DISEASES {
                let broken = &found[&format!("disease[{ward}, {sex}, {disease}]")];
                let has = |rule: &str| broken.iter().any(|one| one == rule);
                assert_eq!(has("k_anonymity"), size < 5.0, "{ward} {sex}: {broken:?}");
                assert_eq!(has("l_diversity"), entropy.exp() < 1.5, "{ward} {sex}: {broken:?}");
                assert_eq!(has("t_closeness"), distance > 0.3, "{ward} {sex}: {broken:?}");
            }
        }
    }
    assert_eq!((run.code, &document["verdict"]), (Some(3), &"fail".into()));
    // Who knows only the ward sees groups of at least eleven, with all diseases in each.
    let mixed = people(&[("A", "f", "HIV", 4), ("A", "m", "none", 5), ("A", "f", "flu", 4)]);
    let mixed: Vec<Person> =
        mixed.iter().cloned().chain(mixed.iter().map(|one| Person { ward: "B", ..one.clone() })).collect();
    let run = audit("mixed rows", &mixed, None, &[&["--known", "ward"], &rules[..]].concat());
    assert_eq!((run.code, broken(&run.json()).values().flatten().count()), (Some(0), 0), "{}", run.stdout);
}

#[test]
fn only_sensitive_values_are_disclosed() {
    // Everybody in ward A has the flu; nobody's HIV can be told.
    let table = people(&[
        ("A", "f", "flu", 15),
        ("B", "f", "none", 40),
        ("B", "m", "flu", 30),
        ("B", "f", "HIV", 12),
        ("B", "m", "HIV", 13),
    ]);
    let script = "def release(people):\n    return people.groupby(\"ward\").disease.value_counts().sort_index()\n";
    let all = audit("all sensitive", &table, Some(script), &[]);
    let document = all.json();
    let disclosed = |document: &Value| {
        let people = document["people"].as_array().expect("a list");
        people.iter().filter(|person| person["fully_disclosed"] == true).count()
    };
    assert_eq!((all.code, disclosed(&document)), (Some(3), 15));
    let some = audit("some sensitive", &table, Some(script), &["--sensitive", "disease in [\"HIV\"]"]);
    // That nobody in ward A has none is a zero of a value that is not sensitive, which a person has to look at.
    assert_eq!((some.code, disclosed(&some.json())), (Some(4), 0), "{}", some.stdout);
    let words = some.json()["reasons"].to_string();
    assert!(words.contains("revealing_zero") && words.matches("\"rule\"").count() == 1, "{words}");
    // A ward where everybody has HIV is told of all the same.
    let table: Vec<Person> =
        table.into_iter().map(|one| if one.ward == "A" { Person { disease: "HIV", ..one } } else { one }).collect();
    let bad = audit("bad", &table, Some(script), &["--sensitive", "disease in [\"HIV\"]"]);
    assert_eq!((bad.code, disclosed(&bad.json())), (Some(3), 15));
}

/// P(ill) of somebody among n people with this prior, given how likely what is seen is for each number of the ill.
fn given_rounded(n: usize, prior: f64, likelihood: impl Fn(usize) -> f64) -> f64 {
    let mut ways = 1.0;
    let (mut sum, mut all) = (0.0, 0.0);
    for ill in 0..=n {
        let p = ways * prior.powi(ill as i32) * (1.0 - prior).powi((n - ill) as i32) * likelihood(ill);
        all += p;
        sum += p * ill as f64 / n as f64;
        ways *= (n - ill) as f64 / (ill + 1) as f64;
    }
    sum / all
}

/// Two wards of which so many are ill, published rounded.
fn rounded(test: &str, wards: &[(usize, usize)], rounding: &str) -> (Run, Vec<f64>) {
    let mut text = String::from("ward,ill\n");
    for (ward, (size, ill)) in wards.iter().enumerate() {
        (0..*size).for_each(|row| text.push_str(&format!("w{ward},{}\n", u8::from(row < *ill))));
    }
    let table = format!("people={}", scratch(&format!("{test}.csv"), &text));
    let script =
        scratch(&format!("{test}.py"), "def release(people):\n    return people.groupby(\"ward\").ill.sum()\n");
    let mut arguments =
        vec!["audit", &script, "--table", &table, "--secret", "people.ill", "--prior", "Bernoulli(0.1)"];
    arguments.extend(["--json", "--all-people"]);
    if !rounding.is_empty() {
        arguments.extend(["--round", rounding]);
    }
    let run = privug(&arguments);
    let document = run.json();
    let ill = |person: &Value| person["distribution"]["posterior"][1]["probability"].as_f64().expect("a number");
    let found = document["people"].as_array().expect("a list").iter().map(ill).collect();
    (run, found)
}

#[test]
fn rounding_to_a_base_is_evidence_of_all_that_rounds_to_it() {
    let wards = [(12, 2), (25, 11)];
    for base in [3.0f64, 5.0, 10.0] {
        let (_, found) = rounded(&format!("nearest {base}"), &wards, &base.to_string());
        let nearest = |count: usize| {
            let (below, rest) = ((count as f64 / base).floor(), count as f64 % base);
            let up = rest > base / 2.0 || (rest == base / 2.0 && below % 2.0 != 0.0);
            (if up { below + 1.0 } else { below }) * base
        };
        let mut at = 0;
        for (size, ill) in wards {
            let likelihood = |count: usize| f64::from(u8::from(nearest(count) == nearest(ill)));
            let wanted = given_rounded(size, 0.1, likelihood);
            assert!(
                found[at..at + size].iter().all(|p| (p - wanted).abs() < 1e-9),
                "{base} {size}: {} {wanted}",
                found[at]
            );
            at += size;
        }
    }
}

#[test]
fn rounding_at_random_is_evidence_of_its_distribution() {
    let wards = [(12, 2), (25, 11), (30, 9)];
    for base in [3usize, 5] {
        let (_, found) = rounded(&format!("random {base}"), &wards, &format!("random({base})"));
        let mut at = 0;
        for (size, ill) in wards {
            // Of the two multiples that may be published, the one that tells more.
            let outcome = |seen: usize| {
                let likelihood = |count: usize| (1.0 - count.abs_diff(seen) as f64 / base as f64).max(0.0);
                given_rounded(size, 0.1, likelihood)
            };
            let bits = |p: f64| p * (p / 0.1).log2() + (1.0 - p) * ((1.0 - p) / 0.9).log2();
            let below = ill / base * base;
            let outcomes = if below == ill { vec![below] } else { vec![below, below + base] };
            let all = outcomes.into_iter().map(outcome);
            let wanted = all.max_by(|one, other| bits(*one).total_cmp(&bits(*other))).expect("an outcome");
            assert!(
                found[at..at + size].iter().all(|p| (p - wanted).abs() < 1e-9),
                "{base} {size}: {} {wanted}",
                found[at]
            );
            at += size;
        }
    }
}

#[test]
fn small_counts_fail_and_rounded_ones_pass() {
    // Two of forty people are ill: the count fails, rounded to fives (0) it tells little.
    let (plain, _) = rounded("plain", &[(40, 2), (60, 12)], "");
    assert_eq!(plain.code, Some(3));
    for rounding in ["5", "random(5)", "random(3)"] {
        let (run, _) = rounded(&format!("small {rounding}"), &[(40, 2), (60, 12)], rounding);
        assert_eq!(run.code, Some(0), "{rounding}: {}", run.stdout);
    }
    // Rounding does not help a ward where everybody is ill: 25 of 25 is told by what is near it.
    let (run, found) = rounded("all ill", &[(25, 25), (60, 12)], "5");
    assert!(found[0] > 0.9 && run.code == Some(3), "{}", found[0]);
}
