//! The program's source with line numbers, and beside each published line what it leaks.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::ops::Range;

use super::page::Page;
use super::verdict::most_exposed;
use super::words::{bits, count, figure, near, short};
use privug_analysis::analysis::{Analysis, SecretResult, Status};
use privug_language::program::is_of_privug;
use privug_language::syntax::{Colour, colours};

/// A program with at most this many lines is shown whole.
const WHOLE: usize = 300;
/// Of a longer one: its beginning, and published lines with their neighbours.
const BEGINNING: usize = 40;
const NEIGHBOURS: usize = 4;
const PUBLISHED: usize = 40;
/// Longer lines lose their end.
const LONGEST_LINE: usize = 300;
/// Values of outputs on one line that are listed.
const VALUES: usize = 4;

/// What happens on a line.
#[derive(Default)]
struct Event<'a> {
    seen: Vec<String>,
    unseen: Vec<&'a str>,
    redundant: usize,
    noise: Vec<f64>,
}

/// The source of an analysed program.
pub(super) fn listing(page: &mut Page, analysis: &Analysis) {
    let Some(source) = analysis.sources.iter().next() else { return };
    let events = events(analysis);
    let secret = most_exposed(analysis).map(|place| analysis.secrets.get(place));
    let secret = secret.as_deref();
    if let Some(secret) = secret.filter(|_| analysis.secrets.len() > 1 && !events.is_empty()) {
        page.markup("<p>The bits next to the lines are about ").name(&secret.name);
        page.markup(", the most exposed secret.</p>\n");
    }
    lines(page, &source.text, &events.keys().copied().collect(), |page, line| {
        if let Some(event) = events.get(&line) {
            annotation(page, event, line, secret);
        }
    });
}

fn events(analysis: &Analysis) -> BTreeMap<usize, Event<'_>> {
    let mut events: BTreeMap<usize, Event<'_>> = BTreeMap::new();
    for seen in &analysis.observations {
        let event = events.entry(seen.line).or_default();
        let noise = if seen.noise_variance > 0.0 {
            format!(" ± {}", short(seen.noise_variance.sqrt()))
        } else {
            String::new()
        };
        event.seen.push(near(seen.value, seen.predicted_variance.sqrt()) + &noise);
        event.redundant += usize::from(seen.status == Status::Redundant);
    }
    for output in &analysis.outputs {
        let event = events.entry(output.line).or_default();
        event.unseen.push(&output.name);
        event.redundant += usize::from(output.status == Status::Redundant);
    }
    for applied in &analysis.mechanisms {
        events.entry(analysis.sources.location(applied.span).line).or_default().noise.push(applied.calibration.std_dev);
    }
    events
}

fn annotation(page: &mut Page, event: &Event<'_>, line: usize, secret: Option<&SecretResult>) {
    page.markup("<span class=\"leak\">");
    let mut parts = 0;
    let mut part = |page: &mut Page| {
        page.markup(if parts == 0 { "" } else { " · " });
        parts += 1;
    };
    if !event.noise.is_empty() {
        part(page);
        page.markup("adds noise of standard deviation ").text(&short(event.noise[0]));
        if event.noise.len() > 1 {
            page.text(&format!(" and {} more", figure((event.noise.len() - 1) as f64)));
        }
    }
    if !event.seen.is_empty() {
        part(page);
        page.markup("observed ").text(&event.seen[..event.seen.len().min(VALUES)].join(", "));
        if event.seen.len() > VALUES {
            page.text(&format!(" and {} more", figure((event.seen.len() - VALUES) as f64)));
        }
    }
    if !event.unseen.is_empty() {
        part(page);
        page.markup("published").text(&if event.unseen.len() > 1 {
            format!(" ({})", count(event.unseen.len(), "output"))
        } else {
            String::new()
        });
    }
    let outputs = event.seen.len() + event.unseen.len();
    if let Some(secret) = secret.filter(|_| outputs > 0) {
        let leaks: Vec<_> = secret.by_output.iter().filter(|leak| leak.line == line).collect();
        let alone = leaks.iter().map(|leak| leak.alone_bits).fold(0.0, f64::max);
        let added: f64 = leaks.iter().map(|leak| leak.added_bits).sum();
        part(page);
        page.markup(if outputs > 1 { "each alone reveals at most <b>" } else { "alone it reveals <b>" });
        page.text(&bits(alone)).markup("</b>");
        part(page);
        page.markup(if outputs > 1 { "together they add <b>" } else { "it adds <b>" })
            .text(&bits(added))
            .markup("</b>");
    }
    if event.redundant > 0 {
        part(page);
        page.markup(if outputs > 1 { "some redundant: " } else { "redundant: " }).markup("follows from the others");
    }
    page.markup("</span>");
}

