//! What a run with choices says about the world.

use std::collections::{HashMap, HashSet};

use super::{Chosen, OrderStatistic};
use super::{operators, sums, writes};
use crate::choices::{Diagram, Diagrams, Law, NodeSet, choices_behind};
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::run::Run;
use crate::evaluate::running::Stop;
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::evaluate::{choices, compare, text};
use crate::network::Affine;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Comparison;
use privug_language::question::{Event, QueryKind, Relation, Side};
use privug_language::source::Span;

/// An ordinary value that a random value can have.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer<S> {
    /// `None`, and everything that has no other name here, as Python shows it.
    Other(String),
    /// A boolean.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// One of the integers from the first to the second, all equally likely.
    Range(i64, i64),
    /// A number.
    Number(S),
    /// A text.
    Text(String),
    /// A list or tuple.
    List(Vec<Answer<S>>),
    /// A Gaussian variable.
    Gaussian(Affine<S>),
    /// Something that has, or may have, random values in it, as Python shows it: it tells more than that it is this one.
    Opaque(String),
}

impl<S> Answer<S> {
    /// Whether nothing more can be told once it is known to be this one.
    pub fn is_plain(&self) -> bool {
        match self {
            Answer::Other(_)
            | Answer::Bool(_)
            | Answer::Integer(_)
            | Answer::Number(_)
            | Answer::Text(_)
            | Answer::List(_) => true,
            Answer::Range(..) | Answer::Gaussian(_) | Answer::Opaque(_) => false,
        }
    }
}

/// A value with a name.
#[derive(Debug, Clone)]
pub struct NamedChoice {
    /// By its source text.
    pub name: String,
    /// Where it comes from.
    pub span: Span,
    /// The value; its leaves are numbers of [`ChoiceModel::answers`].
    pub value: Diagram,
    /// Whether its value was seen, and is part of the event.
    pub observed: bool,
    /// The choice that it is an answer of, and its least value, where there are too many answers to write them out: then
    /// only the intervals matter that they were compared with, and the value is none.
    pub range: Option<(u32, i64)>,
}

/// A Gaussian value that was seen in some worlds.
#[derive(Debug, Clone)]
pub struct GaussianSeen<S> {
    /// By its source text.
    pub name: String,
    /// Where it was seen.
    pub span: Span,
    /// In which worlds.
    pub worlds: Diagram,
    /// What was seen.
    pub value: Diagram,
    /// The value it was seen to have; `None` for an output that is published but has no value yet.
    pub observed: Option<S>,
    /// Variance of the noise it was seen through, which is part of the value.
    pub noise_variance: S,
}

/// A sum over choices, taken apart.
#[derive(Debug, Clone)]
pub struct SumOfChoices {
    /// Its least value: answers count from here.
    pub low: i64,
    /// Its largest value.
    pub high: i64,
    /// What is always added.
    pub number: i64,
    /// What is added: the factor times the integer that the leaf stands for.
    pub terms: Vec<(Diagram, i64)>,
    /// What is added: the factor times the answer of a choice.
    pub answers: Vec<(u32, i64)>,
}

/// All that a run with choices has found.
#[derive(Debug)]
pub struct ChoiceModel<S> {
    /// The diagrams.
    pub diagrams: Diagrams,
    /// The distributions of the choices, by their numbers.
    pub laws: Vec<Law<S>>,
    /// What leaves stand for.
    pub answers: Vec<Answer<S>>,
    /// The sums that are choices of their own, by the numbers of the choices.
    pub sums: HashMap<u32, SumOfChoices>,
    /// The order statistics that are choices of their own, by the numbers of the choices.
    pub orders: HashMap<u32, OrderStatistic>,
    /// What was seen of choices: all of it happened.
    pub events: Vec<Diagram>,
    /// Worlds that what was seen excludes and in which the program does not come to its end.
    pub failed: Diagram,
    /// Choices whose distribution goes on for ever and was cut off where next to nothing is left.
    pub truncated: Vec<u32>,
    /// What was seen, or will be, of Gaussian variables.
    pub seen: Vec<GaussianSeen<S>>,
    /// What is published and discrete.
    pub outputs: Vec<NamedChoice>,
    /// What is to be known.
    pub secrets: Vec<NamedChoice>,
    /// What questions are about, in their order: events for probabilities, values for everything else.
    pub questions: Vec<Diagram>,
    /// The questions' expressions that are numbers.
    pub numbers: Vec<Option<f64>>,
}

impl<S: Scalar> ChoiceModel<S> {
    /// Whether something will be published that has no value yet.
    pub fn is_open(&self) -> bool {
        self.outputs.iter().any(|output| !output.observed) || self.seen.iter().any(|seen| seen.observed.is_none())
    }

