//! The short way: what loops do most of the time, on plain numbers and lists.
//!
//! Everything here is also done by the machine's long way, which is the reference: whatever is unusual (another type, an
//! overflow, a variable without a value, a budget used up) is left to it, with nothing changed yet.

use super::frame::{Caller, Frame};
use super::heap::Heap;
use super::iterators::{Walk, next_round};
use super::running::{Machine, read};
use super::value::Value;
use super::{arithmetic, builtins};
use crate::number::Scalar;
use privug_language::program::{Binary, Builtin, Comparison, FunctionId, Instruction, Operand, Register};

/// Integers up to this size are doubles, so that their quotient is rounded only once.
const LARGEST_EXACT: u64 = 1 << 53;

impl<'p, S: Scalar> Machine<'p, S> {
    /// Carries out simple instructions up to the first that is not one, or until it is time for a pause: then tells
    /// which instruction was the last.
    // A function of its own, so that its few variables stay in the processor's registers.
    #[inline(never)]
    pub(super) fn run_quickly(&mut self, frame: &mut Frame<'p>, callers: &mut Vec<Caller<'p>>) -> Option<usize> {
        let mut current = *frame;
        // Each round is one frame's turn.
        let last = loop {
            match self.run_frame(&mut current) {
                Turn::Pause { last } => break Some(last),
                Turn::Call { to, callee, first } if self.enter(&mut current, callers, to, callee, first) => {}
                Turn::Return { value } if self.leave(&mut current, callers, value) => {}
                Turn::Call { .. } | Turn::Return { .. } | Turn::Unusual => break None,
            }
        };
        *frame = current;
        last
    }

