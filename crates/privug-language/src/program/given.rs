//! Values that are given beside a program as they are, so that nobody prints a number to have it read again.

use std::fmt;

/// A value given beside a program.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// `True`, `False`
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A finite float, which stands for the decimal that it is written as.
    Float(f64),
    /// A list.
    List(Vec<Given>),
}

/// As Python writes it, for messages.
impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Bool(true) => f.write_str("True"),
            Given::Bool(false) => f.write_str("False"),
            Given::Integer(value) => write!(f, "{value}"),
            Given::Float(value) => write!(f, "{value:?}"),
            Given::List(elements) => {
                f.write_str("[")?;
                for (place, element) in elements.iter().enumerate() {
                    write!(f, "{}{element}", if place == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_python_writes_them() {
        let list = Given::List(vec![Given::Bool(true), Given::Integer(-3), Given::Float(0.1), Given::Float(1e300)]);
        assert_eq!(list.to_string(), "[True, -3, 0.1, 1e300]");
    }
}
