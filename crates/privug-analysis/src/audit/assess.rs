//! From a release to an [`Audit`]: defences, posteriors of everybody, rules, and an explanation of what is worst.

use privug_engine::sorting::CompactSort;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::categories;
use super::columns::{discrete_columns, noise_scale, spreads};
use super::contributions::{Involvement, Weighing, contributions, widen};
use super::counterfactual::baselines;
use super::counts::{follow_counts, judge_recovered};
use super::defence::{DefenceTexts, Defences, protect};
use super::differencing;
use super::explain::{Explanation, Seen, explain as explain_disclosure};
use super::feasibility::{Circumstances, Feasibility, feasibility, outside, read_supports, supports};
use super::figures::judge;
use super::grouped::{EntryMap, Judged, ReleaseGroups, judged, near_truth, record};
use super::notes;
use super::observe::observation;
use super::people::PeopleColumns;
use super::persons::Persons;
use super::policy::{Policy, Rule, Verdict};
use super::reasons::{Finding, Grounds, Reason, reasons};
use super::release::{Belief, Output, Release};
use super::result::{About, Audit, AuditGroups, Figure};
use super::rounded::{self, round_people};
use super::run::PROGRAM;
use super::skewed::{self, Around};
use super::tabulate::{Behind, tabulate};
use super::totals::totals;
use super::verdicts::PersonVerdicts;
use crate::analysis::{Arithmetic, Note, PriorCheck, WorkLimits};
use crate::driver::{Conditioned, Failure, explain};
use privug_engine::number::Scalar;
use privug_engine::posterior::{self, Marginals, Prepared, Subject};
use privug_engine::stages::Stages;
use privug_engine::sums::Law;
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::source::{Sources, Span};
use privug_tables::register::LARGEST;

/// How an audit goes about its work, for front ends that show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A stage begins.
    Begin(&'static str),
    /// So many steps of it are done, of so many.
    Step(usize, usize),
}

/// What an assessment depends on besides the release.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// What is audited, for the report.
    pub about: About,
    /// The rules.
    pub policy: Policy,
    /// The defences to try.
    pub defences: DefenceTexts,
    /// Which values of secret columns are possible at all, as `income >= 0`.
    pub supports: Vec<String>,
    /// Refuse what is otherwise only warned of: a prior that believes in the impossible.
    pub strict: bool,
    /// Whether to say what a ledger needs to know of the release, which is audited by groups.
    pub record: bool,
    /// Of how many of the people with the highest risk to tell more.
    pub top: usize,
    /// What conditioning may use up.
    pub work: WorkLimits,
    /// Set from outside to stop.
    pub cancelled: Option<Arc<AtomicBool>>,
}

/// Multiplications that explaining may take: some seconds of them, as they are modulo primes.
const EXPLAINING: u64 = 400_000_000;

/// So many of the people with the highest risk are ranked at least.
const RANKED: usize = 200;

