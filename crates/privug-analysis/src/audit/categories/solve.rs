//! Everybody's posterior: what is known about one person of each class, given all figures.
//!
//! People of a class are exchangeable, so that one of them has value v with probability E[N(c, v)] / n. What the figures tell
//! one by one is exact ([`super::peel`]); what is left falls into parts that share no open figure, and these into pieces once
//! figures inside others are subtracted ([`super::nested`]). A piece with one figure is a sum of independent summands ([`privug_engine::counts`]); one with several is gone through class by class
//! ([`super::walk`]). A piece that is too wide stays unknown.

use super::classes::{Classes, Tally};
use super::nested::{Piece, pieces};
use super::peel::{Contradiction, Evidence, Peeled, State, peel};
use super::walk::{self, Kind};
use privug_engine::counts::{self, Scaled};
use privug_engine::number::{Constants, Rational, Scalar};

/// A sum with more different values is not worked out.
const LONGEST_LAW: i64 = 1 << 20;
/// Classes times figures of a part, at most: each has a weight for each value.
const WIDEST_PART: usize = 10_000_000;
/// Multiplications of words that fractions may take altogether, as far as can be told beforehand.
const MAX_EXACT_WORK: u64 = 1 << 35;

/// How a posterior was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Method {
    /// By a closed form.
    Exact,
    /// By adding up probabilities, to within this.
    Certified(f64),
    /// Not at all.
    Unknown,
}

/// What is known about one person of a class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Posterior {
    /// The probability of each value; where it is not known, what the figures leave possible is not 0.
    pub(super) probabilities: Vec<f64>,
    pub(super) method: Method,
    /// Whether each value is still possible.
    pub(super) possible: Vec<bool>,
    /// The probabilities in rationals, where they were asked for and are not too long.
    pub(super) exact: Option<Vec<Rational>>,
}

/// What was found.
#[derive(Debug)]
pub(super) struct Solution<'a> {
    pub(super) posteriors: Vec<Posterior>,
    pub(super) peeled: Peeled<'a>,
    /// The part of each class that is not solved by figures one by one, and the figures of each part.
    pub(super) part_of: Vec<Option<u32>>,
    pub(super) parts: Vec<Vec<usize>>,
    /// How many pairs of a state and a way were gone through where figures overlap.
    pub(super) walked: u64,
}

/// Solves for everybody. `law` is the attacker's distribution of each class, `exact_law` the same in rationals, where these
/// are asked for.
pub(super) fn solve<'a, 'l>(
    classes: &Classes,
    law: impl Fn(usize) -> &'l [f64],
    exact_law: impl Fn(usize) -> Option<&'l [Rational]>,
    tallies: &'a [Tally],
    evidence: &'a [Evidence],
    tick: &dyn Fn(usize, usize),
) -> Result<Solution<'a>, Contradiction> {
    let peeled = peel(classes, |class, code| law(class)[code] > 0.0, tallies, evidence)?;
    let mut posteriors: Vec<Posterior> = peeled
        .classes
        .iter()
        .enumerate()
        .map(|(class, state)| by_itself(state, law(class), exact_law(class)))
        .collect();
    let (part_of, parts) = parts(&peeled);
    let mut classes_of = vec![Vec::new(); parts.len()];
    for (class, part) in part_of.iter().enumerate() {
        if let Some(part) = part {
            classes_of[*part as usize].push(class);
        }
    }
    let mut exact_work = MAX_EXACT_WORK;
    let mut walked = 0;
    for (part, figures) in parts.iter().enumerate() {
        tick(part, parts.len());
        let part = Part { figures, classes: &classes_of[part] };
        let found = part.solve(&peeled, &law)?;
        walked += found.walked;
        let exactly = part.exact_shares(&found, &exact_law, &mut exact_work);
        for (place, class) in part.classes.iter().enumerate() {
            let state = &peeled.classes[*class];
            posteriors[*class] = match found.posterior(place, state, law(*class)) {
                Some(posterior) => {
                    match (exactly.as_ref().and_then(|exactly| exactly[place].as_ref()), exact_law(*class)) {
                        (Some((shares, laws)), Some(law)) => {
                            posterior.exactly(exact_posterior(&found.kinds[place], (shares, laws), state, law))
                        }
                        _ => posterior,
                    }
                }
                None => Posterior { method: Method::Unknown, exact: None, ..by_itself(state, law(*class), None) },
            };
        }
    }
    Ok(Solution { posteriors, peeled, part_of, parts, walked })
}

