//! Published counts: how many people are behind each, and which small groups and suppressed counts can be computed from
//! several of them.
//!
//! Rows that are in exactly the same counts are an *atom*; every count is the sum of its atoms. Which atoms, unions of atoms
//! and suppressed counts follow from the published ones is decided by rank ([`super::implied`]).

use std::collections::BTreeSet;

use super::few::{Behind, parts_about_few, proven_rank};
use super::implied::{Sum, following, remainders, unions};
use super::persons::Persons;
use super::policy::{Policy, Rule, Verdict};
use super::reasons::LISTED;
use super::release::Count;
use super::result::{Figure, FigureStatus};
use super::vanishing::{Kernel, vanishing_sets};
use privug_engine::posterior::Options;

/// A group of people that is small and whose size follows from published counts, though it is not published itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SmallGroup {
    /// How many people are in it.
    pub(super) people: usize,
    /// The first of them.
    pub(super) whom: Vec<usize>,
    pub(super) verdict: Verdict,
    /// The counts that its size is a combination of, if that was worked out.
    pub(super) from: Vec<usize>,
}

/// What follows from published counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct CountsFound {
    pub(super) groups: Vec<SmallGroup>,
    /// The suppressed counts that can be computed, and from which.
    pub(super) recovered: Vec<(usize, Vec<usize>)>,
    /// Whether some small groups may not have been found.
    pub(super) is_open: bool,
}

/// What minimum frequency says about a count. Nobody is behind a count of 0.
pub(super) fn judge(people: usize, policy: &Policy) -> Verdict {
    if people == 0 { Verdict::Pass } else { policy.minimum_frequency.at_least(people as f64) }
}

/// What follows from the counts that are not `suppressed`; `None` if that is too much to work out.
pub(super) fn follow_counts(
    counts: &[Count],
    suppressed: &[bool],
    persons: &Persons,
    policy: &Policy,
    options: &Options,
) -> Option<CountsFound> {
    let counted = |wanted: bool| -> Vec<usize> {
        (0..counts.len()).filter(|place| suppressed[*place] == wanted && counts[*place].is_sum()).collect()
    };
    let (published, hidden) = (counted(false), counted(true));
    if published.is_empty() {
        return Some(CountsFound::default());
    }
    let atoms = Atoms::of(counts, &published, persons.rows());
    let verdict_of = |of: &[usize]| judge(atoms.behind(of, persons), policy);
    let told: BTreeSet<&[usize]> = atoms.in_count.iter().map(Vec::as_slice).collect();
    let sums: Vec<Sum> = atoms.in_count.iter().map(|atoms| sum_of(atoms)).collect();
    // Groups that may be small and are not published themselves: atoms, what is left of counts, unions of suppressed counts.
    let mut candidates: BTreeSet<Vec<usize>> = (0..atoms.rows.len()).map(|atom| vec![atom]).collect();
    candidates.extend(remainders(atoms.rows.len(), &sums).iter().map(|(_, left)| left.iter().map(|of| of.0).collect()));
    let hidden: Vec<(usize, Vec<usize>)> =
        hidden.into_iter().filter_map(|place| Some((place, atoms.made_of(&counts[place])?))).collect();
    candidates.extend(unions_of(&hidden, &atoms, persons, policy));
    let mut found = CountsFound::default();
    // A union is small only if all of its atoms are.
    if candidates.iter().any(|of| of.len() == 1 && verdict_of(of) != Verdict::Pass) {
        let (unions, are_all) = atoms.unions(&sums, persons, limit_of(policy))?;
        candidates.extend(unions);
        found.is_open = !are_all;
    }
    candidates.retain(|of| !told.contains(of.as_slice()) && verdict_of(of) != Verdict::Pass);
    let candidates: Vec<Vec<usize>> = candidates.into_iter().collect();
    let asked: Vec<Sum> = hidden.iter().map(|(_, of)| of).chain(&candidates).map(|of| sum_of(of)).collect();
    let sizes: Vec<i64> = atoms.rows.iter().map(|rows| rows.len() as i64).collect();
    for followed in following(&sizes, &sums, &asked, options)? {
        let from: Vec<usize> = followed.from.into_iter().map(|place| published[place]).collect();
        match hidden.get(followed.place) {
            Some((place, _)) => found.recovered.push((*place, from)),
            None => {
                let of = &candidates[followed.place - hidden.len()];
                let people = atoms.behind(of, persons);
                let whom = atoms.first(of, persons);
                found.groups.push(SmallGroup { people, whom, verdict: judge(people, policy), from });
            }
        }
    }
    Some(found)
}

/// Fewer people than this are few.
fn limit_of(policy: &Policy) -> f64 {
    let limits = policy.minimum_frequency;
    limits.fail.into_iter().chain(limits.review).fold(0.0, f64::max)
}

