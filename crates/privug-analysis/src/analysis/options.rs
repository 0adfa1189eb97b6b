//! Reading the small texts of a request: bindings, observations, truths, questions and requirements.

use super::request::{Binding, GainRequest, Request};
use crate::query::{Operands, Query, Requirement, parse_query, parse_requirement};
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::program::{ExpressionSource, Role};
use privug_language::source::{SourceId, Sources, Span};
use privug_measures::channel::CHANNEL_MEASURES;
use privug_measures::leakage::DEFAULT_LEVEL;
use privug_measures::leakage::measure_names;

/// What the texts of a request say.
pub(super) struct Options {
    pub(super) expressions: Vec<ExpressionSource>,
    pub(super) observed_paths: Vec<String>,
    pub(super) queries: Vec<Query>,
    pub(super) requirements: Vec<Requirement>,
    /// Pairs of questions' expressions whose difference is needed.
    pub(super) differences: Vec<(usize, usize)>,
    pub(super) truths: Vec<Truth>,
    /// What a guess is worth, and where that was written.
    pub(super) gain: Option<(GainRequest, Span)>,
    pub(super) tolerance: Option<Tolerance>,
    pub(super) level: f64,
}

/// The true value of a secret.
pub(super) struct Truth {
    /// Which secret; the only one if not given.
    pub(super) secret: Option<String>,
    pub(super) span: Span,
    /// The value as it was written.
    pub(super) text: String,
    /// Place of its value among the questions' expressions.
    pub(super) value: usize,
}

/// How close a guess must be.
pub(super) enum Tolerance {
    Absolute(f64),
    /// In percent of the truth.
    Percent(f64, Span),
}

/// Finds the expressions in a request's options; each option becomes a source of its own, named by its flag.
pub(super) fn read(request: &Request, sources: &mut Sources) -> Result<Options, Vec<Diagnostic>> {
    let mut options = Options {
        expressions: Vec::new(),
        observed_paths: Vec::new(),
        queries: Vec::new(),
        requirements: Vec::new(),
        differences: Vec::new(),
        truths: Vec::new(),
        gain: read_gain(request, sources),
        tolerance: None,
        level: request.level.unwrap_or(DEFAULT_LEVEL),
    };
    let mut errors = Vec::new();
    for binding in &request.bindings {
        let (flag, text) = match binding {
            Binding::Prior(text) => ("--prior", text),
            Binding::Set(text) => ("--set", text),
        };
        let id = sources.add(flag, text.as_str());
        match split_binding(id, text) {
            Ok((name, span)) => {
                let role = if flag == "--prior" { Role::Prior(name) } else { Role::Set(name) };
                options.expressions.push(ExpressionSource { role, span });
            }
            Err(error) => errors.push(*error),
        }
    }
    for text in &request.secrets {
        let id = sources.add("--secret", text.as_str());
        options.expressions.push(ExpressionSource { role: Role::Secret, span: trimmed(id, text, 0, text.len()) });
    }
    for text in &request.observations {
        let id = sources.add("--observe", text.as_str());
        if let Err(error) = read_observation(id, text, &mut options) {
            errors.push(*error);
        }
    }
    if !request.observations.is_empty() && request.secrets.is_empty() {
        let id = sources.add("--observe", request.observations[0].as_str());
        let span = trimmed(id, &request.observations[0], 0, request.observations[0].len());
        let message = "an observation is given, but no secret";
        let hint = "name what the attacker wants to know with `--secret`, such as `--secret 'ages[0]'`";
        errors.push(Diagnostic::error(Code::SecretExpected, span, message).hint(hint));
    }
    read_questions(request, sources, &mut options, &mut errors);
    read_numbers(request, sources, &mut options, &mut errors);
    if errors.is_empty() { Ok(options) } else { Err(errors) }
}

/// Questions, requirements and truths: all that is computed with the program.
fn read_questions(request: &Request, sources: &mut Sources, options: &mut Options, errors: &mut Vec<Diagnostic>) {
    let mut operands = Operands::default();
    let names = all_measure_names();
    for text in &request.queries {
        let id = sources.add("--query", text.as_str());
        match parse_query(sources, id, &mut operands) {
            Ok(query) => options.queries.push(query),
            Err(found) => errors.extend(found),
        }
    }
    for text in &request.requirements {
        let id = sources.add("--require", text.as_str());
        match parse_requirement(sources, id, &mut operands, &names) {
            Ok(requirement) => options.requirements.push(requirement),
            Err(found) => errors.extend(found),
        }
    }
    for text in &request.truths {
        let id = sources.add("--truth", text.as_str());
        let (secret, start) = match text.rfind('=') {
            Some(at) => (Some(text[..at].trim().to_owned()), at + 1),
            None => (None, 0),
        };
        let span = trimmed(id, text, start, text.len());
        let value = operands.expressions.len();
        operands.expressions.push(ExpressionSource { role: Role::Query, span });
        let text = text[start..].trim().to_owned();
        options.truths.push(Truth { secret, span, text, value });
    }
    options.expressions.extend(operands.expressions);
    options.differences = operands.differences;
}