/// Assesses a release. `value_tolerance_ulps` is that of [`posterior::Options`].
pub(super) fn assess<S: Stages>(
    mut release: Release<S>,
    settings: &Settings,
    defences: &Defences,
    value_tolerance_ulps: Option<f64>,
    progress: &dyn Fn(Progress),
) -> Result<Audit, Failure> {
    if release.beliefs.iter().any(|belief| matches!(belief, Belief::Discrete(_))) {
        return categories::assess(release, settings, defences, progress);
    }
    let laws = skewed::laws_of(&release)?;
    let policy = &settings.policy;
    let refuse = |release: &Release<S>, diagnostics: Vec<Diagnostic>| {
        Failure::Refused(Refusal { sources: release.sources.clone(), diagnostics })
    };
    let statements = match read_supports(&settings.supports, &mut release.sources) {
        Ok(statements) => statements,
        Err(errors) => return Err(refuse(&release, errors)),
    };
    if let Some(groups) = &release.groups
        && let Some((what, hint)) = not_by_groups(settings, groups, value_tolerance_ulps.is_none())
    {
        let error = Diagnostic::error(Code::NotOfGroups, Span::START, format!("{what} cannot be audited by groups"));
        return Err(refuse(&release, vec![error.hint(hint)]));
    }
    progress(Progress::Begin("weighing contributors"));
    let weighed = |done| progress(Progress::Step(done, release.outputs.len()));
    let persons = release.persons();
    let Weighing { mut contributions, involvement, weighed } = contributions(&release, &persons, policy, &weighed);
    let protection = protect(&release, defences, &contributions).map_err(Failure::Refused)?;
    let supports = match &release.groups {
        None => supports(&release, &persons, &statements).map_err(|errors| refuse(&release, errors))?,
        // Somebody's own value, which a support is compared with, is not in the groups.
        Some(_) => vec![None; release.columns.len()],
    };

    let published: Vec<usize> = (0..release.outputs.len()).filter(|index| !protection.suppressed[*index]).collect();
    let around = Around { persons: &persons, protection: &protection, published: &published, policy, progress };
    let skewed = match &laws {
        None => None,
        Some(laws) => Some((laws, skewed::disjoint_groups(&release, &around)?)),
    };
    let observations: Vec<_> = published.iter().map(|figure| observation(&mut release, *figure, &protection)).collect();
    let options = posterior::Options {
        max_cells: settings.work.cells,
        max_operations: settings.work.operations,
        cancelled: settings.cancelled.clone(),
        value_tolerance_ulps,
        mean_tolerance: MEAN_TOLERANCE,
    };
    progress(Progress::Begin("conditioning on what is published"));
    let mut prepared = Prepared::default();
    let found = S::survey(&release.network, &observations, &release.secrets, &options, &mut prepared)
        .map_err(|refusal| explain(refusal, &Published { release: &release, figures: &published }))?;

    let prior_check = PriorCheck::new(found.surprise, &release.network, &observations, &release.sources, &options);
    let totals = totals(&mut release, &persons);
    let known_totals = match totals.persons.is_empty() {
        true => Marginals::default(),
        false => {
            S::survey(&release.network, &observations, &totals.variables, &options, &mut prepared)
                .map_err(|refusal| explain(refusal, &Published { release: &release, figures: &published }))?
                .targets
        }
    };

    // Of people with weights of their own, somebody in the middle of each group.
    let between = match release.groups.as_ref().map(|groups| &groups.between).filter(|between| !between.is_empty()) {
        None => Marginals::default(),
        Some(between) => {
            S::survey(&release.network, &observations, between, &options, &mut prepared)
                .map_err(|refusal| explain(refusal, &Published { release: &release, figures: &published }))?
                .targets
        }
    };

    progress(Progress::Begin("measuring everybody"));
    let spreads = spreads(&release, &persons);
    let discrete = discrete_columns(&release, &persons, &involvement.figures);
    let scale = |entry: usize| spreads[persons.column(entry)];
    let (mut people, grouped) = match &release.groups {
        None => (PeopleColumns::measure(found.targets, &release.truths, scale, involvement, policy), None),
        Some(of) => {
            let measured = measure_groups(of, found.targets, between, spreads[0], involvement, policy);
            let (people, judged, by_groups) = measured.map_err(|words| {
                let error = Diagnostic::error(Code::BadTable, Span::START, words);
                refuse(&release, vec![error.hint("audit it again")])
            })?;
            (people, Some((judged, by_groups)))
        }
    };
    // Of several entries, which are the person's record? The prior is the stricter baseline.
    let baselines = match persons.is_plain() {
        true => baselines(&mut release, &people, &observations, &options, &mut prepared)
            .map_err(|refusal| explain(refusal, &Published { release: &release, figures: &published }))?,
        false => None,
    };
    let radius = |entry: usize| policy.near_truth_percent / 100.0 * release.truths[entry].abs().max(scale(entry));
    if let Some(baselines) = &baselines {
        people.compare(baselines, &radius, policy);
    }
    // With a prior that is not Gaussian, all but who is disclosed by linear combinations is measured anew.
    let alone = rounded::alone(&release, &protection, &published);
    widen(&release, &persons, policy, &rounded::hidden(&release, &protection, &published, &alone), &mut contributions);
    let (closed, careful) = match skewed {
        None => {
            let found = &found.observations;
            let whole = (&published[..], &alone[..]);
            (round_people(&mut people, &release, &protection, whole, found, &radius, policy), Vec::new())
        }
        Some((laws, disjoint)) => {
            progress(Progress::Begin("convolving distributions"));
            let laws: Vec<&Law> = laws.iter().map(|law| &**law).collect();
            (Vec::new(), skewed::measure(&mut people, &release, &laws, disjoint, &radius, &around)?)
        }
    };
    let around =
        Circumstances { persons: &persons, supports: &supports, protection: &protection, spreads: &spreads, settings };
    let possible = feasibility(&release, &around, progress);
    if let Some(possible) = &possible {
        people.judge_possible(possible.verdict.clone(), policy);
    }
    let impossible = outside(&people, &persons, &supports, laws.as_deref());
    if let (true, Some(words)) = (settings.strict, impossible.first()) {
        let hint = "choose a prior that respects the support, or audit without `--strict`";
        let place = statements.first().map_or(Span::START, |statement| statement.span);
        let error = Diagnostic::error(Code::BadSupport, place, words.clone()).hint(hint);
        return Err(refuse(&release, vec![error]));
    }
    let totals = totals.measured(known_totals, policy);
    let verdicts = match &grouped {
        None => PersonVerdicts::new(&persons, &people, &totals, policy),
        Some((judged, _)) => PersonVerdicts::of_groups(&persons, &people, judged, policy),
    };
    let worst = people.worst(&persons, &verdicts, settings.top.max(RANKED));

    let recorded = match settings.record {
        false => None,
        true => {
            let (suppressed, noise_std) = (&protection.suppressed, &protection.noise_std);
            let recorded = record(&release, suppressed, noise_std, PROGRAM).map_err(|words| {
                let error = Diagnostic::error(Code::NotOfGroups, Span::START, format!("not recorded: {words}"));
                refuse(&release, vec![error.hint("omit `--record`")])
            })?;
            Some(recorded)
        }
    };

    progress(Progress::Begin("explaining the worst"));
    let seen = Seen { observations: &observations, predictions: &found.observations, published: &published };
    let suppressed_figures = &protection.suppressed[..release.outputs.len()];
    let shown = &worst[..worst.len().min(settings.top)];
    let suppressed_count = suppressed_figures.iter().filter(|suppressed| **suppressed).count();
    let brief = posterior::Options { max_operations: options.max_operations.min(EXPLAINING), ..options.clone() };
    let mut explanation =
        match explain_disclosure(&release, &seen, &people, shown, suppressed_figures, &brief, &mut prepared) {
            Ok(explanation) => explanation,
            // That there is too much to explain is no reason to say nothing at all.
            Err(posterior::Refusal::TooLarge { .. }) => {
                let is_alone = |figure: &&usize| {
                    persons.is_plain()
                        && contributions[**figure].contributors == 1
                        && protection.noise_std[**figure] == 0.0
                        && contributions[**figure].noise_variance == 0.0
                };
                let alone = published.iter().filter(is_alone).filter_map(|figure| {
                    let (entry, _) = contributions[*figure].largest.first()?;
                    let times = weighed.times_to_total(*figure)?;
                    people.fully_disclosed[*entry].then_some((*entry, *figure, times))
                });
                Explanation::too_large(suppressed_count, alone.collect(), shown)
            }
            Err(refusal) => return Err(explain(refusal, &Published { release: &release, figures: &published })),
        };
    drop(prepared);
    if let Some(brackets) = &people.brackets {
        explanation.by_groups(brackets);
    }
    let has_own = |groups: &ReleaseGroups<S>| groups.groups.prior_means.is_some() || !groups.between.is_empty();
    if release.groups.as_ref().is_some_and(has_own) {
        // These are of the mean of a group, and whoever stands for it has another prior mean or weight.
        explanation.details.iter_mut().for_each(|detail| detail.exact = None);
    }
    let behind = Behind { persons: &persons, scale: noise_scale(&spreads, &people) };
    let mut subtracted = differencing::subtracted(
        &mut release,
        &differencing::Figures {
            contributions: &contributions,
            weighed: &weighed,
            protection: &protection,
            persons: &persons,
            policy,
            scale: behind.scale,
        },
    );
    let mut figures = tabulate(&release, &seen, contributions, &protection, &explanation, &behind, policy);
    if let Some(possible) = &possible {
        judge_suppressed(&mut figures, possible, behind.scale, policy);
    }
    let first_count = release.outputs.len();
    let hidden = &protection.suppressed[first_count..first_count + release.counts.len()];
    let counts = follow_counts(&release.counts, hidden, &persons, policy, &brief);
    if let Some(found) = &counts {
        judge_recovered(&mut figures, first_count, found, policy);
    }
    let mut reasons = reasons(
        &Grounds {
            verdicts: &verdicts,
            figures: &figures,
            columns: &release.columns,
            // An empirical prior knows which values there are.
            discrete: if laws.as_ref().is_some_and(|laws| laws.iter().all(|law| law.is_discrete())) {
                &[]
            } else {
                &discrete
            },
            counts: counts.as_ref(),
            first_count,
        },
        policy,
    );
    let disclosed = verdicts.count_of(Rule::FullDisclosure, policy.full_disclosure) > 0;
    // What is left of one person was said already if somebody's value follows.
    subtracted.broken.retain(|one| one.people > 1 || !disclosed);
    reasons.extend(differencing::reasons(&subtracted, release.outputs.len(), policy));
    if policy.judges_no_secret() && !published.is_empty() {
        reasons.push(Reason {
            rule: Rule::Unexamined,
            verdict: Verdict::Review,
            count: published.len(),
            finding: Finding::NothingJudged,
        });
    }
    if explanation.unchecked > 0 && policy.recoverable > Verdict::Pass {
        // What nobody has checked may not pass.
        let (rule, verdict) = (Rule::Recoverable, Verdict::Review);
        reasons.push(Reason { rule, verdict, count: explanation.unchecked, finding: Finding::TooMuchWork });
    }
    reasons.sort_compact_by_key(|reason| std::cmp::Reverse(reason.verdict));
    let mut audit = Audit {
        sources: release.sources,
        about: settings.about.clone(),
        // Certified numbers are doubles, whatever the figures were computed in.
        arithmetic: if S::EXACT && laws.is_none() { Arithmetic::Exact } else { Arithmetic::Float },
        policy: policy.clone(),
        verdict: reasons.iter().map(|reason| reason.verdict).max().unwrap_or(Verdict::Pass),
        reasons,
        names: release.people,
        columns: release.columns,
        people,
        groups: grouped.map(|(_, by_groups)| by_groups),
        recorded,
        totals,
        possible,
        verdicts,
        worst,
        explained: explained(&explanation, &persons),
        details: explanation.details,
        figures,
        persons,
        combinations: explanation.combinations,
        disclosed_by: explanation.weights,
        log_evidence_nats: if laws.is_some() { f64::NAN } else { found.log_evidence_nats },
        notes: Vec::new(),
    };
    // What is surprising under Gaussian priors need not be under these.
    let prior_check = laws.is_none().then_some(&prior_check);
    audit.notes = notes::write(&audit, prior_check, &release.notes, &protection.notes);
    let of_rounding = if laws.is_none() { rounded::notes(&protection, &published, &closed) } else { None };
    let first = impossible.into_iter().chain(of_rounding).chain(careful);
    audit.notes.splice(0..0, first.map(Note::from));
    audit.notes.extend(explanation.note.map(Note::from));
    Ok(audit)
}

