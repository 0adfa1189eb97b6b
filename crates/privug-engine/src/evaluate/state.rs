//! What a run has built so far, and what it may still use up.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dashu_base::BitTest;
use dashu_int::IBig;

use super::choices::Worlds;
use super::fault::{Fault, Outcome};
use super::heap::{Dict, Heap, Range};
use super::tables::{Desk, Index, Roundings};
use super::value::{Key, Number, Value};
use super::{Evidence, Limits, MechanismUse, Note};
use crate::network::{Affine, Network, NodeId};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::source::Span;

/// Going through a text costs a step for so many bytes.
pub(super) const BYTES_PER_STEP: u64 = 8;
/// Computing with long integers costs a step for so many products of two digits of 64 bits.
const WORDS_PER_STEP: u64 = 4;

/// The state of a run, apart from its registers.
pub(super) struct State<S: Scalar> {
    pub(super) heap: Heap<S>,
    pub(super) network: Network<S>,
    pub(super) evidence: Vec<Evidence<S>>,
    pub(super) mechanisms: Vec<MechanismUse>,
    pub(super) notes: Vec<Note>,
    /// Where floating point lost the certainty that exact arithmetic has.
    pub(super) doubt: Option<Span>,
    /// Where exact arithmetic had to round an irrational number.
    pub(super) rounded: Option<Span>,
    /// Whether there was an irrational number, in any arithmetic.
    pub(super) irrational: bool,
    pub(super) worlds: Worlds<S>,
    pub(super) limits: Limits,
    pub(super) steps: u64,
    elements: u64,
    pub(super) cancelled: Option<Arc<AtomicBool>>,
    /// Where the instruction that is being carried out stands.
    pub(super) span: Span,
    /// The rows of the secret's table, while its prior is computed: `Normal` makes a variable for each.
    pub(super) prior_rows: Option<Index>,
    /// The laws of the variables that are no Gaussian ones: where each node's is, and the laws.
    pub(super) law_of_node: std::collections::HashMap<NodeId, u32>,
    pub(super) laws: Vec<crate::sums::Law>,
    /// Where rows of a table stand for groups of people: what its secret is called, and the variance of that within each group,
    /// which a prior that is made of the real values needs.
    pub(super) group_secret: Option<(String, Rc<Vec<f64>>)>,
    /// The variables of which each person of a group has one of their own, ascending.
    pub(super) member_nodes: Vec<NodeId>,
    /// Whether doubles decide although the run is exact: it follows another in doubles.
    pub(super) follows_doubles: bool,
    /// Whether something is secret, so that all that leaves the program is a release.
    pub(super) publishes: bool,
    /// Whether rows of a table are secret: what is published must be linear in them.
    pub(super) publishes_rows: bool,
    pub(super) roundings: Roundings,
    /// The nodes that stand for rounded values, ascending.
    pub(super) marks: Vec<super::marked::Mark>,
    /// The rows that those of tables made by the program come from.
    pub(super) made_tables: Vec<(u32, Rc<Vec<u32>>)>,
    /// The tables that a script reads, and what it has published.
    pub(super) desk: Desk<S>,
    /// Whether rows were sorted by something that leaves the order of some open.
    pub(super) unstable_order: bool,
    /// Whether the run is on real values, where privacy mechanisms have numbers to work on.
    pub(super) real: bool,
}

impl<S: Scalar> State<S> {
    pub(super) fn new(limits: Limits, cancelled: Option<Arc<AtomicBool>>, follows_doubles: bool) -> Self {
        State {
            heap: Heap::new(),
            network: Network::default(),
            evidence: Vec::new(),
            mechanisms: Vec::new(),
            notes: Vec::new(),
            doubt: None,
            rounded: None,
            irrational: false,
            worlds: Worlds::new(),
            limits,
            steps: 0,
            elements: 0,
            cancelled,
            span: Span::START,
            prior_rows: None,
            law_of_node: std::collections::HashMap::new(),
            laws: Vec::new(),
            group_secret: None,
            member_nodes: Vec::new(),
            follows_doubles,
            publishes: false,
            publishes_rows: false,
            roundings: Roundings::default(),
            marks: Vec::new(),
            made_tables: Vec::new(),
            desk: Desk::None,
            unstable_order: false,
            real: false,
        }
    }

