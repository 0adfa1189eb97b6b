//! numpy's arithmetic on arrays: element by element, and `@`.

use super::compare::{MAX_VALUE_DEPTH, too_deep};
use super::fault::{Fault, Outcome};
use super::random::Total;
use super::state::State;
use super::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

impl<S: Scalar> State<S> {
    /// `left operator right` where one of the two is an array, or the operator is `@`.
    pub(super) fn binary_arrays(&mut self, operator: Binary, left: &Value<S>, right: &Value<S>) -> Outcome<Value<S>> {
        if operator == Binary::MatrixMultiply {
            return self.dot(left, right);
        }
        self.elementwise(operator, left, right, 0)
    }

    fn elementwise(&mut self, operator: Binary, left: &Value<S>, right: &Value<S>, depth: usize) -> Outcome<Value<S>> {
        if depth > MAX_VALUE_DEPTH {
            return Err(too_deep());
        }
        let (a, b) = (self.array_elements(left), self.array_elements(right));
        let count = match (&a, &b) {
            (Some(a), Some(b)) if a.len() != b.len() => {
                let message = format!("arrays of {} and {} elements are combined", a.len(), b.len());
                return Err(Fault::new(Code::LengthMismatch, message));
            }
            (Some(a), _) => a.len(),
            (None, Some(b)) => b.len(),
            (None, None) => return self.binary(operator, left, right),
        };
        self.spend_steps(count as u64)?;
        let mut results = Vec::with_capacity(count);
        for index in 0..count {
            let x = a.as_ref().map_or(left, |a| &a[index]);
            let y = b.as_ref().map_or(right, |b| &b[index]);
            results.push(match (x, y) {
                (Value::Array(_), _) | (_, Value::Array(_)) => self.elementwise(operator, x, y, depth + 1)?,
                _ => self.binary(operator, x, y)?,
            });
        }
        self.array(results)
    }

    /// The elements of an array, or of a list that stands beside one.
    fn array_elements(&self, value: &Value<S>) -> Option<Vec<Value<S>>> {
        match value {
            Value::Array(handle) | Value::List(handle) | Value::Tuple(handle) => {
                Some(self.heap.sequence(*handle).to_vec())
            }
            _ => None,
        }
    }

    /// `left @ right`: vectors and matrices, as lists or arrays.
    pub(super) fn dot(&mut self, left: &Value<S>, right: &Value<S>) -> Outcome<Value<S>> {
        if matches!(left, Value::Poison) || matches!(right, Value::Poison) {
            return Ok(Value::Poison);
        }
        if matches!(left, Value::Series(_)) || matches!(right, Value::Series(_)) {
            return self.dot_columns(left, right);
        }
        let (Some(a), Some(b)) = (self.array_elements(left), self.array_elements(right)) else {
            return Err(self.mismatch(Binary::MatrixMultiply, left, right));
        };
        let is_matrix =
            |rows: &[Value<S>]| matches!(rows.first(), Some(Value::Array(_) | Value::List(_) | Value::Tuple(_)));
        match (is_matrix(&a), is_matrix(&b)) {
            (false, false) => self.inner_product(&a, &b),
            (true, false) => {
                let rows: Vec<Value<S>> = a.iter().map(|row| self.dot(row, right)).collect::<Outcome<_>>()?;
                self.array(rows)
            }
            (false, true) => {
                let columns = self.columns(&b)?;
                let products: Vec<Value<S>> =
                    columns.iter().map(|column| self.inner_product(&a, column)).collect::<Outcome<_>>()?;
                self.array(products)
            }
            (true, true) => {
                let rows: Vec<Value<S>> = a.iter().map(|row| self.dot(row, right)).collect::<Outcome<_>>()?;
                self.array(rows)
            }
        }
    }

