//! Binding the arguments of a call to a built-in function's parameters.

use super::super::fault::{Fault, Outcome};
use super::super::value::Value;
use privug_language::diagnostic::{Code, nearest};
use privug_language::program::CallShape;

/// The arguments of a call: positional ones first.
pub(in super::super) struct Arguments<'a, S> {
    pub(in super::super) shape: &'a CallShape,
    pub(in super::super) values: &'a [Value<S>],
}

/// An argument and its place among the call's arguments.
pub(in super::super) struct Argument<'a, S> {
    pub(in super::super) index: usize,
    pub(in super::super) value: &'a Value<S>,
}

/// What the names of a parameter begin with that stands for several, of which only that they are known matters.
pub(in super::super) const MANY: &str = "*|";

impl<S> Clone for Argument<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Argument<'_, S> {}

impl<'a, S> Arguments<'a, S> {
    /// Binds the arguments to parameters. Each parameter is written as its names, `mean|mu|loc`; the first `required`
    /// must be given, and the first `positional` may be given by position.
    pub(in super::super) fn bind<const N: usize>(
        &self,
        function: &str,
        parameters: [&str; N],
        required: usize,
        positional: usize,
    ) -> Outcome<[Option<Argument<'a, S>>; N]> {
        let mut bound: [Option<Argument<'a, S>>; N] = [None; N];
        let given = self.shape.positional as usize;
        if given > positional.min(N) {
            let message = format!("`{function}` takes at most {} positional arguments, not {given}", positional.min(N));
            return Err(Fault::new(Code::WrongArguments, message).at_argument(positional.min(N)));
        }
        for (index, value) in self.values[..given].iter().enumerate() {
            bound[index] = Some(Argument { index, value });
        }
        for (name, index) in self.shape.keywords.iter().zip(given..) {
            let position = parameters.iter().position(|names| names.split('|').any(|known| known == name));
            let Some(position) = position else {
                let known = parameters.iter().flat_map(|names| names.split('|'));
                let hint = match nearest(name, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it takes {}", parameters.map(first_name).join(", ")),
                };
                let message = format!("`{function}` has no parameter `{name}`");
                return Err(Fault::hinted(Code::WrongArguments, message, hint).at_argument(index));
            };
            if bound[position].is_some() && !parameters[position].starts_with(MANY) {
                let message = format!("`{name}` is given twice");
                return Err(Fault::new(Code::WrongArguments, message).at_argument(index));
            }
            bound[position] = Some(Argument { index, value: &self.values[index] });
        }
        match bound[..required].iter().position(Option::is_none) {
            Some(missing) => {
                let message = format!("`{function}` needs the argument `{}`", first_name(parameters[missing]));
                Err(Fault::new(Code::WrongArguments, message))
            }
            None => Ok(bound),
        }
    }

    /// Makes sure that there are no arguments.
    pub(in super::super) fn none(&self, function: &str) -> Outcome<()> {
        let [] = self.bind(function, [], 0, 0)?;
        Ok(())
    }

    /// The arguments of a function that takes exactly one value.
    pub(in super::super) fn one(&self, function: &str) -> Outcome<&'a Value<S>> {
        let [argument] = self.bind(function, ["value"], 1, 1)?;
        match argument {
            Some(argument) => Ok(argument.value),
            None => Err(Fault::new(Code::WrongArguments, format!("`{function}` needs an argument"))),
        }
    }
}

fn first_name(names: &str) -> &str {
    names.split('|').next().unwrap_or(names)
}

/// An argument that `bind` has made sure of.
pub(in super::super) fn given<S>(argument: Option<Argument<'_, S>>) -> Outcome<Argument<'_, S>> {
    argument.ok_or_else(|| Fault::new(Code::WrongArguments, "an argument is missing"))
}
