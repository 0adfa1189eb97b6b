//! Sums that follow from published ones: suppressed counts, and unions of what is suppressed.
//!
//! Everything published about counts is a set of sums Σ a·N over numbers N that nobody publishes by themselves: the sizes
//! of groups that no count tells apart, or how many people of a class have a value. A suppressed sum is known to everybody
//! who can subtract if it is a linear combination of the published ones. Whether it is one is the question that
//! conditioning answers for secrets, so it is asked in the same way: with the N as variables and the published sums as
//! observations, a sum follows if its posterior variance is exactly 0.

use super::combination::combination_of;
use privug_engine::network::{Affine, Network, NodeId, Variables};
use privug_engine::number::Exact;
use privug_engine::posterior::{Observation, Options, Prepared, Refusal};
use privug_engine::sorting::CompactSort;
use privug_engine::stages::Stages;
use privug_language::source::Span;

/// Of so many sums is it said which published ones they follow from.
const EXPLAINED: usize = 200;
/// So many unions of suppressed sums are tried.
const MOST_UNIONS: usize = 4_000;

/// What is known of a number before anything is published: nothing, beside the noise.
const UNKNOWN: f64 = 1e10;

/// A sum: the numbers in it and their weights.
pub(super) type Sum = Vec<(usize, i64)>;

/// A sum that follows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Followed {
    /// Its place among those that were asked for.
    pub(super) place: usize,
    /// The published sums that it is a combination of, if that was worked out.
    pub(super) from: Vec<usize>,
    /// What each of these is multiplied by.
    pub(super) weights: Vec<f64>,
}

/// Which of some sums follow from published ones; `real` is what the numbers really are. `None` if that is too much to work
/// out.
pub(super) fn following(real: &[i64], published: &[Sum], asked: &[Sum], options: &Options) -> Option<Vec<Followed>> {
    // What has nothing open in it is known already.
    let (open, known): (Vec<usize>, Vec<usize>) = (0..asked.len()).partition(|place| !asked[*place].is_empty());
    let mut all: Vec<Followed> =
        known.into_iter().map(|place| Followed { place, from: Vec::new(), weights: Vec::new() }).collect();
    if !open.is_empty() {
        let asked: Vec<Sum> = open.iter().map(|place| asked[*place].clone()).collect();
        let found = match following_in::<f64>(real, published, &asked, options) {
            Err(Refusal::Doubtful { .. } | Refusal::OutOfRange { .. }) => {
                following_in::<Exact>(real, published, &asked, options).ok()?
            }
            found => found.ok()?,
        };
        all.extend(found.into_iter().map(|followed| Followed { place: open[followed.place], ..followed }));
        all.sort_compact_by_key(|followed| followed.place);
    }
    Some(all)
}

/// The standard deviation of the noise in the best estimate of each of some sums, all of which follow from published ones with
/// so much noise; `None` if that is too much to work out.
///
/// The numbers are normal with a variance of [`UNKNOWN`] times that of the noise, so that next to nothing is known of them
/// beforehand. With such a prior the estimate has slightly less noise than with none, never more.
pub(super) fn noise_of(
    numbers: usize,
    published: &[Sum],
    noise: &[f64],
    asked: &[Sum],
    options: &Options,
) -> Option<Vec<f64>> {
    let most = noise.iter().fold(0.0f64, |most, noise| most.max(noise.abs()));
    let mut network: Network<f64> = Network::default();
    let one = |node: NodeId| Affine { node, scale: 1.0, offset: 0.0 };
    let numbers: Vec<NodeId> =
        (0..numbers).map(|_| network.push(0.0, [], UNKNOWN * most * most, Span::START)).collect();
    let mut add_up = |sum: &Sum, variance: f64| {
        let terms: Vec<(NodeId, f64)> = sum.iter().map(|(number, weight)| (numbers[*number], *weight as f64)).collect();
        one(network.push(0.0, terms, variance, Span::START))
    };
    let observations: Vec<Observation<f64>> = published
        .iter()
        .zip(noise)
        .map(|(sum, noise)| Observation { variable: add_up(sum, noise * noise), value: Some(0.0) })
        .collect();
    let wanted: Variables<f64> = asked.iter().map(|sum| add_up(sum, 0.0)).collect();
    let found = f64::survey(&network, &observations, &wanted, options, &mut Prepared::default()).ok()?;
    Some(found.targets.spreads().map(|spread| spread.posterior_variance.max(0.0).sqrt()).collect())
}

