//! Amounts that follow from figures which overlap, though no figure lies inside another.
//!
//! With the totals of a and b, of b and c, and of a and c, half of the first and the last less the second is the total of a. With
//! the first two alone, what a has less what c has follows: published by itself that would be a figure about the people of a
//! and c, and it is judged like one. So for every set of people whom no figure tells apart, and for several of these sets
//! that are small together, it is asked whether a combination of published figures is about them alone: a question of
//! rank, as with counts (see `implied`). It is asked again with figures that have a little noise, and of figures that weigh people in no
//! proportion of whole numbers (see `cells`).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::super::dependent::{Dependent, dependencies, dependent_sets, gcd, shared, vectors_needed};
use super::super::few::{AboutFew, Behind, about_few, easily_about_few};
use super::super::implied::{Sum, following, noise_of};
use super::super::vanishing::{Kernel, vanishing_sets};
use super::bounded::{Values, contrasts};
use super::cells::{Atoms, Cells, Kind, whole_weights};
use super::{Difference, Differences, Figures, Subtracted, judge};
use crate::audit::Release;
use crate::audit::contributions::{Derived, contributions_of};
use crate::audit::defence::table_of;
use crate::audit::policy::{Rule, Verdict};
use privug_engine::network::{Affine, NodeId};
use privug_engine::number::Scalar;
use privug_engine::posterior::Options;
use privug_language::source::Span;

/// Combinations of people that are looked at closely, at most.
const MOST_SUSPECTS: usize = 20_000;
/// What follows about up to so many times as many people as are few is looked for as well, as far as that is easy.
const SOMEWHAT_MORE: f64 = 3.0;
/// Of more figures that bounds say nothing about, it is not looked at every two.
const MOST_PAIRED: usize = 150;
/// People behind the differences of every two figures, at most.
const MOST_IN_PAIRS: usize = 20_000_000;

/// Something about few cells that may follow.
struct Suspect {
    sum: Sum,
    /// Whether the weights are known; if they are not, only who is behind it is.
    is_weighed: bool,
}

/// Whether it cannot be told what figures leave: groups with sums of weights do not say who has which, and weights in
/// proportion to whole numbers, of which many people have the same, leave the few who have others.
fn are_open<S: Scalar>(release: &Release<S>, of: &Figures<'_>, published: &[usize]) -> bool {
    let Some(groups) = release.groups.as_ref().filter(|_| published.len() > 1) else { return false };
    let is_weighed = |figure: &usize| of.noise(*figure) == 0.0 && !of.weighed.is_flat(*figure);
    if !published.iter().any(is_weighed) {
        return false;
    }
    let ends = (0..groups.groups.sizes.len()).filter_map(|group| groups.stand_ins.weights_of(group));
    let ends: Vec<(u32, f64)> = ends.flat_map(|known| [(0, known.least), (0, known.most)]).collect();
    !ends.is_empty() && whole_weights(&ends).is_some()
}

