//! Logarithms of sums of normal densities over a small rectangle: their value in it, and bounds of their curvature.
//! `docs/proofs/information.md` has the proof.

/// Differences of logarithms beyond this are as good as infinite.
const FAR: f64 = 600.0;

/// The logarithm of one density: k − ½ Σ z², each z an affine function of u and v.
#[derive(Debug, Clone)]
pub(super) struct Bump {
    top: f64,
    /// The factors of u and v, and the number.
    z: Vec<[f64; 3]>,
    /// The second derivatives by u and u, u and v, v and v.
    bend: [f64; 3],
}

impl Bump {
    pub(super) fn new(top: f64, z: &[[f64; 3]]) -> Self {
        let sum = |of: &dyn Fn(&[f64; 3]) -> f64| -z.iter().map(of).sum::<f64>();
        let bend = [sum(&|z| z[0] * z[0]), sum(&|z| z[0] * z[1]), sum(&|z| z[1] * z[1])];
        Bump { top, z: z.to_vec(), bend }
    }
}

/// The logarithm of a sum of densities.
#[derive(Debug, Clone)]
pub(super) struct LogSum {
    bumps: Vec<Bump>,
}

/// Bounds of second derivatives over a rectangle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Curvature {
    pub(super) uu: (f64, f64),
    pub(super) vv: (f64, f64),
    /// By how much the mixed one varies; its middle does not matter, as u and v are independent.
    uv: f64,
    /// A bound of the slope's size.
    pub(super) slope: f64,
}

impl Curvature {
    /// Adds another one, or takes it off.
    pub(super) fn add(&mut self, sign: f64, other: &Curvature) {
        let turned = |of: (f64, f64)| if sign > 0.0 { of } else { (-of.1, -of.0) };
        let (uu, vv) = (turned(other.uu), turned(other.vv));
        self.uu = (self.uu.0 + uu.0, self.uu.1 + uu.1);
        self.vv = (self.vv.0 + vv.0, self.vv.1 + vv.1);
        self.uv += other.uv;
        self.slope += other.slope;
    }

    pub(super) fn uv_radius(&self) -> f64 {
        self.uv
    }

    pub(super) fn size(&self) -> f64 {
        [self.uu.0, self.uu.1, self.vv.0, self.vv.1].into_iter().map(f64::abs).fold(0.0, f64::max)
    }
}

/// One density seen from the centre of a rectangle.
struct Term {
    /// Its share of the sum at the centre, and how much it varies over the rectangle.
    share: f64,
    most: f64,
    least: f64,
    slope: [f64; 2],
}

impl Term {
    /// By how much its share can differ from that at the centre.
    fn moved(&self) -> f64 {
        (self.most - self.share).max(self.share - self.least).max(0.0)
    }
}

impl LogSum {
    pub(super) fn new(bumps: Vec<Bump>) -> Self {
        LogSum { bumps }
    }

