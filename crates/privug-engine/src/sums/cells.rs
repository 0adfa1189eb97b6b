//! From bounds on the posterior in small cells to bounds on what is asked of it.
//!
//! The posterior of x is p(x)·H(x)/D: p is the prior, H what the figure tells about x up to a factor, D = ∫ p·H. In each cell
//! the prior's mass is known, the mean of H over it is bracketed, and so are the values of H and where in the cell the
//! posterior has its mean.

/// The part of the posterior that an interval leaves out on either side.
const LEFT_OUT: f64 = 0.025;
/// A probability below this is not looked at where a measure would be infinite because of it.
const NEVER: f64 = 1e-12;
/// The least of u·log₂ u.
const LEAST_TERM: f64 = -0.530_738;

/// A piece of the line, or a point if its width is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub(super) left: f64,
    pub(super) width: f64,
    /// The prior's probability of the cell.
    pub(super) prior: f64,
    /// Bounds on ∫ p·H over the cell, divided by `prior`.
    pub(super) mean: [f64; 2],
    /// Bounds on H in the cell.
    pub(super) range: [f64; 2],
    /// Bounds on where the posterior's mean in the cell is: 0 is its left end, 1 its right one.
    pub(super) place: [f64; 2],
}

/// What is left beside the cells.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Rest {
    /// Bounds on ∫ |x|ʲ·p·H outside the cells.
    pub(super) moments: [f64; 3],
    /// A bound on the prior's probability there; H is at most `most`·e^(`tilt`·|x|).
    pub(super) prior: f64,
    pub(super) most: f64,
    pub(super) tilt: f64,
    /// A value that the prior gives a probability of its own, as a cell without a width.
    pub(super) atom: Option<Cell>,
    /// A value that the prior gives no probability of its own, and the posterior does: where it is, and ∫ p·H there.
    pub(super) single: Option<(f64, f64)>,
}

/// What is known about x, with a lower and an upper bound on each number.
#[derive(Debug, Clone, PartialEq)]
pub struct Posterior {
    /// E x
    pub mean: [f64; 2],
    /// Var x
    pub variance: [f64; 2],
    /// x lies between these with a probability of at least 0.95.
    pub interval: [f64; 2],
    /// D(posterior ‖ prior)
    pub bits: [f64; 2],
    /// How far the normaliser is known: upper by lower bound, less 1.
    pub relative_error: f64,
    cells: Vec<(f64, f64)>,
    /// Bounds on ∫ p·H over the cells before each.
    sums: Vec<[f64; 2]>,
    rest: f64,
    /// Values with a probability of their own beside the cells, and bounds on ∫ p·H there.
    points: Vec<(f64, [f64; 2])>,
}

/// Why the posterior is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooCoarse;

impl Posterior {
    /// x is certainly this.
    pub fn certain(value: f64, prior_probability: f64) -> Self {
        let bits = if prior_probability > 0.0 { -prior_probability.log2() } else { f64::INFINITY };
        Posterior {
            mean: [value; 2],
            variance: [0.0; 2],
            interval: [value; 2],
            bits: [bits; 2],
            relative_error: 0.0,
            cells: vec![(value, 0.0)],
            sums: vec![[0.0; 2], [1.0; 2]],
            rest: 0.0,
            points: Vec::new(),
        }
    }

    /// Whether there is only one value left.
    pub fn is_certain(&self) -> bool {
        self.variance[1] == 0.0
    }

    /// With everything divided by a positive factor: what is known about x where y = factor·x.
    #[must_use]
    pub fn divided(mut self, factor: f64) -> Self {
        if factor == 1.0 {
            return self;
        }
        let over = |bounds: &mut [f64; 2], by: f64| bounds.iter_mut().for_each(|bound| *bound /= by);
        over(&mut self.mean, factor);
        over(&mut self.interval, factor);
        over(&mut self.variance, factor * factor);
        self.cells.iter_mut().for_each(|(left, width)| (*left, *width) = (*left / factor, *width / factor));
        self.points.iter_mut().for_each(|(at, _)| *at /= factor);
        self
    }

