//! People whose sums were seen together: which sums of groups of people are possible, and what they say about one person.
//!
//! People who add to the same sums in the same proportions are one group, and only the sum of each group matters. Where
//! the published sums determine those of all groups (one sum, disjoint groups, a total and its parts), each group is
//! answered on its own; where groups overlap, the few sums that are left open are gone through one after the other.

use std::collections::HashMap;

use super::{Refusal, windows};
use crate::choices::Mass;
use crate::counts::{self, Scaled, exact};
use crate::number::{Constants, Rational, Scalar};

/// Combinations of sums of groups that are gone through.
const MAX_SOLUTIONS: u64 = 1 << 21;
/// Multiplications for the distributions of groups' sums.
const MAX_GROUP_WORK: u64 = 1 << 32;
/// Values of a group's sum.
const MAX_VALUES: u64 = 1 << 26;

/// People who are alike: what one of them can add to each sum, and how likely it is.
pub(super) struct Block<S> {
    pub(super) contributions: Vec<(Vec<i64>, Mass<S>)>,
    pub(super) count: u64,
    /// Whether anybody wants to know about them: of others, nothing may be found.
    pub(super) is_asked: bool,
}

/// What was seen of one sum: the values that it may have.
pub(super) type Allowed = Vec<(i64, i64)>;

/// What is known about people.
pub(super) struct Solved<S> {
    /// For each block, how likely each contribution of one of them is.
    pub(super) posteriors: Vec<Vec<S>>,
    /// How far off any of them can be; `None` where they are exact.
    pub(super) bound: Option<f64>,
    /// By which share of itself rounding can move any of them.
    pub(super) relative_error: f64,
    pub(super) ln_evidence: f64,
    /// How likely is what was seen, where it was worked out as a number.
    pub(super) evidence: Option<Mass<S>>,
}

/// Why nothing was found.
pub(super) enum Unsolved<S> {
    /// The sums are not of this form.
    Other,
    Refused(Refusal<S>),
}

impl<S> From<counts::TooLarge> for Unsolved<S> {
    fn from(_: counts::TooLarge) -> Self {
        Unsolved::Refused(Refusal::TooWide)
    }
}

/// What is known about one person of each block, given what was seen of sums that hang together.
pub(super) fn solve<S: Scalar>(blocks: &[Block<S>], allowed: &[Allowed]) -> Result<Solved<S>, Unsolved<S>> {
    let mut scale = 0.0;
    for block in blocks {
        scale += block.count as f64 * total(block).ln();
    }
    let solved = match lines(blocks) {
        Some(lines) => on_lines(blocks, &lines, allowed, !S::EXACT),
        None => exchangeable(blocks, allowed),
    };
    let scaled = |solved: Solved<S>| Solved { ln_evidence: solved.ln_evidence + scale, ..solved };
    match solved {
        Ok(solved) => Ok(scaled(solved)),
        Err(Unsolved::Other) => match (in_windows(blocks, allowed, windows::MAX_STEPS), lines(blocks)) {
            // What is too wide for ratios is certified.
            (Err(Unsolved::Other), Some(lines)) if S::EXACT => on_lines(blocks, &lines, allowed, true).map(scaled),
            (found, _) => found,
        },
        Err(refused) => Err(refused),
    }
}

/// The same by going through everybody, with the probability of what was seen.
pub(super) fn in_windows<S: Scalar>(
    blocks: &[Block<S>],
    allowed: &[Allowed],
    most_steps: u64,
) -> Result<Solved<S>, Unsolved<S>> {
    match windows::solve(blocks, allowed, most_steps) {
        Ok(found) => Ok(Solved {
            posteriors: found.posteriors,
            bound: None,
            relative_error: found.relative_error,
            ln_evidence: found.evidence.ln(),
            evidence: Some(found.evidence),
        }),
        Err(windows::Failure::Impossible) => Err(Unsolved::Refused(Refusal::Contradiction(None))),
        Err(windows::Failure::TooWide) => Err(Unsolved::Other),
    }
}

fn total<S: Scalar>(block: &Block<S>) -> Mass<S> {
    block.contributions.iter().fold(Mass::zero(), |sum, (_, mass)| sum.add(mass))
}

/// The probabilities of a block's contributions.
fn probabilities<S: Scalar>(block: &Block<S>) -> Vec<S> {
    let total = total(block);
    block.contributions.iter().map(|(_, mass)| mass.div(&total).scalar()).collect()
}

