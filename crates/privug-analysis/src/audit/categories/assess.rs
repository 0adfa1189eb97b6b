//! From a release of discrete secrets to an [`Audit`].

use privug_engine::sorting::CompactSort;
use std::collections::{BTreeMap, BTreeSet};

use super::super::assess::{Progress, Settings};
use super::super::combination::group;
use super::super::contributions::{Contributions, Involvement};
use super::super::counts::{follow_counts, judge_recovered};
use super::super::defence::{Defences, protect};
use super::super::in_effect::{InEffect, Summand, digits, divisor};
use super::super::notes;
use super::super::persons::Persons;
use super::super::policy::{Rule, Verdict};
use super::super::reasons::{Finding, Grounds, Reason, reasons};
use super::super::release::{Belief, Discrete, Release};
use super::super::result::{Audit, PersonDetail};
use super::super::verdicts::{PersonVerdicts, Totals};
use super::classes::{Classes, Collector, Tally};
use super::distributions::Certainty;
use super::evidence::{evidence, other_outcome};
use super::figures::{Judged, figures};
use super::measure::{distributions, measured};
use super::medians::{OfClasses, condition};
use super::mixtures::Mixtures;
use super::outcomes::{Outcomes, keep_worse};
use super::peel::Evidence;
use super::solve::{Method, Solution, solve};
use super::suppressed::Hidden;
use super::tallies::{Mixed, Tallied, Tallies};
use super::unpublished::{Differencing, of_unions};
use crate::analysis::{Arithmetic, Note};
use crate::driver::Failure;
use privug_engine::number::Scalar;
use privug_engine::posterior;
use privug_engine::stages::Stages;
use privug_language::diagnostic::{Code, Diagnostic, Refusal};

/// So many of the people with the highest risk are ranked at least.
const RANKED: usize = 200;
/// More disclosed people are counted, but it is not said by which figures.
const EXPLAINED: usize = 10_000;
/// Weights that differ by no more than that are mostly those of the values, and no digits.
const ALIKE: u64 = 4;
/// Rounding to so many people, as offices do, protects a count.
const COARSE: f64 = 3.0;
/// Multiplications that looking for small groups may take.
const SMALL_GROUPS: u64 = 2_000_000_000;

