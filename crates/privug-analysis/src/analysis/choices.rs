//! Analyses of programs with discrete choices: distributions instead of means and variances.

use super::options::Options;
use super::result::RequirementResult;
use crate::query::{Answer, Bound, Query, QueryKind, Requirement, Subject};
use privug_engine::elimination::{Component, Distribution, Eliminated, Joint, SecretDistributions};
use privug_engine::evaluate::{self, ChoiceModel};
use privug_engine::gaussian::Normal;
use privug_engine::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::source::Sources;
use privug_measures::channel::{CHANNEL_MEASURES, ChannelMeasures, Method};

/// An ordinary value.
#[derive(Debug, Clone, PartialEq)]
pub enum PlainValue {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A list or tuple.
    List(Vec<PlainValue>),
    /// Anything else, as Python shows it.
    Other(String),
}

impl PlainValue {
    fn of<S: Scalar>(answer: &evaluate::Answer<S>) -> Self {
        match answer {
            evaluate::Answer::Bool(value) => PlainValue::Bool(*value),
            evaluate::Answer::Integer(value) => PlainValue::Integer(*value),
            evaluate::Answer::Number(value) => PlainValue::Number(value.to_f64()),
            evaluate::Answer::Text(value) => PlainValue::Text(value.clone()),
            evaluate::Answer::List(values) => PlainValue::List(values.iter().map(PlainValue::of).collect()),
            evaluate::Answer::Other(value) | evaluate::Answer::Opaque(value) => PlainValue::Other(value.clone()),
            evaluate::Answer::Gaussian(_) => PlainValue::Other("a Gaussian variable".to_owned()),
        }
    }

    /// The number that it is; booleans count as 0 and 1.
    pub fn number(&self) -> Option<f64> {
        match self {
            PlainValue::Bool(value) => Some(f64::from(u8::from(*value))),
            PlainValue::Integer(value) => Some(*value as f64),
            PlainValue::Number(value) => Some(*value),
            PlainValue::Text(_) | PlainValue::List(_) | PlainValue::Other(_) => None,
        }
    }
}

impl std::fmt::Display for PlainValue {
    fn fmt(&self, text: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlainValue::Bool(true) => text.write_str("True"),
            PlainValue::Bool(false) => text.write_str("False"),
            PlainValue::Integer(value) => write!(text, "{value}"),
            PlainValue::Number(value) => write!(text, "{value}"),
            PlainValue::Text(value) | PlainValue::Other(value) => text.write_str(value),
            PlainValue::List(values) => {
                text.write_str("[")?;
                for (place, value) in values.iter().enumerate() {
                    write!(text, "{}{value}", if place > 0 { ", " } else { "" })?;
                }
                text.write_str("]")
            }
        }
    }
}

/// A value and its probability.
#[derive(Debug, Clone, PartialEq)]
pub struct Chance {
    /// The value.
    pub value: PlainValue,
    /// Its probability.
    pub probability: f64,
    /// The same as a ratio, in exact arithmetic.
    pub exact: Option<String>,
}

/// One part of a mixture.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// How likely it is this one.
    pub weight: f64,
    /// Its mean before it is cut off.
    pub mean: f64,
    /// Its variance before it is cut off.
    pub variance: f64,
    /// It lies above this.
    pub low: f64,
    /// And not above this.
    pub high: f64,
}

/// What is believed about a secret.
#[derive(Debug, Clone, PartialEq)]
pub enum Belief {
    /// Values and their probabilities, in the order of the values.
    Discrete(Vec<Chance>),
    /// Gaussian variables, one of which it is.
    Mixture(Vec<Part>),
}

impl Belief {
    fn of<S: Scalar>(distribution: &Distribution<S>) -> Self {
        match distribution {
            Distribution::Discrete(values) => Belief::Discrete(
                values
                    .iter()
                    .map(|(value, probability)| Chance {
                        value: PlainValue::of(value),
                        probability: probability.to_f64(),
                        exact: probability.to_exact_string(),
                    })
                    .collect(),
            ),
            Distribution::Mixture(parts) => Belief::Mixture(parts.iter().map(part).collect()),
        }
    }

