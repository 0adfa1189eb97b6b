//! From a release of discrete secrets to an [`Audit`].

use std::collections::{BTreeSet, HashMap};

use super::super::assess::{Progress, Settings};
use super::super::combination::group;
use super::super::contributions::{Contributions, Involvement};
use super::super::counts::small_groups;
use super::super::defence::{Defences, protect};
use super::super::notes;
use super::super::people::PeopleColumns;
use super::super::persons::Persons;
use super::super::policy::{Policy, Rule, Verdict};
use super::super::reasons::{Grounds, Reason, reasons};
use super::super::release::{Belief, Discrete, Release};
use super::super::result::{Audit, PersonDetail};
use super::super::verdicts::{PersonVerdicts, Totals};
use super::classes::{Classes, Collector, Tally};
use super::distributions::{Certainty, Distribution, Distributions};
use super::evidence::evidence;
use super::figures::{Judged, figures};
use super::peel::Evidence;
use super::solve::{Method, Solution, solve};
use super::tallies::{Mixed, Tallied, Tallies};
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
        let message = "some secrets are discrete, and some have a prior of numbers";
        let hint = "audit them one after the other: they are independent, so that the two audits tell all there is";
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

    progress(Progress::Begin("telling people apart"));
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
    let mut noisy = 0;
    let truths: Vec<u32> = discrete.iter().flat_map(|discrete| discrete.truths.iter().copied()).collect();
    for figure in 0..release.outputs.len() {
        let tallied = parts(figure)?;
        let is_published = !protection.suppressed[figure];
        let judge = Judged::new(&tallied, &classes, &persons, &discrete, &truths, is_published);
        let rounded = protection.rounded_to[figure] > 0.0;
        let judge = judge.by_rules(sensitive, &whole, &discrete, rounded, policy);
        judged.push(if release.releases_rows { judge.of_rows(policy) } else { judge });
        if !is_published {
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
        summed.push(tally);
        followed.push(figure);
    }

    progress(Progress::Begin("conditioning on what is published"));
    let tick = |done: usize, all: usize| progress(Progress::Step(done, all));
    let mut solution = solve(&classes, law, &summed, &evidences, &tick).map_err(|_| contradiction(&release))?;
    hide(&mut solution, &opaque);

    progress(Progress::Begin("measuring everybody"));
    let distributions = distributions(&release, &classes, &solution, &discrete);
    let people = measured(&release, distributions, involvement, policy);
    let verdicts = PersonVerdicts::new(&persons, &people, &Totals::default(), policy);
    let worst = people.worst(&persons, &verdicts, settings.top.max(RANKED));

    progress(Progress::Begin("explaining the worst"));
    let told_by = |entry: usize| -> Vec<usize> {
        let class = classes.of_entry[entry] as usize;
        let told = solution.peeled.classes[class].told_by.iter().flatten().map(|tally| followed[*tally as usize]);
        told.collect::<BTreeSet<usize>>().into_iter().collect()
    };
    let disclosed = (0..people.len()).filter(|entry| people.fully_disclosed[*entry]).take(EXPLAINED);
    let combinations = group(disclosed.map(|entry| (entry, told_by(entry))));
    let figures = figures(
        &release,
        contributions,
        &judged,
        &protection,
        &solution,
        &followed,
        &classes,
        &combinations,
        policy,
        &persons,
    );
    let first_count = release.outputs.len();
    let counted: Vec<usize> =
        (0..release.counts.len()).filter(|place| !protection.suppressed[first_count + place]).collect();
    let options = posterior::Options {
        max_cells: settings.work.cells,
        max_operations: settings.work.operations.min(SMALL_GROUPS),
        cancelled: settings.cancelled.clone(),
        ..posterior::Options::default()
    };
    let groups = small_groups(&release.counts, &counted, &persons, policy, &options);
    let mut reasons = reasons(
        &Grounds {
            verdicts: &verdicts,
            persons: &persons,
            names: &release.people,
            figures: &figures,
            columns: &release.columns,
            discrete: &[],
            groups: groups.as_deref(),
            first_count,
        },
        policy,
    );
    reasons.extend(differencing(&solution, &summed, &classes, &persons, policy, |tally| {
        figures[followed[tally]].name.clone()
    }));
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.verdict));
    if policy.judges_no_category() && !published.is_empty() {
        let words = "every rule about what is learned of people is switched off: nobody looked at the figures";
        let count = published.len();
        reasons.push(Reason { rule: Rule::Unexamined, verdict: Verdict::Review, count, words: words.to_owned() });
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
            "{figures} noise, which is not taken into account for a discrete secret: what is said here is what they would \
             tell without it"
        )));
    }
    if !settings.supports.is_empty() {
        let words = "`--support` is not looked at here: a discrete prior says itself which values are possible";
        audit.notes.push(Note::from(words.to_owned()));
    }
    audit.notes.extend(known_note(&release).map(Note::from));
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
    let message = format!("`{}` depends on something random that is no secret", output.name);
    let hint = "a script that is audited draws no random numbers of its own";
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
            ..Contributions::default()
        }
    }
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
        solution.posteriors[class as usize].method = Method::Unknown;
    }
}

