//! Published sums as sums of disjoint groups of people.
//!
//! Figures are rows over classes of people who have the same weight in every figure. If what they span has a basis of rows over
//! disjoint classes, then the fully reduced basis is that one, up to factors, whatever the pivots are: nested tables, cells with
//! margins, and whatever else follows by subtraction come out as their disjoint remainders. Otherwise sums overlap.

use privug_engine::sorting::CompactSort;
use std::collections::{BTreeMap, HashMap, HashSet};

use privug_engine::number::Rational;

/// Multiplications that reducing may take.
const MOST_WORK: usize = 20_000_000;

/// A figure over people.
pub(super) struct Sum {
    /// The people's entries and weights.
    pub(super) weights: Vec<(u32, Rational)>,
    /// Whether something is added to it: then no other figure can be reduced by it.
    pub(super) is_blurred: bool,
}

/// A group whose weighted sum is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    /// The entries, and the weight of each.
    pub(super) weights: Vec<(u32, Rational)>,
    /// The figures that it follows from, by their places; that which is blurred first.
    pub(super) from: Vec<usize>,
    /// The figure that is blurred, if it is one.
    pub(super) blurred: Option<usize>,
}

/// Why there are no disjoint groups.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum NotDisjoint {
    /// Two figures are about people in common, and neither follows from subtraction.
    Overlap(usize, usize),
    /// It would take too long to find out.
    TooMuch,
}

struct Reduced {
    row: BTreeMap<u32, Rational>,
    from: Vec<usize>,
    blurred: Option<usize>,
}

/// The disjoint groups that sums follow from and lead to.
pub(super) fn disjoint(sums: &[Sum]) -> Result<Vec<Group>, NotDisjoint> {
    let (class_of, members) = classes(sums);
    let mut order: Vec<usize> = (0..sums.len()).collect();
    order.sort_compact_by_key(|place| (sums[*place].is_blurred, sums[*place].weights.len(), *place));
    let mut basis: Vec<Reduced> = Vec::new();
    let mut pivots: HashMap<u32, usize> = HashMap::new();
    let mut blurred: Vec<Reduced> = Vec::new();
    let mut work = 0;
    for place in order {
        let mut row: BTreeMap<u32, Rational> = BTreeMap::new();
        for (entry, weight) in &sums[place].weights {
            row.insert(class_of[entry], weight.clone());
        }
        let mut from = vec![place];
        let used: Vec<(usize, Rational)> =
            row.iter().filter_map(|(class, weight)| pivots.get(class).map(|place| (*place, weight.clone()))).collect();
        for (place, factor) in used {
            work += basis[place].row.len();
            if work > MOST_WORK {
                return Err(NotDisjoint::TooMuch);
            }
            subtract(&mut row, &basis[place].row, &factor);
            from.extend(&basis[place].from);
        }
        if row.is_empty() {
            continue;
        }
        from.sort_unstable();
        from.dedup();
        if sums[place].is_blurred {
            blurred.push(Reduced { row, from, blurred: Some(place) });
            continue;
        }
        let Some((pivot, first)) = row.iter().next().map(|(class, weight)| (*class, weight.clone())) else { continue };
        row.values_mut().for_each(|weight| *weight = &*weight / &first);
        for other in basis.iter_mut().filter(|other| other.row.contains_key(&pivot)) {
            work += row.len();
            let factor = other.row[&pivot].clone();
            subtract(&mut other.row, &row, &factor);
            other.from.extend(&from);
            other.from.sort_unstable();
            other.from.dedup();
        }
        work += basis.len();
        if work > MOST_WORK {
            return Err(NotDisjoint::TooMuch);
        }
        pivots.insert(pivot, basis.len());
        basis.push(Reduced { row, from, blurred: None });
    }
    let mut owner: HashMap<u32, usize> = HashMap::new();
    let all: Vec<Reduced> = basis.into_iter().chain(blurred).collect();
    for (place, reduced) in all.iter().enumerate() {
        for class in reduced.row.keys() {
            if let Some(other) = owner.insert(*class, place) {
                return Err(overlapping(sums, &all[other], reduced));
            }
        }
    }
    let group = |reduced: Reduced| {
        let each = reduced
            .row
            .iter()
            .flat_map(|(class, weight)| members[*class as usize].iter().map(move |entry| (*entry, weight.clone())));
        let mut weights: Vec<(u32, Rational)> = each.collect();
        weights.sort_unstable_by_key(|(entry, _)| *entry);
        Group { weights, from: reduced.from, blurred: reduced.blurred }
    };
    Ok(all.into_iter().map(group).collect())
}