    #[inline(always)]
    fn run_frame(&mut self, frame: &mut Frame<'p>) -> Turn {
        let Machine { program, state, registers, literals, loops, pause_at, .. } = self;
        let (globals, registers) = registers.split_at_mut(frame.base);
        let loops = &mut loops[frame.loop_base..];
        let (code, spans) = (frame.function.code.as_slice(), frame.function.spans.as_slice());
        let mut at = frame.next;
        let turn = loop {
            let target = match code[at] {
                Instruction::Binary { operator, to, left, right, .. } => {
                    let left = read(registers, literals, 0, left);
                    let right = read(registers, literals, 0, right);
                    match (left, right) {
                        (Value::Float(a), Value::Float(b)) => {
                            let Some(result) = quick_scalars(operator, a, b) else { break Turn::Unusual };
                            set_float(&mut registers[to as usize], result);
                        }
                        (Value::Int(a), Value::Int(b)) => match quick_integers(operator, *a, *b) {
                            Some(Value::Int(result)) => set_integer(&mut registers[to as usize], result),
                            Some(result) => registers[to as usize] = result,
                            None => break Turn::Unusual,
                        },
                        (Value::Float(a), Value::Int(b)) => {
                            let Some(result) = quick_scalars(operator, a, &S::from_i64(*b)) else {
                                break Turn::Unusual;
                            };
                            set_float(&mut registers[to as usize], result);
                        }
                        (Value::Int(a), Value::Float(b)) => {
                            let Some(result) = quick_scalars(operator, &S::from_i64(*a), b) else {
                                break Turn::Unusual;
                            };
                            set_float(&mut registers[to as usize], result);
                        }
                        (Value::Random { .. }, Value::Random { .. } | Value::Float(_) | Value::Int(_))
                        | (Value::Float(_) | Value::Int(_), Value::Random { .. }) => {
                            if !frame.function.written {
                                state.span = spans[at];
                            }
                            // Whatever is refused changes nothing, and the long way will say why.
                            let Ok(result) = arithmetic::binary(state, operator, left, right) else {
                                break Turn::Unusual;
                            };
                            registers[to as usize] = result;
                        }
                        _ => break Turn::Unusual,
                    }
                    repeat(code, &mut at, registers, loops, &state.heap)
                }
                Instruction::Repeat { slot, to, body } => {
                    if !is_simple(&loops[slot as usize]) {
                        break Turn::Unusual;
                    }
                    next_item(&mut loops[slot as usize], &mut registers[to as usize], &state.heap).then_some(body)
                }
                Instruction::Index { to, object, index } => {
                    let object = read(registers, literals, 0, object);
                    let index = read(registers, literals, 0, index);
                    let Value::Int(index) = index else { break Turn::Unusual };
                    // A negative index is larger than any length.
                    let element = match object {
                        Value::List(handle) | Value::Tuple(handle) => state.heap.sequence(*handle).get(*index as usize),
                        Value::Array(handle) => state.heap.array_element(*handle, *index),
                        _ => None,
                    };
                    let Some(element) = element else { break Turn::Unusual };
                    let Value::Float(element) = element else {
                        copy(element, &mut registers[to as usize]);
                        at += 1;
                        continue;
                    };
                    set_float(&mut registers[to as usize], element.clone());
                    // `total = total + x[i]` is what loops are made of.
                    if let Some(Instruction::Binary { operator, to: sum, left, right, .. }) = code.get(at + 1)
                        && *right == Operand::register(to)
                        && let Value::Float(left) = read(registers, literals, 0, *left)
                        && let Some(result) = sum_first(*operator, left, element)
                    {
                        set_float(&mut registers[*sum as usize], result);
                        at += 1;
                        repeat(code, &mut at, registers, loops, &state.heap)
                    } else {
                        None
                    }
                }
                Instruction::Append { list, value } => {
                    let value = read(registers, literals, 0, value);
                    let Value::List(list) = registers[list as usize] else { break Turn::Unusual };
                    if matches!(value, Value::Unbound) || !state.budget.try_spend_element() {
                        break Turn::Unusual;
                    }
                    let list = &mut state.heap.sequences[list as usize];
                    match value {
                        Value::Float(value) => list.push(Value::Float(value.clone())),
                        Value::Random { node, scale, offset } => {
                            list.push(Value::Random { node: *node, scale: scale.clone(), offset: offset.clone() });
                        }
                        other => list.push(rare_clone(other)),
                    }
                    repeat(code, &mut at, registers, loops, &state.heap)
                }
                Instruction::Move { to, from } => {
                    let value = read(registers, literals, 0, from);
                    match value {
                        Value::Unbound => break Turn::Unusual,
                        Value::Float(value) => {
                            let value = value.clone();
                            set_float(&mut registers[to as usize], value);
                        }
                        Value::Int(value) => {
                            let value = *value;
                            set_integer(&mut registers[to as usize], value);
                        }
                        other => registers[to as usize] = rare_clone(other),
                    }
                    None
                }
                Instruction::LoadGlobal { to, global } => {
                    let Some(value) = globals.get(global as usize) else { break Turn::Unusual };
                    if matches!(value, Value::Unbound) {
                        break Turn::Unusual;
                    }
                    copy(value, &mut registers[to as usize]);
                    None
                }
                Instruction::Compare { operator, to, left, right } => {
                    let left = read(registers, literals, 0, left);
                    let right = read(registers, literals, 0, right);
                    let Some(truth) = quick_compare(operator, left, right) else { break Turn::Unusual };
                    registers[to as usize] = Value::Bool(truth);
                    None
                }
                Instruction::Branch { condition, expected, target } => {
                    let Value::Bool(truth) = read(registers, literals, 0, condition) else { break Turn::Unusual };
                    (*truth == expected).then_some(target)
                }
                Instruction::Jump { target } => Some(target),
                Instruction::CallBuiltin { to, builtin: Builtin::Normal, shape, first } => {
                    let shape = &program.call_shapes[shape as usize];
                    if !frame.function.written {
                        state.span = spans[at];
                    }
                    let Some(variable) =
                        builtins::distributions::quick_normal(state, shape, &registers[first as usize..])
                    else {
                        break Turn::Unusual;
                    };
                    registers[to as usize] = variable;
                    None
                }
                Instruction::Call { to, function, first } => break Turn::Call { to, callee: function, first },
                Instruction::Return { value, .. } => break Turn::Return { value },
                _ => break Turn::Unusual,
            };
            match target {
                None => at += 1,
                Some(target) => {
                    state.budget.steps += (at + 1 - frame.uncounted) as u64;
                    let last = std::mem::replace(&mut at, target as usize);
                    frame.uncounted = at;
                    if state.budget.steps >= *pause_at {
                        break Turn::Pause { last };
                    }
                }
            }
        };
        frame.next = at;
        turn
    }

