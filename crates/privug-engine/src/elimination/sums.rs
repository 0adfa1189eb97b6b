//! Sums over people that were never written out: what matters of them is their distribution.

use crate::sorting::CompactSort;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Refusal, orders};
use crate::choices::{Diagram, Law, Mass, TooWide, choices_behind, sweep};
use crate::evaluate::{ChoiceModel, SumOfChoices};
use crate::number::Scalar;

/// Combinations of sums that are kept at once.
const MAX_COMBINATIONS: usize = 2_000_000;

/// Pairs of values that may be added up for one more summand.
const MAX_STEP_WORK: usize = 20_000_000;

/// The same for all summands together: about half a minute.
const MAX_WORK: usize = 300_000_000;

/// Replaces choices that stand for sums: summands that the diagrams mention themselves stay, all others become one
/// choice with the distribution of their sum.
pub(super) fn resolve<S: Scalar>(model: &mut ChoiceModel<S>, diagrams: &[Diagram]) -> Result<Vec<Diagram>, Refusal<S>> {
    let diagrams = &orders::written_out(model, diagrams)?[..];
    let mut mentioned: BTreeSet<u32> = choices_behind(&model.diagrams, &model.laws, diagrams).into_iter().collect();
    let open: Vec<u32> = mentioned.iter().copied().filter(|choice| model.sums.contains_key(choice)).collect();
    if open.is_empty() {
        return Ok(diagrams.to_vec());
    }
    for sum in &open {
        mentioned.remove(sum);
    }
    // A value with a choice of its own is never made of sums.
    let directly = model.diagrams.choices_of(diagrams);
    if open.iter().any(|sum| !directly.contains(sum)) {
        return Err(Refusal::TooWide);
    }
    let sums: Vec<SumOfChoices> = open.iter().map(|choice| model.sums[choice].clone()).collect();
    // The terms of all sums, with one factor for each sum.
    let mut factors: BTreeMap<Diagram, Vec<i64>> = BTreeMap::new();
    for (place, sum) in sums.iter().enumerate() {
        for (choice, _) in &sum.answers {
            if model.laws[*choice as usize].listed().is_none() {
                return Err(Refusal::TooWide);
            }
        }
        let answers: Vec<(Diagram, i64)> = sum
            .answers
            .iter()
            .map(|(choice, factor)| Ok((spelled_out(model, *choice)?, *factor)))
            .collect::<Result<_, TooWide>>()?;
        for (term, factor) in sum.terms.iter().chain(&answers) {
            factors.entry(*term).or_insert_with(|| vec![0; sums.len()])[place] += factor;
        }
    }
    let terms: Vec<(Diagram, Vec<i64>, Vec<u32>)> = factors
        .into_iter()
        .map(|(term, factors)| {
            let choices = choices_behind(&model.diagrams, &model.laws, &[term]);
            (term, factors, choices)
        })
        .collect();
    if terms.iter().any(|(_, _, choices)| choices.iter().any(|choice| model.sums.contains_key(choice))) {
        return Err(Refusal::TooWide);
    }
    let blocks = blocks(&terms);
    // What shares a choice with the diagrams has to stay.
    let (mut stays, mut summed): (Vec<usize>, Vec<&Vec<usize>>) = (Vec::new(), Vec::new());
    for block in &blocks {
        let touches = block.iter().any(|term| terms[*term].2.iter().any(|choice| mentioned.contains(choice)));
        if touches { stays.extend(block) } else { summed.push(block) }
    }
    let rest = distribution(model, &terms, &summed, sums.len())?;
    let choice = model.laws.len() as u32;
    model.laws.push(Law::of_masses(rest.iter().map(|(_, mass)| mass.clone()).collect()));
    let mut replaced = diagrams.to_vec();
    for (place, (sum_choice, sum)) in open.iter().zip(&sums).enumerate() {
        // The sum counted from its least value on, as its choice's answers are.
        let start = sum.number - sum.low;
        let edges = rest.iter().enumerate().map(|(answer, (values, _))| (answer as i64, values[place]));
        let mut value = numbered(model, choice, edges)?;
        value.1 += start;
        for term in &stays {
            let (term, factors, _) = &terms[*term];
            if factors[place] != 0 {
                value = plus(model, &value, *term, factors[place])?;
            }
        }
        for diagram in &mut replaced {
            *diagram = substituted(model, *diagram, *sum_choice, &value)?;
        }
    }
    Ok(replaced)
}

