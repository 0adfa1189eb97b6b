//! The ordinary values that discrete secrets and outputs have.

use privug_engine::evaluate;
use privug_engine::number::Scalar;

/// An ordinary value.
#[derive(Debug, Clone, PartialEq)]
pub enum PlainValue {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// One of the integers from the first to the second, all equally likely.
    Range(i64, i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A list or tuple.
    List(Vec<PlainValue>),
    /// Anything else, as Python shows it.
    Other(String),
}

/// What tells ordinary values apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum ValueKey {
    Bool(bool),
    Integer(i64),
    Range(i64, i64),
    Number(u64),
    Text(String),
    List(Vec<ValueKey>),
    Other(String),
}

impl PlainValue {
    pub(super) fn of<S: Scalar>(answer: &evaluate::Answer<S>) -> Self {
        match answer {
            evaluate::Answer::Bool(value) => PlainValue::Bool(*value),
            evaluate::Answer::Integer(value) => PlainValue::Integer(*value),
            evaluate::Answer::Range(low, high) => PlainValue::Range(*low, *high),
            evaluate::Answer::Number(value) => PlainValue::Number(value.to_f64()),
            evaluate::Answer::Text(value) => PlainValue::Text(value.clone()),
            evaluate::Answer::List(values) => PlainValue::List(values.iter().map(PlainValue::of).collect()),
            evaluate::Answer::Other(value) | evaluate::Answer::Opaque(value) => PlainValue::Other(value.clone()),
            evaluate::Answer::Gaussian(_) => PlainValue::Other("a Gaussian variable".to_owned()),
        }
    }

    /// How Python writes it; `None` if it does not.
    pub(super) fn literal(&self) -> Option<String> {
        Some(match self {
            PlainValue::Bool(true) => "True".to_owned(),
            PlainValue::Bool(false) => "False".to_owned(),
            PlainValue::Integer(value) => value.to_string(),
            PlainValue::Number(value) if value.is_finite() => format!("{value:?}"),
            PlainValue::Text(text) => {
                let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
                format!("\"{escaped}\"")
            }
            PlainValue::List(values) => {
                let values = values.iter().map(PlainValue::literal).collect::<Option<Vec<String>>>()?;
                format!("[{}]", values.join(", "))
            }
            PlainValue::Other(text) if text == "None" => text.clone(),
            PlainValue::Range(..) | PlainValue::Number(_) | PlainValue::Other(_) => return None,
        })
    }

    /// What tells it apart from others: equal values have equal keys.
    pub(super) fn key(&self) -> ValueKey {
        match self {
            PlainValue::Bool(value) => ValueKey::Bool(*value),
            PlainValue::Integer(value) => ValueKey::Integer(*value),
            PlainValue::Range(low, high) => ValueKey::Range(*low, *high),
            PlainValue::Number(value) => ValueKey::Number(value.to_bits()),
            PlainValue::Text(text) => ValueKey::Text(text.clone()),
            PlainValue::List(values) => ValueKey::List(values.iter().map(PlainValue::key).collect()),
            PlainValue::Other(text) => ValueKey::Other(text.clone()),
        }
    }

    /// The number that it is; booleans count as 0 and 1.
    pub fn number(&self) -> Option<f64> {
        match self {
            PlainValue::Bool(value) => Some(f64::from(u8::from(*value))),
            PlainValue::Integer(value) => Some(*value as f64),
            PlainValue::Number(value) => Some(*value),
            PlainValue::Range(..) | PlainValue::Text(_) | PlainValue::List(_) | PlainValue::Other(_) => None,
        }
    }

    /// How many values it stands for.
    pub fn size(&self) -> f64 {
        match self {
            PlainValue::Range(low, high) => (high - low) as f64 + 1.0,
            PlainValue::Bool(_)
            | PlainValue::Integer(_)
            | PlainValue::Number(_)
            | PlainValue::Text(_)
            | PlainValue::List(_)
            | PlainValue::Other(_) => 1.0,
        }
    }

    /// The mean and the variance, of a number or of one in a range.
    pub(super) fn moments(&self) -> Option<(f64, f64)> {
        match self {
            PlainValue::Range(low, high) => {
                let size = self.size();
                Some((*low as f64 + (*high - *low) as f64 / 2.0, (size * size - 1.0) / 12.0))
            }
            other => other.number().map(|number| (number, 0.0)),
        }
    }

    /// Which share of it is not above a bound.
    pub(super) fn share_up_to(&self, bound: f64) -> Option<f64> {
        match self {
            PlainValue::Range(low, _) => Some(((bound.floor() - *low as f64 + 1.0) / self.size()).clamp(0.0, 1.0)),
            other => other.number().map(|number| if number <= bound { 1.0 } else { 0.0 }),
        }
    }

    /// The least number of it that a share is not above.
    pub(super) fn number_at_share(&self, share: f64) -> Option<f64> {
        match self {
            PlainValue::Range(low, high) => {
                let place = (share * self.size() * (1.0 - 1e-14)).ceil() - 1.0;
                Some((*low as f64 + place).clamp(*low as f64, *high as f64))
            }
            other => other.number(),
        }
    }
}

impl std::fmt::Display for PlainValue {
    fn fmt(&self, text: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlainValue::Bool(true) => text.write_str("True"),
            PlainValue::Bool(false) => text.write_str("False"),
            PlainValue::Integer(value) => write!(text, "{value}"),
            PlainValue::Range(low, high) => write!(text, "{low} to {high}"),
            PlainValue::Number(value) => write!(text, "{value}"),
            PlainValue::Text(value) | PlainValue::Other(value) => text.write_str(value),
            PlainValue::List(values) => {
                text.write_str("[")?;
                for (place, value) in values.iter().enumerate() {
                    write!(text, "{}{value}", if place > 0 { ", " } else { "" })?;
                }
                text.write_str("]")
            }
        }
    }
}