impl Posterior {
    /// The same as rationals have it.
    fn exactly(self, exact: Vec<Rational>) -> Self {
        let probabilities = exact.iter().map(Constants::to_f64).collect();
        Posterior { probabilities, method: Method::Exact, exact: Some(exact), ..self }
    }
}

/// A class about which no open figure says anything: what is not known is distributed as before.
fn by_itself(state: &State, law: &[f64], exact_law: Option<&[Rational]>) -> Posterior {
    let (size, rest) = (state.size as f64, state.rest() as f64);
    let left: f64 = state.open().map(|code| law[code]).sum();
    let probability = |code: usize| match state.known[code] {
        Some(count) => count as f64 / size,
        None => rest / size * (law[code] / left),
    };
    let probabilities: Vec<f64> = (0..law.len()).map(probability).collect();
    let possible = (0..law.len()).map(|code| state.known[code].is_none_or(|count| count > 0)).collect();
    let posterior = Posterior { probabilities, method: Method::Exact, possible, exact: None };
    let Some(law) = exact_law else { return posterior };
    let left = state.open().fold(Rational::ZERO, |sum, code| sum + &law[code]);
    let exact = |code: usize| match state.known[code] {
        Some(count) => Rational::from(count) / Rational::from(state.size),
        None => Rational::from(state.rest()) / Rational::from(state.size) * &law[code] / &left,
    };
    posterior.exactly((0..law.len()).map(exact).collect())
}

/// The exact posterior of a class in a part: `shares` and `laws` are those of its groups of values.
fn exact_posterior(
    kind: &Kind,
    (shares, laws): (&[Rational], &[Rational]),
    state: &State,
    law: &[Rational],
) -> Vec<Rational> {
    let (size, rest) = (Rational::from(state.size), Rational::from(state.rest()));
    let probability = |code: usize| match (state.known[code], kind.group_of[code]) {
        (Some(count), _) => Rational::from(count) / &size,
        (None, Some(group)) => &rest / &size * &shares[group] * &law[code] / &laws[group],
        (None, None) => Rational::ZERO,
    };
    (0..law.len()).map(probability).collect()
}

/// Which classes hang together through open figures.
fn parts(peeled: &Peeled<'_>) -> (Vec<Option<u32>>, Vec<Vec<usize>>) {
    let mut parent: Vec<u32> = (0..peeled.classes.len() as u32).collect();
    fn root(parent: &mut [u32], mut class: u32) -> u32 {
        while parent[class as usize] != class {
            parent[class as usize] = parent[parent[class as usize] as usize];
            class = parent[class as usize];
        }
        class
    }
    let open_terms = |figure: usize| {
        let terms = peeled.tallies[figure].terms.iter();
        terms.filter(|(class, weights)| peeled.is_open(*class as usize, weights)).map(|(class, _)| *class)
    };
    let figures: Vec<usize> = peeled.open_figures().collect();
    for figure in &figures {
        let mut first = None;
        for class in open_terms(*figure) {
            let class = root(&mut parent, class);
            let first = *first.get_or_insert(class);
            let first = root(&mut parent, first);
            parent[class as usize] = first;
        }
    }
    let mut part_of = vec![None; peeled.classes.len()];
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut place = std::collections::HashMap::new();
    for figure in &figures {
        let mut of_figure = None;
        for class in open_terms(*figure) {
            let part = *place.entry(root(&mut parent, class)).or_insert_with(|| {
                parts.push(Vec::new());
                parts.len() as u32 - 1
            });
            part_of[class as usize] = Some(part);
            of_figure = Some(part);
        }
        if let Some(part) = of_figure {
            parts[part as usize].push(*figure);
        }
    }
    (part_of, parts)
}

/// Classes that hang together, and the figures that they do so through.
struct Part<'a> {
    figures: &'a [usize],
    classes: &'a [usize],
}

/// What was found about a part.
struct Found {
    kinds: Vec<Kind>,
    pieces: Vec<Piece>,
    /// The part of a person's values that each group of values has, and how that was found; `None` if it is too wide.
    shares: Vec<Option<(Vec<f64>, Method)>>,
    walked: u64,
}