/// An integer in each world: the number of the leaf in a list, and what is added.
pub(super) type Integers = (Diagram, i64, Vec<i64>);

/// The diagram of a choice's own answers.
pub(super) fn spelled_out<S: Scalar>(model: &mut ChoiceModel<S>, choice: u32) -> Result<Diagram, TooWide> {
    let count = model.laws[choice as usize].listed().ok_or(TooWide)?;
    let first = model.answers.len() as u32;
    model.answers.extend((0..count as i64).map(crate::evaluate::Answer::Integer));
    let edges: Vec<(i64, Diagram)> =
        (0..count).map(|answer| (answer as i64, Diagram::leaf(first + answer as u32))).collect();
    model.diagrams.decide(choice, edges)
}

/// Terms that depend on the same choices, together.
fn blocks(terms: &[(Diagram, Vec<i64>, Vec<u32>)]) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..terms.len()).collect();
    fn root(parent: &mut [usize], mut place: usize) -> usize {
        while parent[place] != place {
            parent[place] = parent[parent[place]];
            place = parent[place];
        }
        place
    }
    let mut first: HashMap<u32, usize> = HashMap::new();
    for (place, (_, _, choices)) in terms.iter().enumerate() {
        for choice in choices {
            match first.get(choice) {
                Some(other) => {
                    let (a, b) = (root(&mut parent, *other), root(&mut parent, place));
                    parent[a] = b;
                }
                None => {
                    first.insert(*choice, place);
                }
            }
        }
    }
    let mut blocks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for place in 0..terms.len() {
        blocks.entry(root(&mut parent, place)).or_default().push(place);
    }
    blocks.into_values().collect()
}

/// The joint distribution of what blocks of terms add to each sum.
fn distribution<S: Scalar>(
    model: &mut ChoiceModel<S>,
    terms: &[(Diagram, Vec<i64>, Vec<u32>)],
    blocks: &[&Vec<usize>],
    sums: usize,
) -> Result<Vec<(Vec<i64>, Mass<S>)>, Refusal<S>> {
    let mut total: BTreeMap<Vec<i64>, Mass<S>> = BTreeMap::from([(vec![0; sums], Mass::one())]);
    let mut done: usize = 0;
    for block in blocks {
        let added = block_distribution(model, terms, block, sums)?;
        let work = total.len().saturating_mul(added.len());
        done = done.saturating_add(work);
        if work > MAX_STEP_WORK || done > MAX_WORK {
            return Err(Refusal::TooWide);
        }
        let mut next: BTreeMap<Vec<i64>, Mass<S>> = BTreeMap::new();
        for (so_far, mass) in &total {
            for (more, share) in &added {
                let key: Vec<i64> = so_far.iter().zip(more).map(|(a, b)| a + b).collect();
                let share = mass.mul(share);
                next.entry(key).and_modify(|sum| *sum = sum.add(&share)).or_insert(share);
            }
        }
        if next.len() > MAX_COMBINATIONS {
            return Err(Refusal::TooWide);
        }
        total = next;
    }
    Ok(total.into_iter().collect())
}

fn block_distribution<S: Scalar>(
    model: &mut ChoiceModel<S>,
    terms: &[(Diagram, Vec<i64>, Vec<u32>)],
    block: &[usize],
    sums: usize,
) -> Result<Vec<(Vec<i64>, Mass<S>)>, Refusal<S>> {
    let diagrams: Vec<Diagram> = block.iter().map(|term| terms[*term].0).collect();
    let mut found: BTreeMap<Vec<i64>, Mass<S>> = BTreeMap::new();
    for (leaves, mass) in sweep(&model.diagrams, &model.laws, &[], &diagrams)?.tuples {
        let mut added = vec![0i64; sums];
        for (term, value) in block.iter().zip(leaves.iter()) {
            let value = model.integer(*value);
            for (sum, factor) in added.iter_mut().zip(&terms[*term].1) {
                *sum += factor * value;
            }
        }
        found.entry(added).and_modify(|sum| *sum = sum.add(&mass)).or_insert(mass);
    }
    Ok(found.into_iter().collect())
}

/// A choice's answers as integers.
fn numbered<S: Scalar>(
    model: &mut ChoiceModel<S>,
    choice: u32,
    values: impl Iterator<Item = (i64, i64)>,
) -> Result<Integers, TooWide> {
    let mut integers: Vec<i64> = Vec::new();
    let mut places: HashMap<i64, u32> = HashMap::new();
    let mut edges = Vec::new();
    for (answer, value) in values {
        let place = *places.entry(value).or_insert_with(|| {
            integers.push(value);
            integers.len() as u32 - 1
        });
        edges.push((answer, Diagram::leaf(place)));
    }
    Ok((model.diagrams.decide(choice, edges)?, 0, integers))
}

