//! Whole assessments of releases made by hand: the case study, differencing, undone suppression, defences.

use super::testing::Table;
use super::*;
use crate::analysis::{Arithmetic, Note};
use privug_engine::number::{Exact, Scalar};
use privug_language::diagnostic::Refusal;

/// A release that is built in either arithmetic by the same steps.
struct Script<F>(Vec<f64>, Vec<f64>, f64, F);

/// Steps that work in both arithmetics.
trait Steps {
    fn take<S: Scalar>(&self, table: &mut Table<S>);
}

impl<F: Steps> Lift for Script<F> {
    fn compile(&self) -> Result<Box<dyn Lifted + '_>, Refusal> {
        Ok(Box::new(Steady(self)))
    }
}

/// The same, which needs no compiling.
struct Steady<'a, F>(&'a Script<F>);

impl<F: Steps> Lifted for Steady<'_, F> {
    fn in_doubles(&self) -> Result<Release<f64>, Refusal> {
        self.0.built()
    }

    fn in_rationals(&self, _: bool) -> Result<Release<Exact>, Refusal> {
        self.0.built()
    }
}

impl<F: Steps> Script<F> {
    fn built<S: Scalar>(&self) -> Result<Release<S>, Refusal> {
        let mut table = Table::<S>::with_priors(&self.0, &self.1, self.2);
        self.3.take(&mut table);
        Ok(table.release)
    }
}

/// Whether a note of the defences says something.
fn said(found: &Audit, part: &str) -> bool {
    found.notes.iter().any(|note| matches!(note, Note::Program { words, .. } if words.contains(part)))
}

