//! What the reader of a result should be careful about.

use super::result::{Analysis, Status};
use privug_engine::evaluate::Note;
use privug_language::source::Span;

/// More names than this are counted instead of listed.
const LISTED: usize = 5;

/// All notes, the gravest first.
pub(super) fn write(analysis: &Analysis, from_program: &[Note], rounded: Option<Span>) -> Vec<String> {
    let mut notes = Vec::new();
    let [mut disclosed, mut will_be, mut constant] = [const { Listed::NONE }; 3];
    for (place, knowledge) in analysis.secrets.settled() {
        if knowledge.prior_variance == 0.0 {
            constant.add(analysis, place);
        } else if knowledge.fully_disclosed() {
            disclosed.add(analysis, place);
        } else {
            will_be.add(analysis, place);
        }
    }
    if disclosed.count > 0 {
        let (names, are) = (disclosed.words(), if disclosed.count == 1 { "is" } else { "are" });
        notes.push(format!("{names} {are} fully disclosed: the observations determine the value exactly"));
    }
    if will_be.count > 0 {
        notes.push(format!("{} will be fully disclosed once the outputs are published", will_be.words()));
    }
    let furthest = analysis.observations.iter().max_by(|one, other| one.z.abs().total_cmp(&other.z.abs()));
    notes.extend(analysis.prior_check.note(furthest.map(|seen| (seen.name.as_str(), seen.value, seen.z))));
    let redundant: Vec<String> = analysis
        .observations
        .iter()
        .filter(|observation| observation.status == Status::Redundant)
        .map(|observation| format!("{} (line {})", observation.name, observation.line))
        .collect();
    let redundant_outputs: Vec<String> = analysis
        .outputs
        .iter()
        .filter(|output| output.status == Status::Redundant)
        .map(|output| output.name.clone())
        .collect();
    for names in [redundant, redundant_outputs] {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if !names.is_empty() {
            let is = if names.len() == 1 { "is redundant: it follows" } else { "are redundant: they follow" };
            notes.push(format!("{} {is} from the other observations and the prior", list(&names)));
        }
    }
    if analysis.observations.is_empty() && !analysis.outputs.is_empty() {
        notes.push(
            "nothing was observed: the measures say what publishing would reveal, whatever the values turn out to be"
                .to_owned(),
        );
    } else if analysis.observations.is_empty() {
        notes.push("nothing was observed, so the posterior is the prior".to_owned());
    } else if !analysis.outputs.is_empty() {
        let names: Vec<&str> = analysis.outputs.iter().map(|output| output.name.as_str()).collect();
        notes.push(format!(
            "no value was observed for {}: the measures are as if {} published too, whatever the values turn out to be",
            list(&names),
            if names.len() == 1 { "it were" } else { "they were" }
        ));
    }
    if constant.count > 0 {
        notes.push(format!("{} is known beforehand (its prior variance is 0)", constant.words()));
    }
    for note in from_program {
        notes.push(format!("line {}: {}", analysis.sources.location(note.span).line, note.message));
    }
    if let Some(span) = rounded.filter(|_| analysis.exact.is_some()) {
        let line = analysis.sources.location(span).line;
        notes.push(format!("line {line}: an irrational number is taken as the double nearest to it"));
    }
    notes
}

/// Some of the secrets: the first few by name, and how many there are.
struct Listed {
    names: Vec<String>,
    count: usize,
}

impl Listed {
    const NONE: Listed = Listed { names: Vec::new(), count: 0 };

    fn add(&mut self, analysis: &Analysis, place: usize) {
        self.count += 1;
        if self.count <= LISTED {
            self.names.push(analysis.secrets.name(place).into_owned());
        }
    }

    fn words(&self) -> String {
        words(self.names.iter().map(String::as_str), self.count)
    }
}

fn list(names: &[&str]) -> String {
    words(names.iter().copied().take(LISTED), names.len())
}

fn words<'a>(names: impl Iterator<Item = &'a str>, count: usize) -> String {
    let shown: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let more = count.saturating_sub(LISTED);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
