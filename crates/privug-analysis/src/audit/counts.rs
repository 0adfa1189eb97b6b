//! Published counts: how many people are behind each, and which small groups can be computed from several of them.
//!
//! Rows that are in exactly the same counts are an *atom*; every count is the sum of its atoms. Whether the size of an atom
//! follows from the counts is the question that conditioning answers for secrets, so it is asked in the same way: with
//! the sizes of atoms as variables, and the counts as observations.

use super::combination::combination_of;
use super::persons::Persons;
use super::policy::{Policy, Verdict};
use super::release::Count;
use privug_engine::network::{Affine, Network, NodeId, Variables};
use privug_engine::number::Exact;
use privug_engine::posterior::{Observation, Options, Refusal};
use privug_engine::stages::Stages;
use privug_language::source::Span;

/// Of so many small groups is it said which counts they follow from.
const EXPLAINED: usize = 5;

/// A group of people that is small and whose size follows from published counts, though it is not published itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SmallGroup {
    /// How many people are in it.
    pub(super) people: usize,
    pub(super) verdict: Verdict,
    /// The counts that its size is a combination of, if that was worked out.
    pub(super) from: Vec<usize>,
}

/// What minimum frequency says about a count. Nobody is behind a count of 0.
pub(super) fn judge(people: usize, policy: &Policy) -> Verdict {
    if people == 0 { Verdict::Pass } else { policy.minimum_frequency.at_least(people as f64) }
}

/// The small groups that follow from the counts at the places `published`; `None` if that is too much to work out.
pub(super) fn small_groups(
    counts: &[Count],
    published: &[usize],
    persons: &Persons,
    policy: &Policy,
    options: &Options,
) -> Option<Vec<SmallGroup>> {
    let counted: Vec<usize> = published.iter().copied().filter(|place| counts[*place].is_sum()).collect();
    let atoms = Atoms::of(counts, &counted, persons.rows());
    let verdicts: Vec<Verdict> = atoms.rows.iter().map(|rows| judge(persons.behind(Some(rows)), policy)).collect();
    let mut is_published = vec![false; atoms.rows.len()];
    for in_count in &atoms.in_count {
        if let [only] = in_count.as_slice() {
            is_published[*only] = true;
        }
    }
    let small: Vec<usize> =
        (0..atoms.rows.len()).filter(|atom| verdicts[*atom] != Verdict::Pass && !is_published[*atom]).collect();
    if small.is_empty() || counted.len() < 2 {
        return Some(Vec::new());
    }
    let follow = match following::<f64>(&atoms, &small, options) {
        Err(Refusal::Doubtful { .. } | Refusal::OutOfRange { .. }) => following::<Exact>(&atoms, &small, options).ok(),
        found => found.ok(),
    }?;
    let groups = follow.into_iter().map(|(atom, from)| SmallGroup {
        people: persons.behind(Some(&atoms.rows[atom])),
        verdict: verdicts[atom],
        from: from.into_iter().map(|place| counted[place]).collect(),
    });
    Some(groups.collect())
}

/// The atoms among `small` whose size follows from the counts, and for the first of them which counts it follows from.
fn following<S: Stages>(
    atoms: &Atoms,
    small: &[usize],
    options: &Options,
) -> Result<Vec<(usize, Vec<usize>)>, Refusal<S>> {
    let mut network: Network<S> = Network::default();
    let one = |node: NodeId| Affine { node, scale: S::one(), offset: S::zero() };
    let size = |rows: usize| S::from_i64(rows as i64);
    let sizes: Vec<NodeId> =
        atoms.rows.iter().map(|rows| network.push(size(rows.len()), [], S::one(), Span::START)).collect();
    let observations: Vec<Observation<S>> = atoms
        .in_count
        .iter()
        .map(|in_count| {
            let terms: Vec<(NodeId, S)> = in_count.iter().map(|atom| (sizes[*atom], S::one())).collect();
            let rows: usize = in_count.iter().map(|atom| atoms.rows[*atom].len()).sum();
            let node = network.push(S::zero(), terms, S::zero(), Span::START);
            Observation { variable: one(node), value: Some(size(rows)) }
        })
        .collect();
    let targets: Variables<S> = small.iter().map(|atom| one(sizes[*atom])).collect();
    let found = S::survey(&network, &observations, &targets, options)?;
    let spreads = found.targets.spreads().zip(small);
    let known: Vec<usize> = spreads.filter(|(spread, _)| spread.fully_disclosed).map(|(_, atom)| *atom).collect();
    let explained: Vec<Affine<S>> = known.iter().take(EXPLAINED).map(|atom| one(sizes[*atom])).collect();
    let mut from: Vec<Vec<usize>> = Vec::new();
    if !explained.is_empty() {
        let std_devs: Vec<f64> = found.observations.iter().map(|seen| seen.variance.to_f64().sqrt()).collect();
        let outcomes = S::condition(&network, &observations, &explained, options)?;
        from.extend(
            outcomes
                .targets
                .iter()
                .map(|target| combination_of(target, &std_devs).into_iter().map(|(place, _)| place).collect()),
        );
    }
    from.resize(known.len(), Vec::new());
    Ok(known.into_iter().zip(from).collect())
}