    /// Counts work that no instruction of its own stands for.
    pub(super) fn spend_steps(&mut self, count: u64) -> Outcome<()> {
        self.steps = self.steps.saturating_add(count);
        if self.steps > self.limits.steps {
            let message = format!("the program takes more than {} steps", self.limits.steps);
            return Err(Fault::hinted(Code::StepLimit, message, "is a loop too long? raise it with `--max-steps`"));
        }
        Ok(())
    }

    /// Counts going through a text.
    pub(super) fn spend_bytes_of_text(&mut self, bytes: usize) -> Outcome<()> {
        self.spend_steps(bytes as u64 / BYTES_PER_STEP)
    }

    /// Counts a product or quotient of integers with so many bits: that of long ones takes less than bit by bit.
    pub(super) fn spend_product(&mut self, a: usize, b: usize) -> Outcome<()> {
        let (short, long) = (a.min(b) as u64 / 64, a.max(b) as u64 / 64);
        if short == 0 {
            return self.spend_steps(long / WORDS_PER_STEP);
        }
        let words = long as f64 * (short as f64).powf(0.6);
        self.spend_steps(words as u64 / WORDS_PER_STEP)
    }

    pub(super) fn check_cancelled(&self) -> Outcome<()> {
        match &self.cancelled {
            Some(flag) if flag.load(Ordering::Relaxed) => {
                Err(Fault::new(Code::Cancelled, "the analysis was cancelled"))
            }
            _ => Ok(()),
        }
    }

    /// Counts elements of lists before they are made.
    pub(super) fn spend_elements(&mut self, count: u64) -> Outcome<()> {
        self.elements = self.elements.saturating_add(count);
        if self.elements > self.limits.elements {
            let message = format!("the program's lists and strings have more than {} elements", self.limits.elements);
            let hint = "is something longer than meant? raise it with `--max-elements`";
            return Err(Fault::hinted(Code::SizeLimit, message, hint));
        }
        Ok(())
    }

    /// Makes sure that so many elements would still fit, before they are made.
    pub(super) fn check_elements(&self, count: u64) -> Outcome<()> {
        if self.elements.saturating_add(count) > self.limits.elements {
            let message = format!("the program's lists and strings have more than {} elements", self.limits.elements);
            let hint = "is something longer than meant? raise it with `--max-elements`";
            return Err(Fault::hinted(Code::SizeLimit, message, hint));
        }
        Ok(())
    }

    /// Counts one element, if the budget allows it.
    #[inline(always)]
    pub(super) fn try_spend_element(&mut self) -> bool {
        let is_left = self.elements < self.limits.elements;
        self.elements += u64::from(is_left);
        is_left
    }

    /// A small list costs more than its elements.
    const CONTAINER_ELEMENTS: u64 = 2;

    pub(super) fn new_sequence(&mut self, elements: Vec<Value<S>>) -> Outcome<u32> {
        self.spend_elements(elements.len() as u64 + Self::CONTAINER_ELEMENTS)?;
        self.heap.sequences.push(elements);
        let handle = self.heap.sequences.len() as u32 - 1;
        self.note_birth(false, handle);
        Ok(handle)
    }

    /// Frees a sequence that nothing refers to any more.
    pub(super) fn forget(&mut self, handle: u32) {
        let mut elements = std::mem::take(&mut self.heap.sequences[handle as usize]);
        self.elements = self.elements.saturating_sub(elements.len() as u64 + Self::CONTAINER_ELEMENTS);
        elements.clear();
        if elements.capacity() > self.heap.spare.capacity() {
            self.heap.spare = elements;
        }
        if handle as usize + 1 == self.heap.sequences.len() {
            self.heap.sequences.pop();
        }
    }

    pub(super) fn list(&mut self, elements: Vec<Value<S>>) -> Outcome<Value<S>> {
        self.new_sequence(elements).map(Value::List)
    }

    pub(super) fn tuple(&mut self, elements: Vec<Value<S>>) -> Outcome<Value<S>> {
        self.new_sequence(elements).map(Value::Tuple)
    }

    pub(super) fn new_dict(&mut self) -> Outcome<Value<S>> {
        self.spend_elements(Self::CONTAINER_ELEMENTS)?;
        self.heap.dicts.push(Dict { entries: Vec::new(), positions: Default::default(), default: None });
        let handle = self.heap.dicts.len() as u32 - 1;
        self.note_birth(true, handle);
        Ok(Value::Dict(handle))
    }

