//! What was seen where it is about sums over people, about order statistics, and about single choices.

use std::collections::HashMap;

use super::lattice::Allowed;
use super::orders::SeenOrders;
use crate::choices::{DEAD, Diagram, Law};
use crate::evaluate::ChoiceModel;
use crate::number::Scalar;

/// What was seen, if it is about sums and about single choices only.
pub(super) struct Seen {
    /// The sums, and the values that each may have.
    pub(super) sums: Vec<SeenSum>,
    /// Choices of which something was seen directly, and what.
    pub(super) facts: Vec<(u32, Diagram)>,
    /// The output without a value.
    pub(super) open: Option<Diagram>,
}

/// A sum of which something was seen.
#[derive(Clone)]
pub(super) struct SeenSum {
    /// What is always added.
    pub(super) number: i64,
    /// What is added: the factor times the integer that the leaf stands for.
    pub(super) terms: Vec<(Diagram, i64)>,
    /// What is added: the factor times the answer of a choice.
    pub(super) answers: Vec<(u32, i64)>,
    /// The values that it may have.
    pub(super) allowed: Allowed,
}

/// What was seen in one of several ways that exclude each other, and what is published then.
pub(super) struct Way {
    /// A leaf of each output without a value.
    pub(super) outputs: Box<[u32]>,
    pub(super) seen: Seen,
}

/// What can have been seen.
pub(super) enum Ways {
    /// One thing, or one sum that will be published.
    One(Seen),
    /// One of several.
    Several(Vec<Way>),
}

/// More ways are not told apart.
const MAX_WAYS: usize = 4096;

/// Choices, each with the answers that it may have.
type Path = Vec<(u32, Vec<(i64, i64)>)>;

/// All that was seen, if it is about sums, order statistics and single choices only.
pub(super) fn read<S: Scalar>(model: &mut ChoiceModel<S>) -> Option<Ways> {
    let is_derived = |law: &Law<S>| matches!(law, Law::Derived(..));
    let has_range = model.secrets.iter().any(|secret| secret.range.is_some());
    let is_plain = model.seen.is_empty() && model.failed == Diagram::FALSE && !model.laws.iter().any(is_derived);
    if has_range || !is_plain || (model.sums.is_empty() && model.orders.is_empty()) {
        return None;
    }
    let mut paths: Vec<Path> = vec![Vec::new()];
    for event in model.events.clone() {
        let more = paths_to(model, event, &mut |leaf| leaf == 1)?;
        paths = joined(&paths, &more)?;
    }
    let outputs: Vec<Diagram> =
        model.outputs.iter().filter(|output| !output.observed).map(|output| output.value).collect();
    if let ([open], [only]) = (&outputs[..], &paths[..])
        && let Some(seen) = Seen::of_open_sum(model, only, *open)
    {
        return Some(Ways::One(seen));
    }
    if outputs.is_empty()
        && let [only] = &paths[..]
    {
        let mut ways = Seen::of_path(model, only)?;
        return match ways.len() {
            1 => ways.pop().filter(|seen| !seen.sums.is_empty()).map(Ways::One),
            _ => Some(Ways::Several(ways.into_iter().map(|seen| Way { outputs: Box::default(), seen }).collect())),
        };
    }
    let mut ways = Vec::new();
    if outputs.is_empty() {
        for path in &paths {
            ways.extend(Seen::of_path(model, path)?.into_iter().map(|seen| Way { outputs: Box::default(), seen }));
        }
    } else {
        let choices = model.diagrams.choices_of(&outputs);
        if !choices.iter().all(|choice| model.is_open_choice(*choice)) {
            return None;
        }
        let (product, tuples) = model.diagrams.product(Diagram::TRUE, &outputs).ok()?;
        for (number, tuple) in tuples.iter().enumerate() {
            let published = paths_to(model, product, &mut |leaf| leaf == number as u32 && leaf != DEAD)?;
            for path in joined(&paths, &published)? {
                ways.extend(Seen::of_path(model, &path)?.into_iter().map(|seen| Way { outputs: tuple.clone(), seen }));
                if ways.len() > MAX_WAYS {
                    return None;
                }
            }
        }
    }
    Some(Ways::Several(ways))
}

/// The ways through a diagram to leaves that are wanted: they exclude each other.
fn paths_to<S: Scalar>(
    model: &ChoiceModel<S>,
    diagram: Diagram,
    is_wanted: &mut dyn FnMut(u32) -> bool,
) -> Option<Vec<Path>> {
    let mut known: HashMap<Diagram, bool> = HashMap::new();
    let mut nodes = model.diagrams.nodes_of(diagram);
    nodes.reverse();
    let mut leads = |to: Diagram, known: &HashMap<Diagram, bool>| match to.as_leaf() {
        Some(leaf) => is_wanted(leaf),
        None => known.get(&to).copied().unwrap_or(false),
    };
    for node in nodes {
        let any = model.diagrams.edges(node).iter().any(|(_, to)| leads(*to, &known));
        known.insert(node, any);
    }
    if !leads(diagram, &known) {
        return Some(Vec::new());
    }
    let mut found = Vec::new();
    let mut open: Vec<(Diagram, Path)> = vec![(diagram, Vec::new())];
    while let Some((node, path)) = open.pop() {
        let Some(choice) = model.diagrams.choice(node) else {
            found.push(path);
            if found.len() > MAX_WAYS {
                return None;
            }
            continue;
        };
        // Answers that lead to the same are one way.
        let mut targets: Vec<(Diagram, Vec<(i64, i64)>)> = Vec::new();
        let mut low = i64::MIN;
        for (bound, to) in model.diagrams.edges(node) {
            if leads(*to, &known) {
                match targets.iter_mut().find(|(known, _)| known == to) {
                    Some((_, answers)) => answers.push((low, *bound)),
                    None => targets.push((*to, vec![(low, *bound)])),
                }
            }
            low = bound.saturating_add(1);
        }
        for (to, answers) in targets {
            let mut longer = path.clone();
            longer.push((choice, answers));
            open.push((to, longer));
            if open.len() > MAX_WAYS {
                return None;
            }
        }
    }
    Some(found)
}