    /// As in the JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Belief::Discrete(_) => "discrete",
            Belief::Mixture(parts) if parts.len() == 1 && parts[0].is_whole() => "normal",
            Belief::Mixture(_) => "mixture",
        }
    }

    /// The mean, of numbers.
    pub fn mean(&self) -> Option<f64> {
        match self {
            Belief::Discrete(values) => {
                values.iter().map(|chance| Some(chance.value.number()? * chance.probability)).sum()
            }
            Belief::Mixture(parts) => Some(parts.iter().map(|part| part.weight * part.moments().0).sum()),
        }
    }

    /// The variance, of numbers.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        match self {
            Belief::Discrete(values) => values
                .iter()
                .map(|chance| Some((chance.value.number()? - mean).powi(2) * chance.probability))
                .sum::<Option<f64>>(),
            Belief::Mixture(parts) => Some(
                parts
                    .iter()
                    .map(|part| {
                        let (part_mean, variance) = part.moments();
                        part.weight * (variance + (part_mean - mean).powi(2))
                    })
                    .sum(),
            ),
        }
    }

    /// The probability of values up to a number.
    pub fn up_to(&self, bound: f64) -> Option<f64> {
        match self {
            Belief::Discrete(values) => values
                .iter()
                .map(|chance| Some(if chance.value.number()? <= bound { chance.probability } else { 0.0 }))
                .sum(),
            Belief::Mixture(parts) => Some(parts.iter().map(|part| part.weight * part.up_to(bound)).sum()),
        }
    }

    /// The smallest value below which a share of the probability lies.
    pub fn quantile(&self, level: f64) -> Option<f64> {
        match self {
            Belief::Discrete(values) => {
                let mut sum = 0.0;
                for chance in values {
                    sum += chance.probability;
                    if sum >= level * (1.0 - 1e-14) {
                        return chance.value.number();
                    }
                }
                values.last().and_then(|last| last.value.number())
            }
            Belief::Mixture(parts) => {
                let spread = parts.iter().map(|part| part.variance.sqrt()).fold(0.0, f64::max);
                let centres = parts.iter().map(|part| part.mean);
                let mut low = centres.clone().fold(f64::INFINITY, f64::min) - 40.0 * spread - 1.0;
                let mut high = centres.fold(f64::NEG_INFINITY, f64::max) + 40.0 * spread + 1.0;
                for _ in 0..200 {
                    let middle = low + (high - low) / 2.0;
                    if self.up_to(middle)? < level { low = middle } else { high = middle }
                }
                Some(high)
            }
        }
    }

    /// The shortest interval between quantiles: as much is left out below as above.
    pub fn interval(&self, level: f64) -> Option<(f64, f64)> {
        Some((self.quantile((1.0 - level) / 2.0)?, self.quantile((1.0 + level) / 2.0)?))
    }
}

fn part<S: Scalar>(component: &Component<S>) -> Part {
    Part {
        weight: component.weight.to_f64(),
        mean: component.mean.to_f64(),
        variance: component.variance.to_f64(),
        low: component.low,
        high: component.high,
    }
}

impl Part {
    /// Whether nothing is cut off.
    pub fn is_whole(&self) -> bool {
        self.low == f64::NEG_INFINITY && self.high == f64::INFINITY
    }

    /// Its mean and variance as it is, cut off.
    pub fn moments(&self) -> (f64, f64) {
        if self.is_whole() || self.variance == 0.0 {
            return (self.mean, self.variance);
        }
        let std = self.variance.sqrt();
        let (a, b) = ((self.low - self.mean) / std, (self.high - self.mean) / std);
        let Some(unit) = Normal::new(0.0, 1.0) else { return (self.mean, self.variance) };
        let inside = unit.probability_between(a, b);
        let at = |z: f64| if z.is_finite() { unit.density(z) } else { 0.0 };
        let times = |z: f64| if z.is_finite() { z * unit.density(z) } else { 0.0 };
        let shift = (at(a) - at(b)) / inside;
        let spread = 1.0 + (times(a) - times(b)) / inside - shift * shift;
        (self.mean + std * shift, self.variance * spread.max(0.0))
    }