/// The sum of integers and a term.
fn plus<S: Scalar>(
    model: &mut ChoiceModel<S>,
    integers: &Integers,
    term: Diagram,
    factor: i64,
) -> Result<Integers, TooWide> {
    let (product, tuples) = model.diagrams.product(Diagram::TRUE, &[integers.0, term])?;
    let mut values: Vec<i64> = Vec::new();
    let mut places: HashMap<i64, u32> = HashMap::new();
    let mut leaves = Vec::with_capacity(tuples.len());
    for tuple in &tuples {
        let value = integers.2[tuple[0] as usize] + factor * model.integer(tuple[1]);
        let place = *places.entry(value).or_insert_with(|| {
            values.push(value);
            values.len() as u32 - 1
        });
        leaves.push(Diagram::leaf(place));
    }
    let diagram = model.diagrams.relabel(product, &mut |leaf| Ok(leaves[leaf as usize]))?;
    Ok((diagram, integers.1, values))
}

/// A diagram in which a choice's answer is replaced by an integer that other choices decide.
pub(super) fn substituted<S: Scalar>(
    model: &mut ChoiceModel<S>,
    diagram: Diagram,
    choice: u32,
    integers: &Integers,
) -> Result<Diagram, TooWide> {
    let nodes = model.diagrams.nodes_of(diagram);
    let asks: Vec<Diagram> =
        nodes.iter().copied().filter(|node| model.diagrams.choice(*node) == Some(choice)).collect();
    if asks.is_empty() {
        return Ok(diagram);
    }
    // Between two bounds, the answer makes no difference.
    let mut cuts: Vec<i64> =
        asks.iter().flat_map(|node| model.diagrams.edges(*node).iter().map(|(bound, _)| *bound)).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let of_value = |value: i64| cuts.partition_point(|cut| *cut < value).min(cuts.len() - 1);
    // Which interval the integer lies in.
    let mut intervals = |leaf: u32| {
        let value = integers.2[leaf as usize] + integers.1;
        Ok(Diagram::leaf(of_value(value) as u32))
    };
    let which = model.diagrams.relabel(integers.0, &mut intervals)?;
    let mut restricted: HashMap<u32, Diagram> = HashMap::new();
    for interval in model.diagrams.leaves_of(which) {
        let answer = cuts[interval as usize];
        restricted.insert(interval, at_answer(model, diagram, choice, answer)?);
    }
    if restricted.values().all(|part| part.as_leaf().is_some()) {
        return model.diagrams.relabel(which, &mut |interval| Ok(restricted[&interval]));
    }
    let mut parts: Vec<(u32, Diagram)> = restricted.into_iter().collect();
    parts.sort_compact_by_key(|(interval, _)| *interval);
    let mut joined = parts[0].1;
    for (interval, part) in &parts[1..] {
        let event = model
            .diagrams
            .relabel(which, &mut |leaf| Ok(if leaf == *interval { Diagram::TRUE } else { Diagram::FALSE }))?;
        joined = model.diagrams.either(event, *part, joined)?;
    }
    Ok(joined)
}

/// A diagram where a choice has been answered.
fn at_answer<S: Scalar>(
    model: &mut ChoiceModel<S>,
    diagram: Diagram,
    choice: u32,
    answer: i64,
) -> Result<Diagram, TooWide> {
    let mut known: HashMap<Diagram, Diagram> = HashMap::new();
    let mut nodes = model.diagrams.nodes_of(diagram);
    nodes.reverse();
    for node in nodes {
        let edges = model.diagrams.edges(node).to_vec();
        let Some(asked) = model.diagrams.choice(node) else { continue };
        let of = |to: Diagram| known.get(&to).copied().unwrap_or(to);
        let result = if asked == choice {
            of(edges.iter().find(|(bound, _)| answer <= *bound).map_or(node, |(_, to)| *to))
        } else {
            let edges: Vec<(i64, Diagram)> = edges.iter().map(|(bound, to)| (*bound, of(*to))).collect();
            model.diagrams.decide(asked, edges)?
        };
        known.insert(node, result);
    }
    Ok(known.get(&diagram).copied().unwrap_or(diagram))
}