    /// Bounds on P(low ≤ x ≤ high).
    pub fn probability_between(&self, low: f64, high: f64) -> [f64; 2] {
        let all = self.sums[self.cells.len()];
        // Cells that touch the interval are a range, as are those inside it.
        let right = |place: usize| self.cells[place].0 + self.cells[place].1;
        let first = |inside: &dyn Fn(usize) -> bool| partition(self.cells.len(), |place| !inside(place));
        let touching = (first(&|place| right(place) >= low), first(&|place| self.cells[place].0 > high));
        let within = (first(&|place| self.cells[place].0 >= low), first(&|place| right(place) > high));
        let sum = |(from, to): (usize, usize), end: usize| {
            if to > from { self.sums[to][end] - self.sums[from][end] } else { 0.0 }
        };
        let points = |inside: bool, end: usize| {
            let meant = self.points.iter().filter(|(at, _)| (low..=high).contains(at) == inside);
            meant.map(|(_, weight)| weight[end]).sum::<f64>()
        };
        let (least, most) = (sum(within, 0) + points(true, 0), sum(touching, 1) + points(true, 1) + self.rest);
        let most_else = all[1] - sum(within, 1) + points(false, 1) + self.rest;
        let least_else = all[0] - sum(touching, 0) + points(false, 0);
        let part = |one: f64, other: f64| if one > 0.0 { (one / (one + other.max(0.0))).min(1.0) } else { 0.0 };
        [part(least, most_else), part(most, least_else)]
    }

    /// Puts cells together, which ascend and do not overlap; either all of them have a width, or none.
    pub(super) fn of(cells: &[Cell], rest: &Rest) -> Result<Self, TooCoarse> {
        let single = rest.single.filter(|(_, weight)| *weight > 0.0);
        let alone = single.map_or(0.0, |(_, weight)| weight);
        let mut sums = Vec::with_capacity(cells.len() + 1);
        let mut sum = [0.0_f64; 2];
        sums.push(sum);
        for cell in cells {
            sum[0] += cell.prior * cell.mean[0];
            sum[1] += cell.prior * cell.mean[1];
            sums.push(sum);
        }
        let of_atom = rest.atom.map_or([0.0; 2], |atom| atom.mean.map(|mean| atom.prior * mean));
        let all = [sum[0] + of_atom[0] + alone, sum[1] + of_atom[1] + alone + rest.moments[0]];
        if !(all[0] > 0.0 && all[1].is_finite()) {
            return Err(TooCoarse);
        }
        let centre = |cell: &Cell| cell.left + 0.5 * (cell.place[0] + cell.place[1]) * cell.width;
        let middle = |cell: &Cell| 0.5 * cell.prior * (cell.mean[0] + cell.mean[1]);
        let every = || cells.iter().chain(&rest.atom);
        let near: f64 = every().map(|cell| middle(cell) * centre(cell)).sum::<f64>()
            + single.map_or(0.0, |(at, weight)| at * weight);
        let near = near / (every().map(middle).sum::<f64>() + alone);
        let (mut first, mut second) = ([0.0_f64; 2], [0.0_f64; 2]);
        let mut add = |weight: [f64; 2], place: [f64; 2], square: [f64; 2]| {
            first[0] += if place[0] < 0.0 { weight[1] * place[0] } else { weight[0] * place[0] };
            first[1] += if place[1] > 0.0 { weight[1] * place[1] } else { weight[0] * place[1] };
            second[0] += weight[0] * square[0];
            second[1] += weight[1] * square[1];
        };
        for cell in every() {
            let weight = [cell.prior * cell.mean[0], cell.prior * cell.mean[1]];
            let place = [0, 1].map(|end| cell.left + cell.place[end] * cell.width - near);
            let ends = [cell.left - near, cell.left + cell.width - near].map(|end| end * end);
            // Given its mean, a square is least where all is at the mean, and most where all is at the ends.
            let chord = |part: f64| (1.0 - part) * ends[0] + part * ends[1];
            let least =
                if place[0] <= 0.0 && place[1] >= 0.0 { 0.0 } else { (place[0] * place[0]).min(place[1] * place[1]) };
            add(weight, place, [least, chord(cell.place[0]).max(chord(cell.place[1]))]);
        }
        if let Some((at, weight)) = single {
            add([weight; 2], [at - near; 2], [(at - near).powi(2); 2]);
        }
        let far = rest.moments[1] + near.abs() * rest.moments[0];
        let first = [first[0] - far, first[1] + far];
        let second = [second[0], second[1] + 2.0 * (rest.moments[2] + near * near * rest.moments[0])];
        let ratio = |value: f64, least: bool| match (value > 0.0, least) {
            (true, true) | (false, false) => value / all[1],
            (true, false) | (false, true) => value / all[0],
        };
        let shift = [ratio(first[0], true), ratio(first[1], false)];
        let shifts = shift.map(|shift| shift * shift);
        let least_square = if shift[0] <= 0.0 && shift[1] >= 0.0 { 0.0 } else { shifts[0].min(shifts[1]) };
        let variance = [
            (ratio(second[0], true) - shifts[0].max(shifts[1])).max(0.0),
            (ratio(second[1], false) - least_square).max(0.0),
        ];
        let mut posterior = Posterior {
            mean: shift.map(|shift| near + shift),
            variance,
            interval: [0.0; 2],
            bits: bits(cells, rest, all, alone),
            relative_error: all[1] / all[0] - 1.0,
            cells: cells.iter().map(|cell| (cell.left, cell.width)).collect(),
            sums,
            rest: rest.moments[0],
            points: rest
                .atom
                .map(|atom| (atom.left, of_atom))
                .into_iter()
                .chain(single.map(|(at, w)| (at, [w; 2])))
                .collect(),
        };
        posterior.interval = posterior.credible(all);
        Ok(posterior)
    }