    fn up_to(&self, bound: f64) -> f64 {
        if self.variance == 0.0 {
            return f64::from(u8::from(self.mean <= bound));
        }
        let Some(normal) = Normal::new(self.mean, self.variance) else { return 0.0 };
        if bound >= self.high {
            return 1.0;
        }
        if bound <= self.low {
            return 0.0;
        }
        normal.probability_between(self.low, bound) / normal.probability_between(self.low, self.high)
    }
}

/// The probabilities of outputs given secrets.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// What the secret can be.
    pub secrets: Vec<PlainValue>,
    /// What can be published, one value for each output.
    pub outputs: Vec<Vec<PlainValue>>,
    /// The outputs' names.
    pub names: Vec<String>,
    /// Joint probabilities: for each output, of each secret.
    pub joint: Vec<Vec<f64>>,
    /// The same as ratios, in exact arithmetic.
    pub exact: Option<Vec<Vec<String>>>,
}

/// What is known about one secret.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceSecret {
    /// By its source text.
    pub name: String,
    /// Before.
    pub prior: Belief,
    /// After what was seen.
    pub posterior: Belief,
    /// How much was, or will be, learned.
    pub measures: ChannelMeasures,
    /// Whether outputs have no values yet: then measures are those of the channel.
    pub is_open: bool,
    /// The channel, where outputs have no values yet.
    pub channel: Option<Channel>,
    /// What each output tells: its name, mutual information alone, and added to the earlier ones.
    pub by_output: Vec<(String, f64, f64)>,
}

/// What was found about a program with choices.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// The secrets.
    pub secrets: Vec<ChoiceSecret>,
    /// The discrete outputs: name, line, and whether a value was seen.
    pub outputs: Vec<(String, usize, bool)>,
    /// How many choices the program made.
    pub choice_count: usize,
}

/// Puts names onto what elimination has found, and measures it.
pub(super) fn assemble<S: Scalar>(sources: &Sources, model: &ChoiceModel<S>, found: &Eliminated<S>) -> Choices {
    let open_gaussian = model.seen.iter().any(|seen| seen.observed.is_none());
    let secrets = model.secrets.iter().zip(&found.secrets);
    let secrets = secrets.map(|(named, found)| secret(named.name.clone(), found, model.is_open(), open_gaussian));
    let output =
        |output: &evaluate::NamedChoice| (output.name.clone(), sources.location(output.span).line, output.observed);
    Choices {
        secrets: secrets.collect(),
        outputs: model.outputs.iter().map(output).collect(),
        choice_count: model.laws.len(),
    }
}

fn secret<S: Scalar>(name: String, found: &SecretDistributions<S>, is_open: bool, open_gaussian: bool) -> ChoiceSecret {
    let (prior, posterior) = (Belief::of(&found.prior), Belief::of(&found.posterior));
    let channel = found.joint.as_ref().map(channel);
    let unknown = ChannelMeasures::unknown;
    let measures = match (&channel, &prior, &posterior) {
        (Some(channel), Belief::Discrete(_), _) => {
            let before = marginal(&channel.joint, channel.secrets.len());
            ChannelMeasures::of_channel(&before, &channel.joint)
        }
        (Some(channel), Belief::Mixture(_), _) => {
            // Beyond on which side of the thresholds it lies, nothing is told about a Gaussian variable.
            let before = marginal(&channel.joint, channel.secrets.len());
            ChannelMeasures::of_channel(&before, &channel.joint).of_sides()
        }
        (None, Belief::Discrete(prior), Belief::Discrete(posterior)) if !is_open => {
            let after: Vec<f64> = prior
                .iter()
                .map(|before| {
                    let same = posterior.iter().find(|chance| chance.value == before.value);
                    same.map_or(0.0, |chance| chance.probability)
                })
                .collect();
            let before: Vec<f64> = prior.iter().map(|chance| chance.probability).collect();
            ChannelMeasures::of_output(&before, &after)
        }
        (None, Belief::Mixture(before), Belief::Mixture(after)) if !open_gaussian => {
            let mut measures = unknown();
            let settled = after.len() == 1 && after[0].variance == 0.0;
            let was_open = before.len() > 1 || before.iter().any(|part| part.variance > 0.0);
            measures.push("fully_disclosed", f64::from(u8::from(settled && was_open)), Method::Exact);
            if let ([before], true) = (
                &before[..],
                after
                    .iter()
                    .all(|part| part.mean == before[0].mean && part.variance == before[0].variance && !part.is_whole()),
            ) {
                // Cut into pieces of itself: the divergence is that of the pieces' probabilities.
                let normal = Normal::new(before.mean, before.variance);
                let pieces = after.iter().filter(|part| part.weight > 0.0).map(|part| {
                    let was = normal.as_ref().map_or(1.0, |normal| normal.probability_between(part.low, part.high));
                    part.weight * (part.weight / was).log2()
                });
                measures.push("kl_posterior_prior_bits", pieces.sum::<f64>().max(0.0), Method::Exact);
            }
            measures
        }
        _ => unknown(),
    };
    let by_output = channel.as_ref().map_or_else(Vec::new, leaks_by_output);
    ChoiceSecret { name, prior, posterior, measures, is_open, channel, by_output }
}