/// Assesses a release of discrete secrets. All of its secret columns are discrete.
pub(in super::super) fn assess<S: Stages>(
    release: Release<S>,
    settings: &Settings,
    defences: &Defences,
    progress: &dyn Fn(Progress),
) -> Result<Audit, Failure> {
    let policy = &settings.policy;
    let Some(discrete) = all_discrete(&release.beliefs) else {
        let message = "some secrets have a discrete prior, and some a continuous one";
        let hint = "audit them separately: they are independent, so two audits cover everything";
        let place = release.outputs.first().map_or(privug_language::source::Span::START, |output| output.span);
        return Err(refuse(&release, vec![Diagnostic::error(Code::BadSecret, place, message).hint(hint)]));
    };
    let persons = Persons::new(&release.people, &release.rows);
    let tallies = Tallies::new(&release, &persons, &discrete);
    let parts = |figure: usize| -> Result<Tallied, Failure> {
        tallies.parts(&release.outputs[figure]).map_err(|Mixed| mixed(&release, figure))
    };

    progress(Progress::Begin("weighing contributors"));
    let mut involvement = Involvement {
        figures: vec![0; release.secrets.len()],
        smallest_frequency: vec![u32::MAX; release.secrets.len()],
    };
    let mut contributions = Vec::with_capacity(release.outputs.len());
    let mut seen = Seen::new(&persons);
    for figure in 0..release.outputs.len() {
        let tallied = parts(figure)?;
        contributions.push(seen.contributions(&tallied, &mut involvement));
        progress(Progress::Step(figure + 1, release.outputs.len()));
    }
    let protection = protect(&release, defences, &contributions).map_err(Failure::Refused)?;
    let published: Vec<usize> = (0..release.outputs.len()).filter(|index| !protection.suppressed[*index]).collect();

    progress(Progress::Begin("classifying people"));
    let mut collector = Collector::new(release.secrets.len());
    for figure in &published {
        collector.look(*figure, &parts(*figure)?);
    }
    let classes = collector.classes(&discrete, &persons);
    let law = |class: usize| {
        let class = &classes.all[class];
        discrete[class.column].laws[class.law as usize].as_slice()
    };
    let whole: Vec<Vec<i64>> = (0..discrete.len()).map(|column| histogram(&classes, column, &discrete)).collect();
    let sensitive = &release.sensitive;
    // The figures that are sums of integers, the evidence they give, and what the rules say about each.
    let mut followed: Vec<usize> = Vec::new();
    let (mut summed, mut evidences): (Vec<Tally>, Vec<Evidence>) = (Vec::new(), Vec::new());
    let mut judged: Vec<Judged> = Vec::with_capacity(release.outputs.len());
    let mut opaque: Vec<Vec<u32>> = Vec::new();
    let mut medians: Vec<OfClasses> = Vec::new();
    let mut others: Vec<Option<Evidence>> = Vec::new();
    let mut noisy = 0;
    let truths: Vec<u32> = discrete.iter().flat_map(|discrete| discrete.truths.iter().copied()).collect();
    for figure in 0..release.outputs.len() {
        let tallied = parts(figure)?;
        let is_published = !protection.suppressed[figure];
        let judge = Judged::new(&tallied, &classes, &persons, &discrete, &truths, is_published);
        // Rounding to less than three people hides nothing: that is judged like the count itself.
        let rounded = protection.rounded_to[figure] >= COARSE * tallied.unit.abs() * (1.0 - 1e-9);
        let judge = judge.by_rules(sensitive, &whole, &discrete, rounded, policy);
        let judge = if rounded { judge } else { judge.in_effect(contributions[figure].in_effect.first(), policy) };
        judged.push(if release.releases_rows { judge.of_rows(policy) } else { judge });
        if !is_published {
            continue;
        }
        if let Some(median) = OfClasses::new(figure, &tallied, &release.medians, &classes) {
            noisy += usize::from(protection.noise_std[figure] > 0.0);
            medians.push(median);
            continue;
        }
        noisy += usize::from(tallied.is_noisy || protection.noise_std[figure] > 0.0);
        if tallied.is_irregular {
            let touched: BTreeSet<u32> =
                tallied.parts.iter().map(|part| classes.of_entry[part.entry as usize]).collect();
            opaque.push(touched.into_iter().collect());
            continue;
        }
        let tally = classes.tally(&tallied);
        let bounds = classes.bounds(&tally);
        let output = &release.outputs[figure];
        evidences.push(evidence(&output.value, tally.total, tallied.unit, bounds, &protection, figure));
        others.push(other_outcome(&output.value, tally.total, tallied.unit, bounds, &protection, figure));
        summed.push(tally);
        followed.push(figure);
    }

    progress(Progress::Begin("conditioning on what is published"));
    let tick = |done: usize, all: usize| progress(Progress::Step(done, all));
    let exact_law = |class: usize| {
        let class = &classes.all[class];
        discrete[class.column].exact_laws.get(class.law as usize).map(Vec::as_slice)
    };
    let mut solution =
        solve(&classes, law, exact_law, &summed, &evidences, &tick).map_err(|_| contradiction(&release))?;
    let around = (&release, &protection);
    let (entangled, median_of) = condition(&mut solution, medians, &summed, &opaque, &classes, law, around);
    opaque.extend(entangled);
    hide(&mut solution, &opaque);
    let outcomes = Outcomes::new(&summed, others, classes.all.len(), solution.walked);
    // Where only some columns are known, the worst is the worst on average over all who agree in these.
    let mut mixtures = (release.known_groups.is_some() && outcomes.is_affected.contains(&true)).then(|| {
        let mut mixtures = Mixtures::new(&distributions(&release, &classes, &solution, &discrete), &classes, &outcomes);
        hide(&mut solution, &outcomes.too_many);
        mixtures.look(&solution.posteriors);
        mixtures
    });
    for case in outcomes.less_likely(&evidences) {
        let mut found = solve(&classes, law, exact_law, &summed, &case, &tick).map_err(|_| contradiction(&release))?;
        if let Some(mixtures) = &mut mixtures {
            hide(&mut found, &opaque);
            hide(&mut found, &outcomes.too_many);
            mixtures.look(&found.posteriors);
        }
        let affected = found.posteriors.into_iter().enumerate().filter(|(class, _)| outcomes.is_affected[*class]);
        for (class, other) in affected {
            let kept = &mut solution.posteriors[class];
            keep_worse(kept, other, class, &classes, law(class), sensitive, policy);
        }
    }
    // Once more: what is unknown whatever is published.
    hide(&mut solution, &opaque);
    hide(&mut solution, &outcomes.too_many);

    progress(Progress::Begin("measuring everybody"));
    let mut distributions = distributions(&release, &classes, &solution, &discrete);
    if let Some(mixtures) = mixtures {
        mixtures.apply(&mut distributions, policy);
    }
    let people = measured(&release, distributions, involvement, policy);
    let verdicts = PersonVerdicts::new(&persons, &people, &Totals::default(), policy);
    let worst = people.worst(&persons, &verdicts, settings.top.max(RANKED));

    progress(Progress::Begin("explaining the worst"));
    let told_by = |entry: usize| -> Vec<usize> {
        let class = classes.of_entry[entry] as usize;
        let told = solution.peeled.classes[class].told_by.iter().flatten().map(|tally| followed[*tally as usize]);
        let told = told.chain(median_of.get(&(class as u32)).copied());
        told.collect::<BTreeSet<usize>>().into_iter().collect()
    };
    let disclosed = (0..people.len()).filter(|entry| people.fully_disclosed[*entry]).take(EXPLAINED);
    let combinations = group(disclosed.map(|entry| (entry, told_by(entry))));
    let options = posterior::Options {
        max_cells: settings.work.cells,
        max_operations: settings.work.operations.min(SMALL_GROUPS),
        cancelled: settings.cancelled.clone(),
        ..posterior::Options::default()
    };
    let hidden = Hidden {
        classes: &classes,
        solution: &solution,
        followed: &followed,
        judged: &judged,
        suppressed: &protection.suppressed,
        policy,
    };
    let recovered = hidden.recovered(&options);
    let mut figures = figures(
        &release,
        contributions,
        &judged,
        &protection,
        &solution,
        &recovered,
        &followed,
        &classes,
        &combinations,
        policy,
        &persons,
    );
    let first_count = release.outputs.len();
    let hidden = &protection.suppressed[first_count..first_count + release.counts.len()];
    let counts = follow_counts(&release.counts, hidden, &persons, policy, &options);
    if let Some(found) = &counts {
        judge_recovered(&mut figures, first_count, found, policy);
    }
    let mut reasons = reasons(
        &Grounds {
            verdicts: &verdicts,
            figures: &figures,
            columns: &release.columns,
            discrete: &[],
            counts: counts.as_ref(),
            first_count,
        },
        policy,
    );
    let differencing =
        Differencing { solution: &solution, tallies: &summed, classes: &classes, persons: &persons, policy };
    reasons.extend(differencing.reasons(&options, &followed));
    reasons.extend(of_unions(&recovered, policy));
    reasons.sort_compact_by_key(|reason| std::cmp::Reverse(reason.verdict));
    if policy.judges_no_category() && !published.is_empty() {
        let (rule, verdict, count) = (Rule::Unexamined, Verdict::Review, published.len());
        reasons.push(Reason { rule, verdict, count, finding: Finding::NothingJudged });
    }
    let details = worst.iter().take(settings.top).map(|entry| PersonDetail {
        person: *entry,
        leaks: Vec::new(),
        combination: if people.fully_disclosed[*entry] {
            told_by(*entry).into_iter().map(|figure| (figure, 1.0)).collect()
        } else {
            Vec::new()
        },
        exact: None,
    });
    let details: Vec<PersonDetail> = details.collect();
    let explained = combinations.iter().flat_map(|one| &one.people).map(|entry| persons.of_entry(*entry));
    let mut audit = Audit {
        groups: None,
        recorded: None,
        about: settings.about.clone(),
        arithmetic: if S::EXACT { Arithmetic::Exact } else { Arithmetic::Float },
        policy: policy.clone(),
        verdict: reasons.iter().map(|reason| reason.verdict).max().unwrap_or(Verdict::Pass),
        reasons,
        explained: explained.collect::<BTreeSet<_>>().len(),
        people,
        totals: Totals::default(),
        possible: None,
        verdicts,
        worst,
        details,
        figures,
        combinations,
        disclosed_by: Vec::new(),
        log_evidence_nats: f64::NAN,
        notes: Vec::new(),
        columns: release.columns.clone(),
        names: release.people.clone(),
        sources: release.sources.clone(),
        persons: persons.clone(),
    };
    audit.notes = notes::write(&audit, None, &release.notes, &protection.notes);
    if noisy > 0 {
        let figures = if noisy == 1 { "1 figure has".to_owned() } else { format!("{noisy} figures have") };
        audit.notes.push(Note::from(format!(
            "{figures} noise, which is ignored for a discrete secret: the report shows what they would reveal without it"
        )));
    }
    audit.notes.extend(outcomes.note().map(Note::from));
    if !settings.supports.is_empty() {
        let words = "`--support` is ignored here: a discrete prior already defines which values are possible";
        audit.notes.push(Note::from(words.to_owned()));
    }
    audit.notes.extend(known_note(&release).map(Note::from));
    if S::EXACT {
        audit.notes.extend(inexact_note(&audit).map(Note::from));
    }
    Ok(audit)
}