impl Found {
    fn posterior(&self, place: usize, state: &State, law: &[f64]) -> Option<Posterior> {
        let (shares, method) = self.shares[place].as_ref()?;
        let (size, rest) = (state.size as f64, state.rest() as f64);
        let kind = &self.kinds[place];
        let probability = |code: usize| match (state.known[code], kind.group_of[code]) {
            (Some(count), _) => count as f64 / size,
            (None, Some(group)) => rest / size * shares[group] * (law[code] / kind.laws[group]),
            (None, None) => 0.0,
        };
        let probabilities: Vec<f64> = (0..law.len()).map(probability).collect();
        let possible = probabilities.iter().map(|p| *p > 0.0).collect();
        Some(Posterior { probabilities, method: *method, possible, exact: None })
    }
}

/// The shares and the prior probabilities of a kind's groups of values, in rationals.
type ExactShares = (Vec<Rational>, Vec<Rational>);

impl Part<'_> {
    fn solve<'l>(&self, peeled: &Peeled<'_>, law: &impl Fn(usize) -> &'l [f64]) -> Result<Found, Contradiction> {
        if self.classes.len().saturating_mul(self.figures.len()) > WIDEST_PART {
            let shares = vec![None; self.classes.len()];
            return Ok(Found { kinds: Vec::new(), pieces: Vec::new(), shares, walked: walk::MAX_WORK });
        }
        let kinds: Vec<Kind> = self.classes.iter().map(|class| self.kind(*class, peeled, law(*class))).collect();
        // What is already known of the figures, so that what is left is about the open values only.
        let left: Vec<Evidence> = self.figures.iter().map(|figure| self.left(*figure, peeled)).collect();
        let pieces = pieces(&kinds, &left);
        let mut shares = vec![None; kinds.len()];
        let mut walked = 0;
        for piece in &pieces {
            let Some((found, method)) = solve_piece(piece, &mut walked)? else { continue };
            for (at, place) in piece.places.iter().enumerate() {
                let (whole, of_piece) = (&kinds[*place].laws, &piece.kinds[at].laws);
                let groups = piece.group_of[at].iter().zip(whole);
                let own = groups.map(|(group, law)| found[at][*group] * (law / of_piece[*group]));
                shares[*place] = Some((own.collect(), method));
            }
        }
        Ok(Found { kinds, pieces, shares, walked })
    }

    /// The part of each class that each of its groups of values has, and the prior probability of each group, in rationals;
    /// `None` if they are not asked for or the part is too wide, and of a class where they are too long.
    fn exact_shares<'l>(
        &self,
        found: &Found,
        law: &impl Fn(usize) -> Option<&'l [Rational]>,
        work: &mut u64,
    ) -> Option<Vec<Option<ExactShares>>> {
        if found.kinds.len() < self.classes.len() {
            return None;
        }
        let mut laws = Vec::with_capacity(found.kinds.len());
        for (kind, class) in found.kinds.iter().zip(self.classes) {
            let mut of_group = vec![Rational::ZERO; kind.weights.len()];
            for (p, group) in law(*class)?.iter().zip(&kind.group_of) {
                if let Some(group) = group {
                    of_group[*group] += p;
                }
            }
            laws.push(of_group);
        }
        let mut all = vec![None; found.kinds.len()];
        for piece in found.pieces.iter().filter(|piece| found.shares[piece.places[0]].is_some()) {
            let of_piece: Vec<Vec<Rational>> = (0..piece.places.len())
                .map(|at| {
                    let mut of_group = vec![Rational::ZERO; piece.kinds[at].weights.len()];
                    for (group, p) in piece.group_of[at].iter().zip(&laws[piece.places[at]]) {
                        of_group[*group] += p;
                    }
                    of_group
                })
                .collect();
            let Some(shares) = exact_piece(piece, &of_piece, work) else { continue };
            for (at, place) in piece.places.iter().enumerate() {
                let groups = piece.group_of[at].iter().zip(&laws[*place]);
                let own = groups.map(|(group, p)| &shares[at][*group] * p / &of_piece[at][*group]);
                all[*place] = Some((own.collect(), laws[*place].clone()));
            }
        }
        Some(all)
    }

    /// The open values of a class, those with the same weights in all figures together.
    fn kind(&self, class: usize, peeled: &Peeled<'_>, law: &[f64]) -> Kind {
        let state = &peeled.classes[class];
        let mut weights_of: Vec<Vec<i64>> = vec![vec![0; self.figures.len()]; law.len()];
        for (figure, place) in &peeled.figures_of[class] {
            if let Ok(at) = self.figures.binary_search(&(*figure as usize)) {
                let weights = &peeled.tallies[*figure as usize].terms[*place as usize].1;
                // What a figure weighs alike is known of it.
                if !peeled.is_open(class, weights) {
                    continue;
                }
                weights_of.iter_mut().zip(weights).for_each(|(of, weight)| of[at] = *weight);
            }
        }
        let mut kind =
            Kind { count: state.rest() as u64, weights: Vec::new(), laws: Vec::new(), group_of: vec![None; law.len()] };
        for code in state.open() {
            let group = match kind.weights.iter().position(|weights| *weights == weights_of[code]) {
                Some(group) => group,
                None => {
                    kind.weights.push(weights_of[code].clone());
                    kind.laws.push(0.0);
                    kind.weights.len() - 1
                }
            };
            kind.laws[group] += law[code];
            kind.group_of[code] = Some(group);
        }
        kind
    }

    /// The evidence of a figure less what is known: of solved classes, and of known values of the others.
    fn left(&self, figure: usize, peeled: &Peeled<'_>) -> Evidence {
        let known: i64 = peeled.tallies[figure]
            .terms
            .iter()
            .map(|(class, weights)| {
                let state = &peeled.classes[*class as usize];
                let fixed: i64 = state.known.iter().zip(weights).map(|(known, w)| known.unwrap_or(0) * w).sum();
                // An open class that this figure weighs all alike.
                let alike = state.open().next().map_or(0, |code| weights[code] * state.rest());
                if peeled.is_open(*class as usize, weights) { fixed } else { fixed + alike }
            })
            .sum();
        match &peeled.evidence[figure] {
            Evidence::Exact(total) => Evidence::Exact(total - known),
            Evidence::Likely { from, weights } => Evidence::Likely { from: from - known, weights: weights.clone() },
        }
    }
}