/// A block whose contributions lie on a line: start + t·direction, t = 0, 1, …
struct Line {
    start: Vec<i64>,
    direction: Vec<i64>,
    /// t of each contribution.
    steps: Vec<i64>,
}

/// The lines of all blocks, if all have one.
fn lines<S: Scalar>(blocks: &[Block<S>]) -> Option<Vec<Line>> {
    blocks.iter().map(|block| line(&block.contributions)).collect()
}

fn line<S>(contributions: &[(Vec<i64>, Mass<S>)]) -> Option<Line> {
    let origin = &contributions[0].0;
    let difference =
        |vector: &[i64]| -> Option<Vec<i64>> { vector.iter().zip(origin).map(|(a, b)| a.checked_sub(*b)).collect() };
    let zero = vec![0; origin.len()];
    let mut direction = zero.clone();
    let mut steps = Vec::with_capacity(contributions.len());
    for (vector, _) in contributions {
        let difference = difference(vector)?;
        let shared =
            difference.iter().fold(0u64, |shared, entry| counts::greatest_common_divisor(shared, entry.unsigned_abs()));
        let Ok(shared) = i64::try_from(shared) else { return None };
        if shared == 0 {
            steps.push(0);
            continue;
        }
        let mut primitive: Vec<i64> = difference.iter().map(|entry| entry / shared).collect();
        let sign = primitive.iter().find(|entry| **entry != 0).map_or(1, |entry| entry.signum());
        primitive.iter_mut().for_each(|entry| *entry *= sign);
        if direction == zero {
            direction = primitive;
        } else if direction != primitive {
            return None;
        }
        steps.push(sign * shared);
    }
    let lowest = steps.iter().copied().min()?;
    steps.iter_mut().for_each(|step| *step -= lowest);
    let moved = |(a, d): (&i64, &i64)| d.checked_mul(lowest).and_then(|shift| a.checked_add(shift));
    let start = origin.iter().zip(&direction).map(moved).collect::<Option<Vec<i64>>>()?;
    Some(Line { start, direction, steps })
}

/// People whose contributions lie on lines of the same direction.
struct Group<S> {
    direction: Vec<i64>,
    /// The numbers of their blocks.
    blocks: Vec<usize>,
    /// For each block, the probabilities of t = 0, 1, …, and how many people there are.
    kinds: Vec<(Vec<S>, u64)>,
    /// For each block, whether anybody wants to know about them.
    asked: Vec<bool>,
    largest: i64,
}

/// Groups that overlap are gone through in doubles, if that is wanted.
fn on_lines<S: Scalar>(
    blocks: &[Block<S>],
    lines: &[Line],
    allowed: &[Allowed],
    in_doubles: bool,
) -> Result<Solved<S>, Unsolved<S>> {
    let mut offset = vec![0i64; allowed.len()];
    let mut groups: Vec<Group<S>> = Vec::new();
    let mut places: HashMap<&[i64], usize> = HashMap::new();
    for (number, (block, line)) in blocks.iter().zip(lines).enumerate() {
        for (sum, start) in offset.iter_mut().zip(&line.start) {
            let more = i64::try_from(block.count).ok().and_then(|count| start.checked_mul(count));
            *sum = more.and_then(|more| sum.checked_add(more)).ok_or(Unsolved::Other)?;
        }
        let longest = line.steps.iter().copied().max().unwrap_or(0);
        if longest == 0 {
            continue;
        }
        let place = *places.entry(line.direction.as_slice()).or_insert_with(|| {
            let direction = line.direction.clone();
            groups.push(Group { direction, blocks: Vec::new(), kinds: Vec::new(), asked: Vec::new(), largest: 0 });
            groups.len() - 1
        });
        let group = &mut groups[place];
        let more = i64::try_from(block.count).ok().and_then(|count| longest.checked_mul(count));
        let largest = more.and_then(|more| group.largest.checked_add(more));
        group.largest = largest.filter(|largest| (*largest as u64) <= MAX_VALUES).ok_or(Unsolved::Other)?;
        let mut law = vec![S::zero(); longest as usize + 1];
        for (step, p) in line.steps.iter().zip(probabilities(block)) {
            law[*step as usize] = law[*step as usize].add(&p);
        }
        group.blocks.push(number);
        group.kinds.push((law, block.count));
        group.asked.push(block.is_asked);
    }
    let impossible = || Unsolved::Refused(Refusal::Contradiction(None));
    // What each block's contributions are, where nothing is learnt about it.
    let mut solved = Solved {
        posteriors: blocks.iter().map(|block| probabilities(block)).collect(),
        bound: None,
        relative_error: if S::EXACT { 0.0 } else { 4.0 * f64::EPSILON },
        ln_evidence: 0.0,
        evidence: None,
    };
    if let ([group], [allowed]) = (&groups[..], allowed) {
        let step = group.direction[0];
        let known = of_one_sum(group, allowed, offset[0], step)?.ok_or_else(impossible)?;
        take(&mut solved, group, lines, known);
        return Ok(solved);
    }
    let wanted: Vec<i64> = allowed
        .iter()
        .zip(&offset)
        .map(|(allowed, offset)| match allowed[..] {
            [(low, high)] if low == high => low.checked_sub(*offset).ok_or(Unsolved::Other),
            _ => Err(Unsolved::Other),
        })
        .collect::<Result<_, _>>()?;
    let directions: Vec<&[i64]> = groups.iter().map(|group| group.direction.as_slice()).collect();
    let system = System::reduced(&directions, &wanted).ok_or(Unsolved::Other)?;
    if !system.is_consistent {
        return Err(impossible());
    }
    if system.free.is_empty() {
        for (place, group) in groups.iter().enumerate() {
            let value = system.value(place, &[]).filter(|value| (0..=group.largest).contains(value));
            let known = given_value(group, value.ok_or_else(impossible)?)?.ok_or_else(impossible)?;
            take(&mut solved, group, lines, known);
        }
        return Ok(solved);
    }
    if !in_doubles {
        return Err(Unsolved::Other);
    }
    overlapping(&groups, &system, lines, &mut solved)?;
    Ok(solved)
}

