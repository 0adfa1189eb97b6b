//! Who contributes how much to a published figure.
//!
//! A figure is an affine expression of the people's secrets, Σ wᵢ·xᵢ (see `rows`). What a person contributes is the sum
//! over their rows.

use super::Release;
use super::differencing::Weighed;
use super::exact::{self, ExactShares};
use super::figures::protection_percent;
use super::grouped::{ReleaseGroups, shares};
use super::in_effect::{InEffect, Steps, Summand, digits, outweighing};
use super::near_bound::{ColumnBounds, Distances, NearBound, column_bounds};
use super::persons::Persons;
use super::policy::Policy;
use super::reasons::LISTED;
use super::rows::Tracer;
use privug_engine::network::Affine;
use privug_engine::number::{Constants, DoubleDouble, Field, Scalar, Wide};
use privug_engine::sorting::CompactSort;

/// The contributors of one figure.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contributions {
    /// How many people have a weight.
    pub contributors: usize,
    /// X = Σ|cₚ| over people, with cₚ = Σ wᵢ·xᵢ over the real values of their rows.
    pub total: f64,
    /// The first of them in the table; of groups nobody is known.
    pub first: Vec<usize>,
    /// (person, |cₚ|) of the largest, descending.
    pub largest: Vec<(usize, f64)>,
    /// max Σ|wᵢ| over a person's rows: by how much the figure changes when one person's secrets change by 1.
    pub largest_weight: f64,
    /// Variance of the noise that the script itself adds.
    pub noise_variance: f64,
    /// Whether several people contribute, and all have the same value; or the figure is as large, or as small, as the
    /// smallest and the largest values of the secret columns allow. Either way it tells everybody's value.
    pub homogeneous: bool,
    /// What the figure leaves its contributors, where that is hardly more than the smallest or the largest value of all.
    pub near_bound: Option<NearBound>,
    /// How far they are from these.
    pub(super) distances: Distances,
    /// Of how few people it is in effect, if these are fewer than have a weight.
    pub in_effect: Vec<InEffect>,
    /// The shares as they are exactly, where doubles cannot tell on which side of a threshold they lie.
    pub exact: Option<ExactShares>,
}

/// In how many figures each entry is, and the fewest contributors of one of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Involvement {
    /// One for each entry.
    pub figures: Vec<u32>,
    /// One for each entry; `u32::MAX` for those in no figure.
    pub smallest_frequency: Vec<u32>,
}

/// Who is behind all figures.
pub(super) struct Weighing {
    pub(super) contributions: Vec<Contributions>,
    pub(super) involvement: Involvement,
    pub(super) weighed: Weighed,
}

/// The contributors of every figure, of which the largest are kept; tells after each how many are done.
pub(super) fn contributions<S: Scalar>(
    release: &Release<S>,
    persons: &Persons,
    policy: &Policy,
    done: &dyn Fn(usize),
) -> Weighing {
    let entries = release.secrets.len();
    let mut sweep = Sweep::new(release, persons, policy);
    let mut involvement = Involvement { figures: vec![0; entries], smallest_frequency: vec![u32::MAX; entries] };
    let mut weighed = Weighed::new(entries);
    let found = release.outputs.iter().enumerate().map(|(index, output)| {
        let (found, weights) = sweep.judged(&output.variable, None, policy);
        involvement.add(&weights, found.contributors);
        weighed.add(&sweep.of_persons(weights));
        done(index + 1);
        found
    });
    Weighing { contributions: found.collect(), involvement, weighed }
}

/// An expression of the secrets other than a published figure.
pub(super) struct Derived<S> {
    pub(super) variable: Affine<S>,
    /// Nobody but these entries, ascending, is behind it: what rounding leaves of the others' weights is meant to be 0.
    pub(super) among: Option<Vec<u32>>,
}

