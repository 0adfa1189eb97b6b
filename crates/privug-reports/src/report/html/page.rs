//! A page under construction. Markup is always a literal of this program; every other text is escaped on its way in.

use privug_language::diagnostic::push_visible;

use super::words::pretty;
use crate::report::escape::escaped;

/// The longest name that is shown whole.
const LONGEST_NAME: usize = 160;

/// A page under construction.
pub(super) struct Page {
    html: String,
}

impl Page {
    pub fn new() -> Self {
        Page { html: String::new() }
    }

    pub fn finish(self) -> String {
        self.html
    }

    /// Markup. That it must be a literal keeps every text of users out of it.
    pub fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.html.push_str(markup);
        self
    }

    /// A text, escaped.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.html.push_str(&escape(text));
        self
    }

    /// A text that matters.
    pub fn strong(&mut self, text: &str) -> &mut Self {
        self.markup("<strong>").text(text).markup("</strong>")
    }

    /// A name or an expression of the user, isolated from the direction of the text around it; a long one loses its
    /// middle.
    pub fn name(&mut self, name: &str) -> &mut Self {
        self.markup("<code><bdi>").text(&crate::report::shortened(name, LONGEST_NAME)).markup("</bdi></code>")
    }

    /// A sentence in which names stand between backticks.
    pub fn sentence(&mut self, sentence: &str) -> &mut Self {
        for (index, part) in sentence.split('`').enumerate() {
            if index % 2 == 0 {
                self.text(&pretty(part))
            } else {
                self.name(part)
            };
        }
        self
    }

    /// Opens a tag that has an attribute: `open("<li value=", "3", ">")`.
    pub fn open(&mut self, start: &'static str, value: &str, end: &'static str) -> &mut Self {
        self.markup(start).markup("\"").text(value).markup("\"").markup(end)
    }

    /// A cell of a table.
    pub fn cell(&mut self, text: &str) -> &mut Self {
        self.markup("<td>").text(text).markup("</td>")
    }

    /// A cell with a number.
    pub fn number_cell(&mut self, text: &str) -> &mut Self {
        self.markup("<td class=\"n\">").text(text).markup("</td>")
    }

    /// A drawing of `report::plot`, which escapes its texts itself. Its title and description become its name for
    /// people who cannot see it; as elements they would pop up under every pointer.
    pub fn drawing(&mut self, svg: &str) -> &mut Self {
        let mut names = Vec::new();
        let mut lines = svg.lines();
        let Some(root) = lines.next() else { return self };
        let mut body = String::new();
        for line in lines {
            let inner = ["title", "desc"].iter().find_map(|tag| {
                line.strip_prefix(&format!("<{tag}>")).and_then(|rest| rest.strip_suffix(&format!("</{tag}>")))
            });
            match inner {
                Some(words) if names.len() < 2 => names.push(words),
                _ => {
                    body.push_str(line);
                    body.push('\n');
                }
            }
        }
        self.html.push_str(root.strip_suffix('>').unwrap_or(root));
        self.html.push_str(" aria-label=\"");
        self.html.push_str(&names.join(". "));
        self.html.push_str("\">\n");
        self.html.push_str(&body);
        self
    }
}

/// The text as HTML takes it, between tags and in quoted attributes. Characters that nobody sees and that could hide or
/// turn what is beside them are written as their numbers.
pub(super) fn escape(text: &str) -> String {
    escaped(text, |escaped, letter| match letter {
        '\t' | '\n' => escaped.push(letter),
        letter => push_visible(escaped, letter),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_leave_its_place_is_escaped() {
        assert_eq!(
            escape("<a href=\"x\" title='y'>&</a>"),
            "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;"
        );
        assert_eq!(escape("a\u{202e}b\u{0}\u{1b}\r\u{200b}"), "a⟨U+202E⟩b⟨U+0000⟩⟨U+001B⟩⟨U+000D⟩⟨U+200B⟩");
        assert_eq!(escape("Ærø שלום 🙂\n\t"), "Ærø שלום 🙂\n\t");
    }

    #[test]
    fn a_drawing_is_named_by_its_title_and_description() {
        let mut page = Page::new();
        page.drawing("<svg role=\"img\">\n<title>A &lt;b&gt;</title>\n<desc>what</desc>\n<rect/>\n</svg>\n");
        assert_eq!(page.finish(), "<svg role=\"img\" aria-label=\"A &lt;b&gt;. what\">\n<rect/>\n</svg>\n");
    }
}