/// A source text; `behind` adds what is to be said about a line. Of a long text only the beginning and the `marked`
/// lines are shown.
pub(super) fn lines(page: &mut Page, text: &str, marked: &BTreeSet<usize>, mut behind: impl FnMut(&mut Page, usize)) {
    let total = text.lines().count();
    let shown = shown_lines(total, marked);
    page.markup("<ol class=\"source\" aria-label=\"Source of the program\">\n");
    let tokens = colours(text);
    let (mut last, mut end) = (0, 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let number = index + 1;
        let start = end;
        end += line.len();
        if !shown.contains(&number) {
            continue;
        }
        gap(page, last, number);
        last = number;
        let is_marked = marked.contains(&number);
        page.markup(if is_marked { "<li class=\"marked\" value=" } else { "<li value=" });
        page.markup("\"").text(&number.to_string()).markup("\"><code>");
        let line = line.trim_end_matches(['\n', '\r']);
        code(page, &pieces(line, start, &tokens));
        page.markup("</code>");
        behind(page, number);
        page.markup("</li>\n");
    }
    gap(page, last, total + 1);
    page.markup("</ol>\n");
    let unshown = marked.iter().filter(|line| !shown.contains(line)).count();
    if unshown > 0 {
        page.markup("<p class=\"left-out\">").text(&count(unshown, "more published line")).markup(" left out.</p>\n");
    }
}

fn shown_lines(total: usize, marked: &BTreeSet<usize>) -> BTreeSet<usize> {
    if total <= WHOLE {
        return (1..=total).collect();
    }
    let around = marked.iter().take(PUBLISHED).flat_map(|line| line.saturating_sub(NEIGHBOURS)..=line + NEIGHBOURS);
    (1..=BEGINNING).chain(around).filter(|line| (1..=total).contains(line)).collect()
}

/// Says which lines are not shown.
fn gap(page: &mut Page, last: usize, next: usize) {
    let missing = next - last - 1;
    if missing > 0 {
        page.markup("<li class=\"gap\">… ").text(&count(missing, "line")).markup(" left out</li>\n");
    }
}

/// A line, which begins at a byte of its text, cut into tokens and what is between them.
fn pieces<'t>(line: &'t str, start: usize, tokens: &[(Colour, Range<usize>)]) -> Vec<(Option<Colour>, &'t str)> {
    let mut pieces = Vec::new();
    let mut done = 0;
    let first = tokens.partition_point(|(_, bytes)| bytes.end <= start);
    for (colour, bytes) in &tokens[first..] {
        // A string over several lines began before this one, or ends behind it.
        let (from, to) = (bytes.start.max(start) - start, bytes.end.saturating_sub(start).min(line.len()));
        if from >= line.len() {
            break;
        }
        pieces.push((None, &line[done..from]));
        pieces.push((Some(*colour), &line[from..to]));
        done = to;
    }
    pieces.push((None, &line[done..]));
    pieces.retain(|(_, text)| !text.is_empty());
    pieces
}

fn code(page: &mut Page, pieces: &[(Option<Colour>, &str)]) {
    let mut room = LONGEST_LINE;
    for (colour, text) in pieces {
        let piece: String = text.chars().take(room).collect();
        room -= piece.chars().count();
        let class = match colour {
            Some(Colour::Keyword) => Some("k"),
            Some(Colour::Name) => is_of_privug(text).then_some("p"),
            Some(Colour::Number) => Some("d"),
            Some(Colour::Text) => Some("s"),
            Some(Colour::Comment) => Some("c"),
            None => None,
        };
        if let Some(class) = class {
            page.markup("<span class=\"").markup(class).markup("\">").text(&piece).markup("</span>");
        } else {
            page.text(&piece);
        }
        if room == 0 {
            page.markup(" <span class=\"c\">… (the line goes on)</span>");
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_line_is_lost() {
        let text = "def f():\r\n    \"\"\"What it\n    does é\"\"\"\n    return f'{x}' # 🙂";
        let (tokens, mut end, mut texts) = (colours(text), 0, 0);
        for line in text.split_inclusive('\n') {
            let found = pieces(line, end, &tokens);
            assert_eq!(found.iter().map(|(_, text)| *text).collect::<String>(), line);
            texts += found.iter().filter(|(colour, _)| *colour == Some(Colour::Text)).count();
            end += line.len();
        }
        // Two lines of one string, and the quotes of another.
        assert_eq!(texts, 4);
    }

    #[test]
    fn a_long_program_shows_its_beginning_and_what_is_published() {
        let marked = BTreeSet::from([2, 5_000]);
        let shown = shown_lines(100_000, &marked);
        assert!(shown.contains(&40) && !shown.contains(&41) && shown.contains(&4_996) && shown.contains(&5_004));
        assert_eq!(shown.len(), 49);
        assert_eq!(shown_lines(3, &marked).len(), 3);
    }
}