/// The contributors of other expressions of the secrets than the published figures.
pub(super) fn contributions_of<S: Scalar>(
    release: &Release<S>,
    persons: &Persons,
    policy: &Policy,
    figures: impl Iterator<Item = Derived<S>>,
) -> Vec<Contributions> {
    let mut sweep = Sweep::new(release, persons, policy);
    figures.map(|figure| sweep.judged(&figure.variable, figure.among.as_deref(), policy).0).collect()
}

/// How near figures show their contributors to be to a bound, where rounding hides so much of a figure at both ends.
pub(super) fn widen<S: Scalar>(
    release: &Release<S>,
    persons: &Persons,
    policy: &Policy,
    rounded: &[(usize, [f64; 2])],
    contributions: &mut [Contributions],
) {
    if rounded.iter().all(|(figure, _)| contributions[*figure].near_bound.is_none()) {
        return;
    }
    let mut sweep = Sweep::new(release, persons, policy);
    for (figure, hides) in rounded {
        let (found, _) = sweep.figure(&release.outputs[*figure].variable, None, 1, *hides);
        contributions[*figure].near_bound = found.near_bound;
    }
}

impl Involvement {
    /// Adds a figure with so many contributors.
    fn add(&mut self, weights: &[(usize, f64)], contributors: usize) {
        let contributors = u32::try_from(contributors).unwrap_or(u32::MAX - 1);
        for (entry, _) in weights {
            self.figures[*entry] += 1;
            let smallest = &mut self.smallest_frequency[*entry];
            *smallest = (*smallest).min(contributors);
        }
    }
}

/// What a person contributes to the figure at hand.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    sum: f64,
    /// Σ|wᵢ|; not 0 once somebody contributes.
    weight: f64,
    /// From both bounds.
    distances: [f64; 2],
}

/// What the values of a figure's contributors have in common.
struct Alike {
    first: Option<(usize, f64)>,
    /// Whether all have the same value, and add to the figure with it: a difference of equals tells nothing of what they have.
    same: bool,
    sign: f64,
    at_most: bool,
    at_least: bool,
}

impl Alike {
    fn look(&mut self, column: usize, weight: f64, value: f64, bounds: &ColumnBounds) {
        if self.first.is_none() {
            self.sign = weight.signum();
        }
        let first = *self.first.get_or_insert((column, value));
        self.same &= first == (column, value) && weight.signum() == self.sign;
        let ColumnBounds { least, most, .. } = *bounds;
        let (up, down) = if weight > 0.0 { (most, least) } else { (least, most) };
        self.at_most &= value == up;
        self.at_least &= value == down;
    }
}

struct Sweep<'a, S> {
    release: &'a Release<S>,
    tracer: Tracer<'a, S>,
    persons: &'a Persons,
    /// One for each person, where a person can have several entries.
    sums: Vec<Part>,
    bounds: Vec<ColumnBounds>,
    /// Of each column.
    steps: Vec<Option<Steps>>,
}

impl<'a, S: Scalar> Sweep<'a, S> {
    fn new(release: &'a Release<S>, persons: &'a Persons, policy: &Policy) -> Self {
        let is_one_row = persons.is_plain() || persons.is_grouped();
        let bounds = column_bounds(release, persons, policy);
        let sums = if is_one_row { Vec::new() } else { vec![Part::default(); persons.count()] };
        let steps = match &release.groups {
            Some(groups) => vec![groups.steps()],
            None => {
                let columns = 0..persons.columns().max(1);
                columns.map(|column| Steps::of(&release.truths[persons.entries(column)])).collect()
            }
        };
        Sweep { release, tracer: Tracer::new(release), persons, sums, bounds, steps }
    }