/// Unions of suppressed counts without common rows that have few people together.
fn unions_of(
    hidden: &[(usize, Vec<usize>)],
    atoms: &Atoms,
    persons: &Persons,
    policy: &Policy,
) -> BTreeSet<Vec<usize>> {
    let limit = limit_of(policy);
    let sizes: Vec<usize> = hidden.iter().map(|(_, of)| atoms.behind(of, persons)).collect();
    let mut found = BTreeSet::new();
    for union in unions(&sizes, limit).0 {
        let mut of: Vec<usize> = union.iter().flat_map(|place| hidden[*place].1.iter().copied()).collect();
        let all = of.len();
        of.sort_unstable();
        of.dedup();
        if of.len() == all {
            found.insert(of);
        }
    }
    found
}

/// A suppressed count that can be computed is as good as published.
pub(super) fn judge_recovered(figures: &mut [Figure], first_count: usize, found: &CountsFound, policy: &Policy) {
    if policy.recoverable == Verdict::Pass {
        return;
    }
    for (place, from) in &found.recovered {
        let figure = &mut figures[first_count + place];
        let recovered_from = from.iter().map(|place| first_count + place).collect();
        figure.status = FigureStatus::Suppressed { recovered_from, posterior_std: 0.0 };
        let by_size = judge(figure.contributions.contributors, policy);
        if by_size != Verdict::Pass {
            figure.broken.push((Rule::MinimumFrequency, by_size));
        }
        figure.broken.push((Rule::Recoverable, policy.recoverable));
        figure.verdict = figure.broken.iter().map(|(_, verdict)| *verdict).max().unwrap_or_default();
    }
}

fn sum_of(atoms: &[usize]) -> Sum {
    atoms.iter().map(|atom| (*atom, 1)).collect()
}