    /// All diagrams that say something about the world: what was seen, what is published, what values come from.
    pub fn roots(&self) -> Vec<Diagram> {
        let mut roots: Vec<Diagram> = self.outputs.iter().map(|output| output.value).collect();
        roots.extend(&self.events);
        roots.push(self.failed);
        for seen in &self.seen {
            roots.extend([seen.worlds, seen.value]);
        }
        for sum in self.sums.values() {
            roots.extend(sum.terms.iter().map(|(term, _)| *term));
        }
        for order in self.orders.values() {
            roots.extend(order.of.elements.iter());
        }
        roots.extend(self.laws.iter().filter_map(|law| match law {
            Law::Derived(from, _) => Some(*from),
            Law::Finite(_) | Law::Scaled(_) | Law::Uniform(_) | Law::Sum(_) | Law::Order(_) | Law::Threshold { .. } => {
                None
            }
        }));
        roots
    }

    /// How many choices there are, without order statistics: these are what others decide.
    pub fn choice_count(&self) -> usize {
        self.laws.len() - self.orders.len()
    }

    /// Whether a choice stands for a sum or an order statistic of others.
    pub fn is_open_choice(&self, choice: u32) -> bool {
        self.sums.contains_key(&choice) || self.orders.contains_key(&choice)
    }

    /// Whether something was seen already, in the program or of an output.
    pub fn has_evidence(&self) -> bool {
        !self.events.is_empty() || self.seen.iter().any(|seen| seen.observed.is_some())
    }

    /// How many choices decide about what was seen, what is published and the secrets, and the logarithm to base 2 of the
    /// number of their combinations.
    pub fn extent(&self) -> (usize, f64) {
        let mut diagrams = self.events.clone();
        diagrams.extend(self.outputs.iter().chain(&self.secrets).map(|named| named.value));
        diagrams.extend(self.seen.iter().flat_map(|seen| [seen.worlds, seen.value]));
        diagrams.extend(self.sums.values().flat_map(|sum| sum.terms.iter().map(|(term, _)| *term)));
        diagrams.extend(self.orders.values().flat_map(|order| order.of.elements.iter()));
        let mut choices = choices_behind(&self.diagrams, &self.laws, &diagrams);
        choices.extend(self.sums.values().flat_map(|sum| sum.answers.iter().map(|(choice, _)| *choice)));
        choices.sort_unstable();
        choices.dedup();
        // Sums, order statistics and what is derived from others are no choices of their own.
        choices.retain(|choice| !matches!(self.laws[*choice as usize], Law::Sum(_) | Law::Order(_) | Law::Derived(..)));
        let bits = choices.iter().map(|choice| match &self.laws[*choice as usize] {
            Law::Finite(probabilities) => (probabilities.len() as f64).log2(),
            Law::Scaled(probabilities) => (probabilities.len() as f64).log2(),
            Law::Uniform(count) => (*count as f64).log2(),
            Law::Threshold { .. } => 1.0,
            // What these are made of is counted.
            Law::Sum(_) | Law::Order(_) | Law::Derived(..) => 0.0,
        });
        (choices.len(), bits.sum())
    }

    /// The integer that a leaf of a sum's term stands for.
    pub fn integer(&self, leaf: u32) -> i64 {
        match &self.answers[leaf as usize] {
            Answer::Bool(value) => i64::from(*value),
            Answer::Integer(value) => *value,
            Answer::Other(_)
            | Answer::Range(..)
            | Answer::Number(_)
            | Answer::Text(_)
            | Answer::List(_)
            | Answer::Gaussian(_)
            | Answer::Opaque(_) => 0,
        }
    }
}