    /// Of how few people a figure with these weights is. `part` is what may hide as little as nothing.
    fn in_effect(&self, weights: &[(usize, f64)], found: &Contributions, part: f64) -> Vec<InEffect> {
        // Mostly all weights are the same, and then there is nothing to look for.
        let first = weights.first().map_or(0.0, |(_, weight)| weight.abs());
        if self.sums.is_empty() && self.release.groups.is_none() && weights.iter().all(|(_, one)| one.abs() == first) {
            return Vec::new();
        }
        let mut summands: Vec<Summand> = Vec::with_capacity(weights.len());
        let mut of_people: Vec<(f64, usize)> = Vec::with_capacity(weights.len());
        let mut add = |person: usize, people: usize, column: usize, weight: f64| {
            if let Some(steps) = &self.steps[column] {
                summands.push(Summand { person, people, step: weight * steps.unit, count: steps.count });
            }
        };
        let mut of_summands = weights.len();
        match &self.release.groups {
            Some(groups) => {
                let shares = shares(groups, weights);
                of_summands = shares.len();
                for share in shares {
                    // Of people with weights of their own it is not known who has which.
                    if groups.place_in_pair(share.entry).is_none() {
                        add(share.entry, share.people as usize, 0, share.weight);
                    }
                    // All but one may have the smallest weight: as few as possible are left.
                    of_people.extend([(share.most, 1), (share.least, share.people as usize - 1)]);
                }
            }
            None => {
                let mut of_rows: Vec<(usize, f64)> = Vec::with_capacity(weights.len());
                for (entry, weight) in weights {
                    let person = self.persons.of_entry(*entry);
                    add(person, 1, self.persons.column(*entry), *weight);
                    of_rows.push((person, weight.abs()));
                }
                of_rows.sort_compact_by_key(|(person, _)| *person);
                let same = of_rows.chunk_by(|one, other| one.0 == other.0);
                of_people.extend(same.map(|rows| (rows.iter().map(|(_, weight)| weight).sum(), 1)));
            }
        }
        // What is written in no steps covers all digits.
        let in_steps = (summands.len() == of_summands).then(|| digits(summands, found.total)).flatten();
        [outweighing(of_people, part), in_steps].into_iter().flatten().collect()
    }

    /// The contributors of a figure, with exact shares where rules need them, and the weights of entries.
    fn judged(
        &mut self,
        figure: &Affine<S>,
        among: Option<&[u32]>,
        policy: &Policy,
    ) -> (Contributions, Vec<(usize, f64)>) {
        let (mut found, weights) = self.figure(figure, among, policy.dominance_largest.max(3), [0.0; 2]);
        found.in_effect = self.in_effect(&weights, &found, protection_percent(policy) / 100.0);
        if exact::is_needed(&found, policy) {
            found.exact = exact::shares(self.release, self.persons, self.tracer.entry_of(), figure, among, policy);
        }
        (found, weights)
    }

    /// Weights of a person of each entry: a weight on the mean of a group is that of all of it.
    fn of_persons(&self, mut weights: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
        if let Some(groups) = &self.release.groups {
            weights.iter_mut().for_each(|(entry, weight)| *weight /= groups.size(*entry) as f64);
        }
        weights
    }

