//! One request on its way through the stages, in one arithmetic.

use super::assemble::{Findings, Learnt, assemble};
use super::measure::{Together, asked_nodes};
use super::notes::{Inconclusive, Note};
use super::options::Options;
use super::prior::PriorCheck;
use super::request::Request;
use super::result::{Analysis, Arithmetic};
use crate::driver::{Conditioned, Failure, Pass, Texts, UNDECIDED, VALUE_TOLERANCE_ULPS, Work, explain};
use crate::query::{Query, QueryKind, Subject as Asked};
use privug_engine::evaluate::{Inputs, Model, Recording};
use privug_engine::network::Affine;
use privug_engine::number::{Exact, Scalar};
use privug_engine::posterior::{self, MAX_COVARIANCE_TARGETS, Observation, Posterior, Prepared, Subject};
use privug_engine::stages::Stages;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::program::{Given, Program};
use privug_language::source::{Sources, Span};
use privug_measures::leakage::{MAX_JOINT_SECRETS, joint_leak};

/// A request that is ready to run.
pub(super) struct Line<'a> {
    pub(super) request: &'a Request,
    pub(super) texts: &'a Texts,
    pub(super) options: &'a Options,
    /// The values that are given for this run.
    pub(super) given: &'a [Given],
    pub(super) ran: Ran<'a>,
}

/// What is run: a program, or the recording of one.
pub(super) enum Ran<'a> {
    Program(&'a Program),
    Recorded(&'a Recording),
}

impl Work for Line<'_> {
    type Found = Analysis;

    fn in_doubles(&self) -> Result<Analysis, Failure> {
        self.run::<f64>(&Pass::Doubles).map(|(analysis, _)| analysis)
    }

    fn in_rationals(&self, pass: &Pass) -> Result<Analysis, Failure> {
        let (mut analysis, rounded) = self.run::<Exact>(pass)?;
        pass.refuse_rounding(rounded, HINT)?;
        if let Pass::Again(Some(doubt)) = pass {
            analysis.arithmetic = Arithmetic::Float;
            analysis.exact = None;
            analysis.notes.push(Note::RanAgain(Inconclusive::Line(doubt.line())));
        }
        Ok(analysis)
    }
}

/// What to do where the rounding of a number decides.
const HINT: &str = "write that number as a decimal, omit the observation, or observe it with noise";

/// What is open if doubles, or anybody, cannot decide.
pub(super) const OPEN: &str = "whether this adds any information";