/// What groups do not tell, and what to do about it.
fn not_by_groups<S: Scalar>(settings: &Settings, groups: &ReleaseGroups<S>, exact: bool) -> Option<(String, String)> {
    let alone = "audit the table itself, person by person, if it fits into memory".to_owned();
    if settings.policy.dominance_largest > LARGEST {
        let hint = format!("groups keep their {LARGEST} largest contributions; ask for at most as many");
        return Some((format!("dominance of the {} largest", settings.policy.dominance_largest), hint));
    }
    if exact && !groups.between.is_empty() {
        let hint = "audit without `--exact`, or bin the weights: sums of individual weights are rounded";
        return Some(("exact results with individual weights".to_owned(), hint.to_owned()));
    }
    if settings.policy.without_person {
        return Some(("what would be known without a person's record".to_owned(), alone));
    }
    if !settings.supports.is_empty() {
        return Some(("what is possible at all".to_owned(), alone));
    }
    if groups.groups.distinct == Some(2) && !settings.policy.interval_percent.is_off() {
        // A secret with two values has no others, and everybody alone is judged by that.
        let hint = format!("{alone}, or turn the rule off: `--rule interval_percent=off`");
        return Some(("what is possible for a secret of two values".to_owned(), hint));
    }
    (!settings.defences.round.is_empty()).then(|| ("what rounded figures reveal".to_owned(), alone))
}

