//! A whole audit: a script is compiled once and given to the driver.

use super::assess::{Progress, Settings, assess};
use super::defence::{Defences, read_defences};
use super::feasibility::read_supports;
use super::lift::{Input, Lifting};
use super::release::Release;
use super::result::Audit;
use crate::analysis::{Arithmetic, Inconclusive, Note};
use crate::driver::{Failure, Pass, UNDECIDED, VALUE_TOLERANCE_ULPS, Work, decide};
use privug_engine::number::Exact;
use privug_engine::stages::Stages;
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::source::{SourceId, Sources, Span};

/// The script is the first of the texts.
pub(super) const PROGRAM: SourceId = SourceId(0);

/// Something that publishes: a script, a function that was run already, or either of them after earlier releases. It is
/// used as `dyn`, so that the engine is compiled once, in this crate.
pub trait Lift {
    /// Reads and checks everything, once; nothing is run yet.
    fn compile(&self) -> Result<Box<dyn Lifted + '_>, Refusal>;
}

/// Something that publishes and can be run in either arithmetic.
pub trait Lifted {
    /// What it publishes, in doubles.
    fn in_doubles(&self) -> Result<Release<f64>, Refusal>;
    /// The same in exact rationals, which may follow what it does in doubles: see
    /// [`Inputs::follows_doubles`](privug_engine::evaluate::Inputs).
    fn in_rationals(&self, follows_doubles: bool) -> Result<Release<Exact>, Refusal>;
}

impl Lift for Input {
    fn compile(&self) -> Result<Box<dyn Lifted + '_>, Refusal> {
        Ok(Box::new(Lifting::new(self)?))
    }
}

impl Lifted for Lifting<'_> {
    fn in_doubles(&self) -> Result<Release<f64>, Refusal> {
        self.lift(false)
    }

    fn in_rationals(&self, follows_doubles: bool) -> Result<Release<Exact>, Refusal> {
        self.lift(follows_doubles)
    }
}

/// Audits a script: what does it publish, what does an attacker learn about everybody, and is that allowed?
pub fn audit(
    script: &dyn Lift,
    settings: &Settings,
    exact: bool,
    progress: &dyn Fn(Progress),
) -> Result<Audit, Refusal> {
    // What is wrong with the options is said before anything long is done.
    let defences = read_defences(&settings.defences)?;
    let mut sources = Sources::default();
    if let Err(diagnostics) = read_supports(&settings.supports, &mut sources) {
        return Err(Refusal { sources, diagnostics });
    }
    progress(Progress::Begin("running the script"));
    let script = script.compile()?;
    decide(&Auditing { script: &*script, settings, defences: &defences, progress }, exact)
}

/// An audit that is ready to run.
struct Auditing<'a> {
    script: &'a dyn Lifted,
    settings: &'a Settings,
    defences: &'a Defences,
    progress: &'a dyn Fn(Progress),
}

impl Work for Auditing<'_> {
    type Found = Audit;

    fn in_doubles(&self) -> Result<Audit, Failure> {
        let release = self.script.in_doubles().map_err(Failure::Refused)?;
        if let Some(span) = release.doubt {
            return Err(undecided(release, span));
        }
        // Published figures are sums of as many doubles as there are people, rounded at each step.
        let tolerance = VALUE_TOLERANCE_ULPS + release.secrets.len() as f64;
        self.assess(release, Some(tolerance))
    }

    fn in_rationals(&self, pass: &Pass) -> Result<Audit, Failure> {
        let Pass::Again(doubt) = pass else {
            return self.assess(self.script.in_rationals(false).map_err(Failure::Refused)?, None);
        };
        (self.progress)(Progress::Begin("running the script in exact arithmetic"));
        let release = self.script.in_rationals(true).map_err(Failure::Refused)?;
        // An irrational variance of the prior decides nothing: whether a figure follows from others does not depend on it.
        let in_script = release.rounded.filter(|span| span.source == PROGRAM);
        let hint = "write that number as a decimal, omit the figure, or publish it with noise";
        pass.refuse_rounding(in_script, hint)?;
        let rounded = release.known_rounded;
        let audit = self.assess(release, Some(VALUE_TOLERANCE_ULPS));
        let mut audit = audit.map_err(|failure| failure.for_good(rounded, hint))?;
        audit.arithmetic = Arithmetic::Float;
        audit.details.iter_mut().for_each(|detail| detail.exact = None);
        if let Some(doubt) = doubt {
            let open = doubt.finding().message.clone();
            audit.notes.push(Note::RanAgain(Inconclusive::Question(open)));
        }
        Ok(audit)
    }
}

impl Auditing<'_> {
    fn assess<S: Stages>(&self, release: Release<S>, value_tolerance_ulps: Option<f64>) -> Result<Audit, Failure> {
        assess(release, self.settings, self.defences, value_tolerance_ulps, self.progress)
    }
}

fn undecided(release: Release<f64>, span: Span) -> Failure {
    let message = "whether this is a fixed number".to_owned() + UNDECIDED;
    let diagnostics = vec![Diagnostic::error(Code::Undecidable, span, message)];
    Failure::doubtful(Refusal { sources: release.sources, diagnostics })
}
