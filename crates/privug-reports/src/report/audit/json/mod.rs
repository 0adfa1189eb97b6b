//! An audit as the JSON document `privug.audit/1`.

mod figure;
mod person;
mod policy;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::distribution::Distribution;
use super::reasons::{derivation_sentence, reason_sentence};
use crate::report::json::{Program, Real, document};
use crate::report::notes::sentences;
use figure::{Figure, figure};
use person::{Person, person};
use policy::{Rules, rules};
use privug_analysis::audit::{self, Audit, Finding, PersonDetail, Rule, Verdict};

/// Combinations that are listed, and people of each.
const COMBINATIONS: usize = 1000;
const PEOPLE_OF_COMBINATION: usize = 100;

#[derive(Serialize)]
struct AuditDocument<'a> {
    schema: &'static str,
    program: Program<'a>,
    arithmetic: &'static str,
    secret: String,
    prior: String,
    secrets: &'a [String],
    priors: &'a [String],
    defences: &'a [String],
    verdict: &'static str,
    reasons: Vec<Reason>,
    policy: Rules,
    summary: Summary,
    people: Vec<Person<'a>>,
    figures: Vec<Figure<'a>>,
    combinations: Vec<Combination<'a>>,
    support: Vec<Support<'a>>,
    derivations: Vec<Derivation<'a>>,
    log_evidence_nats: Option<Real>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Reason {
    rule: &'static str,
    verdict: &'static str,
    count: usize,
    message: String,
    /// Some of the people whom it is about.
    people: Vec<String>,
}

/// A rule that somebody or something breaks.
#[derive(Serialize)]
struct Broken {
    rule: &'static str,
    verdict: &'static str,
}

#[derive(Serialize)]
struct Summary {
    people: PeopleSummary,
    figures: FiguresSummary,
}

#[derive(Serialize)]
struct PeopleSummary {
    count: usize,
    rows: u64,
    fail: usize,
    review: usize,
    pass: usize,
    fully_disclosed: usize,
    uncertainty_removed: Histogram,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judged_by_a_bound: Option<u64>,
}

/// How many people lose how much of the attacker's uncertainty, in steps from 0 to 100 %.
#[derive(Serialize)]
struct Histogram {
    step_percent: f64,
    counts: Vec<usize>,
}

#[derive(Serialize)]
struct FiguresSummary {
    count: usize,
    fail: usize,
    review: usize,
    pass: usize,
}

/// Figures that disclose people together.
#[derive(Serialize)]
struct Combination<'a> {
    figures: Vec<&'a str>,
    count: usize,
    people: Vec<String>,
}

/// What was taken to be possible.
#[derive(Serialize)]
struct Support<'a> {
    secret: &'a str,
    statement: &'a str,
    evident: bool,
}

/// Why hardly anything but the truth is possible for somebody.
#[derive(Serialize)]
struct Derivation<'a> {
    person: Cow<'a, str>,
    row: usize,
    message: String,
}

/// The whole document; with the people at the highest risk, or with everybody in the order of the table.
pub fn audit_to_json(audit: &Audit, all_people: bool) -> Value {
    let about = &audit.about;
    document(&AuditDocument {
        schema: "privug.audit/1",
        program: Program { path: &about.path, function: about.function.as_deref() },
        arithmetic: audit.arithmetic.name(),
        secret: about.secret(),
        prior: about.priors.join(", "),
        secrets: &about.secrets,
        priors: &about.priors,
        defences: &about.defences,
        verdict: audit.verdict.name(),
        reasons: reasons(audit),
        policy: rules(&audit.policy),
        summary: summary(audit),
        people: people(audit, all_people),
        figures: audit.figures.iter().map(|one| figure(audit, one)).collect(),
        combinations: combinations(audit),
        support: supports(audit),
        derivations: derivations(audit),
        log_evidence_nats: Real::known(audit.log_evidence_nats),
        notes: sentences(&audit.notes),
    })
}

fn reasons(audit: &Audit) -> Vec<Reason> {
    let all = audit.reasons.iter().map(|reason| Reason {
        rule: reason.rule.name(),
        verdict: reason.verdict.name(),
        count: reason.count,
        message: reason_sentence(audit, reason),
        people: whom(audit, reason).iter().map(|person| audit.person_name(*person).into_owned()).collect(),
    });
    all.collect()
}

/// Some of the people whom a reason is about, where they are known: also those behind a figure that tells what all of them have.
fn whom<'a>(audit: &'a Audit, reason: &'a audit::Reason) -> &'a [usize] {
    match (&reason.finding, reason.rule) {
        (Finding::Figures(figures), Rule::SameValue | Rule::NearBound) => {
            figures.first().map_or(&[], |figure| &audit.figures[*figure].contributions.first)
        }
        (finding, _) => finding.whom(),
    }
}

fn broken(rules: &[(Rule, Verdict)]) -> Vec<Broken> {
    rules.iter().map(|(rule, verdict)| Broken { rule: rule.name(), verdict: verdict.name() }).collect()
}

fn summary(audit: &Audit) -> Summary {
    let Distribution { counts, disclosed, unknown: _ } = Distribution::of(audit);
    let figures = |verdict: Verdict| audit.figures.iter().filter(|figure| figure.verdict == verdict).count();
    Summary {
        people: PeopleSummary {
            count: audit.persons.with_secret(),
            rows: audit.persons.table_rows(),
            fail: audit.count(Verdict::Fail),
            review: audit.count(Verdict::Review),
            pass: audit.count(Verdict::Pass),
            fully_disclosed: disclosed,
            uncertainty_removed: Histogram { step_percent: 100.0 / counts.len() as f64, counts: counts.to_vec() },
            groups: audit.groups.as_ref().map(|groups| groups.all()),
            judged_by_a_bound: audit.groups.as_ref().map(|groups| groups.bounded),
        },
        figures: FiguresSummary {
            count: audit.figures.len(),
            fail: figures(Verdict::Fail),
            review: figures(Verdict::Review),
            pass: figures(Verdict::Pass),
        },
    }
}

fn people(audit: &Audit, all_people: bool) -> Vec<Person<'_>> {
    if !all_people {
        return audit.details.iter().map(|detail| person(audit, detail.person, Some(detail))).collect();
    }
    let mut details: Vec<Option<&PersonDetail>> = vec![None; audit.people.len()];
    for detail in &audit.details {
        details[detail.person] = Some(detail);
    }
    details.into_iter().enumerate().map(|(entry, detail)| person(audit, entry, detail)).collect()
}

fn combinations(audit: &Audit) -> Vec<Combination<'_>> {
    let all = audit.combinations.iter().take(COMBINATIONS).map(|combination| Combination {
        figures: combination.figures.iter().map(|place| audit.figures[*place].name.as_str()).collect(),
        count: combination.people.len(),
        people: combination.people.iter().take(PEOPLE_OF_COMBINATION).map(|entry| audit.entry_name(*entry)).collect(),
    });
    all.collect()
}

fn supports(audit: &Audit) -> Vec<Support<'_>> {
    let supports = audit.possible.iter().flat_map(|possible| &possible.supports);
    let all = supports.map(|support| Support {
        secret: &support.column,
        statement: &support.words,
        evident: support.is_evident,
    });
    all.collect()
}

fn derivations(audit: &Audit) -> Vec<Derivation<'_>> {
    let derivations = audit.possible.iter().flat_map(|possible| &possible.derivations);
    let all = derivations.map(|derivation| Derivation {
        person: audit.name(derivation.entry),
        row: audit.persons.row(derivation.entry) + 1,
        message: derivation_sentence(audit, derivation),
    });
    all.collect()
}
