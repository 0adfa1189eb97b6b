//! Operators and functions that go through arrays element by element, with numpy's broadcasting.

use std::cmp::Ordering;

use super::super::builtins::Counting;
use super::super::compare::compare_numbers;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Number, Value};
use super::array::{Array, broadcast, shape_text};
use super::kind::{Kind, too_large};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison, Logic, SetMethod};

/// One side of an operator.
pub(in super::super) enum Operand<S> {
    Array(Array),
    /// The same for every element.
    Single(Value<S>),
}

impl<S: Scalar> Operand<S> {
    pub(in super::super) fn shape(&self) -> &[usize] {
        match self {
            Operand::Array(array) => &array.shape,
            Operand::Single(_) => &[],
        }
    }
}

impl<S: Scalar> State<S> {
    /// A value beside an array: lists, tuples and ranges count as arrays.
    pub(in super::super) fn operand(&mut self, value: &Value<S>) -> Outcome<Operand<S>> {
        Ok(match value {
            Value::Array(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_) => {
                Operand::Array(self.as_array(value)?)
            }
            single => Operand::Single(single.clone()),
        })
    }

    pub(in super::super) fn operand_kind(&self, operand: &Operand<S>) -> Outcome<Kind> {
        match operand {
            Operand::Array(array) => Ok(array.kind),
            Operand::Single(value) => self.kind_of(value),
        }
    }

    /// The elements of an operand, stretched to a shape.
    pub(in super::super) fn stretched(&self, operand: &Operand<S>, shape: &[usize]) -> Stretched<S> {
        match operand {
            Operand::Array(array) if array.shape == shape => Stretched::All(self.heap.array_values(array)),
            Operand::Array(array) => Stretched::All(self.heap.array_values(&array.stretched(shape))),
            Operand::Single(value) => Stretched::Single(value.clone()),
        }
    }

    /// The shape of what two operands give together.
    pub(in super::super) fn common_shape(&self, left: &Operand<S>, right: &Operand<S>) -> Outcome<Vec<usize>> {
        broadcast(left.shape(), right.shape()).ok_or_else(|| shapes_differ(left.shape(), right.shape()))
    }

    /// Goes through two operands together.
    fn zip_operands(
        &mut self,
        left: &Operand<S>,
        right: &Operand<S>,
        mut operation: impl FnMut(&mut Self, &Value<S>, &Value<S>) -> Outcome<Value<S>>,
    ) -> Outcome<(Vec<Value<S>>, Vec<usize>)> {
        let shape = self.common_shape(left, right)?;
        let count = size_of_shape(&shape)?;
        self.budget.spend_steps(count as u64)?;
        self.budget.check_elements(count as u64)?;
        let (a, b) = (self.stretched(left, &shape), self.stretched(right, &shape));
        let mut results = Vec::with_capacity(count);
        for index in 0..count {
            results.push(operation(self, a.get(index), b.get(index))?);
        }
        Ok((results, shape))
    }

