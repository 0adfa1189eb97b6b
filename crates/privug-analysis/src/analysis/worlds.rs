//! The rest of the way for a program with choices: they are eliminated instead of conditioned on.

use super::choices;
use super::line::{Line, OPEN};
use super::notes::Note;
use super::result::{Analysis, Arithmetic};
use crate::driver::{Conditioned, Failure, explain};
use crate::query::Query;
use privug_engine::elimination;
use privug_engine::evaluate::{ChoiceModel, Model};
use privug_engine::number::Scalar;
use privug_engine::posterior::{self, Subject};
use privug_engine::stages::Stages;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::source::{Sources, Span};

/// Names that a message lists.
const MAX_NAMES: usize = 6;

impl Line<'_> {
    /// What is told about the secrets.
    pub(super) fn run_choices<S: Stages>(
        &self,
        model: &Model<S>,
        choices: &mut ChoiceModel<S>,
        posterior_options: &posterior::Options,
    ) -> Result<Analysis, Failure> {
        let options = self.options;
        let refused = |diagnostics| self.refused(diagnostics);
        let found = S::eliminate(&model.network, choices, posterior_options)
            .map_err(|refusal| self.explain_elimination(refusal, choices))?;
        let results = choices::assemble(&self.texts.sources, options, choices, &found).map_err(refused)?;
        let queries: Vec<&Query> = options.queries.iter().chain(self.queries_of_requirements()).collect();
        let mut answers = choices::answers(&queries, choices, &found).map_err(refused)?;
        let of_requirements = answers.split_off(options.queries.len());
        let requirements = choices::decide(options, choices, &results, &of_requirements).map_err(refused)?;
        let of_program = model.notes.iter();
        let of_program = of_program.map(|note| Note::Program { line: None, words: note.message.clone() });
        let mut notes: Vec<Note> = of_program.collect();
        if found.certain_won {
            notes.push(Note::CertainWorldsWon);
        }
        let open = if results.is_open { results.secrets.as_slice() } else { &[] };
        let unknown = open.iter().filter(|secret| secret.measures().get("mutual_information_bits").is_none());
        let unknown: Vec<String> = unknown.map(|secret| secret.name.clone()).collect();
        if !unknown.is_empty() {
            notes.push(Note::MixtureUnknown(unknown));
        }
        Ok(Analysis::of_choices(
            &self.texts.sources,
            &self.request.path,
            self.function(),
            results,
            (answers, requirements, notes),
            (if S::EXACT { Arithmetic::Exact } else { Arithmetic::Float }, options.level, found.log_evidence_nats),
            model.network.source_count() + choices.choice_count(),
            model.mechanisms.clone(),
        ))
    }

    /// A refusal to eliminate choices, in the user's terms.
    fn explain_elimination<S: Scalar>(&self, refusal: elimination::Refusal<S>, choices: &ChoiceModel<S>) -> Failure {
        let start = self.texts.start();
        let place = choices.secrets.first().map_or(start, |secret| secret.span);
        let diagnostic = match refusal {
            elimination::Refusal::TooWide => {
                let (count, bits) = choices.extent();
                let worlds = if bits < 40.0 { format!("{:.0}", bits.exp2()) } else { format!("2^{bits:.0}") };
                let seen = choices.seen.iter().map(|seen| seen.name.as_str());
                let named = choices.outputs.iter().chain(&choices.secrets).map(|named| named.name.as_str());
                let mut names: Vec<&str> = seen.chain(named).collect();
                names.dedup();
                names.truncate(MAX_NAMES);
                let message = format!(
                    "the observations, the outputs and the secret depend on {count} choices at once, with {worlds} combinations: `{}`",
                    names.join("`, `")
                );
                let hint = "sums over people may be published together; other functions of many people at once may not";
                Diagnostic::error(Code::TooManyWorlds, place, message).hint(hint)
            }
            elimination::Refusal::Contradiction(span) if choices.truncated.is_empty() => {
                impossible(span.unwrap_or(place))
            }
            elimination::Refusal::Contradiction(span) => {
                let message = "the observations are impossible, or less likely than 1e-290";
                Diagnostic::error(Code::TooUnlikely, span.unwrap_or(place), message).hint(TOO_UNLIKELY)
            }
            elimination::Refusal::Entangled(span) => {
                let message = "a Gaussian variable that is compared with numbers is also used elsewhere";
                let hint = "its posterior would not be a truncated normal distribution; publish its comparisons or its sums, not both";
                Diagnostic::error(Code::ComparisonOfRandom, span, message).hint(hint)
            }
            elimination::Refusal::Opaque(span) => {
                let message = "a random choice selects between values that contain random variables or choices";
                let hint = "let the choice select numbers: return one list or dictionary that contains them";
                Diagnostic::error(Code::BranchOnRandom, span, message).hint(hint)
            }
            elimination::Refusal::Cancelled => Diagnostic::error(Code::Cancelled, start, "the analysis was cancelled"),
            elimination::Refusal::Conditioning(refusal, span) => {
                return explain(refusal, &InWorlds { line: self, span });
            }
        };
        self.refused(vec![diagnostic])
    }
}

/// What to do about evidence that ignored values may explain.
const TOO_UNLIKELY: &str = "less likely values of `Poisson` and `Geometric` are ignored: check the observed values, or give the probabilities with `Categorical`";

fn impossible(span: Span) -> Diagnostic {
    let message = "the observations are impossible: their probability is 0";
    Diagnostic::error(Code::Contradiction, span, message).hint("check the observed values")
}

/// What is conditioned in one class of worlds, for messages: all of it is about one place.
struct InWorlds<'a> {
    line: &'a Line<'a>,
    span: Span,
}

impl Conditioned for InWorlds<'_> {
    const WORK: &'static str = "the analysis";
    const FEWER: &'static str = "analyse fewer overlapping observations";

    fn sources(&self) -> &Sources {
        &self.line.texts.sources
    }

    fn start(&self) -> Span {
        self.line.texts.start()
    }

    fn place(&self, _: Subject) -> Span {
        self.span
    }

    fn open(&self, _: Subject) -> String {
        OPEN.to_owned()
    }

    fn sized(&self, _: Subject) -> String {
        "the result".to_owned()
    }

    fn contradiction(&self, _: usize, _: &str, _: &str) -> Diagnostic {
        impossible(self.span)
    }
}