fn refuse<S>(release: &Release<S>, diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::Refused(Refusal { sources: release.sources.clone(), diagnostics })
}

/// The beliefs, if all of them are discrete.
fn all_discrete(beliefs: &[Belief]) -> Option<Vec<&Discrete>> {
    beliefs
        .iter()
        .map(|belief| match belief {
            Belief::Discrete(discrete) => Some(discrete),
            Belief::Gaussian | Belief::Skewed(_) => None,
        })
        .collect()
}

fn mixed<S: Scalar>(release: &Release<S>, figure: usize) -> Failure {
    let output = &release.outputs[figure];
    let message = format!("`{}` depends on a random variable that is not a secret", output.name);
    let hint = "an audited script must not draw random numbers";
    refuse(release, vec![Diagnostic::error(Code::RandomRelease, output.span, message).hint(hint)])
}

fn contradiction<S: Scalar>(release: &Release<S>) -> Failure {
    let span = release.outputs.first().map_or(privug_language::source::Span::START, |output| output.span);
    let message = "the published figures contradict each other under the prior";
    refuse(release, vec![Diagnostic::error(Code::Contradiction, span, message)])
}

/// How many have each value of a column in the whole table.
fn histogram(classes: &Classes, column: usize, discrete: &[&Discrete]) -> Vec<i64> {
    let mut all = vec![0; discrete[column].values.len()];
    for class in classes.all.iter().filter(|class| class.column == column) {
        all.iter_mut().zip(&class.histogram).for_each(|(sum, count)| *sum += i64::from(*count));
    }
    all
}