/// What is known about one person of each block of a group.
struct Known<S> {
    posteriors: Vec<Vec<S>>,
    bound: Option<f64>,
    relative_error: f64,
    ln_probability: f64,
}

fn take<S: Scalar>(solved: &mut Solved<S>, group: &Group<S>, lines: &[Line], known: Known<S>) {
    for (block, posterior) in group.blocks.iter().zip(known.posteriors) {
        let of_step = |step: &i64| posterior.get(*step as usize).cloned();
        solved.posteriors[*block] = lines[*block].steps.iter().filter_map(of_step).collect();
    }
    solved.bound = match (solved.bound, known.bound) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
    solved.relative_error = solved.relative_error.max(known.relative_error);
    solved.ln_evidence += known.ln_probability;
}

/// One group and one sum, of which some values are possible.
fn of_one_sum<S: Scalar>(
    group: &Group<S>,
    allowed: &Allowed,
    offset: i64,
    step: i64,
) -> Result<Option<Known<S>>, Unsolved<S>> {
    if let [(low, high)] = allowed[..]
        && low == high
    {
        let Some(distance) = low.checked_sub(offset) else { return Ok(None) };
        return if distance % step == 0 { given_value(group, distance / step) } else { Ok(None) };
    }
    let is_allowed = |value: i64| {
        let sum = value.checked_mul(step).and_then(|more| more.checked_add(offset));
        sum.is_some_and(|sum| allowed.iter().any(|(low, high)| (*low..=*high).contains(&sum)))
    };
    let values = 0..=group.largest;
    if S::EXACT {
        let weights: Vec<bool> = values.clone().map(is_allowed).collect();
        if let Ok(known) = exact::given_values(&ratios(group), &weights) {
            return Ok(known.map(of_ratios));
        }
    }
    let weights: Vec<Scaled> = values.map(|value| if is_allowed(value) { Scaled::ONE } else { Scaled::ZERO }).collect();
    in_doubles(group, &|kinds| counts::given_weights(kinds, &weights))
}