    /// `dict[key] = value`
    pub(super) fn insert(&mut self, handle: u32, key: Value<S>, value: Value<S>) -> Outcome<()> {
        let hashed = self.key(&key)?;
        if let Key::Text(text) = &hashed {
            self.spend_elements(text.len() as u64 / BYTES_PER_STEP)?;
        }
        match self.heap.dict(handle).positions.get(&hashed).copied() {
            Some(position) => self.heap.dicts[handle as usize].entries[position].1 = value,
            None => {
                self.spend_elements(Self::CONTAINER_ELEMENTS)?;
                let dict = &mut self.heap.dicts[handle as usize];
                dict.positions.insert(hashed, dict.entries.len());
                dict.entries.push((key, value));
            }
        }
        Ok(())
    }

    /// A value as a dictionary's key.
    pub(super) fn key(&mut self, value: &Value<S>) -> Outcome<Key> {
        match value {
            Value::Text(handle) => self.spend_bytes_of_text(self.heap.text(*handle).len())?,
            Value::BigInt(handle) => self.spend_steps(self.heap.integer(*handle).bit_len() as u64 / 64)?,
            _ => {}
        }
        Ok(match value {
            Value::None => Key::None,
            Value::Bool(value) | Value::NumpyBool(value) => Key::Int(IBig::from(u8::from(*value))),
            Value::Int(value) | Value::NumpyInt(value) => Key::Int(IBig::from(*value)),
            Value::Counted(counted) => Key::Int(IBig::from(counted.count)),
            Value::BigInt(handle) => Key::Int(self.heap.integer(*handle).clone()),
            Value::Float(value) | Value::NumpyFloat(value) => {
                let floor = value.floor();
                match value.cmp_integer(&floor) {
                    Some(std::cmp::Ordering::Equal) => Key::Int(floor),
                    _ => Key::Ratio(value.to_exact_string().unwrap_or_else(|| format!("{:?}", value.to_f64()))),
                }
            }
            Value::Text(handle) => Key::Text(self.heap.text(*handle).to_owned()),
            Value::Tuple(handle) => {
                // Tuples nest only as deep as the text that wrote them, unless a program builds them in a loop.
                let elements = self.heap.sequence(*handle).to_vec();
                self.spend_steps(elements.len() as u64)?;
                if elements.iter().any(|element| matches!(element, Value::Tuple(_))) {
                    return Err(Fault::hinted(Code::TypeMismatch, "a key is a tuple of tuples", "use a flat tuple"));
                }
                Key::Tuple(elements.iter().map(|element| self.key(element)).collect::<Outcome<_>>()?)
            }
            Value::Random { .. } | Value::Choice(_) => {
                return Err(Fault::hinted(
                    Code::RandomIndex,
                    "a random variable cannot be a key",
                    "use a number or a string that is known beforehand",
                ));
            }
            Value::List(_)
            | Value::Array(_)
            | Value::Dict(_)
            | Value::Range(_)
            | Value::Iterator(_)
            | Value::View(_, _)
            | Value::Slice(_)
            | Value::Frame(_)
            | Value::Series(_)
            | Value::Groups(_)
            | Value::Loc(_)
            | Value::Function(_)
            | Value::Set(_)
            | Value::Missing
            | Value::Unbound
            | Value::Poison => {
                return Err(Fault::new(Code::TypeMismatch, format!("{} cannot be a key", value.kind())));
            }
        })
    }

    pub(super) fn text(&mut self, text: String) -> Outcome<Value<S>> {
        self.spend_elements(text.len() as u64 / 8 + Self::CONTAINER_ELEMENTS)?;
        self.heap.texts.push(text);
        Ok(Value::Text(self.heap.texts.len() as u32 - 1))
    }

    pub(super) fn range(&mut self, range: Range) -> Outcome<Value<S>> {
        self.spend_elements(Self::CONTAINER_ELEMENTS)?;
        self.heap.ranges.push(range);
        Ok(Value::Range(self.heap.ranges.len() as u32 - 1))
    }

    /// An integer of any size.
    pub(super) fn integer(&mut self, value: IBig) -> Outcome<Value<S>> {
        if let Ok(small) = i64::try_from(&value) {
            return Ok(Value::Int(small));
        }
        let bits = value.bit_len();
        self.check_bits(bits)?;
        self.spend_elements(bits as u64 / 128 + Self::CONTAINER_ELEMENTS)?;
        self.heap.integers.push(value);
        Ok(Value::BigInt(self.heap.integers.len() as u32 - 1))
    }

