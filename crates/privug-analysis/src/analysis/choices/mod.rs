//! Analyses of programs with discrete choices: distributions instead of means and variances.

mod answers;
mod belief;
mod bounds;
mod channel;
mod gain;
mod measure;
mod requirement;
mod scattered;
mod truth;
mod value;

pub(super) use answers::answers;
pub use belief::{Belief, Chance, Part};
pub use channel::{Channel, ChannelOutput};
pub(super) use requirement::decide;
pub use value::PlainValue;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use super::options::Options;
use privug_engine::choices::to_probability;
use privug_engine::elimination::{self, Accuracy, Eliminated, KnownSecret, SecretDistributions};
use privug_engine::evaluate::{self, ChoiceModel};
use privug_engine::number::{Constants, Scalar};
use privug_language::diagnostic::Diagnostic;
use privug_language::source::Sources;
use privug_measures::channel::ChannelMeasures;

/// One secret. What is known about it can be read as if it were part of the secret.
#[derive(Debug, Clone)]
pub struct ChoiceSecret {
    /// By its source text.
    pub name: String,
    /// The true value, if it was given.
    pub truth: Option<Box<PlainValue>>,
    known: Known,
}

/// What is known about a secret, as it is kept.
#[derive(Debug, Clone)]
enum Known {
    /// The same as about all that are like it.
    Shared(Arc<KnownChoice>),
    /// Two probabilities before and after, written out when somebody asks: of a million secrets, a report shows a few.
    OfTwo { kind: Arc<KindOfTwo>, prior: [f64; 2], posterior: [f64; 2], written: OnceLock<Arc<KnownChoice>> },
}

/// What secrets of two values have in common.
#[derive(Debug)]
struct KindOfTwo {
    values: [PlainValue; 2],
    accuracy: Accuracy,
}

impl Deref for ChoiceSecret {
    type Target = KnownChoice;

    fn deref(&self) -> &KnownChoice {
        match &self.known {
            Known::Shared(known) => known,
            Known::OfTwo { kind, prior, posterior, written } => written.get_or_init(|| {
                let chance = |(value, probability): (&PlainValue, &f64)| Chance {
                    value: value.clone(),
                    probability: *probability,
                    exact: None,
                };
                let belief = |p: &[f64; 2]| Belief::Discrete(kind.values.iter().zip(p).map(chance).collect());
                Arc::new(KnownChoice::of_what_was_seen(belief(prior), belief(posterior), kind.accuracy))
            }),
        }
    }
}

impl ChoiceSecret {
    /// What is known about it, to be changed.
    fn known_mut(&mut self) -> &mut KnownChoice {
        let known = match &self.known {
            Known::Shared(known) => Arc::clone(known),
            Known::OfTwo { .. } => Arc::new(KnownChoice::clone(self)),
        };
        self.known = Known::Shared(known);
        match &mut self.known {
            Known::Shared(known) => Arc::make_mut(known),
            Known::OfTwo { .. } => unreachable!("it was written out"),
        }
    }
}

impl PartialEq for ChoiceSecret {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.truth == other.truth && **self == **other
    }
}

/// What is known about a secret.
#[derive(Debug, Clone)]
pub struct KnownChoice {
    /// Before.
    pub prior: Belief,
    /// After what was seen.
    pub posterior: Belief,
    /// How much was, or will be, learned; where that follows from the two distributions, it is computed when it is asked for:
    /// of a million secrets, a report shows a few.
    measures: OnceLock<Box<ChannelMeasures>>,
    /// Whether outputs have no values yet: then measures are those of the channel.
    pub is_open: bool,
    /// The channel, where outputs have no values yet.
    pub channel: Option<Box<Channel>>,
    /// What each output tells, in the order of the program.
    pub by_output: Vec<ChannelOutput>,
    /// How its probabilities were obtained.
    pub accuracy: Accuracy,
}

impl PartialEq for KnownChoice {
    fn eq(&self, other: &Self) -> bool {
        let distributions = |known: &Self| (known.is_open, known.accuracy);
        distributions(self) == distributions(other)
            && self.prior == other.prior
            && self.posterior == other.posterior
            && self.channel == other.channel
            && self.by_output == other.by_output
            && self.measures() == other.measures()
    }
}