    /// An interval that at least 95 % of the posterior lie in.
    fn credible(&self, all: [f64; 2]) -> [f64; 2] {
        let count = self.cells.len();
        let before = |place: usize, at: f64| {
            self.sums[place][1] + self.points.iter().filter(|(point, _)| *point < at).map(|(_, w)| w[1]).sum::<f64>()
        };
        let behind = |place: usize, at: f64| {
            self.sums[count][1] - self.sums[place][1]
                + self.points.iter().filter(|(point, _)| *point > at).map(|(_, w)| w[1]).sum::<f64>()
        };
        let allowed = LEFT_OUT * all[0] - self.rest;
        let low = (0..count).rev().find(|place| before(*place, self.cells[*place].0) <= allowed);
        let high = (0..count).find(|place| {
            let (left, width) = self.cells[*place];
            behind(place + 1, left + width) <= allowed
        });
        // Where nothing can be left out, all cells and points are in it.
        let points = || self.points.iter().map(|(at, _)| *at);
        let all_of = |infinite: f64| if allowed >= 0.0 { -infinite } else { infinite };
        let lowest = self.cells.first().map_or(f64::INFINITY, |cell| cell.0);
        let highest = self.cells.last().map_or(f64::NEG_INFINITY, |cell| cell.0 + cell.1);
        [
            low.map_or_else(
                || points().fold(lowest, f64::min).min(all_of(f64::NEG_INFINITY)),
                |place| self.cells[place].0,
            ),
            high.map_or_else(
                || points().fold(highest, f64::max).max(all_of(f64::INFINITY)),
                |place| self.cells[place].0 + self.cells[place].1,
            ),
        ]
    }
}