fn answer<S: Scalar>(state: &State<S>, value: &Value<S>, depth: usize) -> Answer<S> {
    match value {
        Value::Bool(value) | Value::NumpyBool(value) => Answer::Bool(*value),
        Value::Int(value) | Value::NumpyInt(value) => Answer::Integer(*value),
        Value::Counted(counted) => Answer::Integer(counted.count),
        Value::Float(value) | Value::NumpyFloat(value) => Answer::Number(value.settled()),
        Value::Text(handle) => Answer::Text(state.heap.text(*handle).to_owned()),
        Value::List(handle) | Value::Tuple(handle) if depth < 20 => {
            answer_list(state, value, state.heap.sequence(*handle), depth)
        }
        Value::Array(handle) if depth < 20 => {
            answer_list(state, value, &state.heap.array_values(state.heap.array(*handle)), depth)
        }
        Value::Random { .. } => match value.as_random() {
            Some(affine) => Answer::Gaussian(affine),
            None => Answer::Opaque(text::show(state, value)),
        },
        Value::Dict(handle) if depth < 20 => {
            let entries = state.heap.dict(*handle).entries.iter();
            let entries = entries.map(|(key, value)| [key, value].map(|part| answer(state, part, depth + 1)));
            let entries: Vec<[Answer<S>; 2]> = entries.collect();
            if !entries.iter().flatten().all(Answer::is_plain) {
                return Answer::Opaque(text::show(state, value));
            }
            let spelled = entries.iter().map(|[key, value]| format!("{}: {}", spelled(key), spelled(value)));
            Answer::Other(format!("{{{}}}", spelled.collect::<Vec<_>>().join(", ")))
        }
        // All digits: different numbers are different answers.
        Value::BigInt(handle) => Answer::Other(state.heap.integer(*handle).to_string()),
        Value::None | Value::Missing | Value::Range(_) => Answer::Other(text::show(state, value)),
        // What is not looked into could hide a random value.
        Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Dict(_) => Answer::Opaque(text::show(state, value)),
        Value::Unbound
        | Value::Poison
        | Value::Choice(_)
        | Value::Iterator(_)
        | Value::View(_, _)
        | Value::Slice(_)
        | Value::Frame(_)
        | Value::Series(_)
        | Value::Groups(_)
        | Value::Loc(_)
        | Value::Function(_)
        | Value::Set(_)
        | Value::Object(..) => Answer::Opaque(text::show(state, value)),
    }
}

/// What all leaves stand for. A list, a tuple and an array of the same elements are told apart where they are
/// published, and look the same here: where both occur in what is asked for, nothing is known of the later one.
fn answers<S: Scalar>(state: &State<S>, asked: &[Diagram]) -> Vec<Answer<S>> {
    let mut kinds: HashMap<String, String> = HashMap::new();
    // Diagrams of the same shape have the same leaves.
    let diagrams = &state.worlds.diagrams;
    let mut shapes: NodeSet<u32> = NodeSet::default();
    let asked = asked.iter().filter(|value| diagrams.shape(**value).is_none_or(|shape| shapes.insert(shape.number())));
    let asked: HashSet<u32> = asked.flat_map(|value| diagrams.leaves_of(*value)).collect();
    let leaves = state.worlds.leaves.iter().enumerate();
    let answers = leaves.map(|(number, leaf)| {
        let answer = answer(state, leaf, 0);
        if !matches!(answer, Answer::List(_)) || !asked.contains(&(number as u32)) {
            return answer;
        }
        let kind = container_kinds(state, leaf);
        let first = kinds.entry(spelled(&answer)).or_insert_with(|| kind.clone());
        if *first == kind { answer } else { Answer::Opaque(text::show(state, leaf)) }
    });
    answers.collect()
}

/// Which containers a value is made of.
fn container_kinds<S: Scalar>(state: &State<S>, value: &Value<S>) -> String {
    let of = |name: &str, elements: &[Value<S>]| {
        let inner: Vec<String> = elements.iter().map(|element| container_kinds(state, element)).collect();
        format!("{name}({})", inner.join(","))
    };
    match value {
        Value::List(handle) => of("list", state.heap.sequence(*handle)),
        Value::Tuple(handle) => of("tuple", state.heap.sequence(*handle)),
        Value::Array(handle) => of("array", &state.heap.array_values(state.heap.array(*handle))),
        _ => String::new(),
    }
}

fn answer_list<S: Scalar>(state: &State<S>, value: &Value<S>, elements: &[Value<S>], depth: usize) -> Answer<S> {
    let answers: Vec<Answer<S>> = elements.iter().map(|element| answer(state, element, depth + 1)).collect();
    if answers.iter().all(Answer::is_plain) { Answer::List(answers) } else { Answer::Opaque(text::show(state, value)) }
}

/// What a question is about: the worlds of an event, or a value.
pub(in crate::evaluate) fn asked<S: Scalar>(
    state: &mut State<S>,
    question: &QueryKind,
    operands: &[(Value<S>, Span)],
) -> Outcome<Diagram> {
    match question {
        QueryKind::Probability(event) => match compared_mixture(state, event, operands) {
            Some(place) => choices::diagram_of(state, &operands[place].0.clone()),
            None => asked_event(state, event, operands),
        },
        QueryKind::Mean(place)
        | QueryKind::Variance(place)
        | QueryKind::StdDev(place)
        | QueryKind::Quantile(place, _) => choices::diagram_of(state, &operands[*place].0.clone()),
        QueryKind::Covariance(_, _) | QueryKind::Correlation(_, _) => {
            let message = "covariances of discrete values and mixtures are not supported";
            Err(Fault::hinted(Code::MalformedQuery, message, "ask for probabilities, `E(x)` or `Var(x)`"))
        }
    }
}