    /// Begins a call, if there is room for its frame already.
    #[inline(always)]
    fn enter(
        &mut self,
        frame: &mut Frame<'p>,
        callers: &mut Vec<Caller<'p>>,
        to: Register,
        callee: FunctionId,
        first: Register,
    ) -> bool {
        let opened = frame.callee(self.program.function(callee), first);
        let Frame { function, base, loop_base, .. } = opened;
        let steps = self.state.budget.steps + (frame.next + 1 - frame.uncounted) as u64;
        if callers.len() as u32 + 1 >= self.state.budget.limits.depth
            || base + function.register_count as usize > self.registers.len()
            || loop_base + function.loop_count as usize > self.loops.len()
            || steps >= self.pause_at
        {
            return false;
        }
        self.state.budget.steps = steps;
        frame.next += 1;
        for variable in &mut self.registers[base + function.parameters.len()..base + function.variables.len()] {
            *variable = Value::Unbound;
        }
        callers.push(frame.waiting(first, to));
        *frame = opened;
        true
    }

    /// Ends a call that the program made.
    #[inline(always)]
    fn leave(&mut self, frame: &mut Frame<'p>, callers: &mut Vec<Caller<'p>>, value: Operand) -> bool {
        let value = read(&self.registers, &self.literals, frame.base, value);
        let steps = self.state.budget.steps + (frame.next + 1 - frame.uncounted) as u64;
        if matches!(value, Value::Unbound) || steps >= self.pause_at {
            return false;
        }
        let Some(caller) = callers.pop() else { return false };
        self.state.budget.steps = steps;
        let to = frame.resume(&caller);
        match value {
            Value::Float(value) => {
                let value = value.clone();
                set_float(&mut self.registers[to], value);
            }
            other => self.registers[to] = rare_clone(other),
        }
        true
    }
}

/// Why a frame does not go on.
enum Turn {
    /// Its next instruction is not a simple one.
    Unusual,
    /// It is time for a pause; `last` was the last instruction.
    Pause { last: usize },
    /// Its next instruction is a call.
    Call { to: Register, callee: FunctionId, first: Register },
    /// Its next instruction is its end.
    Return { value: Operand },
}

/// Where to go on after a simple instruction: if the loop's end is next, that is carried out too.
#[inline(always)]
fn repeat<S: Scalar>(
    code: &[Instruction],
    at: &mut usize,
    registers: &mut [Value<S>],
    loops: &mut [Walk<S>],
    heap: &Heap<S>,
) -> Option<u32> {
    let Some(Instruction::Repeat { slot, to, body }) = code.get(*at + 1) else { return None };
    let walk = &mut loops[*slot as usize];
    let to = &mut registers[*to as usize];
    // Most loops count or go through lists.
    let is_more = match walk {
        Walk::Range { next, step, rounds_left } => {
            next_round(next, *step, rounds_left).map(|item| set_integer(to, item)).is_some()
        }
        walk @ Walk::Sequence { .. } => walk.simple_next(heap).map(|item| copy(item, to)).is_some(),
        other => rare_item(other, to, heap)?,
    };
    *at += 1;
    is_more.then_some(*body)
}