/// Somebody of each group, about whom the rules say the worst, and what they say about how many.
fn measure_groups<S: Scalar>(
    of: &ReleaseGroups<S>,
    known: Marginals<S>,
    between: Marginals<S>,
    scale: f64,
    involvement: Involvement,
    policy: &Policy,
) -> Result<(PeopleColumns, Vec<Judged>, AuditGroups), String> {
    let mut known = known.into_doubles();
    let least: Vec<f64> = (0..known.len()).map(|entry| of.range(entry).0).collect();
    let people = PeopleColumns::measure(known.clone(), &least, |_| scale, involvement.clone(), policy);
    let (near, worst, told) = near_truth(of, &people, scale, policy)?;
    for (entry, worst) in
        worst.iter().enumerate().filter(|(entry, worst)| worst.prior_mean != people.prior_mean[*entry])
    {
        known.prior_mean[entry] = worst.prior_mean;
        known.posterior_mean[entry] = worst.prior_mean + people.mean_shift[entry];
    }
    let truths: Vec<f64> = worst.iter().map(|worst| worst.truth).collect();
    let people = PeopleColumns::measure(known, &truths, |_| scale, involvement, policy);
    let entries = EntryMap::new(of, &between.into_doubles());
    let (judged, bounded) = judged(of, &people, &near, &entries, scale, policy)?;
    Ok((people, judged, AuditGroups { scale, bounded: told.bounded + bounded, entries }))
}