    pub(super) fn check_bits(&self, bits: usize) -> Outcome<()> {
        if bits > self.limits.number_bits {
            let message = format!("a number has {bits} bits; at most {} are allowed", self.limits.number_bits);
            return Err(Fault::hinted(Code::NumberLimit, message, "raise it with `--max-bits`"));
        }
        Ok(())
    }

    /// A float that must be an ordinary number.
    pub(super) fn float(&self, value: S) -> Outcome<Value<S>> {
        self.finite(value).map(|value| Value::Float(self.followed(value)))
    }

    /// A number of the program, with the double that decides beside it if doubles decide.
    pub(super) fn followed(&self, value: S) -> S {
        if S::EXACT && self.follows_doubles && value.double().is_none() { value.followed() } else { value }
    }

    pub(super) fn finite(&self, value: S) -> Outcome<S> {
        if !value.is_finite() {
            let hint = "choose other units, such as thousands or millions";
            return Err(Fault::hinted(Code::Overflow, "the result is too large for a double", hint));
        }
        self.check_bits(value.bits())?;
        Ok(value)
    }

    /// The number that a value is, if it is one.
    pub(super) fn number(&self, value: &Value<S>) -> Option<Number<S>> {
        match value {
            Value::Bool(value) | Value::NumpyBool(value) => Some(Number::Int(i64::from(*value))),
            Value::Int(value) | Value::NumpyInt(value) => Some(Number::Int(*value)),
            Value::Counted(counted) => Some(Number::Int(counted.count)),
            Value::BigInt(handle) => Some(Number::BigInt(self.heap.integer(*handle).clone())),
            Value::Float(value) | Value::NumpyFloat(value) => Some(Number::Float(value.clone())),
            Value::Unbound
            | Value::Poison
            | Value::None
            | Value::Missing
            | Value::Text(_)
            | Value::Random { .. }
            | Value::Choice(_)
            | Value::List(_)
            | Value::Tuple(_)
            | Value::Array(_)
            | Value::Dict(_)
            | Value::Range(_)
            | Value::Iterator(_)
            | Value::View(_, _)
            | Value::Slice(_)
            | Value::Frame(_)
            | Value::Series(_)
            | Value::Groups(_)
            | Value::Loc(_)
            | Value::Function(_)
            | Value::Set(_) => None,
        }
    }

    pub(super) fn number_value(&mut self, number: Number<S>) -> Outcome<Value<S>> {
        match number {
            Number::Int(value) => Ok(Value::Int(value)),
            Number::BigInt(value) => self.integer(value),
            Number::Float(value) => self.float(value),
        }
    }

    pub(super) fn scalar(&self, number: &Number<S>) -> Outcome<S> {
        number.scalar().ok_or_else(|| Fault::new(Code::Overflow, "an integer is too large for a double"))
    }

    /// A new random variable.
    pub(super) fn push_node(
        &mut self,
        constant: S,
        terms: impl IntoIterator<Item = (NodeId, S)>,
        noise_variance: S,
    ) -> Outcome<Affine<S>> {
        self.check_variables(1)?;
        debug_assert!(!S::EXACT || (constant.double().is_none() && noise_variance.double().is_none()));
        let node = self.network.push(constant, terms, noise_variance, self.span);
        Ok(Affine { node, scale: S::one(), offset: S::zero() })
    }

    /// A new random variable: another divided by a number.
    pub(super) fn push_quotient(&mut self, parent: NodeId, divisor: S) -> Outcome<NodeId> {
        self.check_variables(1)?;
        Ok(self.network.push_quotient(parent, divisor, self.span))
    }

    /// `count` new random variables that depend on nothing; gives the first.
    pub(super) fn push_sources(&mut self, count: usize, constant: &S, noise_variance: &S) -> Outcome<NodeId> {
        self.check_variables(count as u64)?;
        Ok(self.network.push_sources(count, constant, noise_variance, self.span))
    }

    fn check_variables(&self, more: u64) -> Outcome<()> {
        if (self.network.len() as u64).saturating_add(more) > self.limits.variables {
            let message = format!("the program makes more than {} random variables", self.limits.variables);
            return Err(Fault::hinted(Code::VariableLimit, message, "raise it with `--max-variables`"));
        }
        Ok(())
    }

    pub(super) fn note(&mut self, note: Note) {
        // A note inside of a loop is worth saying once for its place.
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}