/// The shares of the groups of each kind; `None` if it is too wide. Adds what it took to `walked`.
fn solve_piece(piece: &Piece, walked: &mut u64) -> Result<Option<(Vec<Vec<f64>>, Method)>, Contradiction> {
    if let ([evidence], true) = (piece.evidence.as_slice(), piece.is_short()) {
        return single(&piece.kinds, evidence);
    }
    match walk::walk(&piece.kinds, &piece.evidence) {
        Ok(found) => {
            *walked += found.work;
            Ok(Some((found.shares, Method::Certified(found.relative_error))))
        }
        Err(walk::Failure::TooWide) => {
            *walked += walk::MAX_WORK;
            Ok(None)
        }
        Err(walk::Failure::Impossible) => Err(Contradiction),
    }
}

/// The same in rationals.
fn exact_piece(piece: &Piece, laws: &[Vec<Rational>], work: &mut u64) -> Option<Vec<Vec<Rational>>> {
    match piece.evidence.as_slice() {
        [evidence] if piece.is_short() => exact_single(&piece.kinds, laws, evidence, work),
        several => walk::walk_exactly(&piece.kinds, laws, several).ok(),
    }
}

impl Piece {
    /// Whether the only figure has few enough values.
    fn is_short(&self) -> bool {
        self.kinds.iter().all(|kind| kind.length() <= LONGEST_LAW)
    }
}