/// What follows about sets of people from several overlapping figures and breaks a rule. The totals of sets that `is_known` are
/// judged elsewhere, and sets that were `looked_at` with these weights or others. What follows from figures of one kind is told
/// also where another kind is too much to work out.
pub(super) fn combined<S: Scalar>(
    release: &mut Release<S>,
    of: &Figures<'_>,
    atoms: Atoms<'_>,
    published: &[usize],
    is_known: &dyn Fn(&[u32]) -> bool,
    looked_at: &HashSet<Vec<u32>>,
) -> Differences {
    if are_open(release, of, published) {
        return Differences { are_hidden: true, ..Differences::default() };
    }
    let mut found = vec![of_kind(release, of, atoms, published, Kind::Plain, is_known, looked_at)];
    let mut are_hidden = false;
    let is_odd = |figure: &usize| of.noise(*figure) == 0.0 && !of.weighed.is_flat(*figure);
    if let Some(groups) = release.groups.as_ref() {
        // Sums of weights do not say who has which, so what weighted figures leave of others cannot be told.
        let are_sums = (0..groups.groups.sizes.len()).any(|group| groups.stand_ins.weights_of(group).is_some());
        let are_whole = |figure: usize| of.weighed.each(figure).and_then(whole_weights).is_some();
        let is_open = |figure: &usize| {
            is_odd(figure) && (are_sums || !are_whole(*figure)) && meets_another(atoms.0, published, *figure)
        };
        if published.iter().any(is_open) {
            found.push(None);
            are_hidden = true;
        }
    } else if published.iter().any(is_odd) {
        found.push(of_kind(release, of, atoms, published, Kind::Odd, &|_| false, &HashSet::new()));
    }
    let is_noisy = |figure: &usize| of.noise(*figure) > 0.0 && !of.is_blurred(*figure);
    if published.iter().any(is_noisy) {
        found.push(of_kind(release, of, atoms, published, Kind::Noisy, is_known, looked_at));
    }
    let are_all = found.iter().all(|found| found.as_ref().is_some_and(|(_, are_all)| *are_all));
    let broken = found.into_iter().flatten().flat_map(|(broken, _)| broken).collect();
    Differences { broken, are_all, are_hidden }
}

/// Whether somebody behind a figure is behind another as well.
fn meets_another(sets: &[Vec<u32>], published: &[usize], figure: usize) -> bool {
    let own: HashSet<u32> = sets[figure].iter().copied().collect();
    let others = published.iter().filter(|other| **other != figure);
    others.flat_map(|other| &sets[*other]).any(|atom| own.contains(atom))
}

/// Whether all of it is in published figures that lie inside it: these have fewer people and are judged themselves.
fn is_union(cells: &Cells, suspect: &Suspect) -> bool {
    let mut left: HashSet<usize> = suspect.sum.iter().map(|(cell, _)| *cell).collect();
    let all = left.clone();
    for sum in cells.sums.iter().filter(|sum| !sum.is_empty() && sum.iter().all(|(cell, _)| all.contains(cell))) {
        for (cell, _) in sum {
            left.remove(cell);
        }
    }
    left.is_empty()
}

/// The same from figures of one kind, and whether all was looked at; `None` if that is too much to work out.
fn of_kind<S: Scalar>(
    release: &mut Release<S>,
    of: &Figures<'_>,
    atoms: Atoms<'_>,
    published: &[usize],
    kind: Kind,
    is_known: &dyn Fn(&[u32]) -> bool,
    looked_at: &HashSet<Vec<u32>>,
) -> Option<(Vec<Subtracted>, bool)> {
    let cells = Cells::new(of, atoms, published, kind);
    if cells.used.len() < 2 || cells.are_nested() {
        // What follows from such figures follows by subtracting some of them from one.
        return Some((Vec::new(), true));
    }
    let tables: Vec<&str> = cells.used.iter().map(|figure| table_of(&release.outputs[*figure].name)).collect();
    let values = Values::of(release, of);
    let (mut suspects, are_all) = suspects(of, &cells, (&tables, values.as_ref()), is_known, looked_at)?;
    drop(values);
    if kind == Kind::Odd {
        suspects.retain(|suspect| !is_union(&cells, suspect));
    }
    if cells.have_stand_ins {
        suspects.iter_mut().for_each(|suspect| suspect.is_weighed = false);
    }
    let noise = noise_behind(of, &cells, &suspects)?;
    let variables: Vec<Affine<S>> = suspects.iter().map(|suspect| variable_of(release, suspect, &cells)).collect();
    let derived = variables.into_iter().map(|variable| Derived { variable, among: None });
    let found = contributions_of(release, of.persons, of.policy, derived);
    let mut broken = Vec::new();
    for ((suspect, noise), found) in suspects.into_iter().zip(noise).zip(found) {
        let mut rules = judge(&found, noise, of.scale, of.policy);
        if !suspect.is_weighed {
            rules.retain(|(rule, _)| *rule == Rule::MinimumFrequency);
        }
        if rules.iter().any(|(_, verdict)| *verdict != Verdict::Pass) {
            broken.push((suspect, (found.contributors, found.first), rules));
        }
    }
    // Random vectors propose; rank decides, where there are weights to decide on.
    let (weighed, others): (Vec<_>, Vec<_>) = broken.into_iter().partition(|(suspect, ..)| suspect.is_weighed);
    let asked: Vec<Sum> = weighed.iter().map(|(suspect, ..)| suspect.sum.clone()).collect();
    let sizes: Vec<i64> = cells.members.iter().map(|members| members.len() as i64).collect();
    let mut all = Vec::new();
    for followed in following(&sizes, &cells.sums, &asked, &Options::default())? {
        let (suspect, people, rules) = &weighed[followed.place];
        let from: Vec<usize> = followed.from.iter().map(|place| cells.used[*place]).collect();
        all.push(subtracted(of, &cells, suspect, people.clone(), rules.clone(), from));
    }
    for (suspect, people, rules) in others {
        let meets = |sum: &Sum| sum.iter().any(|(cell, _)| suspect.sum.iter().any(|(other, _)| other == cell));
        let from = cells.used.iter().zip(&cells.sums).filter(|(_, sum)| meets(sum)).map(|(figure, _)| *figure);
        let from = from.collect();
        all.push(subtracted(of, &cells, &suspect, people, rules, from));
    }
    Some((all, are_all))
}

