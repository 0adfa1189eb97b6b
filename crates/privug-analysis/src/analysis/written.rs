//! Reading the small texts that people type for the options of a request: `44±0.1`, `ages[0]=44`, `5%`.
//!
//! Command lines are made of text; everything behind them has values. What cannot be read is refused with its place.

use std::fmt;
use std::ops::Range;

use super::request::{Binding, BindingKind, Observed, Operand, Tolerance, Truth, Written};
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::program::Given;
use privug_language::source::{Sources, Span};

impl Written {
    /// A part of a text without the white space around it.
    fn part(text: &str, part: Range<usize>) -> Self {
        let within = &text[part.clone()];
        let start = part.start + (within.len() - within.trim_start().len());
        Written { text: text.to_owned(), part: start..start + within.trim().len() }
    }

    /// All of a text.
    pub fn whole(text: &str) -> Self {
        Written::part(text, 0..text.len())
    }

    /// The expression itself.
    pub fn expression(&self) -> &str {
        &self.text[self.part.clone()]
    }
}

/// As it is shown.
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Source(written) => f.write_str(written.expression()),
            Operand::Value(given) => write!(f, "{given}"),
        }
    }
}

impl BindingKind {
    /// The option that gives such a binding.
    pub fn option(self) -> &'static str {
        match self {
            BindingKind::Prior => "--prior",
            BindingKind::Set => "--set",
            BindingKind::Swept => "PARAMETER",
        }
    }
}

impl Binding {
    /// Reads `name=expression`.
    pub fn read(kind: BindingKind, text: &str) -> Result<Self, Refusal> {
        let malformed = |message: String| {
            let hint = match kind {
                BindingKind::Prior => "write `name=expression`, such as `ages=[Normal(35, 4) for _ in range(100)]`",
                BindingKind::Set | BindingKind::Swept => "write `name=value`, such as `epsilon=0.5`",
            };
            refuse(kind.option(), text, Code::MalformedOption, &message, hint)
        };
        let Some(at) = text.find('=') else {
            return Err(malformed(format!("`{}` does not name a parameter", text.trim())));
        };
        let name = text[..at].trim();
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && name.chars().next().is_some_and(|first| !first.is_numeric());
        if !is_name {
            return Err(malformed(format!("`{name}` is not the name of a parameter")));
        }
        let value = Written::part(text, at + 1..text.len());
        if value.part.is_empty() {
            return Err(malformed(format!("`{name}` is bound to an empty expression")));
        }
        Ok(Binding { name: name.to_owned(), kind, value: Operand::Source(value) })
    }

    /// A parameter that runs through a range, at one of its values.
    pub fn swept(name: &str, value: Given) -> Self {
        Binding { name: name.to_owned(), kind: BindingKind::Swept, value: Operand::Value(value) }
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

impl Observed {
    /// Reads `44`, `44±0.1`, `44+-0.1`, `return[1]=3.5`, `return['men']=472_000±10`.
    pub fn read(text: &str) -> Result<Self, Refusal> {
        let malformed = |message: &str| {
            let hint = "write `44`, `44±0.1` or `return[1]=3.5`";
            refuse("--observe", text, Code::MalformedOption, message, hint)
        };
        let (path, start) = match read_path(text) {
            Some(found) => found,
            None if text.trim_start().starts_with("return") => return Err(malformed("this names no output")),
            None => (String::new(), 0),
        };
        let sign = ["±", "+-"].into_iter().find_map(|sign| Some((start + text[start..].find(sign)?, sign.len())));
        let value = Written::part(text, start..sign.map_or(text.len(), |(at, _)| at));
        if value.part.is_empty() {
            return Err(malformed("this observes no value"));
        }
        let std = sign.map(|(at, length)| Written::part(text, at + length..text.len()));
        if std.as_ref().is_some_and(|std| std.part.is_empty()) {
            return Err(malformed("the standard deviation after `±` is missing"));
        }
        Ok(Observed { path, value: Operand::Source(value), std: std.map(Operand::Source) })
    }
}

impl Observed {
    /// A value of a part of the result, such as `['men']`.
    pub fn at(path: &str, value: Operand, std: Option<Operand>) -> Result<Self, Refusal> {
        match read_path(&format!("return{path}=")) {
            Some((path, _)) => Ok(Observed { path, value, std }),
            None => {
                let hint = "write `return[1]` or `return['men']`";
                Err(refuse("--observe", &format!("return{path}"), Code::MalformedOption, "this names no output", hint))
            }
        }
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "return{}=", self.path)?;
        }
        write!(f, "{}", self.value)?;
        self.std.iter().try_for_each(|std| write!(f, "±{std}"))
    }
}