fn channel<S: Scalar>(joint: &Joint<S>) -> Channel {
    let exact = |rows: &[Vec<S>]| -> Option<Vec<Vec<String>>> {
        rows.iter().map(|row| row.iter().map(Scalar::to_exact_string).collect()).collect()
    };
    Channel {
        secrets: joint.secrets.iter().map(PlainValue::of).collect(),
        outputs: joint.outputs.iter().map(|output| output.iter().map(PlainValue::of).collect()).collect(),
        names: joint.names.clone(),
        joint: joint.probabilities.iter().map(|row| row.iter().map(Scalar::to_f64).collect()).collect(),
        exact: exact(&joint.probabilities),
    }
}

/// The probability of each secret.
fn marginal(joint: &[Vec<f64>], secrets: usize) -> Vec<f64> {
    (0..secrets).map(|secret| joint.iter().map(|row| row[secret]).sum()).collect()
}

/// What each output tells by itself, and beyond the earlier ones.
fn leaks_by_output(channel: &Channel) -> Vec<(String, f64, f64)> {
    let prior = marginal(&channel.joint, channel.secrets.len());
    let information = |chosen: &dyn Fn(usize) -> bool| {
        let mut rows: Vec<(Vec<String>, Vec<f64>)> = Vec::new();
        let mut places: std::collections::HashMap<Vec<String>, usize> = std::collections::HashMap::new();
        for (output, row) in channel.outputs.iter().zip(&channel.joint) {
            let key: Vec<String> = output
                .iter()
                .enumerate()
                .filter(|(place, _)| chosen(*place))
                .map(|(_, value)| format!("{value:?}"))
                .collect();
            let place = *places.entry(key.clone()).or_insert_with(|| {
                rows.push((key, vec![0.0; row.len()]));
                rows.len() - 1
            });
            for (sum, p) in rows[place].1.iter_mut().zip(row) {
                *sum += p;
            }
        }
        let rows: Vec<Vec<f64>> = rows.into_iter().map(|(_, row)| row).collect();
        mutual_information(&prior, &rows)
    };
    let mut so_far = 0.0;
    let mut leaks = Vec::new();
    for (place, name) in channel.names.iter().enumerate() {
        let alone = information(&|other| other == place);
        let together = information(&|other| other <= place);
        leaks.push((name.clone(), alone, (together - so_far).max(0.0)));
        so_far = together;
    }
    leaks
}

fn mutual_information(prior: &[f64], joint: &[Vec<f64>]) -> f64 {
    let row_information = |row: &Vec<f64>| {
        let weight: f64 = row.iter().sum();
        let terms = row.iter().zip(prior).filter(|(p, _)| **p > 0.0);
        terms.map(|(p, before)| p * (p / (weight * before)).log2()).sum::<f64>()
    };
    joint.iter().map(row_information).sum::<f64>().max(0.0)
}