/// The level and the tolerance.
fn read_numbers(request: &Request, sources: &mut Sources, options: &mut Options, errors: &mut Vec<Diagnostic>) {
    if !(options.level > 0.0 && options.level < 1.0) {
        let id = sources.add("--level", options.level.to_string());
        let message = format!("the level {} is not between 0 and 1", options.level);
        errors.push(Diagnostic::error(Code::BadLevel, Span { source: id, start: 0, end: 0 }, message));
    }
    let Some(text) = &request.tolerance else { return };
    let id = sources.add("--tolerance", text.as_str());
    let span = trimmed(id, text, 0, text.len());
    let (digits, percent) = match text.trim().strip_suffix('%') {
        Some(digits) => (digits, true),
        None => (text.as_str(), false),
    };
    match digits.trim().replace('_', "").parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => {
            options.tolerance =
                Some(if percent { Tolerance::Percent(number, span) } else { Tolerance::Absolute(number) });
        }
        _ => {
            let message = format!("`{text}` is not a tolerance");
            let hint = "give a positive number, or a percentage of the truth such as `5%`";
            errors.push(Diagnostic::error(Code::BadLevel, span, message).hint(hint));
        }
    }
}

/// What a guess is worth.
fn read_gain(request: &Request, sources: &mut Sources) -> Option<(GainRequest, Span)> {
    let gain = request.gain.clone()?;
    let text = match &gain {
        GainRequest::Expression(text) => text.as_str(),
        GainRequest::Table(table) => table.path.as_str(),
    };
    let id = sources.add("--gain", text);
    let span = trimmed(id, text, 0, text.len());
    Some((gain, span))
}

/// The part `text[start..end]` of a source without the white space around it.
fn trimmed(source: SourceId, text: &str, start: usize, end: usize) -> Span {
    let part = &text[start..end];
    let start = start + (part.len() - part.trim_start().len());
    let end = start + part.trim().len();
    Span { source, start: start as u32, end: end as u32 }
}

/// `name=expression`
fn split_binding(id: SourceId, text: &str) -> Result<(String, Span), Box<Diagnostic>> {
    let whole = trimmed(id, text, 0, text.len());
    let malformed = |message: String| {
        let hint = "write `name=expression`, such as `ages=[Normal(35, 4) for _ in range(100)]`";
        Box::new(Diagnostic::error(Code::MalformedOption, whole, message).hint(hint))
    };
    let Some(at) = text.find('=') else {
        return Err(malformed(format!("`{}` binds no name", text.trim())));
    };
    let name = text[..at].trim();
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && name.chars().next().is_some_and(|first| !first.is_numeric());
    if !is_name {
        return Err(malformed(format!("`{name}` is not the name of a parameter")));
    }
    let span = trimmed(id, text, at + 1, text.len());
    if span.start >= span.end {
        return Err(malformed(format!("`{name}` is bound to nothing")));
    }
    Ok((name.to_owned(), span))
}

/// `44`, `44±0.1`, `44+-0.1`, `return[1]=3.5`, `return['men']=472_000±10`
fn read_observation(id: SourceId, text: &str, options: &mut Options) -> Result<(), Box<Diagnostic>> {
    let whole = trimmed(id, text, 0, text.len());
    let malformed = |message: &str| {
        let hint = "write `44`, `44±0.1` or `return[1]=3.5`";
        Box::new(Diagnostic::error(Code::MalformedOption, whole, message).hint(hint))
    };
    let (path, start) = match read_path(text) {
        Some(found) => found,
        None if text.trim_start().starts_with("return") => return Err(malformed("this names no output")),
        None => (String::new(), 0),
    };
    let (end, noise) = match text[start..].find('±') {
        Some(at) => (start + at, Some(start + at + '±'.len_utf8())),
        None => match text[start..].find("+-") {
            Some(at) => (start + at, Some(start + at + 2)),
            None => (text.len(), None),
        },
    };
    let value = trimmed(id, text, start, end);
    if value.start >= value.end {
        return Err(malformed("this observes no value"));
    }
    options.observed_paths.push(path);
    options.expressions.push(ExpressionSource { role: Role::ObservedValue, span: value });
    if let Some(noise) = noise {
        let span = trimmed(id, text, noise, text.len());
        if span.start >= span.end {
            return Err(malformed("the standard deviation behind `±` is missing"));
        }
        options.expressions.push(ExpressionSource { role: Role::ObservedStd, span });
    }
    Ok(())
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

/// The measures of Gaussian and of discrete secrets.
fn all_measure_names() -> Vec<&'static str> {
    let mut names = measure_names();
    let discrete = CHANNEL_MEASURES.iter().map(|measure| measure.name);
    let further: Vec<&'static str> = discrete.filter(|name| !names.contains(name)).collect();
    names.extend(further);
    names
}
