//! Figures inside others, subtracted from them: the sum of all and the sum of all but one are two sums of different people.
//!
//! If one figure weighs all of its people as another one does (up to something that is the same whatever they have), what the
//! first leaves of the second is a figure about the others, and tells together with the first just as much. What falls apart
//! by that is solved piece by piece; without it, several figures are gone through at once, which is soon too wide.

use super::peel::Evidence;
use super::walk::Kind;
use privug_engine::sorting::CompactSort;

/// Kinds that hang together through figures, and what is seen of these.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// The kinds, with their weights in the figures of the piece; groups that these weigh alike are one.
    pub(super) kinds: Vec<Kind>,
    /// Their places among all kinds.
    pub(super) places: Vec<usize>,
    /// For each kind the place of every group of all values among the groups of the piece.
    pub(super) group_of: Vec<Vec<usize>>,
    pub(super) evidence: Vec<Evidence>,
}

/// Comparisons of figures and kinds that subtracting may take.
const MOST_WORK: usize = 20_000_000;

/// Takes figures over kinds apart. Where that is too much work they stay as they are.
pub(super) fn pieces(kinds: &[Kind], evidence: &[Evidence]) -> Vec<Piece> {
    if evidence.len().saturating_mul(evidence.len()).saturating_mul(kinds.len()) > MOST_WORK {
        return vec![Piece {
            kinds: kinds.to_vec(),
            places: (0..kinds.len()).collect(),
            group_of: kinds.iter().map(|kind| (0..kind.weights.len()).collect()).collect(),
            evidence: evidence.to_vec(),
        }];
    }
    let mut weights: Vec<Vec<Vec<i64>>> = kinds.iter().map(|kind| kind.weights.clone()).collect();
    let mut evidence = evidence.to_vec();
    let is_in = |weights: &[Vec<Vec<i64>>], figure: usize, kind: usize| {
        let first = weights[kind].first().map_or(0, |of| of[figure]);
        weights[kind].iter().any(|of| of[figure] != first)
    };
    let size = |weights: &[Vec<Vec<i64>>], figure: usize| {
        (0..kinds.len()).filter(|kind| is_in(weights, figure, *kind)).count()
    };
    let mut by_size: Vec<usize> = (0..evidence.len()).collect();
    by_size.sort_compact_by_key(|figure| size(&weights, *figure));
    // The smallest first: what a figure has left was subtracted from it by then.
    for place in 0..by_size.len() {
        let inner = by_size[place];
        let Evidence::Exact(seen) = evidence[inner] else { continue };
        for outer in by_size[place + 1..].iter().copied() {
            let Evidence::Exact(whole) = evidence[outer] else { continue };
            if let Some(known) = cancelled(kinds, &weights, outer, inner) {
                for kind in 0..kinds.len() {
                    if is_in(&weights, inner, kind) {
                        weights[kind].iter_mut().for_each(|of| of[outer] = 0);
                    }
                }
                evidence[outer] = Evidence::Exact(whole - seen - known);
            }
        }
    }
    let mut piece_of: Vec<usize> = (0..kinds.len()).collect();
    for figure in 0..evidence.len() {
        let inside: Vec<usize> = (0..kinds.len()).filter(|kind| is_in(&weights, figure, *kind)).collect();
        let Some(first) = inside.first().map(|kind| piece_of[*kind]) else { continue };
        let joined: Vec<usize> = inside.iter().map(|kind| piece_of[*kind]).collect();
        piece_of.iter_mut().filter(|piece| joined.contains(piece)).for_each(|piece| *piece = first);
    }
    let mut pieces = Vec::new();
    for piece in 0..kinds.len() {
        let places: Vec<usize> = (0..kinds.len()).filter(|kind| piece_of[*kind] == piece).collect();
        let figures: Vec<usize> =
            (0..evidence.len()).filter(|figure| places.iter().any(|kind| is_in(&weights, *figure, *kind))).collect();
        if !places.is_empty() {
            let parts = places.iter().map(|place| restricted(&kinds[*place], &weights[*place], &figures));
            let (kinds, group_of) = parts.unzip();
            let evidence = figures.iter().map(|figure| evidence[*figure].clone()).collect();
            pieces.push(Piece { kinds, places, group_of, evidence });
        }
    }
    pieces
}