/// The answers to the questions.
pub(super) fn answers<S: Scalar>(
    queries: &[&Query],
    model: &ChoiceModel<S>,
    found: &Eliminated<S>,
) -> Result<Vec<Answer>, Vec<Diagnostic>> {
    let mut answers = Vec::new();
    for (query, (before, after)) in queries.iter().zip(&found.questions) {
        let undefined = || vec![Diagnostic::error(Code::MalformedQuery, query.span, "this has no answer")];
        let value = |distribution: &Distribution<S>| -> Option<f64> {
            let belief = Belief::of(distribution);
            match &query.kind {
                QueryKind::Probability(_) => match belief {
                    Belief::Discrete(values) => {
                        let yes = values.iter().find(|chance| chance.value == PlainValue::Bool(true));
                        Some(yes.map_or(0.0, |chance| chance.probability))
                    }
                    Belief::Mixture(_) => None,
                },
                QueryKind::Mean(_) => belief.mean(),
                QueryKind::Variance(_) => belief.variance(),
                QueryKind::StdDev(_) => belief.variance().map(f64::sqrt),
                QueryKind::Quantile(_, level) => {
                    belief.quantile(model.numbers[*level].filter(|p| *p > 0.0 && *p < 1.0)?)
                }
                QueryKind::Covariance(_, _) | QueryKind::Correlation(_, _) => None,
            }
        };
        let before = value(before).ok_or_else(undefined)?;
        let after = after.as_ref().map(|after| value(after).ok_or_else(undefined)).transpose()?;
        answers.push(Answer { text: query.text.clone(), before, after });
    }
    Ok(answers)
}

/// Decides on requirements. What is not known is not met.
pub(super) fn decide<S: Scalar>(
    options: &Options,
    model: &ChoiceModel<S>,
    choices: &Choices,
    asked: &[Answer],
) -> Result<Vec<RequirementResult>, Vec<Diagnostic>> {
    let mut asked = asked.iter();
    let mut results = Vec::new();
    for requirement in &options.requirements {
        let refuse = |code: Code, message: String, hint: &str| {
            vec![Diagnostic::error(code, requirement.span, message).hint(hint)]
        };
        let Some(limit) = model.numbers[requirement.limit] else {
            let message = "a requirement compares with a number, not with a random variable".to_owned();
            return Err(refuse(Code::MalformedRequirement, message, "write a number"));
        };
        if requirement.bound == Bound::Unequal && !matches!(requirement.subject, Subject::Measure("fully_disclosed")) {
            let message = "`!=` holds for nearly every release".to_owned();
            return Err(refuse(Code::NothingToJudge, message, "use `<=` or `>=`"));
        }
        let result = |value: f64, secret: Option<String>| RequirementResult {
            text: requirement.text.clone(),
            value,
            limit,
            secret,
            holds: requirement.bound.holds(value, limit),
        };
        results.push(match &requirement.subject {
            Subject::Query(query) => match asked.next().and_then(|answer| answer.after) {
                Some(after) => result(after, None),
                None => {
                    let message = format!("`{}` depends on values that are not published yet", query.text);
                    return Err(refuse(Code::ValuesNeeded, message, "observe them, or bound a measure of the channel"));
                }
            },
            Subject::Measure(name) => {
                if CHANNEL_MEASURES.iter().any(|measure| measure.name == *name && measure.is_of_the_prior) {
                    let message = format!("no release can change `{name}`: it is known before anything is published");
                    let hint = "bound what is known afterwards, such as `max_posterior` or `mutual_information_bits`";
                    return Err(refuse(Code::NothingToJudge, message, hint));
                }
                let (value, secret) = worst(requirement, name, limit, choices);
                result(value, secret)
            }
        });
    }
    Ok(results)
}

/// The secret that is nearest to breaking a requirement; a measure that is not known is not a number, and never holds.
fn worst(requirement: &Requirement, name: &str, limit: f64, choices: &Choices) -> (f64, Option<String>) {
    let upwards = requirement.bound.holds(f64::NEG_INFINITY, 0.0);
    let mut worst: Option<(f64, &str)> = None;
    for secret in &choices.secrets {
        let value = match secret.measures.get(name) {
            Some((_, Method::Certified { low, high })) => {
                if upwards {
                    high
                } else {
                    low
                }
            }
            Some((value, Method::Exact)) => value,
            None => f64::NAN,
        };
        let holds = |value: f64| requirement.bound.holds(value, limit);
        let worse = match worst {
            None => true,
            Some((earlier, _)) if holds(earlier) != holds(value) => holds(earlier),
            Some((earlier, _)) => !earlier.is_nan() && if upwards { value > earlier } else { value < earlier },
        };
        if worse {
            worst = Some((value, &secret.name));
        }
    }
    worst.map_or((f64::NAN, None), |(value, name)| (value, Some(name.to_owned())))
}
