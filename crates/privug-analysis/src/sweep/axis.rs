//! A parameter and the values it takes.

use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::program::Given;
use privug_language::source::{Sources, Span};

/// How the values between the ends are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences.
    Linear,
    /// Equal ratios.
    Logarithmic,
}

/// A parameter of the analysed function and the range it runs through.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The parameter's name.
    pub name: String,
    /// The first value.
    pub from: f64,
    /// The last value.
    pub to: f64,
    /// How the values between are spaced.
    pub scale: Scale,
    /// Whether the function takes integers only, as `range(n)` does.
    pub whole: bool,
}

/// Doubles up to here have all integers.
const MOST: f64 = 9_007_199_254_740_992.0; // 2⁵³

impl Axis {
    /// Reads `epsilon=0.05..5`.
    pub fn parse(text: &str, scale: Scale) -> Result<Axis, Refusal> {
        let refuse = |message: String| refuse(text, message);
        let read = |part: &str| part.trim().replace('_', "").parse::<f64>().ok().filter(|number| number.is_finite());
        let (name, range) = text.split_once('=').ok_or_else(|| refuse(format!("`{text}` names no parameter")))?;
        let (from, to) = range.split_once("..").ok_or_else(|| refuse(format!("`{range}` is not a range")))?;
        let from = read(from).ok_or_else(|| refuse(format!("`{from}` is not a number")))?;
        let to = read(to).ok_or_else(|| refuse(format!("`{to}` is not a number")))?;
        Axis { name: name.trim().to_owned(), from, to, scale, whole: false }.checked(text)
    }

    /// A parameter that runs from one number to another.
    pub fn new(name: &str, from: f64, to: f64, scale: Scale) -> Result<Axis, Refusal> {
        Axis { name: name.to_owned(), from, to, scale, whole: false }.checked(&format!("{name}={from:?}..{to:?}"))
    }

    fn checked(self, text: &str) -> Result<Axis, Refusal> {
        if let Some(end) = [self.from, self.to].iter().find(|end| !end.is_finite()) {
            return Err(refuse(text, format!("`{end}` is not a number")));
        }
        if self.from == self.to {
            return Err(refuse(text, "the range has only one value".to_owned()));
        }
        if self.scale == Scale::Logarithmic && (self.from <= 0.0 || self.to <= 0.0) {
            return Err(refuse(text, "a logarithmic range has positive ends".to_owned()));
        }
        Ok(self)
    }

    /// Whether both ends are integers, so that those between can be tried.
    pub fn has_whole_ends(&self) -> bool {
        [self.from, self.to].iter().all(|end| end.trunc() == *end && end.abs() <= MOST)
    }

    /// A value as it is bound to the parameter.
    pub(super) fn given(&self, value: f64) -> Given {
        if self.whole { Given::Integer(value as i64) } else { Given::Float(value) }
    }

    /// `count` values from the first to the last, both exactly; of integers, no more than there are.
    pub fn values(&self, count: usize) -> Vec<f64> {
        let integers = ((self.to - self.from).abs() + 1.0).min(count as f64) as usize;
        let every = self.whole && integers as f64 > (self.to - self.from).abs();
        let (count, scale) = if every { (integers, Scale::Linear) } else { (count, self.scale) };
        let axis = Axis { scale, ..self.clone() };
        let last = count.saturating_sub(1);
        let mut values: Vec<f64> = (0..count)
            .map(|index| match index {
                0 => self.from,
                index if index == last => self.to,
                index => axis.between(self.from, self.to, index as f64 / last as f64),
            })
            .collect();
        values.dedup();
        values
    }

    /// The value a fraction of the way from `low` to `high`.
    pub fn between(&self, low: f64, high: f64, fraction: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear => low + (high - low) * fraction,
            Scale::Logarithmic => (low.ln() + (high.ln() - low.ln()) * fraction).exp(),
        };
        if self.whole { value.round() } else { value }
    }
}

fn refuse(text: &str, message: String) -> Refusal {
    let mut sources = Sources::default();
    let source = sources.add("PARAMETER", text);
    let span = Span { source, start: 0, end: text.len() as u32 };
    let hint = "write `name=from..to`, such as `epsilon=0.05..5`";
    Refusal { sources, diagnostics: vec![Diagnostic::error(Code::BadSweep, span, message).hint(hint)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_start_and_end_exactly_where_asked() {
        let axis = Axis::parse("epsilon=0.01..10", Scale::Logarithmic).expect("a range");
        let values = axis.values(4);
        assert_eq!((axis.name.as_str(), values[0], values[3]), ("epsilon", 0.01, 10.0));
        assert!((values[1] - 0.1).abs() < 1e-15 && (values[2] - 1.0).abs() < 1e-14);
        let linear = Axis::parse("n=1..2", Scale::Linear).expect("a range");
        assert_eq!(linear.values(3), [1.0, 1.5, 2.0]);
    }

    #[test]
    fn integers_are_tried_once_each() {
        let axis = |text: &str, scale| Axis { whole: true, ..Axis::parse(text, scale).expect("a range") };
        assert_eq!(axis("n=1..4", Scale::Linear).values(20), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(axis("n=4..1", Scale::Logarithmic).values(4), [4.0, 3.0, 2.0, 1.0]);
        assert_eq!(axis("n=1..1000", Scale::Logarithmic).values(4), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(axis("n=1..100", Scale::Linear).values(3), [1.0, 51.0, 100.0]);
        assert_eq!(axis("n=1..4", Scale::Linear).given(3.0), Given::Integer(3));
        assert!(!axis("n=1..4.5", Scale::Linear).has_whole_ends());
    }

    #[test]
    fn what_is_not_a_range_is_refused() {
        for text in ["epsilon", "epsilon=3", "epsilon=a..b", "epsilon=1..1", "epsilon=1..inf"] {
            assert!(Axis::parse(text, Scale::Linear).is_err(), "{text}");
        }
        assert!(Axis::parse("epsilon=0..1", Scale::Logarithmic).is_err());
    }
}