/// Both: each way of one with each of the other.
fn joined(one: &[Path], other: &[Path]) -> Option<Vec<Path>> {
    if one.len().saturating_mul(other.len()) > MAX_WAYS {
        return None;
    }
    let pairs = one.iter().flat_map(|a| other.iter().map(move |b| a.iter().chain(b).cloned().collect()));
    Some(pairs.collect())
}

impl Seen {
    /// One sum that will be published as it is, and nothing seen of sums so far.
    fn of_open_sum<S: Scalar>(model: &mut ChoiceModel<S>, path: &Path, open: Diagram) -> Option<Seen> {
        let choice = model.diagrams.choice(open)?;
        let is_plain = model.diagrams.edges(open).iter().all(|(_, to)| to.as_leaf().is_some());
        let sum = model.sums.get(&choice).cloned()?;
        if !is_plain || path.iter().any(|(choice, _)| model.is_open_choice(*choice)) {
            return None;
        }
        let allowed = vec![(sum.low, sum.high)];
        let seen_sum = SeenSum { number: sum.number, terms: sum.terms, answers: sum.answers, allowed };
        let facts = facts(model, path)?;
        Some(Seen { sums: vec![seen_sum], facts, open: Some(open) })
    }

    /// What was seen on one way; several where order statistics have values in several ranges. None of them if it cannot be.
    fn of_path<S: Scalar>(model: &mut ChoiceModel<S>, path: &Path) -> Option<Vec<Seen>> {
        let mut sums: Vec<(u32, SeenSum)> = Vec::new();
        let mut orders: Vec<SeenOrders> = Vec::new();
        for (choice, answers) in path {
            if let Some(order) = model.orders.get(choice).cloned() {
                let place = orders.iter().position(|known| known.is_of(&order.of)).unwrap_or_else(|| {
                    orders.push(SeenOrders::new(&order.of));
                    orders.len() - 1
                });
                if !orders[place].see(&order, answers) {
                    return Some(Vec::new());
                }
            } else if let Some(sum) = model.sums.get(choice) {
                // Answers count from the least sum on.
                let value = |answer: i64| answer.saturating_add(sum.low);
                let inside = |(low, high): &(i64, i64)| (value(*low).max(sum.low), value(*high).min(sum.high));
                let allowed: Allowed = answers.iter().map(inside).filter(|(low, high)| low <= high).collect();
                match sums.iter_mut().find(|(known, _)| known == choice) {
                    Some((_, known)) => known.allowed = intersected(&known.allowed, &allowed),
                    None => {
                        let (terms, answers) = (sum.terms.clone(), sum.answers.clone());
                        sums.push((*choice, SeenSum { number: sum.number, terms, answers, allowed }));
                    }
                }
            }
        }
        if sums.iter().any(|(_, sum)| sum.allowed.is_empty()) {
            return Some(Vec::new());
        }
        let facts = facts(model, path)?;
        let mut ways: Vec<Vec<SeenSum>> = vec![sums.into_iter().map(|(_, sum)| sum).collect()];
        for order in orders {
            let mut longer = Vec::new();
            for order in order.apart(MAX_WAYS)? {
                let Some(counted) = order.counted(model).ok()? else { continue };
                for way in &ways {
                    let counts = counted.iter().map(|count| SeenSum {
                        number: 0,
                        terms: count.terms.clone(),
                        answers: Vec::new(),
                        allowed: count.allowed.clone(),
                    });
                    longer.push(way.iter().cloned().chain(counts).collect());
                }
            }
            if longer.len() > MAX_WAYS {
                return None;
            }
            ways = longer;
        }
        Some(ways.into_iter().map(|sums| Seen { sums, facts: facts.clone(), open: None }).collect())
    }
}

/// What was seen of single choices.
fn facts<S: Scalar>(model: &mut ChoiceModel<S>, path: &Path) -> Option<Vec<(u32, Diagram)>> {
    let mut facts = Vec::new();
    for (choice, answers) in path {
        if model.is_open_choice(*choice) {
            continue;
        }
        let mut edges = Vec::new();
        for (low, high) in answers {
            if *low > i64::MIN {
                edges.push((low - 1, Diagram::FALSE));
            }
            edges.push((*high, Diagram::TRUE));
        }
        if edges.last().is_none_or(|(bound, _)| *bound < i64::MAX) {
            edges.push((i64::MAX, Diagram::FALSE));
        }
        facts.push((*choice, model.diagrams.decide(*choice, edges).ok()?));
    }
    Some(facts)
}

/// The values that are in both lists of intervals.
pub(super) fn intersected(one: &[(i64, i64)], other: &[(i64, i64)]) -> Allowed {
    let pairs = one.iter().flat_map(|(a, b)| other.iter().map(move |(c, d)| (*a.max(c), *b.min(d))));
    pairs.filter(|(low, high)| low <= high).collect()
}