/// What is known about everybody: by class or, where the attacker knows only some columns, on average over those who agree
/// in these.
///
/// Within a group of people with the same known columns the attacker knows how the other columns are distributed, but not
/// who has which: all ways to hand them out are equally likely, and no figure depends on which it is. So the posterior of
/// each of them is the mean of what somebody who knew all columns would have.
fn distributions<S: Scalar>(
    release: &Release<S>,
    classes: &Classes,
    solution: &Solution<'_>,
    discrete: &[&Discrete],
) -> Distributions {
    let of_class: Vec<Distribution> = classes
        .all
        .iter()
        .zip(&solution.posteriors)
        .map(|(class, posterior)| Distribution {
            column: class.column,
            prior: discrete[class.column].laws[class.law as usize].clone(),
            posterior: posterior.probabilities.clone(),
            possible: posterior.possible.clone(),
            certainty: Certainty::from(posterior.method),
            people: class.size() as usize,
        })
        .collect();
    let mut all = Distributions {
        values: discrete.iter().map(|discrete| discrete.values.clone()).collect(),
        sensitive: release.sensitive.clone(),
        known: of_class,
        of_entry: classes.of_entry.clone(),
        truths: discrete.iter().flat_map(|discrete| discrete.truths.iter().copied()).collect(),
    };
    if let Some(groups) = &release.known_groups {
        all = averaged(all, release, groups);
    }
    all
}

fn averaged<S: Scalar>(full: Distributions, release: &Release<S>, groups: &[u32]) -> Distributions {
    let mut places: HashMap<(usize, u32), u32> = HashMap::new();
    let mut known: Vec<Distribution> = Vec::new();
    let mut of_entry = Vec::with_capacity(full.of_entry.len());
    let rows = release.rows.iter().enumerate().flat_map(|(column, rows)| rows.iter().map(move |row| (column, *row)));
    for (entry, (column, row)) in rows.enumerate() {
        let of = full.of(entry);
        let place = *places.entry((column, groups[row as usize])).or_insert_with(|| {
            known.push(Distribution {
                column,
                prior: vec![0.0; of.prior.len()],
                posterior: vec![0.0; of.prior.len()],
                possible: vec![false; of.prior.len()],
                certainty: Certainty::Exact,
                people: 0,
            });
            known.len() as u32 - 1
        });
        let sum = &mut known[place as usize];
        sum.people += 1;
        sum.certainty = sum.certainty.worse(of.certainty);
        for code in 0..of.prior.len() {
            sum.prior[code] += of.prior[code];
            sum.posterior[code] += of.posterior[code];
            sum.possible[code] |= of.possible[code];
        }
        of_entry.push(place);
    }
    for sum in &mut known {
        let count = sum.people as f64;
        sum.prior.iter_mut().chain(&mut sum.posterior).for_each(|p| *p /= count);
    }
    Distributions { known, of_entry, ..full }
}

fn known_note<S>(release: &Release<S>) -> Option<String> {
    release.known_groups.as_ref()?;
    Some(
        "the attacker knows only some columns of everybody: of people who agree in these, how the others are distributed \
         is known, but not who has which"
            .to_owned(),
    )
}

