//! What the reader of a result should know, as data; reports turn it into words.

use super::prior::PriorCheck;
use super::result::{Analysis, Status};
use privug_engine::evaluate;
use privug_language::source::Span;

/// More names than this are counted instead of listed.
const LISTED: usize = 5;

/// Something that the reader of a result should know.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// The observations determine these secrets exactly.
    Disclosed(Names),
    /// Publishing the outputs would determine these secrets exactly.
    WillBeDisclosed(Names),
    /// The published values refute the prior.
    PriorRefuted {
        /// By how much.
        check: PriorCheck,
        /// The value that is furthest away.
        furthest: Option<Furthest>,
    },
    /// These follow from the other observations and the prior.
    Redundant(Names),
    /// Nothing was observed: what publishing would reveal is told.
    NothingObserved,
    /// Nothing was observed and nothing is published.
    NothingPublished,
    /// These outputs have no value yet, and are taken to be published too.
    NotObserved(Names),
    /// These secrets are constants.
    KnownBeforehand(Names),
    /// What was seen is certain in some worlds, and one value of a continuum in others.
    CertainWorldsWon,
    /// How much will be told about these secrets is not known.
    MixtureUnknown(Vec<String>),
    /// What running the program brought along.
    Program {
        /// Where in the program, if that is said.
        line: Option<usize>,
        /// A sentence.
        words: String,
    },
    /// An irrational number is taken as the double nearest to it.
    Rounded {
        /// Where.
        line: usize,
    },
    /// What is told about all secrets together takes too much work.
    TogetherTooMuchWork,
    /// What is told about all secrets together depends on how an irrational number is rounded.
    TogetherUndecidable,
    /// Double precision was inconclusive, so that the program was run again in exact arithmetic.
    RanAgain(Inconclusive),
    /// So many people are known exactly before anything is published.
    PriorKnowsPeople(usize),
    /// Which figures disclose whom was looked up for some people only.
    ExplainedSome {
        /// For how many.
        explained: usize,
        /// Of how many that are disclosed.
        disclosed: usize,
    },
    /// So many figures follow from the figures before them.
    RedundantFigures(usize),
    /// Nothing about the secret is published.
    NothingAboutSecret,
    /// The report itself tells real values of people.
    Confidential,
}

/// What double precision was inconclusive about.
#[derive(Debug, Clone, PartialEq)]
pub enum Inconclusive {
    /// Something on this line of the program.
    Line(usize),
    /// What this sentence says.
    Question(String),
}

/// A sentence from somewhere else: tables, defences, earlier releases.
impl From<String> for Note {
    fn from(words: String) -> Self {
        Note::Program { line: None, words }
    }
}

/// The first few names, and how many there are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Names {
    /// The first few, each with its line if that tells them apart.
    pub first: Vec<(String, Option<usize>)>,
    /// How many there are.
    pub count: usize,
}

/// A published value, and how far from what the prior predicts it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Furthest {
    /// What it is called.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// In standard deviations.
    pub z: f64,
}

impl Furthest {
    /// The furthest of several.
    pub(crate) fn of(all: impl Iterator<Item = Furthest>) -> Option<Furthest> {
        all.max_by(|one, other| one.z.abs().total_cmp(&other.z.abs()))
    }
}

impl Names {
    fn add(&mut self, name: impl FnOnce() -> String, line: Option<usize>) {
        self.count += 1;
        if self.count <= LISTED {
            self.first.push((name(), line));
        }
    }
}

/// All notes, the gravest first.
pub(super) fn write(analysis: &Analysis, from_program: &[evaluate::Note], rounded: Option<Span>) -> Vec<Note> {
    let mut notes = Vec::new();
    let [mut disclosed, mut will_be, mut constant] = [(); 3].map(|()| Names::default());
    for (place, knowledge) in analysis.secrets.settled() {
        let names = if knowledge.prior_variance == 0.0 {
            &mut constant
        } else if knowledge.fully_disclosed() {
            &mut disclosed
        } else {
            &mut will_be
        };
        names.add(|| analysis.secrets.name(place).into_owned(), None);
    }
    let mut push = |names: Names, note: fn(Names) -> Note| {
        if names.count > 0 {
            notes.push(note(names));
        }
    };
    push(disclosed, Note::Disclosed);
    push(will_be, Note::WillBeDisclosed);
    if analysis.prior_check.surprise.is_refuted() {
        let seen = analysis.observations.iter();
        let furthest =
            Furthest::of(seen.map(|seen| Furthest { name: seen.name.clone(), value: seen.value, z: seen.z }));
        notes.push(Note::PriorRefuted { check: analysis.prior_check, furthest });
    }
    let [mut observations, mut outputs, mut unseen] = [(); 3].map(|()| Names::default());
    for seen in analysis.observations.iter().filter(|seen| seen.status == Status::Redundant) {
        observations.add(|| seen.name.clone(), Some(seen.line));
    }
    for output in &analysis.outputs {
        unseen.add(|| output.name.clone(), None);
        if output.status == Status::Redundant {
            outputs.add(|| output.name.clone(), None);
        }
    }
    let redundant = [observations, outputs].into_iter().filter(|names| names.count > 0);
    notes.extend(redundant.map(Note::Redundant));
    match (analysis.observations.is_empty(), analysis.outputs.is_empty()) {
        (true, false) => notes.push(Note::NothingObserved),
        (true, true) => notes.push(Note::NothingPublished),
        (false, false) => notes.push(Note::NotObserved(unseen)),
        (false, true) => {}
    }
    if constant.count > 0 {
        notes.push(Note::KnownBeforehand(constant));
    }
    let line = |span: Span| analysis.sources.location(span).line;
    notes.extend(
        from_program.iter().map(|note| Note::Program { line: Some(line(note.span)), words: note.message.clone() }),
    );
    notes.extend(rounded.filter(|_| analysis.exact.is_some()).map(|span| Note::Rounded { line: line(span) }));
    notes
}