/// Who is behind a figure, person by person.
struct Seen<'a> {
    persons: &'a Persons,
    /// The last figure that each person was seen in.
    last: Vec<u32>,
    figure: u32,
}

impl<'a> Seen<'a> {
    fn new(persons: &'a Persons) -> Self {
        Seen { persons, last: vec![0; persons.count()], figure: 0 }
    }

    fn contributions(&mut self, tallied: &Tallied, involvement: &mut Involvement) -> Contributions {
        self.figure += 1;
        let mut contributors = 0;
        for part in &tallied.parts {
            let last = &mut self.last[self.persons.of_entry(part.entry as usize)];
            contributors += usize::from(*last != self.figure);
            *last = self.figure;
        }
        let mut before = u32::MAX;
        for part in &tallied.parts {
            // The codes of an entry may stand apart; being counted twice does no harm to the minimum.
            let smallest = &mut involvement.smallest_frequency[part.entry as usize];
            *smallest = (*smallest).min(contributors as u32);
            if part.entry != before && part.code == tallied.parts[0].code {
                involvement.figures[part.entry as usize] += 1;
            }
            before = part.entry;
        }
        let largest = tallied.parts.iter().map(|part| part.weight.unsigned_abs()).max().unwrap_or(0);
        Contributions {
            contributors,
            largest_weight: if tallied.is_irregular { f64::NAN } else { largest as f64 * tallied.unit },
            in_effect: in_effect(tallied, self.persons, largest).into_iter().collect(),
            ..Contributions::default()
        }
    }
}