impl KnownChoice {
    /// What is known when all that is published was seen: the rest follows from the two distributions.
    fn of_what_was_seen(prior: Belief, posterior: Belief, accuracy: Accuracy) -> Self {
        let (measures, by_output) = (OnceLock::new(), Vec::new());
        KnownChoice { prior, posterior, measures, is_open: false, channel: None, by_output, accuracy }
    }

    /// How much was, or will be, learned.
    pub fn measures(&self) -> &ChannelMeasures {
        self.measures.get_or_init(|| Box::new(measure::of_what_was_seen(&self.prior, &self.posterior, self.accuracy)))
    }

    /// Adds a measure that depends on more than the distributions.
    fn add_measure(&mut self, name: &'static str, value: f64) {
        let mut measures = self.measures().clone();
        measures.push(name, value);
        self.measures = OnceLock::from(Box::new(measures));
    }

    /// How its distributions were obtained.
    pub fn method(&self) -> &'static str {
        match self.accuracy {
            Accuracy::Exact { .. } => "exact",
            Accuracy::Certified { .. } => "certified",
        }
    }

    /// What kind of distribution it has, as in the JSON.
    pub fn kind(&self) -> &'static str {
        match (self.prior.kind(), self.posterior.kind()) {
            ("normal", after) => after,
            (before, _) => before,
        }
    }

    /// The values that the surest output would have.
    pub fn surest_output(&self) -> Option<&[PlainValue]> {
        Some(&self.channel.as_ref()?.outputs[self.measures().surest_output?])
    }

    /// The values that the output which moves most would have.
    pub fn most_moving_output(&self) -> Option<&[PlainValue]> {
        Some(&self.channel.as_ref()?.outputs[self.measures().most_moving_output?])
    }

    /// What will be believed if the surest output is seen.
    pub fn after_surest_output(&self) -> Option<Vec<(PlainValue, f64)>> {
        let channel = self.channel.as_ref()?;
        let row = &channel.joint[self.measures().surest_output?];
        let weight: f64 = row.iter().sum();
        Some(channel.secrets.iter().cloned().zip(row.iter().map(|p| p / weight)).collect())
    }
}

/// Something discrete that is published.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceOutput {
    /// By its source text.
    pub name: String,
    /// Line of the program, from 1.
    pub line: usize,
    /// Whether its value was seen.
    pub observed: bool,
}

/// A Gaussian value that was seen in some worlds, or will be.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianOutput {
    /// By its source text.
    pub name: String,
    /// Line of the program, from 1.
    pub line: usize,
    /// The value it was seen to have.
    pub value: Option<f64>,
    /// Variance of the noise it was seen through.
    pub noise_variance: f64,
}

/// What was found about a program with choices.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// The secrets.
    pub secrets: Vec<ChoiceSecret>,
    /// What is published and discrete.
    pub outputs: Vec<ChoiceOutput>,
    /// What was seen, or will be, of Gaussian values.
    pub seen: Vec<GaussianOutput>,
    /// How many choices the program made.
    pub choice_count: usize,
    /// Whether outputs have no values yet.
    pub is_open: bool,
}

/// Puts names onto what elimination has found, and measures it. The secrets' names are taken out of the model.
pub(super) fn assemble<S: Scalar>(
    sources: &Sources,
    options: &Options,
    model: &mut ChoiceModel<S>,
    found: &Eliminated<S>,
) -> Result<Choices, Vec<Diagnostic>> {
    let mut secrets = Vec::with_capacity(model.secrets.len());
    let mut alike = Alike { known: HashMap::new(), of_two: None };
    for (place, found) in found.secrets.iter().enumerate() {
        let known = alike.known(found, model, options)?;
        secrets.push(ChoiceSecret { name: std::mem::take(&mut model.secrets[place].name), truth: None, known });
    }
    let model = &*model;
    truth::tell(&mut secrets, options, model)?;
    let output = |output: &evaluate::NamedChoice| ChoiceOutput {
        name: output.name.clone(),
        line: sources.location(output.span).line,
        observed: output.observed,
    };
    let seen = model.seen.iter().map(|seen| GaussianOutput {
        name: seen.name.clone(),
        line: sources.location(seen.span).line,
        value: seen.observed.as_ref().map(Constants::to_f64),
        noise_variance: seen.noise_variance.to_f64(),
    });
    Ok(Choices {
        secrets,
        outputs: model.outputs.iter().map(output).collect(),
        seen: seen.collect(),
        choice_count: model.choice_count(),
        is_open: model.is_open(),
    })
}