/// What is known when the sum of a group is.
fn given_value<S: Scalar>(group: &Group<S>, value: i64) -> Result<Option<Known<S>>, Unsolved<S>> {
    if !(0..=group.largest).contains(&value) {
        return Ok(None);
    }
    // People who are all alike share it.
    if let [(law, count)] = &group.kinds[..]
        && law.iter().filter(|p| !p.is_zero()).count() == 2
    {
        let longest = law.len() as i64 - 1;
        if value % longest != 0 {
            return Ok(None);
        }
        let yes = value / longest;
        let share = |part: i64| S::from_i64(part).div(&S::from_i64(*count as i64));
        let mut posterior = vec![S::zero(); law.len()];
        posterior[0] = share(*count as i64 - yes);
        posterior[longest as usize] = share(yes);
        let chances = [(law[0].clone(), *count as i64 - yes), (law[longest as usize].clone(), yes)];
        let (posteriors, ln_probability) = (vec![posterior], ln_multinomial(&chances));
        return Ok(Some(Known { posteriors, bound: None, relative_error: 0.0, ln_probability }));
    }
    if S::EXACT
        && let Ok(known) = exact::given_sum_of(&ratios(group), value as usize, &group.asked)
    {
        return Ok(known.map(of_ratios));
    }
    in_doubles(group, &|kinds| counts::given_sum_of(kinds, value, &group.asked))
}

/// How something is found in doubles.
type InDoubles<'f> = dyn Fn(&[(Vec<f64>, u64)]) -> Result<Option<counts::Known>, counts::TooLarge> + 'f;

/// What is known, out of doubles with a bound. Fractions with hundreds of thousands of digits for everybody are too many to
/// be written: they are certified instead.
fn in_doubles<S: Scalar>(group: &Group<S>, find: &InDoubles<'_>) -> Result<Option<Known<S>>, Unsolved<S>> {
    let kinds = doubles(group);
    let Some(mut known) = find(&kinds)?.map(of_doubles) else { return Ok(None) };
    if S::EXACT {
        // What is possible must not become impossible by rounding.
        let mut pairs = group.kinds.iter().zip(&kinds).flat_map(|((law, _), (rounded, _))| law.iter().zip(rounded));
        if pairs.any(|(p, rounded)| !p.is_zero() && *rounded < f64::MIN_POSITIVE) {
            return Err(Unsolved::Refused(Refusal::TooWide));
        }
        // Each probability is a quotient of sums of products of one rounded number for each person.
        let people: u64 = kinds.iter().map(|(_, count)| *count).sum();
        known.relative_error += 2.0 * (people as f64 + 4.0) * f64::EPSILON;
        known.bound = Some(known.bound.unwrap_or(0.0));
    }
    Ok(Some(known))
}

fn doubles<S: Scalar>(group: &Group<S>) -> Vec<(Vec<f64>, u64)> {
    group.kinds.iter().map(|(law, count)| (law.iter().map(Constants::to_f64).collect(), *count)).collect()
}

fn ratios<S: Scalar>(group: &Group<S>) -> Vec<(Vec<Rational>, u64)> {
    let ratio = |p: &S| p.exact_value().cloned().unwrap_or(Rational::ZERO);
    group.kinds.iter().map(|(law, count)| (law.iter().map(ratio).collect(), *count)).collect()
}

fn of_doubles<S: Scalar>(known: counts::Known) -> Known<S> {
    let scalar = |p: f64| S::from_f64(p).unwrap_or_else(S::zero);
    Known {
        posteriors: known.posteriors.into_iter().map(|law| law.iter().copied().map(scalar).collect()).collect(),
        bound: known.bound,
        relative_error: known.relative_error + 4.0 * f64::EPSILON,
        ln_probability: known.ln_probability,
    }
}

fn of_ratios<S: Scalar>(known: exact::Known) -> Known<S> {
    let scalar = |p: &Rational| S::from_ratio(p);
    Known {
        posteriors: known.posteriors.iter().map(|law| law.iter().map(scalar).collect()).collect(),
        bound: None,
        relative_error: 0.0,
        ln_probability: known.ln_probability,
    }
}

/// ln of n!/Πhᵢ! · Πpᵢ^hᵢ
fn ln_multinomial<S: Scalar>(chances: &[(S, i64)]) -> f64 {
    let n: i64 = chances.iter().map(|(_, h)| h).sum();
    let mut sum = libm::lgamma(n as f64 + 1.0);
    for (p, h) in chances {
        if *h > 0 {
            sum += *h as f64 * Mass::of(p.clone()).ln() - libm::lgamma(*h as f64 + 1.0);
        }
    }
    sum
}