/// The noise that is left of each suspect.
fn noise_behind(of: &Figures<'_>, cells: &Cells, suspects: &[Suspect]) -> Option<Vec<f64>> {
    let noise: Vec<f64> =
        cells.used.iter().zip(&cells.times).map(|(figure, times)| of.noise(*figure) * times).collect();
    if noise.iter().all(|noise| *noise == 0.0) {
        return Some(vec![0.0; suspects.len()]);
    }
    let asked: Vec<Sum> = suspects.iter().map(|suspect| suspect.sum.clone()).collect();
    let mut found = noise_of(cells.members.len(), &cells.sums, &noise, &asked, &Options::default())?;
    // Of one whose weights are not known it is not known either.
    found.iter_mut().zip(suspects).filter(|(_, suspect)| !suspect.is_weighed).for_each(|(noise, _)| *noise = 0.0);
    Some(found)
}

fn subtracted(
    of: &Figures<'_>,
    cells: &Cells,
    suspect: &Suspect,
    (people, whom): (usize, Vec<usize>),
    broken: Vec<(Rule, Verdict)>,
    from: Vec<usize>,
) -> Subtracted {
    let mut from = from.into_iter();
    let outer = from.next().unwrap_or(cells.used[0]);
    let difference = Difference { outer, inner: from.collect() };
    let negative = suspect.sum.iter().filter(|(_, weight)| *weight < 0).map(|(cell, _)| *cell);
    let against = cells.people(of, negative);
    Subtracted { difference, is_combined: true, people, whom, against, broken }
}

