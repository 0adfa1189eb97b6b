//! Sums of products over axes that arrays share: `einsum` and `tensordot`.

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::array::Array;
use super::kind::Kind;
use super::{create, kind, reduce};
use crate::evaluate::{arrays, containers, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// `np.einsum("ij,j->i", a, b)`
pub(super) fn einsum<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let Some((Value::Text(_), operands)) = arguments.values.split_first() else {
        return Err(Fault::new(Code::WrongArguments, "`einsum` begins with its subscripts"));
    };
    let text: String = text::show(state, &arguments.values[0]).chars().filter(|c| !c.is_whitespace()).collect();
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs.to_owned(), output.to_owned()),
        None => {
            // Letters that stand once, in their order.
            let mut letters: Vec<char> = text.chars().filter(|c| *c != ',').collect();
            letters.sort_unstable();
            let once = |c: &char| letters.iter().filter(|other| *other == c).count() == 1;
            let output: String = letters.iter().filter(|c| once(c)).collect();
            (text.clone(), output)
        }
    };
    let inputs: Vec<Vec<char>> = inputs.split(',').map(|part| part.chars().collect()).collect();
    if inputs.len() != operands.len()
        || inputs.iter().flatten().chain(output.chars().collect::<Vec<_>>().iter()).any(|c| !c.is_ascii_alphabetic())
    {
        return Err(Fault::new(Code::BadArgument, "these subscripts are not supported"));
    }
    let arrays = operands.iter().map(|operand| create::as_array(state, operand)).collect::<Outcome<Vec<Array>>>()?;
    contracted(state, &arrays, &inputs, &output.chars().collect::<Vec<char>>())
}

/// Σ over the letters that are not in the output of the products of all arrays.
fn contracted<S: Scalar>(
    state: &mut State<S>,
    arrays: &[Array],
    inputs: &[Vec<char>],
    output: &[char],
) -> Outcome<Value<S>> {
    let mut lengths: Vec<(char, usize)> = Vec::new();
    for (array, letters) in arrays.iter().zip(inputs) {
        if array.shape.len() != letters.len() {
            return Err(Fault::new(Code::LengthMismatch, "the subscripts do not fit the dimensions"));
        }
        for (letter, length) in letters.iter().zip(&array.shape) {
            match lengths.iter().find(|(known, _)| known == letter) {
                Some((_, known)) if known != length => {
                    return Err(Fault::new(Code::LengthMismatch, format!("`{letter}` has two lengths")));
                }
                Some(_) => {}
                None => lengths.push((*letter, *length)),
            }
        }
    }
    let length_of = |letter: &char| lengths.iter().find(|(known, _)| known == letter).map(|(_, length)| *length);
    let repeated = output.iter().enumerate().any(|(at, letter)| output[..at].contains(letter));
    let Some(shape) = output.iter().map(length_of).collect::<Option<Vec<usize>>>().filter(|_| !repeated) else {
        return Err(Fault::new(Code::BadArgument, "these subscripts are not supported"));
    };
    let summed: Vec<(char, usize)> = lengths.iter().filter(|(letter, _)| !output.contains(letter)).copied().collect();
    let (outer, inner) = (shape.iter().product::<usize>(), summed.iter().map(|(_, length)| *length).product::<usize>());
    state.budget.spend_steps((outer as u64).saturating_mul(inner as u64).saturating_mul(arrays.len() as u64))?;
    state.budget.check_elements(outer as u64)?;
    let kind = arrays.iter().map(|array| array.kind).max().unwrap_or(Kind::Float).max(Kind::Int);
    let elements: Vec<Vec<Value<S>>> = arrays.iter().map(|array| state.heap.array_values(array)).collect();
    let mut results = Vec::with_capacity(outer);
    for at in 0..outer {
        let mut places: Vec<(char, usize)> = Vec::new();
        spread(at, output.iter().copied().zip(shape.iter().copied()), &mut places);
        let mut products = Vec::with_capacity(inner);
        for k in 0..inner {
            let fixed = places.len();
            spread(k, summed.iter().copied(), &mut places);
            let mut product: Option<Value<S>> = None;
            for ((letters, array), elements) in inputs.iter().zip(arrays).zip(&elements) {
                let place = |letter: &char| places.iter().find(|(known, _)| known == letter).map_or(0, |(_, at)| *at);
                let position =
                    letters.iter().zip(&array.shape).fold(0, |at, (letter, length)| at * length + place(letter));
                product = Some(match product {
                    Some(product) => kind::numpy_binary(state, Binary::Multiply, &product, &elements[position])?,
                    None => elements[position].clone(),
                });
            }
            places.truncate(fixed);
            products.extend(product);
        }
        let sum = arrays::sum_values(state, &products, Value::Int(0))?;
        results.push(kind::cast(state, &sum, kind)?);
    }
    create::new_array(state, results, shape, kind)
}

/// `np.tensordot(a, b, axes=2)`
pub(super) fn tensordot<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [a, b, axes] = arguments.bind("tensordot", ["a", "b", "axes"], 2, 3)?;
    let (a, b) = (create::as_array(state, given(a)?.value)?, create::as_array(state, given(b)?.value)?);
    let axes = axes.map_or(Value::Int(2), |axes| axes.value.clone());
    let (left, right): (Vec<usize>, Vec<usize>) = match &axes {
        Value::Int(count) if (0..=a.shape.len().min(b.shape.len()) as i64).contains(count) => {
            let count = *count as usize;
            ((a.shape.len() - count..a.shape.len()).collect(), (0..count).collect())
        }
        Value::Tuple(_) | Value::List(_) => match containers::elements(state, &axes)?.as_slice() {
            [left, right] => {
                let mut all = Vec::new();
                for (side, dimensions) in [(left, a.shape.len()), (right, b.shape.len())] {
                    let named = match side {
                        Value::List(_) | Value::Tuple(_) => containers::elements(state, side)?,
                        single => vec![single.clone()],
                    };
                    all.push(named.iter().map(|axis| reduce::one_axis(axis, dimensions)).collect::<Outcome<Vec<_>>>()?);
                }
                (all[0].clone(), all[1].clone())
            }
            _ => return Err(Fault::new(Code::BadArgument, "`axes` names axes of both arrays")),
        },
        _ => return Err(Fault::new(Code::BadArgument, "`axes` is a number or a pair of axes")),
    };
    if left.len() != right.len() || a.shape.len() + b.shape.len() > 26 {
        return Err(Fault::new(Code::BadArgument, "`axes` names as many axes of both arrays"));
    }
    let letter = |at: usize| char::from(b'a' + at as u8);
    let first: Vec<char> = (0..a.shape.len()).map(letter).collect();
    let mut second: Vec<char> = (0..b.shape.len()).map(|at| letter(a.shape.len() + at)).collect();
    for (own, other) in right.iter().zip(&left) {
        second[*own] = first[*other];
    }
    let output: Vec<char> = first
        .iter()
        .enumerate()
        .filter(|(at, _)| !left.contains(at))
        .chain(second.iter().enumerate().filter(|(at, _)| !right.contains(at)))
        .map(|(_, letter)| *letter)
        .collect();
    contracted(state, &[a, b], &[first, second], &output)
}

/// The places that a number stands for, the last letter counting fastest.
fn spread(mut number: usize, letters: impl DoubleEndedIterator<Item = (char, usize)>, places: &mut Vec<(char, usize)>) {
    for (letter, length) in letters.rev() {
        places.push((letter, number % length.max(1)));
        number /= length.max(1);
    }
}