/// The item of a loop over something else, and whether there was one; `None` if it has to be made. Kept apart, so that the usual
/// loops take two comparisons instead of a table of all.
#[inline(never)]
fn rare_item<S: Scalar>(walk: &mut Walk<S>, to: &mut Value<S>, heap: &Heap<S>) -> Option<bool> {
    is_simple(walk).then(|| next_item(walk, to, heap))
}

/// Fetches a loop's next item, if there is one.
#[inline(always)]
fn next_item<S: Scalar>(walk: &mut Walk<S>, to: &mut Value<S>, heap: &Heap<S>) -> bool {
    let item = match walk {
        Walk::Range { next, step, rounds_left } => {
            next_round(next, *step, rounds_left).map(|item| set_integer(to, item))
        }
        Walk::Items { items } => items.next().map(|item| *to = item),
        other => other.simple_next(heap).map(|item| copy(item, to)),
    };
    item.is_some()
}

/// Whether the next item of a loop lies somewhere and need not be made.
#[inline(always)]
fn is_simple<S>(walk: &Walk<S>) -> bool {
    matches!(walk, Walk::Range { .. } | Walk::Sequence { .. } | Walk::Elements { .. } | Walk::Items { .. })
}

/// Puts a number into a register. Most hold one already, and then it is a single store: a whole value would be put
/// together elsewhere and copied, which processors wait for.
#[inline(always)]
fn set_float<S: Scalar>(to: &mut Value<S>, number: S) {
    match to {
        Value::Float(old) => *old = number,
        other => put_float(other, number),
    }
}

/// Kept apart, because whatever is dropped here may call anything: the processor's registers would be saved for it in
/// every round.
#[inline(never)]
fn put_float<S: Scalar>(to: &mut Value<S>, number: S) {
    *to = Value::Float(number);
}

/// The same for integers.
#[inline(always)]
fn set_integer<S: Scalar>(to: &mut Value<S>, number: i64) {
    match to {
        Value::Int(old) => *old = number,
        other => put_integer(other, number),
    }
}

#[inline(never)]
fn put_integer<S: Scalar>(to: &mut Value<S>, number: i64) {
    *to = Value::Int(number);
}

/// A clone that asks for the usual kinds first.
#[inline(always)]
fn copy<S: Scalar>(value: &Value<S>, to: &mut Value<S>) {
    match value {
        Value::Float(value) => set_float(to, value.clone()),
        Value::Random { node, scale, offset } => {
            *to = Value::Random { node: *node, scale: scale.clone(), offset: offset.clone() }
        }
        Value::Int(value) => set_integer(to, *value),
        other => rare_copy(other, to),
    }
}

/// Kept apart like [`put_float`].
#[inline(never)]
fn rare_copy<S: Scalar>(value: &Value<S>, to: &mut Value<S>) {
    *to = value.clone();
}

/// Kept apart, so that the usual kinds take two comparisons instead of a table of all.
#[inline(never)]
fn rare_clone<S: Scalar>(value: &Value<S>) -> Value<S> {
    value.clone()
}

/// The same where it mostly is a sum, for which no table of operators is looked into.
#[inline(always)]
fn sum_first<S: Scalar>(operator: Binary, a: &S, b: &S) -> Option<S> {
    #[inline(never)]
    fn other<S: Scalar>(operator: Binary, a: &S, b: &S) -> Option<S> {
        quick_scalars(operator, a, b)
    }
    match operator {
        Binary::Add => quick_scalars(Binary::Add, a, b),
        operator => other(operator, a, b),
    }
}

#[inline(always)]
fn quick_scalars<S: Scalar>(operator: Binary, a: &S, b: &S) -> Option<S> {
    if S::EXACT {
        // The length of rationals is bounded, so they are looked at before they are multiplied.
        return None;
    }
    let result = match operator {
        Binary::Add => a.add(b),
        Binary::Subtract => a.sub(b),
        Binary::Multiply => a.mul(b),
        Binary::Divide if !b.is_zero() => a.div(b),
        _ => return None,
    };
    result.is_finite().then_some(result)
}