    /// `left operator right` where one of the two is an array, or the operator is `@`.
    pub(in super::super) fn binary_arrays(
        &mut self,
        operator: Binary,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Outcome<Value<S>> {
        if operator == Binary::MatrixMultiply {
            return self.matrix_multiply(left, right);
        }
        let (left_side, right_side) = (self.operand(left)?, self.operand(right)?);
        let (results, shape, kind) = self.elementwise(operator, &left_side, &right_side)?;
        self.new_array(results, shape, kind)
    }

    fn elementwise(
        &mut self,
        operator: Binary,
        left: &Operand<S>,
        right: &Operand<S>,
    ) -> Outcome<(Vec<Value<S>>, Vec<usize>, Kind)> {
        let kind = self.result_kind(operator, left, right)?;
        // numpy computes these powers without `pow`, which rounds differently.
        let exponent = match (operator, right, kind) {
            (Binary::Power, Operand::Single(exponent), Kind::Float) if self.operand_kind(left)? == Kind::Float => {
                self.number(exponent)
            }
            _ => None,
        };
        let exponent = exponent.and_then(|number| number.scalar()).map(|exponent| exponent.to_f64());
        let (results, shape) = self.zip_operands(left, right, |state, a, b| match exponent {
            Some(2.0) => state.numpy_binary(Binary::Multiply, a, a),
            Some(-1.0) => state.numpy_binary(Binary::Divide, &Value::NumpyFloat(S::one()), a),
            Some(0.5) if !S::EXACT && a.as_random().is_none() => state.square_root(a),
            _ => state.numpy_binary(operator, a, b),
        })?;
        Ok((results, shape, kind))
    }

    fn square_root(&mut self, a: &Value<S>) -> Outcome<Value<S>> {
        let value = self.parameter("a number", a)?.to_f64();
        if value < 0.0 {
            return Err(Fault::new(Code::DomainError, format!("{value} has no real power 0.5")));
        }
        self.irrational(value.sqrt()).map(Value::NumpyFloat)
    }

    fn result_kind(&self, operator: Binary, left: &Operand<S>, right: &Operand<S>) -> Outcome<Kind> {
        let kind = self.operand_kind(left)?.max(self.operand_kind(right)?);
        Ok(match (operator, kind) {
            (_, Kind::Text) => {
                let message = format!("`{}` of an array of strings", operator.symbol());
                return Err(Fault::new(Code::TypeMismatch, message));
            }
            (Binary::Divide, _) => Kind::Float,
            // numpy has smaller integers for these.
            (Binary::Power | Binary::FloorDivide | Binary::Remainder, Kind::Bool) => {
                let message = format!("`{}` of numpy's booleans", operator.symbol());
                return Err(Fault::hinted(Code::TypeMismatch, message, "multiply by 1 first"));
            }
            (Binary::Power, _) if self.operand_kind(left)? == Kind::Bool => {
                let message = format!("`{}` of numpy's booleans", operator.symbol());
                return Err(Fault::hinted(Code::TypeMismatch, message, "multiply by 1 first"));
            }
            (_, kind) => kind,
        })
    }

    /// `left operator= right` for what can be changed in place.
    pub(in super::super) fn binary_in_place(
        &mut self,
        operator: Binary,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Outcome<Value<S>> {
        match (left, operator) {
            (Value::Dict(_), _) if self.is_counter(left) && self.is_counter(right) => {
                Err(Self::refuse_to_join_in_place())
            }
            (Value::List(handle), Binary::Add) if !matches!(right, Value::Array(_)) && !right.is_numpy_scalar() => {
                if matches!(right, Value::Poison) {
                    return Ok(Value::Poison);
                }
                let values = self.elements(right)?;
                self.budget.spend_elements(values.len() as u64)?;
                self.heap.sequences[*handle as usize].extend(values);
                Ok(left.clone())
            }
            (Value::List(handle), Binary::Multiply) if matches!(right, Value::Int(_) | Value::Bool(_)) => {
                let count = self.whole(right, "the factor")?;
                let repeated = self.repeated(*handle, count)?;
                self.heap.sequences[*handle as usize] = repeated;
                Ok(left.clone())
            }
            (Value::Set(handle), Binary::Subtract) if matches!(right, Value::Set(_)) => {
                let left_over = self.binary(operator, left, right)?;
                self.replace_set(*handle, &left_over)?;
                Ok(left.clone())
            }
            (Value::Array(handle), Binary::MatrixMultiply) => {
                let product = self.matrix_multiply(left, right)?;
                let same = matches!(&product, Value::Array(other)
                    if self.heap.array(*other).shape == self.heap.array(*handle).shape);
                if !same {
                    return Err(Fault::new(Code::LengthMismatch, "`@=` cannot change the shape of an array"));
                }
                let target = self.heap.array(*handle).clone();
                if let Value::Array(other) = &product
                    && self.heap.array(*other).kind > target.kind
                {
                    return Err(cannot_take(target.kind, self.heap.array(*other).kind));
                }
                self.assign_array(&target, &product, true)?;
                Ok(left.clone())
            }
            (Value::Array(handle), _) if !matches!(right, Value::Poison | Value::Series(_)) => {
                let target = self.heap.array(*handle).clone();
                let right_side = self.operand(right)?;
                let left_side = Operand::Array(target.clone());
                let (results, shape, kind) = self.elementwise(operator, &left_side, &right_side)?;
                self.write_results(&target, results, &shape, kind)?;
                Ok(left.clone())
            }
            _ => self.binary(operator, left, right),
        }
    }

    /// Puts the results of an operation in place of an array's elements.
    fn write_results(&mut self, target: &Array, results: Vec<Value<S>>, shape: &[usize], kind: Kind) -> Outcome<()> {
        if shape != target.shape {
            return Err(shapes_differ(&target.shape, shape));
        }
        if kind > target.kind {
            return Err(cannot_take(target.kind, kind));
        }
        let buffer = target.buffer as usize;
        for (position, result) in target.positions().zip(results) {
            let result = self.cast(&result, target.kind)?;
            self.heap.sequences[buffer][position] = result;
        }
        Ok(())
    }

    /// `left operator right`, element by element.
    pub(in super::super) fn compare_arrays(
        &mut self,
        operator: Comparison,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Outcome<Value<S>> {
        if !matches!(operator, Comparison::Equal | Comparison::NotEqual) {
            self.refuse_texts_and_numbers(left, right)?;
        }
        let (left_side, right_side) = (self.operand(left)?, self.operand(right)?);
        let (results, shape) = self.zip_operands(&left_side, &right_side, |state, a, b| {
            state.compare_scalars(operator, a, b).map(Value::NumpyBool)
        })?;
        self.new_array(results, shape, Kind::Bool)
    }

    /// Texts and numbers have no order, also where there are none of them.
    fn refuse_texts_and_numbers(&self, left: &Value<S>, right: &Value<S>) -> Outcome<()> {
        let is_text = |value: &Value<S>| match value {
            Value::Array(handle) => Some(self.heap.array(*handle).kind == Kind::Text),
            Value::Text(_) => Some(true),
            _ => self.number(value).map(|_| false),
        };
        match (is_text(left), is_text(right)) {
            (Some(a), Some(b)) if a != b => {
                Err(Fault::new(Code::TypeMismatch, "strings and numbers cannot be put in order"))
            }
            _ => Ok(()),
        }
    }

    /// A comparison of single values, as numpy makes it.
    pub(in super::super) fn compare_scalars(
        &mut self,
        operator: Comparison,
        a: &Value<S>,
        b: &Value<S>,
    ) -> Outcome<bool> {
        let (a, b) = match (a, b) {
            (Value::NumpyBool(_), Value::BigInt(_)) | (Value::BigInt(_), Value::NumpyBool(_)) => {
                return Err(too_large());
            }
            // numpy makes both doubles.
            (Value::NumpyInt(_) | Value::NumpyBool(_), Value::NumpyFloat(_) | Value::Float(_))
            | (Value::NumpyFloat(_), Value::NumpyInt(_) | Value::NumpyBool(_) | Value::Int(_) | Value::BigInt(_)) => {
                let mut number = |value: &Value<S>| self.parameter("a number", value).map(Value::Float);
                (number(a)?, number(b)?)
            }
            _ => (a.plain(), b.plain()),
        };
        if matches!(operator, Comparison::Equal | Comparison::NotEqual) {
            let equal = self.equal(&a, &b, 0)?;
            return Ok(equal == (operator == Comparison::Equal));
        }
        let order = match (self.number(&a), self.number(&b)) {
            (Some(x), Some(y)) => compare_numbers(&x, &y).unwrap_or(Ordering::Equal),
            _ => self.order(operator, &a, &b)?,
        };
        Ok(match operator {
            Comparison::Less => order.is_lt(),
            Comparison::LessEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterEqual => order.is_ge(),
            Comparison::Equal
            | Comparison::NotEqual
            | Comparison::In
            | Comparison::NotIn
            | Comparison::Is
            | Comparison::IsNot => {
                let message = format!("`{}` of arrays", operator.symbol());
                return Err(Fault::new(Code::TypeMismatch, message));
            }
        })
    }

    /// `left & right` and the like: of columns, arrays and booleans.
    pub(in super::super) fn logic_of(
        &mut self,
        operator: Logic,
        left: &Value<S>,
        right: &Value<S>,
        in_place: bool,
    ) -> Outcome<Value<S>> {
        self.logic_in_worlds(operator, left, right, in_place, false)
    }

    /// The same; `changes_already` if other worlds are taken care of.
    fn logic_in_worlds(
        &mut self,
        operator: Logic,
        left: &Value<S>,
        right: &Value<S>,
        in_place: bool,
        changes_already: bool,
    ) -> Outcome<Value<S>> {
        if matches!(left, Value::Poison) || matches!(right, Value::Poison) {
            return Ok(Value::Poison);
        }
        if matches!(left, Value::Series(_)) || matches!(right, Value::Series(_)) {
            return self.logic(operator, left, right);
        }
        if in_place && self.worlds.are_split() && matches!(left, Value::Array(_) | Value::Set(_)) && !changes_already {
            return self.change(left, |state| state.logic_in_worlds(operator, left, right, true, true));
        }
        if in_place && self.is_counter(left) && self.is_counter(right) {
            return Err(Self::refuse_to_join_in_place());
        }
        if let Some(joined) = self.joined_counters(Counting::of_logic(operator), left, right)? {
            return Ok(joined);
        }
        if let (Logic::Or, Value::Dict(a), Value::Dict(b)) = (operator, left, right)
            && !self.worlds.exist()
            && [*a, *b].into_iter().all(|handle| self.heap.dict(handle).default.is_none())
        {
            let joined = if in_place { left.clone() } else { self.new_dict()? };
            let own = if in_place { Vec::new() } else { self.heap.dict(*a).entries.clone() };
            let more = self.heap.dict(*b).entries.clone();
            if let Value::Dict(handle) = joined {
                for (key, value) in own.into_iter().chain(more) {
                    self.insert(handle, key, value)?;
                }
            }
            return Ok(joined);
        }
        if let (Value::Set(a), Value::Set(b)) = (left, right) {
            let operation = match operator {
                Logic::And => SetMethod::Intersection,
                Logic::Or => SetMethod::Union,
                Logic::Xor => SetMethod::SymmetricDifference,
            };
            let joined = self.joined_sets(operation, *a, *b)?;
            if in_place {
                self.replace_set(*a, &joined)?;
                return Ok(left.clone());
            }
            return Ok(joined);
        }
        if self.holds_choice(left, 0) || self.holds_choice(right, 0) {
            let joined = self.logic_on_choices(operator, left, right, in_place)?;
            if let (true, Value::Array(handle), Value::Array(results)) = (in_place, left, &joined) {
                // Everybody who knows the array sees the change.
                let (target, results) = (self.heap.array(*handle).clone(), self.heap.array(*results).clone());
                let values = self.heap.array_values(&results);
                self.write_results(&target, values, &results.shape, results.kind)?;
                return Ok(left.clone());
            }
            return Ok(joined);
        }
        if !matches!(left, Value::Array(_)) && !matches!(right, Value::Array(_)) {
            let is_boolean = |value: &Value<S>| matches!(value, Value::Bool(_) | Value::NumpyBool(_));
            if left.is_numpy_scalar() || right.is_numpy_scalar() || (is_boolean(left) && is_boolean(right)) {
                return self.logic_scalars(operator, left, right);
            }
            return self.logic(operator, left, right);
        }
        let (left_side, right_side) = (self.operand(left)?, self.operand(right)?);
        let kind = self.operand_kind(&left_side)?.max(self.operand_kind(&right_side)?);
        let (results, shape) =
            self.zip_operands(&left_side, &right_side, |state, a, b| state.logic_scalars(operator, a, b))?;
        // Also where there are no elements.
        if matches!(kind, Kind::Float | Kind::Text) {
            let message = format!("`{}` does not take an array of {}", operator.symbol(), kind.name());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
        match (left, in_place) {
            (Value::Array(handle), true) => {
                let target = self.heap.array(*handle).clone();
                self.write_results(&target, results, &shape, kind)?;
                Ok(left.clone())
            }
            _ => self.new_array(results, shape, kind),
        }
    }

    /// `~value`
    pub(in super::super) fn inverted(&mut self, value: &Value<S>) -> Outcome<Value<S>> {
        if self.holds_choice(value, 0) {
            return self.inverted_choices(value);
        }
        match value {
            Value::Array(handle) => {
                let array = self.heap.array(*handle).clone();
                if matches!(array.kind, Kind::Float | Kind::Text) {
                    let message = format!("`~` does not take an array of {}", array.kind.name());
                    return Err(Fault::new(Code::TypeMismatch, message));
                }
                self.map_array(&array, array.kind, |state, value| state.invert_scalar(value))
            }
            Value::NumpyBool(_) | Value::NumpyInt(_) | Value::NumpyFloat(_) => self.invert_scalar(value),
            other => self.invert(other),
        }
    }

    /// A function of every element of an array.
    pub(in super::super) fn map_array(
        &mut self,
        array: &Array,
        kind: Kind,
        mut function: impl FnMut(&mut Self, &Value<S>) -> Outcome<Value<S>>,
    ) -> Outcome<Value<S>> {
        self.budget.spend_steps(array.size() as u64)?;
        let values = self.heap.array_values(array);
        let results = values.iter().map(|value| function(self, value)).collect::<Outcome<Vec<_>>>()?;
        self.new_array(results, array.shape.clone(), kind)
    }

    /// `np.where(condition, yes, no)`
    pub(in super::super) fn where_arrays(
        &mut self,
        condition: &Value<S>,
        yes: &Value<S>,
        no: &Value<S>,
    ) -> Outcome<Value<S>> {
        let (condition, yes, no) = (self.operand(condition)?, self.operand(yes)?, self.operand(no)?);
        let kind = self.operand_kind(&yes)?.max(self.operand_kind(&no)?);
        let texts = [&yes, &no].iter().filter(|side| matches!(self.operand_kind(side), Ok(Kind::Text))).count();
        if texts == 1 {
            return Err(Fault::new(Code::TypeMismatch, "`where` chooses between strings and numbers"));
        }
        let shape = self.common_shape(&yes, &no)?;
        let shape = broadcast(condition.shape(), &shape).ok_or_else(|| shapes_differ(condition.shape(), &shape))?;
        let count = size_of_shape(&shape)?;
        self.budget.spend_steps(count as u64)?;
        self.budget.check_elements(count as u64)?;
        let chosen = self.stretched(&condition, &shape);
        let (yes, no) = (self.stretched(&yes, &shape), self.stretched(&no, &shape));
        let mut results = Vec::with_capacity(count);
        for index in 0..count {
            let truth = self.truth(chosen.get(index))?;
            let value = if truth { yes.get(index) } else { no.get(index) };
            results.push(self.cast(value, kind)?);
        }
        self.new_array(results, shape, kind)
    }

    /// Whether a value is equal to an element of an array.
    pub(in super::super) fn array_contains(&mut self, array: &Array, item: &Value<S>) -> Outcome<bool> {
        self.budget.spend_steps(array.size() as u64)?;
        let mut found = false;
        // All are compared, so that a random variable among them is noticed.
        for value in self.heap.array_values(array) {
            found |= self.compare_scalars(Comparison::Equal, &value, item)?;
        }
        Ok(found)
    }

    /// Whether a number is negative.
    pub(in super::super) fn is_negative(&self, value: &Value<S>) -> bool {
        match self.number(value) {
            Some(Number::Int(value)) => value < 0,
            Some(Number::BigInt(value)) => value < dashu_int::IBig::ZERO,
            Some(Number::Float(value)) => value < S::zero(),
            None => false,
        }
    }
}

/// Elements stretched to a shape.
pub(in super::super) enum Stretched<S> {
    All(Vec<Value<S>>),
    Single(Value<S>),
}

impl<S> Stretched<S> {
    pub(in super::super) fn get(&self, index: usize) -> &Value<S> {
        match self {
            Stretched::All(values) => &values[index],
            Stretched::Single(value) => value,
        }
    }
}

fn cannot_take(target: Kind, kind: Kind) -> Box<Fault> {
    let message = format!("an array of {} cannot take {} in place", target.name(), kind.name());
    Fault::hinted(Code::TypeMismatch, message, "write `a = a + b`, which makes a new array")
}

pub(in super::super) fn shapes_differ(a: &[usize], b: &[usize]) -> Box<Fault> {
    let message = format!("arrays of shapes {} and {} are combined", shape_text(a), shape_text(b));
    let hint = "shapes are compared from their ends; lengths must be the same, or one of them 1";
    Fault::hinted(Code::LengthMismatch, message, hint)
}

/// How many elements a shape has.
pub(in super::super) fn size_of_shape(shape: &[usize]) -> Outcome<usize> {
    let size = shape.iter().try_fold(1usize, |size, length| size.checked_mul(*length));
    size.ok_or_else(|| Fault::new(Code::SizeLimit, "an array is too large"))
}