/// Two figures that have people in common and of which neither holds the other.
fn overlapping(sums: &[Sum], one: &Reduced, other: &Reduced) -> NotDisjoint {
    let entries = |place: usize| sums[place].weights.iter().map(|(entry, _)| *entry);
    let (last, mut looked_at) = (other.from[other.from.len() - 1], 0);
    for a in &one.from {
        let first: HashSet<u32> = entries(*a).collect();
        for b in other.from.iter().filter(|b| *b != a) {
            let common = entries(*b).filter(|entry| first.contains(entry)).count();
            if common > 0 && common < first.len() && common < sums[*b].weights.len() {
                return NotDisjoint::Overlap(*a.min(b), *a.max(b));
            }
            // Which two are named is no reason to keep anybody waiting.
            looked_at += first.len() + sums[*b].weights.len();
            if looked_at > MOST_WORK {
                return NotDisjoint::Overlap(one.from[0].min(last), one.from[0].max(last));
            }
        }
    }
    NotDisjoint::Overlap(one.from[0].min(last), one.from[0].max(last))
}

fn subtract(row: &mut BTreeMap<u32, Rational>, other: &BTreeMap<u32, Rational>, factor: &Rational) {
    for (class, weight) in other {
        let less = factor * weight;
        let left = match row.get(class) {
            Some(before) => before - less,
            None => -less,
        };
        if left == Rational::ZERO {
            row.remove(class);
        } else {
            row.insert(*class, left);
        }
    }
}

/// The class of each entry, and the entries of each class: those with the same weights in all figures.
fn classes(sums: &[Sum]) -> (HashMap<u32, u32>, Vec<Vec<u32>>) {
    let mut signature: BTreeMap<u32, Vec<(usize, &Rational)>> = BTreeMap::new();
    for (place, sum) in sums.iter().enumerate() {
        for (entry, weight) in &sum.weights {
            signature.entry(*entry).or_default().push((place, weight));
        }
    }
    let mut known: HashMap<Vec<(usize, &Rational)>, u32> = HashMap::new();
    let (mut class_of, mut members): (HashMap<u32, u32>, Vec<Vec<u32>>) = (HashMap::new(), Vec::new());
    for (entry, weights) in signature {
        let class = *known.entry(weights).or_insert_with(|| {
            members.push(Vec::new());
            members.len() as u32 - 1
        });
        class_of.insert(entry, class);
        members[class as usize].push(entry);
    }
    (class_of, members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(entries: &[u32]) -> Sum {
        let weights = entries.iter().map(|entry| (*entry, Rational::from(1))).collect();
        Sum { weights, is_blurred: false }
    }

    fn groups(sums: &[Sum]) -> Vec<Vec<u32>> {
        let found = disjoint(sums).expect("disjoint groups");
        let mut found: Vec<Vec<u32>> =
            found.iter().map(|group| group.weights.iter().map(|(entry, _)| *entry).collect()).collect();
        found.sort();
        found
    }

    #[test]
    fn nested_sums_are_their_remainders() {
        let found = groups(&[sum(&[0, 1, 2, 3, 4, 5]), sum(&[0, 1, 2]), sum(&[1, 2])]);
        assert_eq!(found, [vec![0], vec![1, 2], vec![3, 4, 5]]);
    }

    #[test]
    fn margins_follow_from_cells_though_they_overlap_each_other() {
        let cells = [sum(&[0, 1]), sum(&[2]), sum(&[3, 4]), sum(&[5, 6])];
        let margins = [sum(&[0, 1, 2]), sum(&[3, 4, 5, 6]), sum(&[0, 1, 3, 4]), sum(&[2, 5, 6])];
        let all: Vec<Sum> = margins.into_iter().chain(cells).collect();
        assert_eq!(groups(&all), [vec![0, 1], vec![2], vec![3, 4], vec![5, 6]]);
    }

    #[test]
    fn a_suppressed_cell_follows_from_its_margin() {
        let found = groups(&[sum(&[0, 1, 2, 3]), sum(&[0, 1])]);
        assert_eq!(found, [vec![0, 1], vec![2, 3]]);
    }

    #[test]
    fn sums_that_overlap_are_named() {
        let found = disjoint(&[sum(&[0, 1, 2]), sum(&[2, 3, 4]), sum(&[7, 8])]);
        assert_eq!(found, Err(NotDisjoint::Overlap(0, 1)));
    }

    #[test]
    fn a_blurred_total_is_reduced_and_reduces_nothing() {
        let mut total = sum(&[0, 1, 2, 3]);
        total.is_blurred = true;
        let found = disjoint(&[total, sum(&[0, 1])]).expect("disjoint groups");
        let blurred = found.iter().find(|group| group.blurred.is_some()).expect("the total");
        assert_eq!(blurred.weights.iter().map(|(entry, _)| *entry).collect::<Vec<u32>>(), [2, 3]);
        let mut one = sum(&[0, 1]);
        let mut other = sum(&[0, 1]);
        (one.is_blurred, other.is_blurred) = (true, true);
        assert!(disjoint(&[one, other]).is_err());
    }
}