fn following_in<S: Stages>(
    real: &[i64],
    published: &[Sum],
    asked: &[Sum],
    options: &Options,
) -> Result<Vec<Followed>, Refusal<S>> {
    let mut network: Network<S> = Network::default();
    let one = |node: NodeId| Affine { node, scale: S::one(), offset: S::zero() };
    let numbers: Vec<NodeId> =
        real.iter().map(|real| network.push(S::from_i64(*real), [], S::one(), Span::START)).collect();
    let mut add_up = |sum: &Sum| {
        let terms: Vec<(NodeId, S)> =
            sum.iter().map(|(number, weight)| (numbers[*number], S::from_i64(*weight))).collect();
        let value: i64 = sum.iter().map(|(number, weight)| real[*number] * weight).sum();
        (network.push(S::zero(), terms, S::zero(), Span::START), value)
    };
    let observations: Vec<Observation<S>> = published
        .iter()
        .map(|sum| {
            let (node, value) = add_up(sum);
            Observation { variable: one(node), value: Some(S::from_i64(value)) }
        })
        .collect();
    let targets: Vec<Affine<S>> = asked.iter().map(|sum| one(add_up(sum).0)).collect();
    let wanted: Variables<S> = targets.iter().cloned().collect();
    let mut prepared = Prepared::default();
    let found = S::survey(&network, &observations, &wanted, options, &mut prepared)?;
    let spreads = found.targets.spreads().enumerate();
    let known: Vec<usize> = spreads.filter(|(_, spread)| spread.fully_disclosed).map(|(place, _)| place).collect();
    let explained: Vec<Affine<S>> = known.iter().take(EXPLAINED).map(|place| targets[*place].clone()).collect();
    let mut from: Vec<Vec<(usize, f64)>> = Vec::new();
    if !explained.is_empty() {
        let std_devs: Vec<f64> = found.observations.iter().map(|seen| seen.variance.to_f64().sqrt()).collect();
        match S::explain(&network, &observations, &explained, options, &mut prepared) {
            Ok(outcomes) => from.extend(outcomes.iter().map(|target| combination_of(target, &std_devs))),
            // That it follows is known, if not from which.
            Err(Refusal::TooLarge { .. }) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    from.resize(known.len(), Vec::new());
    let followed = |(place, from): (usize, Vec<(usize, f64)>)| {
        let (from, weights) = from.into_iter().unzip();
        Followed { place, from, weights }
    };
    Ok(known.into_iter().zip(from).map(followed).collect())
}

/// What is left of published sums after everything that they tell one by one was subtracted: for each that has several open
/// numbers, and some that are known, the open ones. Their sum is known, whether or not it is published.
pub(super) fn remainders(numbers: usize, published: &[Sum]) -> Vec<(usize, Sum)> {
    let mut sums_of: Vec<Vec<usize>> = vec![Vec::new(); numbers];
    for (place, sum) in published.iter().enumerate() {
        sum.iter().for_each(|(number, _)| sums_of[*number].push(place));
    }
    let mut open: Vec<usize> = published.iter().map(Vec::len).collect();
    let mut is_known = vec![false; numbers];
    let mut due: Vec<usize> = (0..published.len()).filter(|place| open[*place] == 1).collect();
    while let Some(place) = due.pop() {
        let Some((number, _)) = published[place].iter().find(|(number, _)| !is_known[*number]) else { continue };
        is_known[*number] = true;
        for other in &sums_of[*number] {
            open[*other] -= 1;
            if open[*other] == 1 {
                due.push(*other);
            }
        }
    }
    let is_left = |place: &usize| open[*place] > 1 && open[*place] < published[*place].len();
    let left = |place: usize| published[place].iter().filter(|(number, _)| !is_known[*number]).copied().collect();
    (0..published.len()).filter(is_left).map(|place| (place, left(place))).collect()
}

/// Unions of two and more things with these sizes that have fewer than `limit` together, those of few things first, as far as
/// so many can be tried; and whether these are all.
pub(super) fn unions(sizes: &[usize], limit: f64) -> (Vec<Vec<usize>>, bool) {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut last: Vec<Vec<usize>> = (0..sizes.len()).map(|place| vec![place]).collect();
    while !last.is_empty() {
        let mut next = Vec::new();
        for union in &last {
            let size: usize = union.iter().map(|place| sizes[*place]).sum();
            let first = union.last().map_or(0, |place| place + 1);
            for place in (first..sizes.len()).filter(|place| ((size + sizes[*place]) as f64) < limit) {
                if found.len() + next.len() >= MOST_UNIONS {
                    found.extend(next);
                    return (found, false);
                }
                next.push(union.iter().copied().chain([place]).collect::<Vec<usize>>());
            }
        }
        found.extend(next.iter().cloned());
        last = next;
    }
    (found, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(numbers: &[usize]) -> Sum {
        numbers.iter().map(|number| (*number, 1)).collect()
    }

    #[test]
    fn a_cell_follows_from_margins_that_no_single_subtraction_solves() {
        // Three pairs among three numbers: half of (a + b) + (a + c) - (b + c) is a.
        let pairs = [sum(&[0, 1]), sum(&[0, 2]), sum(&[1, 2])];
        let found = following(&[1, 20, 30], &pairs, &[sum(&[0])], &Options::default()).expect("little work");
        assert_eq!(found.iter().map(|one| (one.place, &one.from[..])).collect::<Vec<_>>(), [(0, &[0, 1, 2][..])]);
        assert!(found[0].weights.iter().zip([0.5, 0.5, -0.5]).all(|(got, want)| (got - want).abs() < 1e-9));
        assert_eq!(following(&[1, 20, 30], &pairs[..2], &[sum(&[0])], &Options::default()), Some(vec![]));
        // A sum of nothing that is open is known.
        let nothing = following(&[1, 20, 30], &pairs[..2], &[sum(&[0]), sum(&[])], &Options::default());
        assert_eq!(nothing, Some(vec![Followed { place: 1, from: vec![], weights: vec![] }]));
    }

    /// Whether a row is a combination of others, by elimination of fractions over a prime that no small determinant has.
    fn rank(mut rows: Vec<Vec<i64>>) -> usize {
        const PRIME: i64 = 1_000_003;
        let width = rows.first().map_or(0, Vec::len);
        let mut rank = 0;
        for column in 0..width {
            let Some(pivot) = (rank..rows.len()).find(|row| rows[*row][column].rem_euclid(PRIME) != 0) else {
                continue;
            };
            rows.swap(rank, pivot);
            for row in 0..rows.len() {
                if row != rank {
                    let (a, b) = (rows[rank][column], rows[row][column]);
                    let of_pivot = rows[rank].clone();
                    rows[row].iter_mut().zip(of_pivot).for_each(|(x, y)| *x = (*x * a - y * b).rem_euclid(PRIME));
                }
            }
            rank += 1;
        }
        rank
    }

    #[test]
    fn what_follows_is_what_leaves_the_rank_as_it_is() {
        let mut state = 5u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        let mut followed = 0;
        for _ in 0..200 {
            let numbers = 2 + below(5) as usize;
            let mut random = |rows: u64| -> Vec<Sum> {
                let row =
                    |_| -> Sum { (0..numbers).map(|n| (n, below(3) as i64 - 1)).filter(|(_, w)| *w != 0).collect() };
                (0..rows).map(row).filter(|sum| !sum.is_empty()).collect()
            };
            let (published, asked) = (random(4), random(3));
            let dense = |sum: &Sum| {
                let mut row = vec![0; numbers];
                sum.iter().for_each(|(number, weight)| row[*number] = *weight);
                row
            };
            let rows: Vec<Vec<i64>> = published.iter().map(dense).collect();
            let wanted: Vec<usize> = (0..asked.len())
                .filter(|place| rank([rows.clone(), vec![dense(&asked[*place])]].concat()) == rank(rows.clone()))
                .collect();
            let found = following(&vec![3; numbers], &published, &asked, &Options::default()).expect("little work");
            assert_eq!(found.iter().map(|one| one.place).collect::<Vec<_>>(), wanted, "{published:?} {asked:?}");
            followed += wanted.len();
        }
        assert!(followed > 50, "{followed}");
    }

    #[test]
    fn what_is_left_of_a_margin_is_the_union_of_its_open_cells() {
        // A row of four cells, of which two are published.
        let published = [sum(&[0, 1, 2, 3]), sum(&[0]), sum(&[2])];
        assert_eq!(remainders(4, &published), [(0, sum(&[1, 3]))]);
        // With a third cell everything is known.
        assert_eq!(remainders(4, &[published.as_slice(), &[sum(&[3])]].concat()), []);
    }

    #[test]
    fn unions_are_those_below_the_limit() {
        assert_eq!(unions(&[1, 0, 2, 5], 4.0), (vec![vec![0, 1], vec![0, 2], vec![1, 2], vec![0, 1, 2]], true));
        let (some, all) = unions(&[0; 40], 1.0);
        assert_eq!((some.len(), all), (MOST_UNIONS, false));
    }
}