/// Everybody is alike, and the sums tell how often each contribution was made: h of n have made it, so that one of them
/// has with probability h/n.
fn exchangeable<S: Scalar>(blocks: &[Block<S>], allowed: &[Allowed]) -> Result<Solved<S>, Unsolved<S>> {
    let [block] = blocks else { return Err(Unsolved::Other) };
    // How many there are is one more sum.
    let extended: Vec<Vec<i64>> =
        block.contributions.iter().map(|(vector, _)| vector.iter().copied().chain([1]).collect()).collect();
    let mut wanted = Vec::with_capacity(allowed.len() + 1);
    for allowed in allowed {
        match allowed[..] {
            [(low, high)] if low == high => wanted.push(low),
            _ => return Err(Unsolved::Other),
        }
    }
    wanted.push(i64::try_from(block.count).map_err(|_| Unsolved::Other)?);
    let directions: Vec<&[i64]> = extended.iter().map(Vec::as_slice).collect();
    let system = System::reduced(&directions, &wanted).ok_or(Unsolved::Other)?;
    if !system.free.is_empty() {
        return Err(Unsolved::Other);
    }
    let impossible = || Unsolved::Refused(Refusal::Contradiction(None));
    if !system.is_consistent {
        return Err(impossible());
    }
    let n = S::from_i64(block.count as i64);
    let mut posterior = Vec::with_capacity(extended.len());
    let mut chances = Vec::with_capacity(extended.len());
    for (place, p) in probabilities(block).into_iter().enumerate() {
        let h = system.value(place, &[]).filter(|h| *h >= 0).ok_or_else(impossible)?;
        posterior.push(S::from_i64(h).div(&n));
        chances.push((p, h));
    }
    let relative_error = if S::EXACT { 0.0 } else { 4.0 * f64::EPSILON };
    Ok(Solved {
        posteriors: vec![posterior],
        bound: None,
        relative_error,
        ln_evidence: ln_multinomial(&chances),
        evidence: None,
    })
}

/// Groups whose sums are not determined: all possible combinations of those that are free.
fn overlapping<S: Scalar>(
    groups: &[Group<S>],
    system: &System,
    lines: &[Line],
    solved: &mut Solved<S>,
) -> Result<(), Unsolved<S>> {
    let ranges: Vec<i64> = system.free.iter().map(|place| groups[*place].largest).collect();
    let solutions = ranges.iter().try_fold(1u64, |product, largest| product.checked_mul(*largest as u64 + 1));
    if solutions.is_none_or(|solutions| solutions.saturating_mul(groups.len() as u64) > MAX_SOLUTIONS) {
        return Err(Unsolved::Refused(Refusal::TooWide));
    }
    let kinds: Vec<Vec<(Vec<f64>, u64)>> = groups.iter().map(doubles).collect();
    let lengths = groups.iter().map(|group| counts::work(group.kinds.iter().map(|(law, n)| (law.len() as u64, *n))));
    if lengths.fold(0u64, u64::saturating_add) > MAX_GROUP_WORK {
        return Err(Unsolved::Refused(Refusal::TooWide));
    }
    let laws: Vec<Vec<Scaled>> = kinds.iter().map(|kinds| counts::distribution(kinds)).collect();
    let mut weights: Vec<Vec<Scaled>> = laws.iter().map(|law| vec![Scaled::ZERO; law.len()]).collect();
    let mut free = vec![0i64; ranges.len()];
    let mut values = vec![0usize; groups.len()];
    loop {
        let value =
            |place: usize| system.value(place, &free).filter(|value| (0..=groups[place].largest).contains(value));
        let all = (0..groups.len()).map(|place| value(place).map(|value| value as usize));
        if let Some(found) = all.collect::<Option<Vec<usize>>>() {
            values.copy_from_slice(&found);
            // The product of all others, from both sides.
            let mut after = vec![Scaled::ONE; groups.len() + 1];
            for place in (0..groups.len()).rev() {
                after[place] = after[place + 1].times(laws[place][values[place]]);
            }
            let mut before = Scaled::ONE;
            for place in 0..groups.len() {
                let weight = &mut weights[place][values[place]];
                *weight = weight.plus(before.times(after[place + 1]));
                before = before.times(laws[place][values[place]]);
            }
        }
        let Some(next) = (0..free.len()).find(|place| free[*place] < ranges[*place]) else { break };
        free[next] += 1;
        free[..next].fill(0);
    }
    let mut ln_evidence = 0.0;
    for ((group, kinds), weights) in groups.iter().zip(&kinds).zip(&weights) {
        let known = counts::given_weights(kinds, weights)?.ok_or(Unsolved::Refused(Refusal::Contradiction(None)))?;
        ln_evidence = known.ln_probability;
        take(solved, group, lines, of_doubles(known));
    }
    // The weights are products of the groups' own distributions, and sums of at most so many of them.
    let laws = groups.iter().map(|group| counts::rounding(group.kinds.iter().map(|(law, n)| (law.len() as u64, *n))));
    let combined = laws.sum::<f64>() + (solutions.unwrap_or(0) + groups.len() as u64) as f64 * f64::EPSILON;
    solved.relative_error += 2.0 * combined;
    solved.ln_evidence = ln_evidence;
    if S::EXACT {
        // Each probability of a person was rounded to a double once.
        for (group, kinds) in groups.iter().zip(&kinds) {
            let mut pairs = group.kinds.iter().zip(kinds).flat_map(|((law, _), (rounded, _))| law.iter().zip(rounded));
            if pairs.any(|(p, rounded)| !p.is_zero() && *rounded < f64::MIN_POSITIVE) {
                return Err(Unsolved::Refused(Refusal::TooWide));
            }
        }
        let people: u64 = groups.iter().flat_map(|group| &group.kinds).map(|(_, count)| *count).sum();
        solved.relative_error += 2.0 * (people as f64 + 4.0) * f64::EPSILON;
        solved.bound = Some(solved.bound.unwrap_or(0.0));
    }
    Ok(())
}

