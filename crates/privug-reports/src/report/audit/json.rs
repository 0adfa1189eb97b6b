//! An audit as the JSON document `privug.audit/1`.

use crate::report::notes::sentences;
use serde_json::{Map, Value, json};

use super::distribution::Distribution;
use crate::report::json::json_number;
use privug_analysis::audit::{
    Audit, Brackets, Certainty, Distributions, Figure, FigureStatus, PersonDetail, Policy, Reason, Rule, SecretValue,
    Support, Thresholds, Verdict,
};

/// Combinations that are listed, and people of each.
const COMBINATIONS: usize = 1000;
const PEOPLE_OF_COMBINATION: usize = 100;

/// The whole document; with the people at the highest risk, or with everybody in the order of the table.
pub fn audit_to_json(audit: &Audit, all_people: bool) -> Value {
    let mut document = Map::new();
    let about = &audit.about;
    document.insert("schema".into(), json!("privug.audit/1"));
    document.insert("program".into(), json!({"path": about.path, "function": about.function}));
    document.insert("arithmetic".into(), json!(audit.arithmetic.name()));
    document.insert("secret".into(), json!(about.secret()));
    document.insert("prior".into(), json!(about.priors.join(", ")));
    document.insert("secrets".into(), json!(about.secrets));
    document.insert("priors".into(), json!(about.priors));
    document.insert("defences".into(), json!(about.defences));
    document.insert("verdict".into(), json!(audit.verdict.name()));
    document.insert("reasons".into(), audit.reasons.iter().map(reason).collect());
    document.insert("policy".into(), policy(&audit.policy));
    document.insert("summary".into(), summary(audit));
    let listed: Vec<usize> = if all_people {
        (0..audit.people.len()).collect()
    } else {
        audit.details.iter().map(|detail| detail.person).collect()
    };
    let mut details: Vec<Option<&PersonDetail>> = vec![None; if all_people { audit.people.len() } else { 0 }];
    for detail in audit.details.iter().filter(|_| all_people) {
        details[detail.person] = Some(detail);
    }
    let people = listed.iter().enumerate().map(|(place, index)| {
        let detail = if all_people { details[*index] } else { audit.details.get(place) };
        person(audit, *index, detail)
    });
    document.insert("people".into(), people.collect());
    document.insert("figures".into(), audit.figures.iter().map(|one| figure(audit, one)).collect());
    document.insert("combinations".into(), combinations(audit));
    document.insert("support".into(), supports(audit));
    document.insert("derivations".into(), derivations(audit));
    let evidence = Some(audit.log_evidence_nats).filter(|nats| !nats.is_nan());
    document.insert("log_evidence_nats".into(), evidence.map_or(Value::Null, json_number));
    document.insert("notes".into(), json!(sentences(&audit.notes)));
    Value::Object(document)
}

fn reason(reason: &Reason) -> Value {
    json!({
        "rule": reason.rule.name(),
        "verdict": reason.verdict.name(),
        "count": reason.count,
        "message": reason.words,
    })
}