impl Line<'_> {
    /// Runs the program; tells also where an irrational number was rounded.
    fn run<S: Stages>(&self, pass: &Pass) -> Result<(Analysis, Option<Span>), Failure> {
        let model = self.model::<S>(pass)?;
        let rounded = model.known_rounded;
        let found = self.learn(model, pass);
        if S::EXACT { found.map_err(|failure| failure.for_good(rounded, HINT)) } else { found }
    }

    /// What is learnt from what the program publishes.
    fn learn<S: Stages>(&self, mut model: Model<S>, pass: &Pass) -> Result<(Analysis, Option<Span>), Failure> {
        let observations: Vec<Observation<S>> = model
            .evidence
            .iter()
            .map(|evidence| Observation { variable: evidence.seen.variable.clone(), value: evidence.value.clone() })
            .collect();
        let posterior_options = self.posterior_options(pass);
        if let Some(mut choices) = model.choices.take() {
            return Ok((self.run_choices(&model, &mut choices, &posterior_options)?, model.rounded));
        }
        let about = About { line: self, model: &model, place_of_target: &|target| model.secrets.span(target) };
        let learnt = if model.secrets.len() > MAX_COVARIANCE_TARGETS {
            S::survey(
                &model.network,
                &observations,
                model.secrets.variables(),
                &posterior_options,
                &mut Prepared::default(),
            )
            .map(Learnt::from)
        } else {
            let targets: Vec<Affine<S>> = model.secrets.variables().iter().collect();
            S::condition(&model.network, &observations, &targets, &posterior_options).map(Learnt::from)
        };
        let learnt = learnt.map_err(|refusal| explain(refusal, &about))?;
        let is_rounded = model.rounded.or(model.known_rounded).is_some();
        let undecidable = is_rounded && S::EXACT && posterior_options.value_tolerance_ulps.is_some();
        let together = if undecidable && (2..=MAX_JOINT_SECRETS).contains(&model.secrets.len()) {
            Together::Undecidable
        } else {
            self.together(&about, &observations, &posterior_options)?
        };
        let sources = &self.texts.sources;
        let prior_check = PriorCheck::new(learnt.surprise, &model.network, &observations, sources, &posterior_options);
        let asked_nodes = asked_nodes(&model);
        let asked_variables: Vec<Affine<S>> =
            asked_nodes.iter().map(|node| Affine { node: *node, scale: S::one(), offset: S::zero() }).collect();
        let asked = if asked_nodes.is_empty() {
            Posterior {
                observations: Vec::new(),
                log_evidence_nats: 0.0,
                log_evidence_error: 0.0,
                targets: Vec::new(),
                covariances: None,
            }
        } else {
            let place_of_target = &|target: usize| model.network.span(asked_nodes[target]);
            S::condition(&model.network, &observations, &asked_variables, &posterior_options)
                .map_err(|refusal| explain(refusal, &About { place_of_target, line: self, model: &model }))?
        };
        let findings =
            Findings { model: &model, learnt, together, prior_check, asked_nodes: &asked_nodes, asked: &asked };
        let analysis = assemble(sources, &self.request.path, self.function(), self.options, findings);
        Ok((analysis.map_err(|diagnostics| self.refused(diagnostics))?, model.rounded))
    }

    /// The network that the program, or its recording, builds.
    fn model<S: Stages>(&self, pass: &Pass) -> Result<Model<S>, Failure> {
        let own = self.options.queries.iter();
        let inputs = Inputs {
            observed_paths: self.options.observed_paths.clone(),
            questions: own.map(|query| query.kind.clone()).chain(self.asked_by_requirements()).collect(),
            differences: self.options.differences.clone(),
            given: self.given.to_vec(),
            limits: self.request.limits.clone(),
            cancelled: self.request.cancelled.clone(),
            follows_doubles: pass.follows_doubles(),
        };
        let model: Result<Model<S>, Vec<Diagnostic>> = match self.ran {
            Ran::Program(program) => S::evaluate(program, &inputs),
            Ran::Recorded(recording) => S::replay(recording, &inputs),
        };
        let model = model.map_err(|diagnostics| match &diagnostics[..] {
            [open] if open.code == Code::Undecidable => Failure::doubtful(self.texts.refuse(diagnostics)),
            _ => self.refused(diagnostics),
        })?;
        match model.doubt {
            Some(span) => Err(Failure::doubtful(self.texts.refuse(vec![undecided(span)]))),
            None => Ok(model),
        }
    }

    fn posterior_options(&self, pass: &Pass) -> posterior::Options {
        let value_tolerance_ulps = match (pass, &self.ran) {
            (Pass::Doubles, _) | (Pass::Exact, Ran::Program(_)) => None,
            // What a recording has seen are doubles, whatever it is replayed in.
            (Pass::Exact, Ran::Recorded(_)) | (Pass::Again(_), _) => Some(VALUE_TOLERANCE_ULPS),
        };
        posterior::Options {
            max_cells: self.request.work.cells,
            max_operations: self.request.work.operations,
            cancelled: self.request.cancelled.clone(),
            value_tolerance_ulps,
            ..posterior::Options::default()
        }
    }

    /// What the analysed function is called.
    pub(super) fn function(&self) -> &str {
        match self.ran {
            Ran::Program(program) => &program.function(program.entry).name,
            Ran::Recorded(_) => self.request.function.as_deref().unwrap_or_default(),
        }
    }

    /// What is told about all secrets together. Where doubles have too few digits for it, rationals have enough.
    fn together<S: Stages>(
        &self,
        about: &About<'_, S>,
        observations: &[Observation<S>],
        options: &posterior::Options,
    ) -> Result<Together, Failure> {
        let secrets = &about.model.secrets;
        if !(2..=MAX_JOINT_SECRETS).contains(&secrets.len()) {
            return Ok(Together::NotAsked);
        }
        let targets: Vec<Affine<S>> = secrets.variables().iter().collect();
        let imprecise = || Failure::imprecise(self.texts.refuse(vec![undecided(secrets.span(0))]));
        match S::channel(&about.model.network, observations, &targets, options) {
            Ok(channel) => joint_leak(&channel).map(Together::Leak).ok_or_else(imprecise),
            Err(posterior::Refusal::TooLarge { .. }) => Ok(Together::TooMuchWork),
            Err(posterior::Refusal::Doubtful { .. } | posterior::Refusal::OutOfRange { .. }) if !S::EXACT => {
                Err(imprecise())
            }
            Err(refusal) => Err(explain(refusal, about)),
        }
    }

    /// The questions inside requirements, in their order.
    pub(super) fn queries_of_requirements(&self) -> impl Iterator<Item = &Query> {
        self.options.requirements.iter().filter_map(|requirement| match &requirement.subject {
            Asked::Query(query) => Some(query),
            Asked::Measure(_) => None,
        })
    }

    fn asked_by_requirements(&self) -> impl Iterator<Item = QueryKind> {
        self.queries_of_requirements().map(|query| query.kind.clone())
    }

    pub(super) fn refused(&self, diagnostics: Vec<Diagnostic>) -> Failure {
        Failure::Refused(self.texts.refuse(diagnostics))
    }
}

fn undecided(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Undecidable, span, OPEN.to_owned() + UNDECIDED)
}

/// What is conditioned, for messages.
struct About<'a, S: Scalar> {
    line: &'a Line<'a>,
    model: &'a Model<S>,
    place_of_target: &'a dyn Fn(usize) -> Span,
}

impl<S: Scalar> Conditioned for About<'_, S> {
    const WORK: &'static str = "the analysis";
    const FEWER: &'static str = "analyse fewer overlapping observations";

    fn sources(&self) -> &Sources {
        &self.line.texts.sources
    }

    fn start(&self) -> Span {
        self.line.texts.start()
    }

    fn place(&self, subject: Subject) -> Span {
        match subject {
            Subject::Observation(index) => self.model.evidence[index].seen.span,
            Subject::Target(index) => (self.place_of_target)(index),
        }
    }

    fn open(&self, _: Subject) -> String {
        OPEN.to_owned()
    }

    fn sized(&self, _: Subject) -> String {
        "the result".to_owned()
    }

    fn contradiction(&self, observation: usize, implied: &str, given: &str) -> Diagnostic {
        let seen = &self.model.evidence[observation].seen;
        let earlier = if observation == 0 { "the prior alone" } else { "what was observed before" };
        let message = format!("`{}` is observed as {given}, but {earlier} implies {implied}", seen.name);
        Diagnostic::error(Code::Contradiction, seen.span, message).hint(
            "rounded figures need not be consistent: give the values before rounding. Observe figures that were published with noise together with its standard deviation: `observe(x, value, std=...)` or `--observe 'value±std'`",
        )
    }
}