/// The first place from 0 that is not `before`; all places that are come first.
fn partition(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// ∫ p·u·log₂ u with u = H/D.
fn bits(cells: &[Cell], rest: &Rest, all: [f64; 2], alone: f64) -> [f64; 2] {
    let term = |u: f64| if u > 0.0 { u * u.log2() } else { 0.0 };
    let mut sum = [0.0_f64; 2];
    let mut add = |prior: f64, range: [f64; 2]| {
        let u = [range[0] / all[1], range[1] / all[0]];
        let lowest = (-1.0_f64).exp();
        let least = if u[0] <= lowest && u[1] >= lowest { LEAST_TERM } else { term(u[0]).min(term(u[1])) };
        sum[0] += prior * least;
        sum[1] += prior * term(u[0]).max(term(u[1]));
    };
    for cell in cells.iter().chain(&rest.atom).filter(|cell| cell.prior > 0.0) {
        add(cell.prior, cell.range);
    }
    // u·log₂ u ≤ u·(log₂(most/D) + tilt·|x|·log₂ e)
    sum[0] += rest.prior * LEAST_TERM;
    sum[1] += (rest.moments[0] * (rest.most / all[0]).log2().max(0.0)
        + rest.moments[1] * rest.tilt * std::f64::consts::LOG2_E)
        / all[0];
    let most = if alone > NEVER * all[1] { f64::INFINITY } else { sum[1] };
    [sum[0].max(0.0), most.max(0.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(left: f64, prior: f64, h: f64) -> Cell {
        Cell { left, width: 0.0, prior, mean: [h; 2], range: [h; 2], place: [0.0; 2] }
    }

    #[test]
    fn points_have_the_moments_and_bits_of_their_probabilities() {
        // Prior (1/2, 1/4, 1/4) at 0, 1 and 4, likelihoods 1, 2, 4: posterior (1/4, 1/4, 1/2).
        let cells = [point(0.0, 0.5, 1.0), point(1.0, 0.25, 2.0), point(4.0, 0.25, 4.0)];
        let found = Posterior::of(&cells, &Rest::default()).expect("a posterior");
        assert!((found.mean[0] - 2.25).abs() < 1e-14 && (found.mean[1] - 2.25).abs() < 1e-14);
        let wanted = 0.25 + 8.0 - 2.25 * 2.25;
        assert!((found.variance[0] - wanted).abs() < 1e-13 && (found.variance[1] - wanted).abs() < 1e-13);
        // ¼·log₂(1/2) + ¼·log₂ 1 + ½·log₂ 2
        assert!((found.bits[0] - 0.25).abs() < 1e-14 && (found.bits[1] - 0.25).abs() < 1e-14);
        assert_eq!(found.probability_between(1.0, 4.0).map(|p| (p * 1e12).round() / 1e12), [0.75; 2]);
        assert_eq!(found.interval, [0.0, 4.0]);
    }

    #[test]
    fn a_value_of_its_own_tells_infinitely_much_and_counts_in_the_moments() {
        let rest = Rest { single: Some((10.0, 0.5)), ..Rest::default() };
        let found = Posterior::of(&[point(0.0, 1.0, 0.5)], &rest).expect("a posterior");
        assert_eq!((found.mean, found.bits[1]), ([5.0; 2], f64::INFINITY));
        assert_eq!(found.probability_between(9.0, 11.0), [0.5; 2]);
    }

    #[test]
    fn wider_brackets_hold_narrower_ones() {
        let cell = |slack: f64| Cell {
            left: 1.0,
            width: 0.5,
            prior: 0.3,
            mean: [2.0 - slack, 2.0 + slack],
            range: [1.5, 2.5],
            place: [0.5 - slack, 0.5 + slack],
        };
        let of = |slack: f64| Posterior::of(&[point(0.0, 0.7, 1.0), cell(slack)], &Rest::default()).expect("known");
        let (narrow, wide) = (of(0.01), of(0.1));
        for (n, w) in [(narrow.mean, wide.mean), (narrow.variance, wide.variance), (narrow.bits, wide.bits)] {
            assert!(w[0] <= n[0] && n[0] <= n[1] && n[1] <= w[1]);
        }
    }
}
