//! A whole audit: in doubles and, where they cannot decide, again in exact rationals.

use super::assess::{Failure, Progress, Settings, assess};
use super::defence::read_defences;
use super::feasibility::read_supports;
use super::lift::{Input, lift_following};
use super::release::Release;
use super::result::Audit;
use crate::analysis::Arithmetic;
use privug_engine::number::Exact;
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::source::{SourceId, Sources};

/// Published figures are sums of as many doubles as there are people, rounded at each step; those that agree up to so
/// many units in the last place, and one more for each person, are the same.
const VALUE_TOLERANCE_ULPS: f64 = 64.0;

/// The script is the first of the texts.
const PROGRAM: SourceId = SourceId(0);

/// Something that can be run in either arithmetic. It is used as `dyn`, so that the engine is compiled once, in this
/// crate.
pub trait Lift {
    /// What it publishes, in doubles.
    fn in_doubles(&self) -> Result<Release<f64>, Refusal>;
    /// The same in exact rationals, which may follow what it does in doubles: see
    /// [`Inputs::follows_doubles`](privug_engine::evaluate::Inputs).
    fn in_rationals(&self, follows_doubles: bool) -> Result<Release<Exact>, Refusal>;
}

impl Lift for Input {
    fn in_doubles(&self) -> Result<Release<f64>, Refusal> {
        lift_following(self, false)
    }

    fn in_rationals(&self, follows_doubles: bool) -> Result<Release<Exact>, Refusal> {
        lift_following(self, follows_doubles)
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
    let mut sources = Sources::default();
    if let Err(diagnostics) = read_defences(&settings.defences, &mut sources) {
        return Err(Refusal { sources, diagnostics });
    }
    if let Err(diagnostics) = read_supports(&settings.supports, &mut sources) {
        return Err(Refusal { sources, diagnostics });
    }
    progress(Progress::Begin("running the script"));
    if exact {
        let release = script.in_rationals(false)?;
        return assess(release, settings, None, progress).map_err(Failure::refusal);
    }
    let (doubt, about_inputs) = match script.in_doubles() {
        Ok(Release { doubt: Some(span), sources, .. }) => {
            let message = "whether this is a fixed number could not be decided";
            (Refusal { sources, diagnostics: vec![Diagnostic::error(Code::Undecidable, span, message)] }, true)
        }
        Ok(release) => {
            let tolerance = VALUE_TOLERANCE_ULPS + release.secrets.len() as f64;
            match assess(release, settings, Some(tolerance), progress) {
                Ok(audit) => return Ok(audit),
                Err(Failure::Refused(refusal)) => return Err(refusal),
                Err(Failure::Doubtful(doubt)) => (doubt, true),
                Err(Failure::Imprecise(doubt)) => (doubt, false),
            }
        }
        Err(refusal) => return Err(refusal),
    };
    progress(Progress::Begin("running the script in exact arithmetic"));
    let release = script.in_rationals(true)?;
    // An irrational variance of the prior decides nothing: whether a figure follows from others does not depend on it.
    let in_script = release.rounded.filter(|span| about_inputs && span.source == PROGRAM);
    if let (Some(span), Some(first)) = (in_script, doubt.diagnostics.first()) {
        let hint = "write that number as a decimal, leave the figure out, or publish it with noise";
        let message = format!("{}: it depends on how an irrational number is rounded", first.message);
        let refused = Diagnostic::error(Code::Undecidable, first.span, message).hint(hint);
        let refused = refused.related(span, "rounded here");
        return Err(Refusal { sources: doubt.sources, diagnostics: vec![refused] });
    }
    let mut audit = assess(release, settings, Some(VALUE_TOLERANCE_ULPS), progress).map_err(Failure::refusal)?;
    audit.arithmetic = Arithmetic::Float;
    audit.details.iter_mut().for_each(|detail| detail.exact = None);
    let what = doubt.diagnostics.first().map_or("", |diagnostic| diagnostic.message.as_str());
    audit.notes.push(format!("double precision was inconclusive ({what}); re-ran in exact arithmetic"));
    Ok(audit)
}

impl Failure {
    fn refusal(self) -> Refusal {
        match self {
            Failure::Refused(refusal) | Failure::Doubtful(refusal) | Failure::Imprecise(refusal) => refusal,
        }
    }
}