fn policy(policy: &Policy) -> Value {
    let number = |value: Option<f64>| value.map_or(Value::Null, json_number);
    let thresholds = |thresholds: &Thresholds| {
        let mut rule = Map::new();
        rule.insert("review".into(), number(thresholds.review));
        rule.insert("fail".into(), number(thresholds.fail));
        rule
    };
    let level = |verdict: Verdict| if verdict == Verdict::Pass { json!("off") } else { json!(verdict.name()) };
    let mut rules = Map::new();
    rules.insert("baseline".into(), json!(policy.baseline()));
    for rule in Rule::ALL {
        let value = match rule {
            Rule::MinimumFrequency => Value::Object(thresholds(&policy.minimum_frequency)),
            Rule::Dominance => {
                let mut rule = thresholds(&policy.dominance);
                rule.insert("largest".into(), json!(policy.dominance_largest));
                Value::Object(rule)
            }
            Rule::PPercent => Value::Object(thresholds(&policy.p_percent)),
            Rule::SameValue => level(policy.same_value),
            Rule::Recoverable => level(policy.recoverable),
            Rule::Unexamined => level(policy.unexamined),
            Rule::DiscreteSecret => level(policy.discrete_secret),
            Rule::FullDisclosure => level(policy.full_disclosure),
            Rule::RelativeStd => Value::Object(thresholds(&policy.relative_std)),
            Rule::MutualInformation => Value::Object(thresholds(&policy.mutual_information_bits)),
            Rule::IntervalPercent => Value::Object(thresholds(&policy.interval_percent)),
            Rule::NearTruth => {
                let mut rule = thresholds(&policy.near_truth);
                rule.insert("percent".into(), json_number(policy.near_truth_percent));
                rule.insert("gain".into(), json_number(policy.near_truth_gain));
                Value::Object(rule)
            }
            Rule::SmallCount => Value::Object(thresholds(&policy.small_count)),
            Rule::ClassDisclosure => level(policy.class_disclosure),
            Rule::RevealingZero => level(policy.revealing_zero),
            Rule::Differencing => level(policy.differencing),
            Rule::LDiversity => Value::Object(thresholds(&policy.l_diversity)),
            Rule::TCloseness => Value::Object(thresholds(&policy.t_closeness)),
            Rule::KAnonymity => Value::Object(thresholds(&policy.k_anonymity)),
            Rule::AttributeDisclosure => {
                let mut rule = thresholds(&policy.attribute_disclosure);
                rule.insert("gain".into(), json_number(policy.attribute_gain));
                Value::Object(rule)
            }
            Rule::Unknown => level(policy.unknown),
        };
        rules.insert(rule.name().into(), value);
    }
    Value::Object(rules)
}

fn summary(audit: &Audit) -> Value {
    let Distribution { counts, disclosed } = Distribution::of(audit);
    let figures = |verdict: Verdict| audit.figures.iter().filter(|figure| figure.verdict == verdict).count();
    let mut summary = json!({
        "people": {
            "count": audit.persons.with_secret(),
            "rows": audit.persons.table_rows(),
            "fail": audit.count(Verdict::Fail),
            "review": audit.count(Verdict::Review),
            "pass": audit.count(Verdict::Pass),
            "fully_disclosed": disclosed,
            "uncertainty_removed": {"step_percent": 100.0 / counts.len() as f64, "counts": counts.to_vec()},
        },
        "figures": {
            "count": audit.figures.len(),
            "fail": figures(Verdict::Fail),
            "review": figures(Verdict::Review),
            "pass": figures(Verdict::Pass),
        },
    });
    if let Some(groups) = audit.groups {
        summary["people"]["groups"] = json!(audit.persons.count());
        summary["people"]["judged_by_a_bound"] = json!(groups.bounded);
    }
    summary
}

fn broken(rules: &[(Rule, Verdict)]) -> Value {
    rules.iter().map(|(rule, verdict)| json!({"rule": rule.name(), "verdict": verdict.name()})).collect()
}

