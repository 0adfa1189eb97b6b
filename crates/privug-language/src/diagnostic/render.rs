//! Diagnostics as text for a terminal.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, is_unseen, visible};
use crate::source::{Source, Sources, Span};

/// Whether the text carries colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// No escape sequences.
    Plain,
    /// ANSI colours.
    Coloured,
}

/// Lines longer than this are cut around the place that matters.
const MAX_LINE: usize = 10_000;

/// All findings, one after the other, each ending in a line break.
pub fn render(sources: &Sources, diagnostics: &[Diagnostic], style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&render_one(sources, diagnostic, &renderer));
        text.push_str("\n\n");
    }
    text
}

fn render_one(sources: &Sources, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let place = Window::new(sources, diagnostic.span);
    let related: Vec<(Window, &str)> =
        diagnostic.related.iter().map(|(span, words)| (Window::new(sources, *span), words.as_str())).collect();
    let message = visible(&diagnostic.message);
    let hint = diagnostic.hint.as_deref().map(visible);
    let title = Level::ERROR.primary_title(&*message).id(diagnostic.code.id());
    let mut group = if place.source.text.is_empty() {
        // Something about a file that could not be read has a name, but no text.
        title.element(Origin::path(&*place.name))
    } else {
        title.element(place.snippet(AnnotationKind::Primary, None))
    };
    for (window, words) in &related {
        group = group.element(window.snippet(AnnotationKind::Context, Some(words)));
    }
    if let Some(hint) = &hint {
        group = group.element(Level::HELP.message(&**hint));
    }
    renderer.render(&[group])
}

/// The line of a span, cut to a readable length: nobody wants a megabyte of source in an error.
struct Window<'a> {
    source: &'a Source,
    /// Its name, as a reader may see it.
    name: Cow<'a, str>,
    text: String,
    line: usize,
    marked: Range<usize>,
}

impl<'a> Window<'a> {
    fn new(sources: &'a Sources, span: Span) -> Self {
        let source = sources.get(span.source);
        let line = source.location(span.start).line;
        let bounds = source.line_range(line);
        let (start, end) = (span.start as usize, (span.end as usize).min(bounds.end));
        let mut first = bounds.start;
        let mut last = bounds.end;
        if last - first > MAX_LINE {
            first = first.max(start.saturating_sub(MAX_LINE / 4));
            last = last.min(first + MAX_LINE);
        }
        while !source.text.is_char_boundary(first) {
            first -= 1;
        }
        while !source.text.is_char_boundary(last) {
            last -= 1;
        }
        // What nobody sees would move the cursor of a terminal; one byte for one byte keeps the marks in place.
        let mut text = String::with_capacity(last - first);
        for letter in source.text[first..last].chars() {
            match letter {
                letter if is_unseen(letter) && letter != '\t' => text.extend((0..letter.len_utf8()).map(|_| ' ')),
                letter => text.push(letter),
            }
        }
        let marked = start.clamp(first, last) - first..end.clamp(first, last).max(start.clamp(first, last)) - first;
        Window { source, name: visible(&source.name), text, line, marked }
    }

    fn snippet(
        &'a self,
        kind: AnnotationKind,
        words: Option<&'a str>,
    ) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let mut annotation = kind.span(self.marked.clone());
        if let Some(words) = words {
            annotation = annotation.label(words);
        }
        Snippet::source(self.text.as_str()).line_start(self.line).path(&*self.name).annotation(annotation)
    }
}