/// How many people it was looked up for what discloses them.
fn explained(explanation: &Explanation, persons: &Persons) -> usize {
    let people = explanation.combinations.iter().flat_map(|combination| &combination.people);
    people.map(|entry| persons.of_entry(*entry)).collect::<std::collections::BTreeSet<_>>().len()
}

/// A suppressed figure that is known to within a few percent is as good as published: where that would break a rule, this
/// does. What is not known does not pass.
fn judge_suppressed(figures: &mut [Figure], possible: &Feasibility, scale: f64, policy: &Policy) {
    for range in &possible.suppressed {
        let figure = &mut figures[range.figure];
        let is_sensitive = || !judge(&figure.contributions, figure.noise_std, scale, policy).is_empty();
        let mut verdict = policy.interval_percent.at_least(range.percent);
        if range.percent.is_nan() || !range.is_certain {
            verdict = verdict.max(Verdict::Review);
        }
        if verdict > Verdict::Pass && is_sensitive() {
            figure.broken.push((Rule::IntervalPercent, verdict));
            figure.verdict = figure.verdict.max(verdict);
        }
    }
}

/// Published figures are doubles, rounded in their last digit: with little noise beside it, that moves means by more than
/// an analysis allows. No rule looks at a millionth of a standard deviation.
const MEAN_TOLERANCE: f64 = 9.5e-7; // 2⁻²⁰

/// The figures that were conditioned on, for messages.
struct Published<'a, S> {
    release: &'a Release<S>,
    figures: &'a [usize],
}

impl<S> Published<'_, S> {
    fn figure(&self, subject: Subject) -> Option<&Output<S>> {
        match subject {
            Subject::Observation(place) => Some(&self.release.outputs[self.figures[place]]),
            Subject::Target(_) => None,
        }
    }
}

impl<S> Conditioned for Published<'_, S> {
    const WORK: &'static str = "the audit";
    const FEWER: &'static str = "publish fewer overlapping figures";

    fn sources(&self) -> &Sources {
        &self.release.sources
    }

    fn start(&self) -> Span {
        Span::START
    }

    fn place(&self, subject: Subject) -> Span {
        self.figure(subject).map_or(Span::START, |figure| figure.span)
    }

    fn open(&self, subject: Subject) -> String {
        format!("whether {} follows from the other figures", self.sized(subject))
    }

    fn sized(&self, subject: Subject) -> String {
        self.figure(subject).map_or("a person's secret".to_owned(), |figure| format!("`{}`", figure.name))
    }

    fn contradiction(&self, observation: usize, implied: &str, given: &str) -> Diagnostic {
        let subject = Subject::Observation(observation);
        let message = format!(
            "{} is published as {given}, but the prior and the figures before it imply {implied}",
            self.sized(subject)
        );
        let hint = "does the prior assume an exact value (variance 0) that differs from the one in the table?";
        Diagnostic::error(Code::Contradiction, self.place(subject), message).hint(hint)
    }
}