    /// The contributors of a figure of which rounding `hides` so much at both ends, and the weights of entries.
    fn figure(
        &mut self,
        figure: &Affine<S>,
        among: Option<&[u32]>,
        kept: usize,
        hides: [f64; 2],
    ) -> (Contributions, Vec<(usize, f64)>) {
        let mut found = Contributions::default();
        let mut weights = self.weights(figure, &mut found.noise_variance);
        // A weight that is no number stays, whoever has it.
        if let Some(among) = among.filter(|among| weights.iter().any(|(entry, _)| is_among(among, *entry))) {
            weights.retain(|(entry, _)| is_among(among, *entry));
        }
        let mut total = DoubleDouble::zero();
        let mut add = |found: &mut Contributions, person: usize, part: Part| {
            let size = part.sum.abs();
            total = total.add_narrow(&size);
            found.contributors += 1;
            keep_first(&mut found.first, person);
            found.largest_weight = found.largest_weight.max(part.weight);
            found.distances.add(person, part.distances);
            keep(&mut found.largest, (person, size), kept);
        };
        let plain = self.sums.is_empty();
        let mut alike = Alike { first: None, same: true, sign: 1.0, at_most: true, at_least: true };
        let mut contributing: Vec<usize> = Vec::new();
        let mut of_groups: Vec<(usize, f64)> = Vec::new();
        if let Some(groups) = &self.release.groups {
            of_groups = add_groups(&mut found, groups, self.persons, &weights, &mut alike, &self.bounds[0], kept);
        }
        let people = if self.release.groups.is_some() { &[][..] } else { &weights };
        for (entry, weight) in people {
            let (entry, weight) = (*entry, *weight);
            let value = self.release.truths[entry];
            let column = self.persons.column(entry);
            let bounds = &self.bounds[column];
            alike.look(column, weight, value, bounds);
            found.distances.weigh(bounds, weight);
            let distances = bounds.distances(weight, value);
            let part = Part { sum: weight * value, weight: weight.abs(), distances };
            if plain {
                add(&mut found, entry, part);
            } else {
                let person = self.persons.of_entry(entry);
                let sums = &mut self.sums[person];
                if sums.weight == 0.0 {
                    contributing.push(person);
                }
                let [least, most] = sums.distances;
                let distances = [least + part.distances[0], most + part.distances[1]];
                *sums = Part { sum: sums.sum + part.sum, weight: sums.weight + part.weight, distances };
            }
        }
        for person in contributing {
            add(&mut found, person, std::mem::take(&mut self.sums[person]));
        }
        if self.release.groups.is_none() {
            found.total = Constants::to_f64(&total);
        }
        found.homogeneous = found.contributors > 1 && (alike.same || alike.at_most || alike.at_least);
        if found.contributors > 2 && !found.homogeneous {
            let entries = if self.release.groups.is_some() { &of_groups } else { &weights };
            let entries = entries.iter().map(|(entry, weight)| {
                (self.persons.of_entry(*entry), *weight, &self.bounds[self.persons.column(*entry)])
            });
            found.near_bound = found.distances.nearest(entries, hides);
        }
        (found, weights)
    }

    /// The entries that a figure depends on, with their weights: in doubles where they can tell who that is, else exactly. A
    /// figure with a weight that is no number counts as that of one person, which breaks every rule; leaving out whoever has
    /// it could leave out the largest contributor.
    fn weights(&mut self, figure: &Affine<S>, noise_variance: &mut f64) -> Vec<(usize, f64)> {
        let mut weights = Vec::new();
        for (entry, weight) in self.tracer.weights(figure, noise_variance) {
            match weight.is_zero() {
                Some(true) => {}
                Some(false) => weights.push((entry, weight.value)),
                None => match exact::weights(self.release, self.tracer.entry_of(), figure) {
                    Some(known) => {
                        return known.iter().map(|(entry, weight)| (*entry, Constants::to_f64(weight))).collect();
                    }
                    None => return vec![(entry, 1.0)],
                },
            }
        }
        weights
    }
}

/// Whether an entry is one of some, which ascend.
pub(super) fn is_among(among: &[u32], entry: usize) -> bool {
    u32::try_from(entry).is_ok_and(|entry| among.binary_search(&entry).is_ok())
}

/// What groups of people contribute: a weight W on the mean of n people is a weight W/n on each of them. The largest weight of
/// one of each group, with its entry.
fn add_groups<S: Scalar>(
    found: &mut Contributions,
    groups: &ReleaseGroups<S>,
    persons: &Persons,
    weights: &[(usize, f64)],
    alike: &mut Alike,
    bounds: &ColumnBounds,
    kept: usize,
) -> Vec<(usize, f64)> {
    let mut of_entries = Vec::new();
    let mut total = DoubleDouble::zero();
    for share in shares(groups, weights) {
        let (least, most) = groups.range(share.entry);
        alike.look(0, share.weight, least, bounds);
        alike.look(0, share.weight, most, bounds);
        let weight = share.most.copysign(share.weight);
        let ends = [bounds.distances(weight, least), bounds.distances(weight, most)];
        let farthest = [0, 1].map(|end| ends[0][end].max(ends[1][end]));
        found.distances.add_group(bounds.distances_of(share.sums), farthest);
        found.distances.weigh(bounds, weight);
        of_entries.push((share.entry, weight));
        total = total.add(&share.total);
        found.contributors += share.people as usize;
        found.largest_weight = found.largest_weight.max(share.most);
        for value in share.largest {
            keep(&mut found.largest, (persons.of_entry(share.entry), value), kept);
        }
    }
    found.total = Constants::to_f64(&total);
    of_entries
}