#[inline(always)]
fn quick_integers<S: Scalar>(operator: Binary, a: i64, b: i64) -> Option<Value<S>> {
    let result = match operator {
        Binary::Add => a.checked_add(b)?,
        Binary::Subtract => a.checked_sub(b)?,
        Binary::Multiply => a.checked_mul(b)?,
        // Towards minus infinity, as in Python.
        Binary::FloorDivide => a.checked_div(b)? - i64::from(a % b != 0 && (a < 0) != (b < 0)),
        Binary::Remainder => {
            let remainder = a.checked_rem(b)?;
            if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }
        }
        Binary::Divide => {
            let rounded_once = !S::EXACT && a != 0 && b != 0 && a.unsigned_abs().max(b.unsigned_abs()) <= LARGEST_EXACT;
            return rounded_once.then(|| Value::Float(S::from_i64(a).div(&S::from_i64(b))));
        }
        Binary::Power | Binary::MatrixMultiply => return None,
    };
    Some(Value::Int(result))
}

#[inline(always)]
fn quick_compare<S: Scalar>(operator: Comparison, left: &Value<S>, right: &Value<S>) -> Option<bool> {
    let order = match (left, right) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b)?,
        _ => return None,
    };
    Some(match operator {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::LessEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterEqual => order.is_ge(),
        Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::state::State;
    use super::super::{Limits, compare};
    use super::*;

    const INTEGERS: [i64; 12] = [0, 1, -1, 2, 3, -7, 10, 1 << 53, (1 << 53) + 1, -(1 << 60), i64::MAX, i64::MIN];
    const FLOATS: [f64; 10] = [0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 1e300, -1e308, 5e-324, 9_007_199_254_740_993.0];
    const OPERATORS: [Binary; 7] = [
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
        Binary::FloorDivide,
        Binary::Remainder,
        Binary::Power,
    ];
    const COMPARISONS: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Greater,
        Comparison::GreaterEqual,
    ];

    #[test]
    fn the_short_way_gives_what_the_long_way_gives() {
        let mut state = State::<f64>::new(Limits::default(), None, false);
        let mut agreed = 0;
        let mut check = |short: Option<Value<f64>>, long: Result<Value<f64>, _>| {
            let Some(short) = short else { return };
            agreed += 1;
            let long: Value<f64> = long.unwrap_or_else(|fault: Box<super::super::fault::Fault>| panic!("{fault:?}"));
            assert_eq!(format!("{short:?}"), format!("{long:?}"));
        };
        for operator in OPERATORS {
            for a in INTEGERS {
                for b in INTEGERS {
                    let long = arithmetic::binary_slow(&mut state, operator, &Value::Int(a), &Value::Int(b));
                    check(quick_integers(operator, a, b), long);
                }
                for b in FLOATS {
                    let long = arithmetic::binary_slow(&mut state, operator, &Value::Int(a), &Value::Float(b));
                    check(quick_scalars(operator, &f64::from_i64(a), &b).map(Value::Float), long);
                }
            }
            for a in FLOATS {
                for b in FLOATS {
                    let long = arithmetic::binary_slow(&mut state, operator, &Value::Float(a), &Value::Float(b));
                    check(quick_scalars(operator, &a, &b).map(Value::Float), long);
                }
            }
        }
        let values = INTEGERS.map(Value::Int).into_iter().chain(FLOATS.map(Value::Float)).collect::<Vec<_>>();
        for operator in COMPARISONS {
            for a in &values {
                for b in &values {
                    let long = compare::compare(&mut state, operator, a, b);
                    check(quick_compare(operator, a, b).map(Value::Bool), long);
                }
            }
        }
        assert!(agreed > 2_000, "{agreed}");
    }
}