/// Σ_g direction_g · x_g = wanted, solved for as many x as there are independent equations.
struct System {
    /// The unknowns that may be anything.
    free: Vec<usize>,
    is_consistent: bool,
    /// Each unknown that is not free: divisor·x = constant − Σ factors·free.
    rows: HashMap<usize, (i128, i128, Vec<i128>)>,
}

impl System {
    /// `None` where numbers grow too large.
    fn reduced(directions: &[&[i64]], wanted: &[i64]) -> Option<System> {
        let unknowns = directions.len();
        let mut rows: Vec<Vec<i128>> = Vec::new();
        let mut pivots: Vec<usize> = Vec::new();
        let mut is_consistent = true;
        for (equation, wanted) in wanted.iter().enumerate() {
            let entries = directions.iter().map(|direction| i128::from(direction[equation]));
            let mut row: Vec<i128> = entries.chain([i128::from(*wanted)]).collect();
            for (known, pivot) in rows.iter().zip(&pivots) {
                eliminate(&mut row, known, *pivot)?;
            }
            match row[..unknowns].iter().position(|entry| *entry != 0) {
                Some(pivot) => {
                    for known in &mut rows {
                        eliminate(known, &row, pivot)?;
                    }
                    rows.push(row);
                    pivots.push(pivot);
                }
                None => is_consistent &= row[unknowns] == 0,
            }
        }
        let free: Vec<usize> = (0..unknowns).filter(|place| !pivots.contains(place)).collect();
        let described = |row: &Vec<i128>, pivot: usize| {
            (row[pivot], row[unknowns], free.iter().map(|place| row[*place]).collect::<Vec<i128>>())
        };
        let rows = rows.iter().zip(&pivots).map(|(row, pivot)| (*pivot, described(row, *pivot))).collect();
        Some(System { free, is_consistent, rows })
    }

    /// The value of an unknown, if it is an integer.
    fn value(&self, place: usize, free: &[i64]) -> Option<i64> {
        if let Some(at) = self.free.iter().position(|other| *other == place) {
            return free.get(at).copied();
        }
        let (divisor, constant, factors) = self.rows.get(&place)?;
        let mut rest = *constant;
        for (factor, value) in factors.iter().zip(free) {
            rest = rest.checked_sub(factor.checked_mul(i128::from(*value))?)?;
        }
        (rest % divisor == 0).then(|| i64::try_from(rest / divisor).ok()).flatten()
    }
}

/// Takes a multiple of a row away, so that there is 0 at a place.
fn eliminate(row: &mut [i128], by: &[i128], place: usize) -> Option<()> {
    let (a, b) = (row[place], by[place]);
    if a == 0 {
        return Some(());
    }
    for (entry, other) in row.iter_mut().zip(by) {
        *entry = entry.checked_mul(b)?.checked_sub(other.checked_mul(a)?)?;
    }
    let shared = row.iter().fold(0u128, |shared, entry| {
        let (mut a, mut b) = (shared, entry.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    });
    if shared > 1 {
        let shared = i128::try_from(shared).ok()?;
        row.iter_mut().for_each(|entry| *entry /= shared);
    }
    Some(())
}