/// Of how few people a figure is in effect. What somebody adds is a multiple of the divisor of the weights of their values,
/// between the smallest and the largest of these.
fn in_effect(tallied: &Tallied, persons: &Persons, largest: u64) -> Option<InEffect> {
    let smallest = tallied.parts.iter().map(|part| part.weight.unsigned_abs()).min()?;
    if tallied.is_irregular || largest <= ALIKE * smallest {
        return None;
    }
    let mut of_entries: BTreeMap<u32, (u64, i64, i64)> = BTreeMap::new();
    for part in &tallied.parts {
        let (step, least, most) = of_entries.entry(part.entry).or_default();
        *step = divisor(*step, part.weight.unsigned_abs());
        (*least, *most) = (part.weight.min(*least), part.weight.max(*most));
    }
    let size = of_entries.values().map(|(_, least, most)| (most - least) as f64).sum();
    let summand = |(entry, (step, least, most)): (u32, (u64, i64, i64))| Summand {
        person: persons.of_entry(entry as usize),
        people: 1,
        step: step as f64,
        count: (most - least) as f64 / step as f64,
    };
    digits(of_entries.into_iter().map(summand).collect(), size)
}

/// Figures that are no sums of integers tie classes together in a way that is not worked out.
fn hide(solution: &mut Solution<'_>, opaque: &[Vec<u32>]) {
    let mut unknown_parts: BTreeSet<u32> = BTreeSet::new();
    let mut unknown: BTreeSet<u32> = BTreeSet::new();
    for classes in opaque {
        for class in classes.iter().filter(|class| !solution.peeled.classes[**class as usize].is_solved()) {
            unknown.insert(*class);
            unknown_parts.extend(solution.part_of[*class as usize]);
        }
    }
    for (class, part) in solution.part_of.iter().enumerate() {
        if part.is_some_and(|part| unknown_parts.contains(&part)) {
            unknown.insert(class as u32);
        }
    }
    for class in unknown {
        let posterior = &mut solution.posteriors[class as usize];
        (posterior.method, posterior.exact) = (Method::Unknown, None);
    }
}

fn known_note<S>(release: &Release<S>) -> Option<String> {
    release.known_groups.as_ref()?;
    Some(
        "the attacker knows only some columns: for people who agree in these, the attacker knows how the other columns are distributed, but not who has which value"
            .to_owned(),
    )
}

/// Of how many people there are no fractions.
fn inexact_note(audit: &Audit) -> Option<String> {
    let discrete = audit.people.discrete.as_ref()?;
    let is_rounded = |entry: &usize| {
        let known = discrete.of(*entry);
        known.exact.is_none() && known.certainty != Certainty::Unknown
    };
    let count = (0..discrete.of_entry.len()).filter(is_rounded).count();
    let secrets = match count {
        0 => return None,
        1 => "the probabilities of 1 secret are".to_owned(),
        count => format!("the probabilities of {count} secrets are"),
    };
    Some(format!(
        "{secrets} not given as fractions: these would be too long, or depend on a median or on random rounding; doubles with a proven error bound are given instead"
    ))
}