/// Means over groups of people, with names.
struct Means(Vec<(&'static str, Vec<usize>)>);

impl Steps for Means {
    fn take<S: Scalar>(&self, table: &mut Table<S>) {
        for (name, people) in &self.0 {
            table.mean(name, people);
        }
    }
}

fn settings(defences: DefenceTexts) -> Settings {
    let about = About { path: "release.py".into(), secrets: vec!["people.income".into()], ..About::default() };
    Settings { about, defences, top: 10, ..Settings::default() }
}

fn audited<F: Steps>(script: &Script<F>) -> Audit {
    audit(script, &settings(DefenceTexts::default()), false, &|_| {}).expect("an audit")
}

fn names(audit: &Audit, figures: &[usize]) -> Vec<String> {
    figures.iter().map(|figure| audit.figures[*figure].name.clone()).collect()
}

/// `incomes.csv`: (sex, age group, income, prior mean); all prior variances are 100.
fn incomes() -> Vec<(String, String, f64, f64)> {
    let rows = include_str!("../../../../programs/audit/incomes.csv").lines().skip(1);
    let read = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |text: &str| text.parse().expect("a number");
        (cells[1].to_owned(), cells[2].to_owned(), number(cells[3]), number(cells[4]))
    };
    rows.map(read).collect()
}

/// The incomes, and means over those that the conditions choose.
fn case_study(means: &[(&'static str, &dyn Fn(&str, &str) -> bool)]) -> Script<Means> {
    let rows = incomes();
    let chosen = |choose: &dyn Fn(&str, &str) -> bool| {
        (0..rows.len()).filter(|row| choose(&rows[*row].0, &rows[*row].1)).collect::<Vec<usize>>()
    };
    let means = means.iter().map(|(name, choose)| (*name, chosen(*choose))).collect();
    let (truths, priors) = rows.iter().map(|row| (row.2, row.3)).unzip();
    Script(truths, priors, 100.0, Means(means))
}

#[test]
fn three_averages_of_the_case_study_give_person_1_a_mean_of_483_000_and_a_variance_of_90() {
    let found = audited(&case_study(&[
        ("men 21-30", &|sex, age| sex == "male" && age == "21-30"),
        ("all 21-30", &|_, age| age == "21-30"),
        ("men", &|sex, _| sex == "male"),
    ]));
    assert_eq!([found.people.posterior_mean[0], found.people.posterior_variance[0]], [483_000.0, 90.0]);
    assert!((found.people.mutual_information_bits[0] - 0.076_001_546_722_525).abs() < 1e-15);
    assert_eq!(found.figures[0].contributions.contributors, 10);
    // A prior this sure of itself moves as a whole, for some people across the line of 10 %.
    assert!(found.reasons.iter().all(|reason| reason.rule == Rule::NearTruth), "{:?}", found.reasons);
    let Note::PriorRefuted { furthest: Some(furthest), .. } = &found.notes[0] else { panic!("{:?}", found.notes) };
    assert!((furthest.z.abs() - 23_400.9).abs() < 0.05, "{furthest:?}");
}

const GROUPS: [&str; 8] = [
    "by group[21-30, male]",
    "by group[21-30, female]",
    "by group[31-40, male]",
    "by group[31-40, female]",
    "by group[41-50, male]",
    "by group[41-50, female]",
    "by group[51-60, male]",
    "by group[51-60, female]",
];

fn groups() -> Vec<(&'static str, Vec<usize>)> {
    let rows = incomes();
    let of = |name: &str| {
        let (age, sex) = name["by group[".len()..name.len() - 1].split_once(", ").expect("two keys");
        (0..rows.len()).filter(|row| rows[*row].0 == sex && rows[*row].1 == age).collect::<Vec<usize>>()
    };
    GROUPS.into_iter().map(|name| (name, of(name))).collect()
}

fn group_means(extra: Vec<(&'static str, Vec<usize>)>) -> Script<Means> {
    let (truths, priors) = incomes().iter().map(|row| (row.2, row.3)).unzip();
    Script(truths, priors, 100.0, Means(groups().into_iter().chain(extra).collect()))
}

#[test]
fn with_all_eight_group_means_everybody_is_left_with_a_variance_of_90() {
    let found = audited(&group_means(vec![]));
    assert!(found.people.posterior_variance.iter().all(|variance| (variance - 90.0).abs() < 1e-12));
    assert_eq!(found.people.figures, [1; 80]);
    assert_eq!(found.people.smallest_frequency, [10; 80]);
}

#[test]
fn margins_and_the_grand_mean_are_recognised_as_redundant_and_traced_to_their_cells() {
    let rows = incomes();
    let mut extra: Vec<(&'static str, Vec<usize>)> = Vec::new();
    for (name, wanted) in [("men", "male"), ("women", "female")] {
        extra.push((name, (0..80).filter(|row| rows[*row].0 == wanted).collect()));
    }
    for (name, wanted) in [("21-30", "21-30"), ("31-40", "31-40"), ("41-50", "41-50"), ("51-60", "51-60")] {
        extra.push((name, (0..80).filter(|row| rows[*row].1 == wanted).collect()));
    }
    extra.push(("all", (0..80).collect()));
    let found = audited(&group_means(extra));
    for figure in &found.figures[..8] {
        assert_eq!(figure.status, FigureStatus::Used, "{}", figure.name);
    }
    for figure in &found.figures[8..] {
        let FigureStatus::Redundant { implied_by } = &figure.status else { panic!("{} is used", figure.name) };
        let expected = match figure.name.as_str() {
            "all" => 8,
            "men" | "women" => 4,
            _ => 2,
        };
        assert_eq!(implied_by.len(), expected, "{}: {:?}", figure.name, names(&found, implied_by));
    }
    assert!(found.people.posterior_variance.iter().all(|variance| (variance - 90.0).abs() < 1e-12));
    assert!(found.notes.contains(&Note::RedundantFigures(7)), "{:?}", found.notes);
}

/// Twelve people of a department; the first is its head.
fn department() -> Script<Means> {
    let truths: Vec<f64> =
        (0..12).map(|row| if row == 0 { 90_000.0 } else { 40_000.0 + 1_000.0 * row as f64 }).collect();
    let means = vec![("department", (0..12).collect()), ("department without head", (1..12).collect())];
    Script(truths, vec![45_000.0; 12], 1e8, Means(means))
}

#[test]
fn a_mean_with_and_without_the_head_discloses_the_head_and_the_pair_is_named() {
    let found = audited(&department());
    assert_eq!((found.verdict, found.disclosed(), found.count(Verdict::Fail)), (Verdict::Fail, 1, 1));
    assert!((found.people.posterior_mean[0] - 90_000.0).abs() < 1e-6 && found.people.posterior_variance[0] == 0.0);
    assert_eq!((found.worst[0], found.details[0].person), (0, 0));
    let [pair] = found.combinations.as_slice() else { panic!("{:?}", found.combinations) };
    assert_eq!(names(&found, &pair.figures), ["department", "department without head"]);
    assert_eq!(pair.people, [0]);
    // 12·department − 11·department without head.
    let weights: Vec<f64> = found.details[0].combination.iter().map(|(_, weight)| *weight).collect();
    assert!((weights[0] - 12.0).abs() < 1e-9 && (weights[1] + 11.0).abs() < 1e-9, "{weights:?}");
    assert_eq!(found.figures.iter().map(|figure| figure.discloses).collect::<Vec<_>>(), [1, 1]);
    let disclosed = &found.reasons[0];
    assert_eq!((disclosed.rule, disclosed.count), (Rule::FullDisclosure, 1));
    assert_eq!(disclosed.finding, Finding::People(vec![0]));
    // Each figure by itself breaks no rule about its contributors.
    assert!(found.figures.iter().all(|figure| figure.verdict == Verdict::Pass));
}

#[test]
fn noise_on_one_of_the_pair_protects_the_head() {
    let defences = DefenceTexts { noise: vec!["department=normal(std=2000)".into()], ..DefenceTexts::default() };
    let found = audit(&department(), &settings(defences), false, &|_| {}).expect("an audit");
    assert_eq!(found.disclosed(), 0);
    assert!(found.people.posterior_variance[0] > 0.0);
    assert_eq!(found.figures[0].noise_std, 2000.0);
    assert!(said(&found, "noise is random"));
}

/// Three cells and their margin; the first cell has two people.
fn cells() -> Script<Means> {
    let truths: Vec<f64> = (0..26).map(|row| 30_000.0 + 700.0 * f64::from(row)).collect();
    let means = vec![
        ("by city[A]", (0..2).collect()),
        ("by city[B]", (2..14).collect()),
        ("by city[C]", (14..26).collect()),
        ("all", (0..26).collect()),
    ];
    Script(truths, vec![40_000.0; 26], 1e8, Means(means))
}

fn suppressing(names: &[&str]) -> DefenceTexts {
    DefenceTexts { suppress: names.iter().map(|name| (*name).to_owned()).collect(), ..DefenceTexts::default() }
}

#[test]
fn a_margin_that_undoes_a_suppressed_cell_is_found() {
    let found = audit(&cells(), &settings(suppressing(&["by city[A]"])), false, &|_| {}).expect("an audit");
    let FigureStatus::Suppressed { recovered_from, posterior_std } = &found.figures[0].status else { panic!() };
    assert_eq!((names(&found, recovered_from).join(" "), *posterior_std), ("by city[B] by city[C] all".into(), 0.0));
    // It is judged as if it were published: two contributors are too few.
    assert_eq!(found.figures[0].verdict, Verdict::Fail);
    assert!(found.figures[0].broken.contains(&(Rule::Recoverable, Verdict::Review)));
    assert!(
        found
            .reasons
            .iter()
            .any(|reason| (reason.rule, &reason.finding) == (Rule::Recoverable, &Finding::Figures(vec![0])))
    );
    // Suppressing a second cell helps.
    let found =
        audit(&cells(), &settings(suppressing(&["by city[A]", "by city[B]"])), false, &|_| {}).expect("an audit");
    assert!(
        matches!(&found.figures[0].status, FigureStatus::Suppressed { recovered_from, .. } if recovered_from.is_empty())
    );
    assert!(found.figures.iter().all(|figure| figure.verdict == Verdict::Pass));
}

#[test]
fn a_rounded_figure_is_judged_as_if_it_were_not_rounded() {
    let plain = audited(&cells());
    let defences = DefenceTexts { round: vec!["1000".into()], ..DefenceTexts::default() };
    for exact in [false, true] {
        let found = audit(&cells(), &settings(defences.clone()), exact, &|_| {}).expect("an audit");
        // The mean of all is 38 750.
        assert_eq!((found.figures[3].value, found.figures[3].published), (38_750.0, 39_000.0));
        assert_eq!((&found.figures[3].status, found.figures[3].noise_std), (&plain.figures[3].status, 0.0));
        assert_eq!((found.verdict, &found.people.verdict), (plain.verdict, &plain.people.verdict));
        for (one, other) in found.people.posterior_variance.iter().zip(&plain.people.posterior_variance) {
            assert!((one - other).abs() <= 1e-9 * other, "{one} {other}");
        }
        assert!(said(&found, "as if published unrounded"), "{:?}", found.notes);
    }
}

#[test]
fn a_rounded_figure_about_people_in_no_other_is_an_interval() {
    // One person N(0, 1) whose 4.3 is published as 4, in units of 4: between 2 and 6, with a standard deviation of 0.338.
    let one =
        Script(vec![4.3, 100.0, 101.0, 99.0], vec![0.0; 4], 1.0, Means(vec![("one", vec![0]), ("others", vec![1, 2])]));
    let defences = DefenceTexts { round: vec!["4".into()], ..DefenceTexts::default() };
    for exact in [false, true] {
        let found = audit(&one, &settings(defences.clone()), exact, &|_| {}).expect("an audit");
        assert_eq!(found.figures[0].published, 4.0);
        assert!((found.people.posterior_variance[0].sqrt() - 0.338).abs() < 5e-4);
        assert!((found.people.relative_std[0] - 0.338).abs() < 5e-4);
        assert!(!found.people.fully_disclosed[0] && found.combinations.is_empty());
        assert!(found.people.mutual_information_bits[0].is_finite());
        assert_eq!(found.people.posterior_variance[3], 1.0);
        assert!(said(&found, "within half a unit"), "{:?}", found.notes);
    }
    // With a second figure about the same person there is no closed form.
    let two = Means(vec![("one", vec![0]), ("all", vec![0, 1])]);
    let found =
        audit(&Script(vec![4.3, 1.0], vec![0.0; 2], 1.0, two), &settings(defences), false, &|_| {}).expect("an audit");
    assert!(found.people.fully_disclosed[0]);
}

#[test]
fn exact_arithmetic_agrees_and_says_its_fractions() {
    let float = audited(&department());
    let exact = audit(&department(), &settings(DefenceTexts::default()), true, &|_| {}).expect("an audit");
    assert_eq!((float.arithmetic, exact.arithmetic), (Arithmetic::Float, Arithmetic::Exact));
    assert_eq!(exact.details[0].exact, Some(["90000".to_owned(), "0".to_owned()]));
    for (one, other) in float.people.posterior_variance.iter().zip(&exact.people.posterior_variance) {
        assert!((one - other).abs() <= 1e-9 * other, "{one} {other}");
    }
    assert_eq!(float.combinations, exact.combinations);
}

#[test]
fn many_disclosed_people_make_one_pattern() {
    let truths: Vec<f64> = (0..40).map(f64::from).collect();
    let names: Vec<&'static str> = (0..40).map(|row| &*Box::leak(format!("by id[{row}]").into_boxed_str())).collect();
    let means = names.iter().enumerate().map(|(row, name)| (*name, vec![row])).collect();
    let found = audited(&Script(truths, vec![20.0; 40], 100.0, Means(means)));
    assert_eq!((found.disclosed(), found.combinations.len(), found.explained), (40, 40, 40));
    let patterns = patterns(&found.combinations, |figure| found.figures[figure].name.clone());
    assert_eq!((patterns.len(), patterns[0].people, patterns[0].combinations), (1, 40, 40));
    assert_eq!(patterns[0].tables, [("by id".to_owned(), 1)]);
    // Five of them are named, the others counted.
    assert_eq!((&found.reasons[0].finding, found.reasons[0].count), (&Finding::People(vec![0, 1, 2, 3, 4]), 40));
}

#[test]
fn shares_of_the_figures_add_up_to_what_is_told() {
    let found = audited(&cells());
    for detail in &found.details {
        let sum: f64 = detail.leaks.iter().map(|leak| leak.added_bits).sum();
        let told = found.people.mutual_information_bits[detail.person];
        assert!((sum - told).abs() < 1e-12, "{sum} {told}");
    }
}

#[test]
fn a_prior_that_knows_a_wrong_value_contradicts_the_figures() {
    let script = Script(vec![1.0, 2.0], vec![1.0, 3.0], 0.0, Means(vec![("all", vec![0, 1])]));
    let refusal = audit(&script, &settings(DefenceTexts::default()), false, &|_| {}).expect_err("a contradiction");
    assert_eq!(refusal.diagnostics[0].code.id(), "P501");
    assert!(refusal.diagnostics[0].message.contains("`all` is published as 1.5, but the prior"), "{refusal:?}");
}