/// What may follow about few cells, and is not judged elsewhere, and whether all of that was looked for; `values` are there
/// where every person has one row.
fn suspects(
    of: &Figures<'_>,
    cells: &Cells,
    (tables, values): (&[&str], Option<&Values<'_>>),
    is_known: &dyn Fn(&[u32]) -> bool,
    looked_at: &HashSet<Vec<u32>>,
) -> Option<(Vec<Suspect>, bool)> {
    let count = cells.members.len();
    let limits = of.policy.minimum_frequency;
    let limit = limits.fail.into_iter().chain(limits.review).fold(0.0, f64::max);
    let sizes: Vec<usize> = (0..count).map(|cell| cells.people(of, std::iter::once(cell))).collect();
    let kernel = Kernel::new(count, &cells.sums, &|cell| (sizes[cell] as f64) < limit);
    let vector = kernel.vectors(1)?.pop()?;
    let things: Vec<(u64, usize)> = vector.iter().copied().zip(sizes.iter().copied()).collect();
    // Large ones may be dominated by one or two of their people.
    let alone = (0..count).filter(|cell| vector[*cell] == 0).map(|cell| vec![cell]);
    let (few, more) = few(of, cells, &kernel.alone(&vector), &sizes, limit);
    // A total that few people are behind has a part that is found with them.
    let is_none = few.are_all && few.found.is_empty();
    let unions = if is_none { Vec::new() } else { vanishing_sets(&things, limit).0 };
    let unions = unions.into_iter().filter(|set| set.len() > 1);
    let totals = alone.chain(unions).map(|set| set.into_iter().map(|cell| (cell, 1)).collect());
    let mut found: Vec<Suspect> = totals.map(|sum| Suspect { sum, is_weighed: true }).collect();
    let mut are_all = few.are_all;
    if vector.iter().any(|entry| *entry != 0) {
        let shared = shared_cells(of, cells, &sizes, limit);
        let largest = shared.iter().map(Vec::len).max().unwrap_or(0);
        let open_limit = if few.are_all { 0.0 } else { limit };
        let needed = vectors_needed(&vector, &sizes, open_limit).max(largest + 1);
        let columns = kernel.columns(needed)?;
        let of_shared = shared.iter().flat_map(|block| dependencies(block, &columns));
        let others = dependent_sets(&columns, &sizes, open_limit).into_iter().chain(of_shared);
        for dependent in few.found.into_iter().chain(more).chain(others) {
            let is_weighed = dependent.weights.is_some();
            let weights = dependent.weights.unwrap_or_else(|| vec![1; dependent.places.len()]);
            found.push(Suspect { sum: dependent.places.into_iter().zip(weights).collect(), is_weighed });
        }
        let contrasts = match values.filter(|_| cells.are_flat && cells.units.is_none()) {
            Some(values) => contrasts(of, cells, values, tables),
            None => pairs(cells, tables),
        };
        // What follows about few people is told, also where there are too many contrasts.
        are_all &= contrasts.is_some();
        found.extend(contrasts.into_iter().flatten().map(|sum| Suspect { sum, is_weighed: true }));
    }
    let mut told: HashSet<Sum> = cells.sums.iter().map(|sum| in_lowest_terms(sum)).collect();
    found.retain_mut(|suspect| {
        suspect.sum = in_lowest_terms(&suspect.sum);
        let is_total = suspect.is_weighed && suspect.sum.iter().all(|(_, weight)| *weight == 1);
        let is_judged = |atoms: Vec<u32>| (is_total && is_known(&atoms)) || looked_at.contains(&atoms);
        told.insert(suspect.sum.clone()) && !cells.atoms(&suspect.sum).is_some_and(is_judged)
    });
    (found.len() <= MOST_SUSPECTS).then_some((found, are_all))
}

/// What follows about few people, of cells that do not follow alone, and about somewhat more of whom one or two may dominate it.
fn few(of: &Figures<'_>, cells: &Cells, alone: &[bool], sizes: &[usize], limit: f64) -> (AboutFew, Vec<Dependent>) {
    let open = |sum: &Sum| sum.iter().copied().filter(|(cell, _)| !alone[*cell]).collect();
    let sums: Vec<Sum> = cells.sums.iter().map(open).collect();
    let set_of: Vec<usize> = (0..sizes.len()).collect();
    let wider = SOMEWHAT_MORE * limit;
    let named = (!of.persons.have_one_entry()).then(|| small_cells(of, cells, sizes, wider));
    let behind = Behind { set_of: &set_of, sizes, named: named.as_deref() };
    let few = about_few(&sums, &behind, limit);
    let more = if few.are_all { easily_about_few(&sums, &behind, wider) } else { Vec::new() };
    (few, more)
}

/// The cells that few people share who have several rows.
fn shared_cells(of: &Figures<'_>, cells: &Cells, sizes: &[usize], limit: f64) -> Vec<Vec<usize>> {
    if of.persons.is_plain() || of.persons.is_grouped() {
        return Vec::new();
    }
    shared(&small_cells(of, cells, sizes, limit), limit)
}

/// Who is in each small cell, ascending.
fn small_cells(of: &Figures<'_>, cells: &Cells, sizes: &[usize], limit: f64) -> Vec<Vec<usize>> {
    let people = |(entries, size): (&Vec<u32>, &usize)| {
        let is_small = (*size as f64) < limit;
        let mut people: Vec<usize> =
            entries.iter().filter(|_| is_small).map(|entry| of.persons.of_entry(*entry as usize)).collect();
        people.sort_unstable();
        people.dedup();
        people
    };
    cells.members.iter().zip(sizes).map(people).collect()
}

/// What figures that overlap leave of each other, of every two, and of all of a table that meet a figure: few of the people may
/// dominate it, however many there are. `tables` has the table of each figure. `None` if these are too many. Where bounds can tell,
/// they are asked instead ([`contrasts`]).
fn pairs(cells: &Cells, tables: &[&str]) -> Option<Vec<Sum>> {
    let mut found = Vec::new();
    if cells.sums.len() > MOST_PAIRED {
        return None;
    }
    let mut people = 0;
    let mut look = |one: &BTreeMap<usize, i64>, other: &Sum| {
        let mut difference = one.clone();
        let mut common = 0;
        for (cell, weight) in other {
            let left = difference.entry(*cell).or_default();
            common += usize::from(*left != 0);
            *left -= weight;
            if *left == 0 {
                difference.remove(cell);
            }
        }
        people += difference.keys().map(|cell| cells.members[*cell].len()).sum::<usize>();
        if common > 0 && !difference.is_empty() && people <= MOST_IN_PAIRS {
            found.push(difference.into_iter().collect());
        }
    };
    let all: BTreeSet<&str> = tables.iter().copied().collect();
    for (place, one) in cells.sums.iter().enumerate() {
        let own: BTreeMap<usize, i64> = one.iter().copied().collect();
        cells.sums[place + 1..].iter().for_each(|other| look(&own, other));
        for table in all.iter().filter(|table| **table != tables[place]) {
            let mut union: BTreeMap<usize, i64> = BTreeMap::new();
            let of_table = cells.sums.iter().zip(tables).filter(|(_, of)| *of == table).map(|(sum, _)| sum);
            for sum in of_table.filter(|sum| sum.iter().any(|(cell, _)| own.contains_key(cell))) {
                sum.iter().for_each(|(cell, weight)| *union.entry(*cell).or_default() += weight);
            }
            look(&union, one);
        }
    }
    (people <= MOST_IN_PAIRS).then_some(found)
}

/// Ascending, without a common divisor, and the first weight positive.
fn in_lowest_terms(sum: &[(usize, i64)]) -> Sum {
    let mut sum = sum.to_vec();
    sum.sort_unstable();
    let divisor = sum.iter().fold(0, |divisor, (_, weight)| gcd(divisor, weight.abs())).max(1);
    let sign = sum.first().map_or(1, |(_, weight)| weight.signum());
    sum.iter_mut().for_each(|(_, weight)| *weight = *weight / divisor * sign);
    sum
}

/// A combination of cells as a variable of the network.
fn variable_of<S: Scalar>(release: &mut Release<S>, suspect: &Suspect, cells: &Cells) -> Affine<S> {
    let mut terms: Vec<(NodeId, S)> = Vec::new();
    for (cell, weight) in &suspect.sum {
        for entry in &cells.members[*cell] {
            terms.push(match &release.groups {
                None => {
                    let secret = release.secrets.get(*entry as usize);
                    let unit = cells.units.as_ref().and_then(|units| S::from_f64(*units.get(entry)?));
                    let weight = S::from_i64(*weight).mul(&unit.unwrap_or_else(S::one));
                    (secret.node, secret.scale.mul(&weight))
                }
                // Figures depend on the mean of a group, and its total is so many times that.
                Some(groups) => {
                    let mean = &groups.means[*entry as usize];
                    let times = *weight * groups.size(*entry as usize) as i64;
                    (mean.node, mean.scale.mul(&S::from_i64(times)))
                }
            });
        }
    }
    let node = release.network.push(S::zero(), terms, S::zero(), Span::START);
    Affine { node, scale: S::one(), offset: S::zero() }
}