/// The columns about people that all kinds of secrets share.
fn measured<S: Scalar>(
    release: &Release<S>,
    distributions: Distributions,
    involvement: Involvement,
    policy: &Policy,
) -> PeopleColumns {
    struct Moments {
        mean: [f64; 2],
        variance: [f64; 2],
        bits: f64,
    }
    let of_known = |known: &Distribution| {
        let numbers: Vec<f64> =
            distributions.values[known.column].iter().map(|value| value.number().unwrap_or(f64::NAN)).collect();
        let moments = |probabilities: &[f64]| {
            let mean: f64 = probabilities.iter().zip(&numbers).map(|(p, x)| p * x).sum();
            let square = |(p, x): (&f64, &f64)| p * (x - mean) * (x - mean);
            (mean, probabilities.iter().zip(&numbers).map(square).sum::<f64>())
        };
        let unknown = known.certainty == Certainty::Unknown;
        let before = moments(&known.prior);
        let after = if unknown { (f64::NAN, f64::NAN) } else { moments(&known.posterior) };
        Moments { mean: [before.0, after.0], variance: [before.1, after.1], bits: known.information_bits() }
    };
    let moments: Vec<Moments> = distributions.known.iter().map(of_known).collect();
    let count = distributions.of_entry.len();
    let column = |pick: &dyn Fn(&Moments) -> f64| -> Vec<f64> {
        distributions.of_entry.iter().map(|place| pick(&moments[*place as usize])).collect()
    };
    let truth_probability = |after: bool| -> Vec<f64> {
        (0..count)
            .map(|entry| {
                let (known, code) = (distributions.of(entry), distributions.truths[entry] as usize);
                match (after, known.certainty) {
                    (false, _) => known.prior[code],
                    (true, Certainty::Unknown) => f64::NAN,
                    (true, Certainty::Exact | Certainty::Certified(_)) => known.posterior[code],
                }
            })
            .collect()
    };
    let mut people = PeopleColumns {
        truth: release.truths.clone(),
        prior_mean: column(&|moments| moments.mean[0]),
        prior_variance: column(&|moments| moments.variance[0]),
        posterior_mean: column(&|moments| moments.mean[1]),
        mean_shift: column(&|moments| moments.mean[1] - moments.mean[0]),
        posterior_variance: column(&|moments| moments.variance[1]),
        variance_reduction: column(&|moments| moments.variance[0] - moments.variance[1]),
        mutual_information_bits: column(&|moments| moments.bits),
        relative_std: column(&|moments| match moments.variance[0] > 0.0 {
            true => (moments.variance[1] / moments.variance[0]).sqrt(),
            false => f64::NAN,
        }),
        near_truth_prior: truth_probability(false),
        near_truth_posterior: truth_probability(true),
        fully_disclosed: (0..count).map(|entry| distributions.is_disclosed(entry)).collect(),
        figures: involvement.figures,
        smallest_frequency: involvement.smallest_frequency,
        baseline_mean: Vec::new(),
        baseline_variance: Vec::new(),
        possible: Vec::new(),
        verdict: Vec::with_capacity(count),
        discrete: None,
        brackets: None,
    };
    // What the rules say is the same for all of whom the same is known.
    let mut judged: Vec<Option<Verdict>> = vec![None; distributions.known.len()];
    for entry in 0..count {
        let place = distributions.of_entry[entry] as usize;
        let verdict = *judged[place]
            .get_or_insert_with(|| distributions.verdicts(entry, policy).into_iter().max().unwrap_or_default());
        people.verdict.push(verdict);
    }
    people.discrete = Some(Box::new(distributions));
    people
}

/// Small groups about which everything follows from published figures, though they are not published themselves.
fn differencing(
    solution: &Solution<'_>,
    tallies: &[Tally],
    classes: &Classes,
    persons: &Persons,
    policy: &Policy,
    name: impl Fn(usize) -> String,
) -> Vec<Reason> {
    if policy.differencing == Verdict::Pass {
        return Vec::new();
    }
    let mut is_published = vec![false; classes.all.len()];
    for tally in tallies {
        if let [(only, _)] = tally.terms.as_slice() {
            is_published[*only as usize] = true;
        }
    }
    let mut members: HashMap<u32, BTreeSet<usize>> = HashMap::new();
    let is_small = |class: &usize| {
        let state = &solution.peeled.classes[*class];
        let limit = policy.minimum_frequency.fail.or(policy.minimum_frequency.review).unwrap_or(0.0);
        !is_published[*class]
            && state.is_solved()
            && state.told_by.iter().any(Option::is_some)
            && (state.size as f64) < limit
    };
    let small: Vec<usize> = (0..classes.all.len()).filter(is_small).collect();
    if small.is_empty() {
        return Vec::new();
    }
    let wanted: BTreeSet<u32> = small.iter().map(|class| *class as u32).collect();
    for (entry, class) in classes.of_entry.iter().enumerate().filter(|(_, class)| wanted.contains(class)) {
        members.entry(*class).or_default().insert(persons.of_entry(entry));
    }
    let least = small.iter().min_by_key(|class| members.get(&(**class as u32)).map_or(0, BTreeSet::len));
    let Some(least) = least else { return Vec::new() };
    let told: BTreeSet<u32> = solution.peeled.classes[*least].told_by.iter().flatten().copied().collect();
    let from: Vec<String> = told.iter().take(3).map(|tally| format!("`{}`", name(*tally as usize))).collect();
    let people = members.get(&(*least as u32)).map_or(0, BTreeSet::len);
    let people = if people == 1 { "1 person".to_owned() } else { format!("{people} people") };
    let words = match small.len() {
        1 => format!("what a group of {people} has follows by subtracting published figures ({})", from.join(", ")),
        count => format!(
            "what {count} small groups have follows by subtracting published figures; the smallest is {people} ({})",
            from.join(", ")
        ),
    };
    vec![Reason { rule: Rule::Differencing, verdict: policy.differencing, count: small.len(), words }]
}