fn person(audit: &Audit, person: usize, detail: Option<&PersonDetail>) -> Value {
    let people = &audit.people;
    let mut object = Map::new();
    object.insert("person".into(), json!(audit.name(person)));
    if audit.persons.is_grouped() {
        // Somebody of a group, who is the worst off of it.
        object.insert("people".into(), json!(audit.persons.size(audit.persons.of_entry(person))));
    } else {
        object.insert("row".into(), json!(audit.persons.row(person) + 1));
    }
    if let Some(column) = audit.column_of(person) {
        object.insert("secret".into(), json!(column));
    }
    object.insert("verdict".into(), json!(people.verdict[person].name()));
    let whole = audit.verdicts.verdict(audit.persons.of_entry(person));
    object.insert("person_verdict".into(), json!(whole.name()));
    object.insert("rules".into(), broken(&people.broken_rules(person, &audit.policy)));
    object.insert("fully_disclosed".into(), json!(people.fully_disclosed[person]));
    if let Some(discrete) = &people.discrete {
        object.insert("distribution".into(), distribution(discrete, person));
    }
    if let Some(brackets) = &people.brackets {
        object.insert("distribution".into(), bracket(brackets, person));
    }
    for (name, value) in [
        ("truth", people.truth[person]),
        ("prior_mean", people.prior_mean[person]),
        ("prior_variance", people.prior_variance[person]),
        ("posterior_mean", people.posterior_mean[person]),
        ("posterior_variance", people.posterior_variance[person]),
        ("mean_shift", people.mean_shift[person]),
        ("relative_std", people.relative_std[person]),
        ("mutual_information_bits", people.mutual_information_bits[person]),
        ("near_truth_prior", people.near_truth_prior[person]),
        ("near_truth_posterior", people.near_truth_posterior[person]),
    ] {
        object.insert(name.into(), if value.is_nan() { Value::Null } else { json_number(value) });
    }
    let without = |column: &[f64], prior: &[f64]| json_number(*column.get(person).unwrap_or(&prior[person]));
    object.insert("baseline_mean".into(), without(&people.baseline_mean, &people.prior_mean));
    object.insert("baseline_variance".into(), without(&people.baseline_variance, &people.prior_variance));
    if let Some(possible) = &audit.possible {
        object.insert("possible_lower".into(), json_number(possible.lower[person]));
        object.insert("possible_upper".into(), json_number(possible.upper[person]));
        object.insert("interval_percent".into(), json_number(possible.outsider_percent[person]));
        object.insert("interval_percent_contributor".into(), json_number(possible.contributor_percent[person]));
        object.insert("interval_method".into(), json!(possible.method[person].name()));
    }
    object.insert("figures".into(), json!(people.figures[person]));
    let smallest = Some(people.smallest_frequency[person]).filter(|_| people.figures[person] > 0);
    object.insert("smallest_frequency".into(), json!(smallest));
    if let Some(detail) = detail {
        let leaks = detail.leaks.iter().map(|leak| {
            json!({
                "figure": audit.figures[leak.figure].name,
                "mutual_information_alone_bits": json_number(leak.alone_bits),
                "mutual_information_added_bits": json_number(leak.added_bits),
            })
        });
        object.insert("leaks".into(), leaks.collect());
        let weights = detail
            .combination
            .iter()
            .map(|(figure, weight)| json!({"figure": audit.figures[*figure].name, "weight": json_number(*weight)}));
        object.insert("disclosed_by".into(), weights.collect());
        if let Some([mean, variance]) = &detail.exact {
            object.insert("exact".into(), json!({"posterior_mean": mean, "posterior_variance": variance}));
        }
    }
    Value::Object(object)
}

/// What was and is known under a skewed prior, with bounds.
fn bracket(brackets: &Brackets, entry: usize) -> Value {
    let known = brackets.of(entry);
    let bounds = |bounds: Option<[f64; 2]>| match bounds {
        Some([low, high]) if !low.is_nan() && !high.is_nan() => json!([json_number(low), json_number(high)]),
        _ => Value::Null,
    };
    json!({
        "kind": "skewed",
        "method": known.method(),
        "prior": known.prior.words(),
        "mean": bounds(known.mean),
        "std": bounds(known.std_dev),
        "interval_95": bounds(known.interval),
        "information_bits": bounds(known.bits),
        "near_truth": bounds(Some(brackets.near_truth[entry])),
    })
}

/// What was and is known about a discrete secret.
fn distribution(discrete: &Distributions, entry: usize) -> Value {
    let known = discrete.of(entry);
    let values = &discrete.values[known.column];
    let shown = |value: &SecretValue| match value {
        SecretValue::Bool(value) => json!(value),
        SecretValue::Int(value) => json!(value),
        SecretValue::Number(value) => json_number(*value),
        SecretValue::Text(text) => json!(text.as_ref()),
    };
    let is_known = known.certainty != Certainty::Unknown;
    let law = |law: &[f64], is_prior: bool| -> Value {
        let each = values.iter().zip(law).enumerate().map(|(code, (value, p))| {
            let mut one = json!({"value": shown(value), "probability": json_number(*p)});
            if let (Some(exact), Some(object)) = (known.exact_text(is_prior, code), one.as_object_mut()) {
                object.insert("exact".into(), json!(exact));
            }
            one
        });
        each.collect()
    };
    let possible = values.iter().zip(&known.possible).filter(|(_, possible)| **possible).map(|(value, _)| shown(value));
    json!({
        "kind": "discrete",
        "method": known.certainty.name(),
        "bound": match known.certainty {
            Certainty::Certified(bound) => json_number(bound),
            Certainty::Exact | Certainty::Unknown => Value::Null,
        },
        "truth": shown(&values[discrete.truths[entry] as usize]),
        "prior": law(&known.prior, true),
        "posterior": if is_known { law(&known.posterior, false) } else { Value::Null },
        "possible": possible.collect::<Vec<_>>(),
        "people": known.people,
    })
}