/// Rows that no count tells apart.
struct Atoms {
    /// The rows of each.
    rows: Vec<Vec<u32>>,
    /// The atoms of each count, ascending.
    in_count: Vec<Vec<usize>>,
}

impl Atoms {
    /// Splits all rows by the counts at some places. Rows that are in no count are in no atom.
    fn of(counts: &[Count], places: &[usize], row_count: usize) -> Atoms {
        let mut class = vec![0usize; row_count];
        let mut classes = 1;
        for place in places {
            let Some(rows) = &counts[*place].rows else { continue };
            let mut split = std::collections::HashMap::new();
            for row in rows {
                let class = &mut class[*row as usize];
                *class = *split.entry(*class).or_insert_with(|| {
                    classes += 1;
                    classes - 1
                });
            }
        }
        let mut atom_of = vec![usize::MAX; classes];
        let mut rows: Vec<Vec<u32>> = Vec::new();
        let all = places.iter().any(|place| counts[*place].rows.is_none());
        for (row, class) in class.iter().enumerate() {
            if *class == 0 && !all {
                continue;
            }
            if atom_of[*class] == usize::MAX {
                atom_of[*class] = rows.len();
                rows.push(Vec::new());
            }
            rows[atom_of[*class]].push(row as u32);
        }
        let in_count = places.iter().map(|place| match &counts[*place].rows {
            None => (0..rows.len()).collect(),
            Some(of_count) => {
                let mut atoms: Vec<usize> = of_count.iter().map(|row| atom_of[class[*row as usize]]).collect();
                atoms.sort_unstable();
                atoms.dedup();
                atoms
            }
        });
        Atoms { in_count: in_count.collect(), rows }
    }
}

#[cfg(test)]
mod tests {
    use super::super::release::{CountOf, People};
    use super::*;

    fn count(name: &str, rows: Option<&[u32]>, all: usize) -> Count {
        let count = rows.map_or(all, <[u32]>::len) as i64;
        Count { name: name.to_owned(), count, of: CountOf::Rows, rows: rows.map(<[u32]>::to_vec), span: Span::START }
    }

    fn groups(counts: &[Count], rows: usize) -> Vec<SmallGroup> {
        let published: Vec<usize> = (0..counts.len()).collect();
        let persons = Persons::of_rows(&People::Rows(rows), 1);
        let policy = Policy::default();
        small_groups(counts, &published, &persons, &policy, &Options::default()).expect("little work")
    }

    #[test]
    fn a_total_without_its_other_cells_gives_the_small_one_away() {
        let (first, second): (Vec<u32>, Vec<u32>) = ((0..20).collect(), (20..59).collect());
        let cells = [count("all", None, 60), count("a", Some(&first), 60), count("b", Some(&second), 60)];
        assert_eq!(groups(&cells, 60), [SmallGroup { people: 1, verdict: Verdict::Fail, from: vec![0, 1, 2] }]);
        // Without one of the cells the rest is no small group, and the small one does not follow.
        assert_eq!(groups(&cells[..2], 60), []);
        // A small cell that is published is told by itself.
        let cells = [count("a", Some(&first), 21), count("b", Some(&[20]), 21), count("all", None, 21)];
        assert_eq!(groups(&cells, 21), []);
    }

    #[test]
    fn margins_give_a_cell_of_a_crossed_table_away() {
        // Two rows and two columns of cells 1, 20, 30, 40, of which only the first is not published.
        let sizes = [1usize, 20, 30, 40];
        let starts = [0usize, 1, 21, 51];
        let cell = |at: usize| (starts[at] as u32..(starts[at] + sizes[at]) as u32).collect::<Vec<u32>>();
        let both = |a: usize, b: usize| [cell(a), cell(b)].concat();
        let row = count("row", Some(&both(0, 1)), 91);
        let others = [count("b", Some(&cell(1)), 91), count("c", Some(&cell(2)), 91)];
        assert_eq!(groups(&[row.clone(), others[0].clone()], 91).len(), 1);
        assert_eq!(groups(&[row, others[1].clone()], 91), []);
        // Through the total and the other column as well.
        let counts = [count("all", None, 91), count("column", Some(&both(1, 3)), 91), others[1].clone()];
        assert_eq!(groups(&counts, 91), [SmallGroup { people: 1, verdict: Verdict::Fail, from: vec![0, 1, 2] }]);
    }
}