/// What the people of an inner figure add to the outer one besides what they add to the inner one; `None` if that depends on
/// their values. Whom a figure weighs alike, whatever they have, it weighs with 0.
fn cancelled(kinds: &[Kind], weights: &[Vec<Vec<i64>>], outer: usize, inner: usize) -> Option<i64> {
    let mut known = 0;
    for (kind, of_kind) in kinds.iter().zip(weights) {
        let first = of_kind.first()?;
        if of_kind.iter().all(|of| of[inner] == first[inner]) {
            continue;
        }
        let more = first[outer] - first[inner];
        if of_kind.iter().any(|of| of[outer] - of[inner] != more) {
            return None;
        }
        known += more * kind.count as i64;
    }
    Some(known)
}

/// A kind as some figures see it.
fn restricted(kind: &Kind, weights: &[Vec<i64>], figures: &[usize]) -> (Kind, Vec<usize>) {
    let mut seen = Kind { count: kind.count, weights: Vec::new(), laws: Vec::new(), group_of: Vec::new() };
    let mut group_of = Vec::with_capacity(weights.len());
    for (of_group, law) in weights.iter().zip(&kind.laws) {
        let own: Vec<i64> = figures.iter().map(|figure| of_group[*figure]).collect();
        let group = seen.weights.iter().position(|weights| *weights == own).unwrap_or_else(|| {
            seen.weights.push(own);
            seen.laws.push(0.0);
            seen.weights.len() - 1
        });
        seen.laws[group] += law;
        group_of.push(group);
    }
    seen.group_of = kind.group_of.iter().map(|group| group.map(|group| group_of[group])).collect();
    (seen, group_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(count: u64, weights: &[&[i64]]) -> Kind {
        let laws = vec![1.0 / weights.len() as f64; weights.len()];
        let group_of = (0..weights.len()).map(Some).collect();
        Kind { count, weights: weights.iter().map(|of| of.to_vec()).collect(), laws, group_of }
    }

    #[test]
    fn a_sum_and_the_sum_of_all_but_one_are_about_different_people() {
        // Of values 0, 1 and 2: one person in the first figure, 59 in both.
        let kinds = [kind(1, &[&[0, 0], &[1, 0], &[2, 0]]), kind(59, &[&[0, 0], &[1, 1], &[2, 2]])];
        let found = pieces(&kinds, &[Evidence::Exact(60), Evidence::Exact(58)]);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].places.as_slice(), found[0].evidence.as_slice()), (&[0][..], &[Evidence::Exact(2)][..]));
        assert_eq!((found[1].places.as_slice(), found[1].evidence.as_slice()), (&[1][..], &[Evidence::Exact(58)][..]));
        assert_eq!(found[0].kinds[0].weights, [[0], [1], [2]]);
    }

    #[test]
    fn what_is_the_same_whatever_people_have_is_subtracted_too() {
        // The inner figure counts who has 0, the outer one who has 1: of five people that is one number.
        let kinds = [kind(5, &[&[0, -1], &[1, 0]]), kind(3, &[&[0, 0], &[1, 0]])];
        let found = pieces(&kinds, &[Evidence::Exact(6), Evidence::Exact(-1)]);
        // Four of the five have 1, and so have two of the three.
        assert_eq!(
            found.iter().map(|piece| piece.evidence.clone()).collect::<Vec<_>>(),
            [[Evidence::Exact(-1)], [Evidence::Exact(2)]]
        );
    }

    #[test]
    fn overlapping_and_rounded_figures_stay_together() {
        let overlapping = [kind(2, &[&[0, 0], &[1, 0]]), kind(2, &[&[0, 0], &[1, 1]]), kind(2, &[&[0, 0], &[0, 1]])];
        let exact = [Evidence::Exact(2), Evidence::Exact(2)];
        assert_eq!(pieces(&overlapping, &exact).len(), 1);
        let rounded = [Evidence::Exact(2), Evidence::Likely { from: 1, weights: vec![1.0, 1.0] }];
        assert_eq!(pieces(&overlapping[..2], &rounded).len(), 1);
        assert_eq!(pieces(&overlapping[..2], &exact).len(), 2);
    }

    #[test]
    fn groups_that_a_piece_weighs_alike_are_one() {
        let kinds = [kind(4, &[&[0, 0, 0], &[1, 1, 1], &[2, 2, 1]]), kind(1, &[&[0, 0, 0], &[1, 0, 0], &[2, 0, 0]])];
        let evidence = [Evidence::Exact(5), Evidence::Exact(4), Evidence::Exact(3)];
        let found = pieces(&kinds, &evidence);
        assert_eq!(found.iter().map(|piece| piece.evidence.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(found[1].evidence, [Evidence::Exact(1)]);
        assert_eq!(found[0].group_of, [[0, 1, 2]]);
    }
}