/// The place of the Gaussian value or mixture that an event compares with numbers, if that is all it does: what is known
/// of the value answers it, without the value being cut into pieces.
fn compared_mixture<S: Scalar>(state: &State<S>, event: &Event, operands: &[(Value<S>, Span)]) -> Option<usize> {
    let mut place: Option<usize> = None;
    for (left, _, right) in event.comparisons()? {
        let (Side::Plain(left), Side::Plain(right)) = (left, right) else { return None };
        let is_number = |place: usize| plain_number(state, &operands[place].0).is_some();
        let compared = match (is_number(left), is_number(right)) {
            (false, true) => left,
            (true, false) => right,
            _ => return None,
        };
        if place.is_some_and(|place| !writes::is_same(state, &operands[place].0, &operands[compared].0)) {
            return None;
        }
        place = Some(compared);
    }
    let is_gaussian = |leaf: &u32| state.worlds.leaves[*leaf as usize].as_random().is_some();
    place.filter(|place| match &operands[*place].0 {
        Value::Choice(Chosen::Diagram(value)) => state.worlds.diagrams.leaves_of(*value).iter().any(is_gaussian),
        value => value.as_random().is_some(),
    })
}

fn asked_event<S: Scalar>(state: &mut State<S>, event: &Event, operands: &[(Value<S>, Span)]) -> Outcome<Diagram> {
    match event {
        Event::Holds(place, _) => choices::truth_event(state, &operands[*place].0.clone()),
        Event::Not(inner) => {
            let inner = asked_event(state, inner, operands)?;
            operators::negation(state, inner)
        }
        Event::All(parts) => {
            let mut all = Diagram::TRUE;
            for part in parts {
                let part = asked_event(state, part, operands)?;
                all = operators::conjunction(state, all, part)?;
            }
            Ok(all)
        }
        Event::Any(parts) => {
            let mut any = Diagram::FALSE;
            for part in parts {
                let part = asked_event(state, part, operands)?;
                any = operators::disjunction(state, any, part)?;
            }
            Ok(any)
        }
        Event::Comparison { left, relation, right, .. } => {
            let operator = match relation {
                Relation::Less => Comparison::Less,
                Relation::LessEqual => Comparison::LessEqual,
                Relation::Greater => Comparison::Greater,
                Relation::GreaterEqual => Comparison::GreaterEqual,
            };
            if matches!(left, Side::Absolute(_)) || matches!(right, Side::Absolute(_)) {
                let message = "`abs` in a question about discrete values and mixtures";
                return Err(Fault::hinted(Code::MalformedQuery, message, "write two comparisons joined by `or`"));
            }
            let (left, right) = (operands[left.operand()].0.clone(), operands[right.operand()].0.clone());
            let event = compare::compare(state, operator, &left, &right)?;
            choices::truth_event(state, &event)
        }
    }
}

/// The number that a value is, if it is one.
pub(in crate::evaluate) fn plain_number<S: Scalar>(state: &State<S>, value: &Value<S>) -> Option<f64> {
    state.number(value).and_then(|number| number.scalar()).map(|number| number.to_f64())
}

/// The choice that a sum is the answer of, and its least value, if all answers are equally likely and many.
fn uniform_range<S: Scalar>(state: &State<S>, sum: u32) -> Option<(u32, i64)> {
    let terms = sums::terms(state, sum).ok()?;
    match (terms.diagrams.as_slice(), terms.answers.as_slice()) {
        ([], [(choice, 1)]) if matches!(state.worlds.laws[*choice as usize], Law::Uniform(_)) => {
            Some((*choice, terms.number))
        }
        _ => None,
    }
}

fn sum_of_choice<S: Scalar>(state: &State<S>, sum: u32) -> Outcome<SumOfChoices> {
    let terms = sums::terms(state, sum)?;
    let (low, high) = sums::sum_range(state, sum).unwrap_or((0, 0));
    Ok(SumOfChoices { low, high, number: terms.number, terms: terms.diagrams.clone(), answers: terms.answers.clone() })
}