/// Rows that no count tells apart.
struct Atoms {
    /// The rows of each.
    rows: Vec<Vec<u32>>,
    /// The atoms of each count, ascending.
    in_count: Vec<Vec<usize>>,
    /// The atom of each row; `usize::MAX` for one that is in no count.
    atom_of: Vec<usize>,
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
        let in_count = in_count.collect();
        let atom_of = class.into_iter().map(|class| atom_of[class]).collect();
        Atoms { in_count, rows, atom_of }
    }

    /// The people in some of them.
    fn behind(&self, atoms: &[usize], persons: &Persons) -> usize {
        match atoms {
            [only] => persons.behind(Some(&self.rows[*only])),
            several => {
                let rows: Vec<u32> = several.iter().flat_map(|atom| self.rows[*atom].iter().copied()).collect();
                persons.behind(Some(&rows))
            }
        }
    }

    /// The first people in some of them; a row of a group is nobody in particular.
    fn first(&self, atoms: &[usize], persons: &Persons) -> Vec<usize> {
        if persons.is_grouped() {
            return Vec::new();
        }
        let rows = atoms.iter().flat_map(|atom| &self.rows[*atom]);
        let people: BTreeSet<usize> = rows.map(|row| persons.of_row(*row as usize)).collect();
        people.into_iter().take(LISTED).collect()
    }

    /// Unions of atoms with few people that may follow, and whether no others do; `None` if that is too much to work out.
    fn unions(&self, sums: &[Sum], persons: &Persons, limit: f64) -> Option<(Vec<Vec<usize>>, bool)> {
        let sizes: Vec<usize> = (0..self.rows.len()).map(|atom| self.behind(&[atom], persons)).collect();
        let kernel = Kernel::new(self.rows.len(), sums, &|_| false);
        let vector = kernel.vectors(1)?.pop()?;
        let alone = kernel.alone(&vector);
        let set_of: Vec<usize> = (0..sizes.len()).collect();
        let people = |(rows, size): (&Vec<u32>, &usize)| -> Vec<usize> {
            let is_small = (*size as f64) < limit;
            rows.iter().filter(|_| is_small).map(|row| persons.of_row(*row as usize)).collect()
        };
        let named: Option<Vec<Vec<usize>>> =
            persons.is_repeated().then(|| self.rows.iter().zip(&sizes).map(people).collect());
        let open = |sum: &Sum| sum.iter().copied().filter(|(atom, _)| !alone[*atom]).collect();
        let open: Vec<Sum> = sums.iter().map(open).collect();
        let behind = Behind { set_of: &set_of, sizes: &sizes, named: named.as_deref() };
        let rank = proven_rank(sizes.len(), &open);
        let parts = match parts_about_few(&open, &behind, limit, rank) {
            Some(parts) => parts.into_iter().map(|part| part.numbers).collect(),
            None => vec![set_of.clone()],
        };
        let (mut found, mut are_all) = (Vec::new(), rank.is_some());
        for part in parts {
            // Of people with several rows it is asked later how many there are in a union.
            let size = |atom: usize| if named.is_some() { 0 } else { sizes[atom] };
            let things: Vec<(u64, usize)> = part.iter().map(|atom| (vector[*atom], size(*atom))).collect();
            let (unions, are_all_of_part) = vanishing_sets(&things, limit);
            found.extend(unions.into_iter().map(|union| union.into_iter().map(|at| part[at]).collect::<Vec<usize>>()));
            are_all &= are_all_of_part;
        }
        Some((found, are_all))
    }

    /// The atoms that a count consists of; `None` if it cuts one, or counts rows that are in none.
    fn made_of(&self, count: &Count) -> Option<Vec<usize>> {
        let Some(rows) = &count.rows else {
            let is_everybody = self.atom_of.iter().all(|atom| *atom != usize::MAX);
            return is_everybody.then(|| (0..self.rows.len()).collect());
        };
        let mut met: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
        for row in rows {
            let atom = self.atom_of[*row as usize];
            *met.entry(atom).or_default() += usize::from(atom != usize::MAX);
        }
        let is_whole = |(atom, rows): (&usize, &usize)| *atom != usize::MAX && self.rows[*atom].len() == *rows;
        met.iter().all(is_whole).then(|| met.into_keys().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::release::{CountOf, People};
    use super::*;
    use privug_language::source::Span;

    fn count(name: &str, rows: Option<&[u32]>, all: usize) -> Count {
        let count = rows.map_or(all, <[u32]>::len) as i64;
        Count { name: name.to_owned(), count, of: CountOf::Rows, rows: rows.map(<[u32]>::to_vec), span: Span::START }
    }

    fn groups(counts: &[Count], rows: usize) -> Vec<SmallGroup> {
        found(counts, &[], rows).groups
    }

    fn found(counts: &[Count], hidden: &[usize], rows: usize) -> CountsFound {
        let suppressed: Vec<bool> = (0..counts.len()).map(|place| hidden.contains(&place)).collect();
        let persons = Persons::of_rows(&People::Rows(rows), 1);
        follow_counts(counts, &suppressed, &persons, &Policy::default(), &Options::default()).expect("little work")
    }

    #[test]
    fn a_total_without_its_other_cells_gives_the_small_one_away() {
        let (first, second): (Vec<u32>, Vec<u32>) = ((0..20).collect(), (20..59).collect());
        let cells = [count("all", None, 60), count("a", Some(&first), 60), count("b", Some(&second), 60)];
        assert_eq!(
            groups(&cells, 60),
            [SmallGroup { people: 1, whom: vec![59], verdict: Verdict::Fail, from: vec![0, 1, 2] }]
        );
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
        assert_eq!(
            groups(&counts, 91),
            [SmallGroup { people: 1, whom: vec![0], verdict: Verdict::Fail, from: vec![0, 1, 2] }]
        );
    }

    #[test]
    fn two_suppressed_cells_of_a_row_are_known_together_by_its_margin() {
        // A row of cells 30, 3 and 4 with its total; the small cells are suppressed.
        let cell = |from: u32, to: u32| (from..to).collect::<Vec<u32>>();
        let counts = [
            count("all", None, 37),
            count("a", Some(&cell(0, 30)), 37),
            count("b", Some(&cell(30, 33)), 37),
            count("c", Some(&cell(33, 37)), 37),
        ];
        let both = SmallGroup { people: 7, whom: (30..35).collect(), verdict: Verdict::Fail, from: vec![0, 1] };
        assert_eq!(found(&counts, &[2, 3], 37), CountsFound { groups: vec![both], ..CountsFound::default() });
        // Another table tells the two apart, so that they are no atom: the union is found all the same.
        let counts = [counts.as_slice(), &[count("other", Some(&cell(20, 33)), 37)]].concat();
        let groups = found(&counts, &[2, 3], 37).groups;
        assert!(groups.iter().any(|group| group.people == 7 && group.from == [0, 1]), "{groups:?}");
    }

    #[test]
    fn a_suppressed_count_is_recovered_though_other_counts_cut_it_into_pieces() {
        let cell = |from: u32, to: u32| (from..to).collect::<Vec<u32>>();
        let counts = [
            count("all", None, 60),
            count("most", Some(&cell(0, 52)), 60),
            count("few", Some(&cell(52, 60)), 60),
            // Cuts both.
            count("other", Some(&cell(40, 56)), 60),
        ];
        let found = found(&counts, &[2], 60);
        assert_eq!(found.recovered, [(2, vec![0, 1])]);
    }

    #[test]
    fn a_crossing_count_does_not_hide_what_follows_by_subtraction() {
        // Five people are only in the larger count; another count has three of them, and twenty of the others.
        let (most, cross): (Vec<u32>, Vec<u32>) = ((0..45).collect(), (25..48).collect());
        let counts = [count("all", None, 50), count("most", Some(&most), 50), count("cross", Some(&cross), 50)];
        let five = SmallGroup { people: 5, whom: (45..50).collect(), verdict: Verdict::Fail, from: vec![0, 1] };
        assert_eq!(groups(&counts, 50), std::slice::from_ref(&five));
        assert_eq!(groups(&counts[..2], 50), [five]);
        assert_eq!(groups(&[counts[0].clone(), counts[2].clone()], 50), []);
    }
}