/// One figure: a sum of independent summands.
fn single(kinds: &[Kind], evidence: &Evidence) -> Result<Option<(Vec<Vec<f64>>, Method)>, Contradiction> {
    // Of one class whose summands are 0 or 1, the share that has 1 is known.
    if let ([kind], Evidence::Exact(total)) = (kinds, evidence)
        && let [a, b] = kind.weights.as_slice()
    {
        let with_b = (total - a[0] * kind.count as i64) as f64 / ((b[0] - a[0]) * kind.count as i64) as f64;
        return Ok(Some((vec![vec![1.0 - with_b, with_b]], Method::Exact)));
    }
    let mut least_total = 0i64;
    let mut laws: Vec<(Vec<f64>, u64)> = Vec::with_capacity(kinds.len());
    for kind in kinds {
        let least = kind.least();
        least_total += least * kind.count as i64;
        let all: f64 = kind.laws.iter().sum();
        let mut law = vec![0.0; kind.length() as usize];
        for (weights, p) in kind.weights.iter().zip(&kind.laws) {
            law[(weights[0] - least) as usize] += p / all;
        }
        laws.push((law, kind.count));
    }
    let known = match evidence {
        Evidence::Exact(total) => counts::given_sum(&laws, total - least_total),
        Evidence::Likely { from, weights } => {
            let largest: i64 = laws.iter().map(|(law, count)| (law.len() as i64 - 1) * *count as i64).sum();
            if largest > LONGEST_LAW {
                return Ok(None);
            }
            let weight = |value: i64| {
                let at = usize::try_from(value + least_total - from).ok();
                Scaled::new(at.and_then(|at| weights.get(at)).copied().unwrap_or(0.0))
            };
            counts::given_weights(&laws, &(0..=largest).map(weight).collect::<Vec<Scaled>>())
        }
    };
    let Ok(known) = known else { return Ok(None) };
    let Some(known) = known else { return Err(Contradiction) };
    let bound = known.bound.unwrap_or(0.0) + known.relative_error;
    let shares = kinds.iter().zip(&known.posteriors).map(|(kind, posterior)| {
        let least = kind.least();
        // Different groups have different weights where there is one figure.
        kind.weights.iter().map(|weights| posterior[(weights[0] - least) as usize]).collect()
    });
    Ok(Some((shares.collect(), Method::Certified(bound))))
}

/// One figure, in rationals.
fn exact_single(
    kinds: &[Kind],
    laws: &[Vec<Rational>],
    evidence: &Evidence,
    work: &mut u64,
) -> Option<Vec<Vec<Rational>>> {
    // As in doubles, of one class whose summands are 0 or 1 the share that has 1 is known.
    if let ([kind], Evidence::Exact(total)) = (kinds, evidence)
        && let [a, b] = kind.weights.as_slice()
    {
        let count = kind.count as i64;
        let with_b = Rational::from(total - a[0] * count) / Rational::from((b[0] - a[0]) * count);
        return Some(vec![vec![Rational::ONE - &with_b, with_b]]);
    }
    let mut least_total = 0i64;
    let mut summands: Vec<(Vec<Rational>, u64)> = Vec::with_capacity(kinds.len());
    for (kind, of_group) in kinds.iter().zip(laws) {
        least_total += kind.least() * kind.count as i64;
        let all = of_group.iter().fold(Rational::ZERO, |sum, p| sum + p);
        let mut law = vec![Rational::ZERO; kind.length() as usize];
        for (weights, p) in kind.weights.iter().zip(of_group) {
            law[(weights[0] - kind.least()) as usize] += p / &all;
        }
        summands.push((law, kind.count));
    }
    let longest = |law: &[Rational]| law.iter().map(|p| p.bits() as u64).sum::<u64>();
    let words = summands.iter().map(|(law, count)| count * longest(law)).sum::<u64>() / 64 + 1;
    let needed = counts::work(summands.iter().map(|(law, count)| (law.len() as u64, *count))).saturating_mul(words);
    *work = work.checked_sub(needed)?;
    let known = match evidence {
        Evidence::Exact(total) => counts::exact::given_sum(&summands, usize::try_from(total - least_total).ok()?),
        Evidence::Likely { from, weights } => {
            if weights.iter().any(|weight| *weight != 0.0 && *weight != 1.0) {
                return None;
            }
            let largest: i64 = summands.iter().map(|(law, count)| (law.len() as i64 - 1) * *count as i64).sum();
            let is_allowed = |value: i64| {
                let place = usize::try_from(value + least_total - from).ok();
                place.and_then(|place| weights.get(place)).is_some_and(|weight| *weight > 0.0)
            };
            if largest > LONGEST_LAW {
                return None;
            }
            counts::exact::given_values(&summands, &(0..=largest).map(is_allowed).collect::<Vec<bool>>())
        }
    };
    let known = known.ok()??;
    let shares = kinds.iter().zip(&known.posteriors).map(|(kind, posterior)| {
        kind.weights.iter().map(|weights| posterior[(weights[0] - kind.least()) as usize].clone()).collect()
    });
    Some(shares.collect())
}