/// An answer written so that different ones have different texts.
fn spelled<S: Scalar>(answer: &Answer<S>) -> String {
    match answer {
        Answer::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Answer::Integer(value) => value.to_string(),
        Answer::Range(low, high) => format!("{low} to {high}"),
        Answer::Number(value) => {
            value.to_exact_string().map_or_else(|| format!("{:?}", value.to_f64()), |ratio| format!("{ratio}."))
        }
        Answer::Text(text) => format!("{text:?}"),
        Answer::List(elements) => format!("[{}]", elements.iter().map(spelled).collect::<Vec<_>>().join(", ")),
        Answer::Other(text) | Answer::Opaque(text) => text.clone(),
        Answer::Gaussian(_) => "a Gaussian variable".to_owned(),
    }
}

impl<S: Scalar> Run<'_, '_, S> {
    /// A value with its name, as a diagram; the name alone if the value does not depend on anything random.
    pub(in crate::evaluate) fn named_choice(
        &mut self,
        name: String,
        value: &Value<S>,
        span: Span,
        observed: bool,
    ) -> Result<Result<NamedChoice, String>, Stop> {
        if !matches!(value, Value::Choice(_) | Value::Random { .. }) {
            return Ok(Err(name));
        }
        let state = &mut self.machine.state;
        let range = match value {
            Value::Choice(Chosen::Sum(sum)) if !observed => uniform_range(state, *sum),
            _ => None,
        };
        let diagram = match value {
            _ if range.is_some() => Ok(Diagram::TRUE),
            // What was seen of a sum is an event by now, and nobody asks for its values.
            Value::Choice(Chosen::Sum(sum)) if observed && !sums::is_small(state, *sum) => Ok(Diagram::TRUE),
            Value::Choice(Chosen::Sum(sum)) if !sums::is_small(state, *sum) => sums::sum_choice(state, *sum),
            other => choices::diagram_of(state, other),
        };
        let Some(value) = self.check(diagram, span)? else { return Err(Stop) };
        Ok(Ok(NamedChoice { name, span, value, observed, range }))
    }

    /// Takes what was found about choices out of the machine.
    pub(in crate::evaluate) fn choice_model(
        &mut self,
        secrets: Vec<NamedChoice>,
        outputs: Vec<NamedChoice>,
        questions: Vec<Diagram>,
        numbers: Vec<Option<f64>>,
        span: Span,
    ) -> Result<ChoiceModel<S>, Stop> {
        let state = &mut self.machine.state;
        let mut seen = Vec::new();
        for evidence in std::mem::take(&mut state.builder.evidence) {
            let value = Value::random(evidence.seen.variable.clone());
            let value = Diagram::leaf(choices::leaf(state, &value));
            seen.push(GaussianSeen {
                name: evidence.seen.name,
                span: evidence.seen.span,
                worlds: Diagram::TRUE,
                value,
                observed: evidence.value,
                noise_variance: evidence.noise_variance,
            });
        }
        for part in std::mem::take(&mut state.worlds.seen) {
            let super::SeenInWorlds { name, span, worlds, value, observed, noise_variance } = part;
            seen.push(GaussianSeen { name, span, worlds, value, observed: Some(observed), noise_variance });
        }
        let laws = state.worlds.laws.iter().enumerate();
        let sums_at: Vec<(usize, u32)> = laws
            .filter_map(|(choice, law)| match law {
                Law::Sum(sum) => Some((choice, *sum)),
                _ => None,
            })
            .collect();
        let mut sums = HashMap::new();
        for (choice, sum) in sums_at {
            let sum = sum_of_choice(&self.machine.state, sum);
            if let Some(sum) = self.check(sum, span)? {
                sums.insert(choice as u32, sum);
            }
        }
        let state = &mut self.machine.state;
        let asked = secrets.iter().chain(&outputs).map(|named| named.value).chain(questions.iter().copied());
        let answers = answers(state, &asked.collect::<Vec<_>>());
        let laws = state.worlds.laws.iter().enumerate();
        let orders = laws.filter_map(|(choice, law)| match law {
            Law::Order(number) => Some((choice as u32, state.worlds.orders[*number as usize].clone())),
            _ => None,
        });
        let orders = orders.collect();
        let worlds = std::mem::replace(&mut state.worlds, super::Worlds::new());
        Ok(ChoiceModel {
            diagrams: worlds.diagrams,
            laws: worlds.laws,
            answers,
            sums,
            orders,
            events: worlds.earlier_events.into_iter().chain([worlds.event]).filter(|e| *e != Diagram::TRUE).collect(),
            failed: worlds.failed,
            truncated: worlds.truncated,
            seen,
            outputs,
            secrets,
            questions,
            numbers,
        })
    }
}

impl Chosen {
    /// What a person calls it.
    pub(in crate::evaluate) fn kind(self) -> &'static str {
        match self {
            Chosen::Diagram(_) => "a random value",
            Chosen::Sum(_) | Chosen::Pick(_) => "a random number",
        }
    }
}