fn figure(audit: &Audit, figure: &Figure) -> Value {
    let contributions = &figure.contributions;
    let number = |value: Option<f64>| value.map_or(Value::Null, json_number);
    let from = match &figure.status {
        FigureStatus::Used | FigureStatus::Count | FigureStatus::Unexamined { .. } => &[][..],
        FigureStatus::Redundant { implied_by } => implied_by,
        FigureStatus::Suppressed { recovered_from, .. } => recovered_from,
    };
    let from: Vec<&str> = from.iter().map(|index| audit.figures[*index].name.as_str()).collect();
    let largest = contributions.largest.iter().map(|(person, size)| {
        let share = if contributions.total > 0.0 { size / contributions.total } else { 0.0 };
        json!({"person": audit.person_name(*person), "share": json_number(share)})
    });
    let is_known = !matches!(figure.status, FigureStatus::Unexamined { .. });
    let mut document = json!({
        "name": figure.name,
        "line": figure.line,
        "value": number(Some(figure.value).filter(|value| !value.is_nan())),
        "published": number(Some(figure.published).filter(|value| figure.is_published() && !value.is_nan())),
        "noise_std": json_number(figure.noise_std),
        "status": figure.status.name(),
        "follows_from": from,
        "contributors": if is_known { json!(contributions.contributors) } else { Value::Null },
        "largest": largest.collect::<Vec<_>>(),
        "dominance_percent": number(figure.concentration.dominance_percent),
        "estimate_percent": number(figure.concentration.estimate_percent),
        "z": json_number(figure.z),
        "discloses": figure.discloses,
        "verdict": figure.verdict.name(),
        "rules": broken(&figure.broken),
    });
    let ranges = audit.possible.iter().flat_map(|possible| &possible.suppressed);
    if let Some(range) = ranges.into_iter().find(|range| audit.figures[range.figure].name == figure.name) {
        document["possible"] = json!({
            "lower": number(Some(range.lower).filter(|bound| !bound.is_nan())),
            "upper": number(Some(range.upper).filter(|bound| !bound.is_nan())),
            "interval_percent": number(Some(range.percent).filter(|percent| !percent.is_nan())),
            "method": if range.is_certain { "exact" } else { "unknown" },
        });
    }
    document
}

/// What was taken to be possible.
fn supports(audit: &Audit) -> Value {
    let supports = audit.possible.iter().flat_map(|possible| &possible.supports);
    let one = |support: &Support| json!({"secret": support.column, "statement": support.words, "evident": support.is_evident});
    supports.map(one).collect()
}

/// Why hardly anything but the truth is possible for some people.
fn derivations(audit: &Audit) -> Value {
    let derivations = audit.possible.iter().flat_map(|possible| &possible.derivations);
    derivations
        .map(|derivation| {
            let row = audit.persons.row(derivation.entry) + 1;
            json!({"person": audit.name(derivation.entry), "row": row, "message": derivation.words})
        })
        .collect()
}

fn combinations(audit: &Audit) -> Value {
    let all = audit.combinations.iter().take(COMBINATIONS).map(|combination| {
        let figures: Vec<&str> = combination.figures.iter().map(|index| audit.figures[*index].name.as_str()).collect();
        let people = combination.people.iter().take(PEOPLE_OF_COMBINATION).map(|entry| json!(audit.entry_name(*entry)));
        json!({"figures": figures, "count": combination.people.len(), "people": people.collect::<Vec<_>>()})
    });
    all.collect()
}