/// What is known about secrets that are alike.
struct Alike<S> {
    known: HashMap<*const SecretDistributions<S>, Arc<KnownChoice>>,
    /// What the last secret of two values has in common with the next.
    of_two: Option<(*const elimination::KindOfTwo<S>, Arc<KindOfTwo>)>,
}

impl<S: Scalar> Alike<S> {
    fn known(
        &mut self,
        found: &KnownSecret<S>,
        model: &ChoiceModel<S>,
        options: &Options,
    ) -> Result<Known, Vec<Diagnostic>> {
        match found {
            KnownSecret::OfTwo(found) if options.gain.is_none() && !model.is_open() => {
                let same = self.of_two.as_ref().filter(|(kind, _)| *kind == Rc::as_ptr(&found.kind));
                let kind = match same {
                    Some((_, kind)) => Arc::clone(kind),
                    None => {
                        let values = found.kind.values.each_ref().map(PlainValue::of);
                        Arc::new(KindOfTwo { values, accuracy: found.kind.accuracy })
                    }
                };
                self.of_two = Some((Rc::as_ptr(&found.kind), Arc::clone(&kind)));
                let [prior, posterior] = [&found.prior, &found.posterior].map(|p| p.each_ref().map(to_probability));
                Ok(Known::OfTwo { kind, prior, posterior, written: OnceLock::new() })
            }
            KnownSecret::Shared(found) if Rc::strong_count(found) > 1 => match self.known.entry(Rc::as_ptr(found)) {
                Entry::Occupied(known) => Ok(Known::Shared(known.get().clone())),
                Entry::Vacant(place) => {
                    Ok(Known::Shared(place.insert(Arc::new(known(found, model, options)?)).clone()))
                }
            },
            alone => Ok(Known::Shared(Arc::new(known(&alone.distributions(), model, options)?))),
        }
    }
}

fn known<S: Scalar>(
    found: &SecretDistributions<S>,
    model: &ChoiceModel<S>,
    options: &Options,
) -> Result<KnownChoice, Vec<Diagnostic>> {
    let is_exact = matches!(found.accuracy, Accuracy::Exact { .. });
    let (prior, posterior) = (Belief::of(&found.prior, is_exact), Belief::of(&found.posterior, is_exact));
    let channel = found.joint.as_deref().map(Channel::of);
    let gain = gain::of_secret(options, &prior)?;
    let are_seen = channel.is_none() && found.clouds.is_none() && gain.is_none() && !model.is_open();
    if are_seen && measure::follow_from_distributions(&prior, &posterior) {
        return Ok(KnownChoice::of_what_was_seen(prior, posterior, found.accuracy));
    }
    let mut measures =
        measure::measures(&prior, &posterior, channel.as_ref(), found.clouds.as_deref(), model, gain.as_ref());
    measure::account_for_errors(&mut measures, found.accuracy, &prior, channel.as_ref());
    measure::moments(&mut measures, &prior, (!model.is_open()).then_some(&posterior), found.accuracy);
    let by_output = match (&channel, &found.clouds) {
        (Some(channel), _) => channel.by_output(),
        (None, Some(clouds)) if model.is_open() => {
            let all = measures.get("mutual_information_bits").filter(|_| !measure::has_evidence(model));
            scattered::told_by_output(&prior, clouds, all)
        }
        (None, _) => Vec::new(),
    };
    Ok(KnownChoice {
        prior,
        posterior,
        measures: OnceLock::from(Box::new(measures)),
        is_open: model.is_open(),
        channel: channel.map(Box::new),
        by_output,
        accuracy: found.accuracy,
    })
}