    fn columns(&mut self, rows: &[Value<S>]) -> Outcome<Vec<Vec<Value<S>>>> {
        let rows: Vec<Vec<Value<S>>> = rows.iter().map(|row| self.elements(row)).collect::<Outcome<_>>()?;
        let width = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != width) {
            return Err(Fault::new(Code::LengthMismatch, "the rows of a matrix differ in length"));
        }
        Ok((0..width).map(|column| rows.iter().map(|row| row[column].clone()).collect()).collect())
    }

    /// Σ aᵢ·bᵢ
    fn inner_product(&mut self, a: &[Value<S>], b: &[Value<S>]) -> Outcome<Value<S>> {
        if a.len() != b.len() {
            let message = format!("vectors of {} and {} elements are multiplied", a.len(), b.len());
            return Err(Fault::new(Code::LengthMismatch, message));
        }
        self.spend_steps(a.len() as u64)?;
        let products: Vec<Value<S>> =
            a.iter().zip(b).map(|(a, b)| self.binary(Binary::Multiply, a, b)).collect::<Outcome<_>>()?;
        self.sum_values(&products, Value::Int(0))
    }

    /// `start + Σ elements` of a list that holds numbers and random variables only, and how many there are. They need not
    /// be copied. `None` for everything else.
    pub(super) fn sum_plain(&mut self, list: &Value<S>, start: Value<S>) -> Outcome<Option<(Value<S>, usize)>> {
        let (Value::List(handle) | Value::Tuple(handle) | Value::Array(handle)) = list else { return Ok(None) };
        let is_plain = |element: &Value<S>| {
            matches!(element, Value::Random { .. } | Value::Float(_) | Value::Int(_) | Value::Bool(_))
        };
        if !self.heap.sequence(*handle).iter().all(is_plain) {
            return Ok(None);
        }
        // Adding plain values looks at no list, so this one may be missing meanwhile.
        let elements = std::mem::take(&mut self.heap.sequences[*handle as usize]);
        let total = self.spend_steps(elements.len() as u64).and_then(|()| self.sum_values(&elements, start));
        let count = elements.len();
        self.heap.sequences[*handle as usize] = elements;
        Ok(Some((total?, count)))
    }

    /// The sum of distinct random variables in the order in which they were made, which need not be sorted or merged.
    fn sum_ascending(&mut self, values: &[Value<S>], start: &Value<S>) -> Outcome<Option<Value<S>>> {
        let Some(start) = self.number(start) else { return Ok(None) };
        let mut constant = Total::new();
        let mut previous = None;
        for value in values {
            match value {
                Value::Random { node, scale, offset } if previous < Some(*node) && !scale.is_zero() => {
                    previous = Some(*node);
                    constant.add(offset);
                }
                _ => return Ok(None),
            }
        }
        self.spend_steps(values.len() as u64)?;
        self.number_parts(&start)?.iter().for_each(|part| constant.add(part));
        let terms = values.iter().map(|value| match value {
            Value::Random { node, scale, .. } => (*node, scale.clone()),
            _ => unreachable!("all values are random"),
        });
        self.push_sum(terms, &constant).map(Value::random).map(Some)
    }

    /// `start + Σ values`: one node for all random terms, however many.
    pub(super) fn sum_values(&mut self, values: &[Value<S>], start: Value<S>) -> Outcome<Value<S>> {
        if !values.is_empty()
            && let Some(total) = self.sum_ascending(values, &start)?
        {
            return Ok(total);
        }
        let mut terms = Vec::new();
        let mut constant = Total::new();
        let mut rest = start;
        if let Some(x) = rest.as_random() {
            terms.push((x.node, x.scale));
            constant.add(&x.offset);
            rest = Value::Int(0);
        }
        for value in values {
            match value {
                Value::Random { node, scale, offset } => {
                    terms.push((*node, scale.clone()));
                    constant.add(offset);
                }
                // Poison, lists and texts say for themselves what is wrong with adding them.
                other => match self.number(other).filter(|_| !terms.is_empty()) {
                    Some(number) => self.number_parts(&number)?.iter().for_each(|part| constant.add(part)),
                    None => rest = self.binary(Binary::Add, &rest, other)?,
                },
            }
        }
        if terms.is_empty() {
            return Ok(rest);
        }
        match self.number(&rest) {
            Some(number) => {
                self.number_parts(&number)?.iter().for_each(|part| constant.add(part));
                self.sum_terms(terms, &constant).map(Value::random)
            }
            None => {
                let total = self.sum_terms(terms, &constant).map(Value::random)?;
                self.binary(Binary::Add, &rest, &total)
            }
        }
    }
}