    /// Its value at a point, and bounds of its curvature up to these distances from it.
    pub(super) fn around(&self, centre: [f64; 2], half: [f64; 2]) -> (f64, Curvature) {
        let (terms, value) = self.terms(centre, half);
        let mean =
            |of: &dyn Fn(usize) -> f64| terms.iter().enumerate().map(|(j, term)| term.share * of(j)).sum::<f64>();
        let bend = [0, 1, 2].map(|place| mean(&|j| self.bumps[j].bend[place]));
        let slope = [0, 1].map(|place| mean(&|j| terms[j].slope[place]));
        let mut found = Curvature::default();
        let mut spread = [[0.0; 2]; 2];
        let mut drift = [0.0; 2];
        let mut bent = [0.0; 3];
        let mut mixed = 0.0;
        for (term, bump) in terms.iter().zip(&self.bumps) {
            let moved = term.moved();
            let other = [0, 1, 2].map(|place| (bump.bend[place] - bend[place]).abs());
            for (sum, other) in bent.iter_mut().zip(other) {
                *sum += moved * other;
            }
            // How far its slope is from the mean one, and by how much more it can be.
            let away = [0, 1].map(|place| (term.slope[place] - slope[place]).abs());
            let turn = [other[0] * half[0] + other[1] * half[1], other[1] * half[0] + other[2] * half[1]];
            for place in [0, 1] {
                spread[place][0] += term.least * (away[place] - turn[place]).max(0.0).powi(2);
                spread[place][1] += term.most * (away[place] + turn[place]).powi(2);
                drift[place] += moved * away[place] + term.most * turn[place];
            }
            mixed += moved * away[0] * away[1];
            mixed += term.most * (away[0] * turn[1] + away[1] * turn[0] + turn[0] * turn[1]);
            found.slope += term.most * (term.slope[0].abs() + term.slope[1].abs());
        }
        let bounds = |place: usize, at: usize| {
            let least = (spread[place][0] - drift[place] * drift[place]).max(0.0);
            (bend[at] - bent[at] + least, bend[at] + bent[at] + spread[place][1])
        };
        found.uu = bounds(0, 0);
        found.vv = bounds(1, 2);
        found.uv = bent[1] + mixed + drift[0] * drift[1];
        (value, found)
    }

    /// The terms seen from a point, with bounds of their shares up to these distances from it; and the logarithm of their sum.
    fn terms(&self, centre: [f64; 2], half: [f64; 2]) -> (Vec<Term>, f64) {
        let seen = |bump: &Bump| {
            let (mut log, mut slope) = (bump.top, [0.0; 2]);
            for [p, q, r] in &bump.z {
                let z = p * centre[0] + q * centre[1] + r;
                log -= 0.5 * z * z;
                slope[0] -= z * p;
                slope[1] -= z * q;
            }
            (log, slope)
        };
        let logs: Vec<(f64, [f64; 2])> = self.bumps.iter().map(seen).collect();
        let top = (0..logs.len()).fold(0, |top, next| if logs[next].0 > logs[top].0 { next } else { top });
        let (base, base_slope) = logs[top];
        let base_bend = self.bumps[top].bend;
        let ranges: Vec<(f64, f64, f64)> = logs
            .iter()
            .zip(&self.bumps)
            .map(|((log, slope), bump)| {
                let bend = [0, 1, 2].map(|place| (bump.bend[place] - base_bend[place]).abs());
                let linear = (slope[0] - base_slope[0]).abs() * half[0] + (slope[1] - base_slope[1]).abs() * half[1];
                let [uu, uv, vv] = bend;
                let square = uu * half[0] * half[0] + 2.0 * uv * half[0] * half[1] + vv * half[1] * half[1];
                let range = linear + 0.5 * square;
                (log - base, log - base - range, log - base + range)
            })
            .collect();
        let is_wide = ranges.iter().any(|(_, _, most)| *most > FAR);
        let total: f64 = ranges.iter().map(|(log, _, _)| log.exp()).sum();
        let at_least: f64 = ranges.iter().map(|(_, least, _)| least.exp()).sum();
        let at_most: f64 = ranges.iter().map(|(_, _, most)| most.min(FAR).exp()).sum();
        let terms = ranges.iter().zip(&logs).map(|((log, least, most), (_, slope))| {
            let (large, small) = (most.min(FAR).exp(), least.exp());
            // The others are what is left of the sums, up to their rounding.
            let fewest = (at_least * (1.0 - 1e-13) - small).max(0.0);
            let others = at_most * (1.0 + 1e-13) - large;
            Term {
                share: log.exp() / total,
                most: (large / (large + fewest)).min(1.0),
                least: if is_wide { 0.0 } else { (small / (small + others)).max(0.0) },
                slope: *slope,
            }
        });
        (terms.collect(), base + total.ln())
    }

    /// How large its logarithms are at most, at their tops.
    pub(super) fn extent(&self) -> f64 {
        self.bumps.iter().map(|bump| bump.top.abs()).fold(0.0, f64::max) + (self.bumps.len() as f64).ln()
    }
}