impl Truth {
    /// Reads `500_000` or `ages[0]=44`.
    pub fn read(text: &str) -> Self {
        let (secret, start) = match text.rfind('=') {
            Some(at) => (Some(text[..at].trim().to_owned()), at + 1),
            None => (None, 0),
        };
        Truth { secret, value: Operand::Source(Written::part(text, start..text.len())) }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.secret.iter().try_for_each(|secret| write!(f, "{secret}="))?;
        write!(f, "{}", self.value)
    }
}

impl Tolerance {
    /// Reads a number, or a percentage of the truth such as `5%`.
    pub fn read(text: &str) -> Result<Self, Refusal> {
        let (digits, percent) = match text.trim().strip_suffix('%') {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        match digits.trim().replace('_', "").parse::<f64>() {
            Ok(number) if percent => Tolerance::Percent(number).checked(text),
            Ok(number) => Tolerance::Absolute(number).checked(text),
            Err(_) => Err(bad_tolerance(text)),
        }
    }

    /// Refuses what is not a positive number; `text` is what was given.
    pub fn checked(self, text: &str) -> Result<Self, Refusal> {
        let (Tolerance::Absolute(number) | Tolerance::Percent(number)) = self;
        if number > 0.0 && number.is_finite() { Ok(self) } else { Err(bad_tolerance(text)) }
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tolerance::Absolute(number) => write!(f, "{number}"),
            Tolerance::Percent(number) => write!(f, "{number}%"),
        }
    }
}

fn bad_tolerance(text: &str) -> Refusal {
    let hint = "give a positive number, or a percentage of the truth such as `5%`";
    refuse("--tolerance", text, Code::BadLevel, &format!("`{text}` is not a tolerance"), hint)
}

/// Says what is wrong with all of an option's text.
fn refuse(option: &str, text: &str, code: Code, message: &str, hint: &str) -> Refusal {
    let mut sources = Sources::default();
    let source = sources.add(option, text);
    let part = Written::whole(text).part;
    let span = Span { source, start: part.start as u32, end: part.end as u32 };
    Refusal { sources, diagnostics: vec![Diagnostic::error(code, span, message).hint(hint)] }
}

/// The path of an output before `=`, such as `return[1]['men']`, without `return` and in one spelling; and where the
/// value starts.
fn read_path(text: &str) -> Option<(String, usize)> {
    let mut at = text.len() - text.trim_start().len();
    at += text[at..].strip_prefix("return").map(|_| "return".len())?;
    let mut path = String::new();
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.starts_with('=') {
            return Some((path, at + 1));
        }
        let inner = rest.strip_prefix('[')?;
        let quote = inner.chars().next().filter(|first| matches!(first, '\'' | '"'));
        let length = match quote {
            Some(quote) => {
                let end = inner[1..].find(quote)? + 1;
                inner[end + 1..].starts_with(']').then_some(())?;
                path.push_str(&format!("['{}']", &inner[1..end]));
                end + 2
            }
            None => {
                let end = label_end(inner)?;
                let label = inner[..end].trim();
                match label.parse::<i64>() {
                    Ok(index) => path.push_str(&format!("[{index}]")),
                    // Labels that are floats, truth values, None or tuples are spelled as Python shows them.
                    Err(_) if is_literal(label) => path.push_str(&format!("[{label}]")),
                    Err(_) => return None,
                }
                end + 1
            }
        };
        at += 1 + length;
    }
}

/// Where the bracket around a label closes: the first `]` that is not within quotes or brackets.
fn label_end(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0, None);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, '(' | '[') => depth += 1,
            (None, ']') if depth == 0 => return Some(at),
            (None, ')' | ']') => depth -= 1,
            (None, _) => {}
        }
    }
    None
}

/// Whether a label is a tuple, a float, a truth value or None.
fn is_literal(label: &str) -> bool {
    let is_tuple = label.starts_with('(') && label.ends_with(')');
    is_tuple || label.parse::<f64>().is_ok() || matches!(label, "True" | "False" | "None")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_up_to_the_equals_sign() {
        assert_eq!(read_path("return=3"), Some((String::new(), 7)));
        assert_eq!(read_path(" return[1] = 3.5"), Some(("[1]".to_owned(), 12)));
        assert_eq!(read_path("return[\"a=b\"][-1]=3"), Some(("['a=b'][-1]".to_owned(), 18)));
        assert_eq!(read_path("44"), None);
        assert_eq!(read_path("return[x]=3"), None);
        assert_eq!(read_path("return"), None);
        assert_eq!(read_path("return[('a]', 1)][0.5]=3"), Some(("[('a]', 1)][0.5]".to_owned(), 23)));
        assert_eq!(read_path("return[True][(1, 2)=3"), None);
    }
}