/// Keeps the first people of the table, ascending.
fn keep_first(first: &mut Vec<usize>, person: usize) {
    if first.len() < LISTED || first.last().is_some_and(|last| person < *last) {
        let place = first.partition_point(|other| *other < person);
        first.insert(place, person);
        first.truncate(LISTED);
    }
}

/// Keeps the largest, descending; of equals the first person.
fn keep(largest: &mut Vec<(usize, f64)>, next: (usize, f64), kept: usize) {
    let before = |one: &(usize, f64)| one.1 > next.1 || (one.1 == next.1 && one.0 < next.0);
    if largest.len() == kept && largest.last().is_some_and(before) {
        return;
    }
    let place = largest.partition_point(before);
    largest.insert(place, next);
    largest.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::super::People;
    use super::super::testing::Table;
    use super::*;
    use privug_engine::network::NodeId;

    fn of(table: &Table) -> (Vec<Contributions>, Involvement) {
        let persons = Persons::of_rows(&table.release.people, table.release.columns.len());
        let found = contributions(&table.release, &persons, &Policy::default(), &|_| {});
        (found.contributions, found.involvement)
    }

    #[test]
    fn a_mean_weighs_all_alike_and_a_difference_cancels_those_in_both() {
        // Incomes 10, 20, 30, 40: the mean of all, the sum of the last two, and all without the last.
        let mut table = Table::new(&[10.0, 20.0, 30.0, 40.0], 1.0);
        let all = table.mean("all", &[0, 1, 2, 3]);
        let last = table.sum("last two", &[2, 3]);
        table.combine("first two", &[(all, 1.0), (last, -1.0)]);
        let (found, involvement) = of(&table);
        assert_eq!((found[0].contributors, found[0].total, found[0].largest_weight), (4, 25.0, 0.25));
        assert_eq!(found[0].largest, [(3, 10.0), (2, 7.5), (1, 5.0)]);
        assert_eq!((found[1].contributors, found[1].total), (2, 70.0));
        assert_eq!((found[2].contributors, found[2].largest[0]), (2, (1, 20.0)));
        assert_eq!(involvement.figures, [2, 2, 2, 2]);
        assert_eq!(involvement.smallest_frequency, [2, 2, 2, 2]);
    }

    #[test]
    fn whoever_cancels_out_is_no_contributor_however_the_weights_are_rounded() {
        let mut table = Table::new(&[1.0; 6], 1.0);
        // 0.1 + 0.2 − 0.3 is not 0 in doubles as they are, and 0.1 − 0.1 is.
        let parts = [0.1, 0.2, -0.3].map(|weight| table.weighted("part", &[(0, weight), (1, weight), (2, weight)]));
        let twice = [0.1, -0.1].map(|weight| table.weighted("part", &[(3, weight), (4, 1e-17), (5, 1.0)]));
        let all: Vec<(NodeId, f64)> = parts.iter().chain(&twice).map(|node| (*node, 1.0)).collect();
        table.combine("all", &all);
        table.combine("nobody", &[(parts[0], 3.0), (parts[0], -1.0), (parts[0], -2.0)]);
        table.combine("five", &[(twice[0], 1e17), (twice[1], -1e17), (twice[0], 1.0)]);
        let (found, _) = of(&table);
        let contributors: Vec<usize> = found.iter().rev().take(3).map(|one| one.contributors).collect();
        // The doubles 0.1 + 0.2 − 0.3 leave 2⁻⁵⁵ of people 0 to 2, and people 4 and 5 count twice.
        assert_eq!(contributors, [3, 0, 5]);
        assert!((found.last().expect("a figure").largest[0].1 - 2e16).abs() <= 4.0);
    }

    #[test]
    fn a_figure_with_a_weight_that_is_no_number_counts_as_that_of_one_person() {
        let mut table = Table::new(&[1.0, 2.0, 3.0, 4.0], 1.0);
        for weight in [f64::INFINITY, f64::NAN] {
            let weights = [1.0, 1.0, weight, 1.0];
            let terms: Vec<_> =
                (0..4).map(|person| (table.release.secrets.get(person).node, weights[person])).collect();
            let node = table.release.network.push(0.0, terms, 0.0, privug_language::source::Span::START);
            table.sum("unknown", &[0, 1, 2, 3]);
            table.release.outputs.last_mut().expect("a figure").variable.node = node;
        }
        for found in of(&table).0 {
            assert_eq!(found.contributors, 1);
            let broken = super::super::figures::judge(&found, 0.0, 1.0, &Policy::default());
            assert!(broken.iter().any(|(_, verdict)| *verdict == super::super::Verdict::Fail), "{broken:?}");
        }
    }

    #[test]
    fn the_rows_of_a_person_are_added_before_they_are_compared() {
        let mut table = Table::new(&[10.0, 20.0, 35.0, -30.0], 1.0);
        let names = ["a", "b", "a", "b"].map(str::to_owned).to_vec();
        table.release.people = People::Named { column: "nr".to_owned(), names };
        table.sum("all", &[0, 1, 2, 3]);
        table.mean("of one", &[0, 2]);
        let (found, involvement) = of(&table);
        // a has 10 + 35, b has |20 − 30|.
        assert_eq!((found[0].contributors, found[0].total), (2, 55.0));
        assert_eq!(found[0].largest, [(0, 45.0), (1, 10.0)]);
        assert_eq!((found[0].largest_weight, found[1].largest_weight), (2.0, 1.0));
        assert_eq!((found[1].contributors, found[1].total), (1, 22.5));
        assert_eq!(involvement.smallest_frequency, [1, 2, 1, 2]);
    }

    #[test]
    fn contributors_of_one_value_and_figures_at_the_bounds_of_the_data_are_homogeneous() {
        let mut table = Table::new(&[1.0, 1.0, 0.0, 0.0, 0.5, 0.5], 1.0);
        table.mean("all ill", &[0, 1]);
        table.mean("one of them", &[0]);
        table.mean("mixed", &[0, 1, 2]);
        table.mean("the same, in the middle", &[4, 5]);
        table.weighted("ill minus well", &[(0, 0.5), (1, 0.5), (2, -0.5), (3, -0.5)]);
        table.weighted("well minus ill", &[(2, 0.5), (0, -0.5)]);
        let found: Vec<bool> = of(&table).0.iter().map(|one| one.homogeneous).collect();
        assert_eq!(found, [true, false, false, true, true, true]);
    }

    #[test]
    fn what_stands_behind_a_secret_is_no_contributor() {
        let mut table: Table = Table::with_household(&[10.0, 20.0], 4.0, 1.0);
        table.sum("both", &[0, 1]);
        let (found, _) = of(&table);
        assert_eq!((found[0].contributors, found[0].noise_variance), (2, 0.0));
    }

    #[test]
    fn a_long_chain_of_sums_is_followed_to_its_end() {
        let mut table = Table::new(&vec![1.0; 1000], 1.0);
        let mut total = table.sum("0", &[0]);
        for person in 1..1000 {
            let next = table.sum("one", &[person]);
            total = table.combine("chain", &[(total, 1.0), (next, 1.0)]);
        }
        let (found, _) = of(&table);
        assert_eq!(found.last().map(|last| last.contributors), Some(1000));
    }

    #[test]
    fn the_largest_are_kept_in_order() {
        let mut largest = Vec::new();
        for (person, size) in [3.0, 1.0, 4.0, 1.0, 5.0, 4.0].into_iter().enumerate() {
            keep(&mut largest, (person, size), 3);
        }
        assert_eq!(largest, [(4, 5.0), (2, 4.0), (5, 4.0)]);
    }
}
