//! Prints how long conditioning takes on networks of the sizes that the documentation promises.

use std::time::Instant;

use privug::network::{Affine, Network, NodeId};
use privug::number::{Rational, Scalar};
use privug::posterior::{Observation, Options, condition, survey};
use privug::source::Span;

fn people<S: Scalar>(network: &mut Network<S>, count: usize) -> Vec<NodeId> {
    (0..count)
        .map(|index| {
            network.push(S::from_i64(30 + index as i64 % 40), [], S::from_i64(1 + index as i64 % 9), Span::START)
        })
        .collect()
}

/// A chain of sums over the people that are chosen.
fn total<S: Scalar>(network: &mut Network<S>, people: &[NodeId], chosen: impl Fn(usize) -> bool) -> NodeId {
    let mut chosen = people.iter().enumerate().filter(|(index, _)| chosen(*index)).map(|(_, person)| *person);
    let first = chosen.next().expect("somebody");
    chosen.fold(first, |total, person| {
        network.push(S::zero(), [(total, S::one()), (person, S::one())], S::zero(), Span::START)
    })
}

fn plain<S: Scalar>(node: NodeId) -> Affine<S> {
    Affine { node, scale: S::one(), offset: S::zero() }
}

fn seen<S: Scalar>(node: NodeId, value: i64) -> Observation<S> {
    Observation { variable: plain(node), value: Some(S::from_i64(value)) }
}

fn measure<S: Scalar>(name: &str, network: &Network<S>, observations: &[Observation<S>], targets: &[Affine<S>]) {
    let start = Instant::now();
    let posterior = condition(network, observations, targets, &Options::default());
    let variance = posterior.map(|posterior| posterior.targets.last().map(|target| target.posterior_variance.to_f64()));
    println!("{name:<62} {:>9.3} s   {variance:?}", start.elapsed().as_secs_f64());
}

/// Whether person `index` is in table `table`: pseudo-random halves.
fn in_table(index: usize, table: usize) -> bool {
    let mut x = (index as u64) << 32 | table as u64;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) & 1 == 1
}

fn tables<S: Scalar>(name: &str, count: usize, tables: usize, all_targets: bool) {
    let mut network = Network::<S>::default();
    let people = people(&mut network, count);
    let observations: Vec<_> = (0..tables)
        .map(|table| {
            let total = total(&mut network, &people, |index| in_table(index, table));
            seen(total, 25 * count as i64)
        })
        .collect();
    let targets: Vec<_> = people[..if all_targets { count } else { 1 }].iter().map(|&person| plain(person)).collect();
    measure(name, &network, &observations, &targets);
}

/// The sum over the people that are chosen, as `sum` makes it.
fn sum_node(network: &mut Network<f64>, people: &[NodeId], chosen: impl Fn(usize) -> bool, noise: f64) -> NodeId {
    let chosen = people.iter().enumerate().filter(|(index, _)| chosen(*index)).map(|(_, person)| (*person, 1.0));
    let terms: Vec<_> = chosen.collect();
    network.push(0.0, terms, noise, Span::START)
}

fn expected(network: &Network<f64>, sum: NodeId) -> f64 {
    network.node(sum).parents().map(|(person, _)| network.node(person).constant).sum()
}

/// Everybody's posterior, by `survey`.
fn measure_survey(name: &str, network: &Network<f64>, sums: &[NodeId], people: &[NodeId]) {
    let observed = |sum: &NodeId| Observation { variable: plain(*sum), value: Some(expected(network, *sum) + 1.0) };
    let observations: Vec<_> = sums.iter().map(observed).collect();
    let targets = people.iter().map(|&person| plain(person)).collect();
    let start = Instant::now();
    let options = Options { max_operations: u64::MAX, max_cells: u64::MAX, ..Options::default() };
    let surveyed = survey(network, &observations, &targets, &options);
    let variance = surveyed.map(|surveyed| surveyed.targets.spread(people.len() - 1).posterior_variance);
    println!("{name:<62} {:>9.3} s   {variance:?}", start.elapsed().as_secs_f64());
}

fn survey_random_tables(name: &str, count: usize, tables: usize) {
    let mut network = Network::default();
    let people = people(&mut network, count);
    let sums: Vec<_> =
        (0..tables).map(|table| sum_node(&mut network, &people, |index| in_table(index, table), 0.0)).collect();
    measure_survey(name, &network, &sums, &people);
}

/// By region, by district within it, and by age across both, each with noise of its own.
fn survey_nested_and_crossed(name: &str, count: usize, districts: usize, ages: usize) {
    let mut network = Network::default();
    let people = people(&mut network, count);
    let keys = [(100, 1), (districts, 1), (ages, 997)];
    let mut sums = Vec::new();
    for (groups, divisor) in keys {
        let mut members: Vec<Vec<(NodeId, f64)>> = vec![Vec::new(); groups];
        for (index, person) in people.iter().enumerate() {
            members[index / divisor % groups].push((*person, 1.0));
        }
        sums.extend(members.into_iter().map(|members| network.push(0.0, members, 4.0, Span::START)));
    }
    measure_survey(name, &network, &sums, &people);
}

fn main() {
    survey_random_tables("survey: 1 000 000 people, 3 overlapping tables", 1_000_000, 3);
    survey_random_tables("survey: 10 000 people, 1 000 random queries", 10_000, 1_000);
    survey_random_tables("survey: 20 000 people, 2 000 random queries", 20_000, 2_000);
    survey_nested_and_crossed("survey: 1 000 000 people, 20 000 nested and crossed sums", 1_000_000, 19_800, 100);
    if std::env::args().any(|argument| argument == "--survey") {
        return;
    }
    let mut network = Network::<f64>::default();
    let everyone = people(&mut network, 1_000_000);
    let sum = total(&mut network, &everyone, |_| true);
    let all: Vec<_> = everyone.iter().map(|&person| plain(person)).collect();
    measure("1 000 000 people, 1 sum, 1 target", &network, &[seen(sum, 51_000_000)], &all[..1]);
    measure("1 000 000 people, 1 sum, all targets", &network, &[seen(sum, 51_000_000)], &all);
    let noisy: Vec<_> =
        everyone.iter().map(|&person| seen(network.push(0.0, [(person, 1.0)], 1.0, Span::START), 40)).collect();
    measure("1 000 000 people each seen through noise, all targets", &network, &noisy, &all);
    tables::<f64>("1 000 000 people, 3 overlapping tables, all targets", 1_000_000, 3, true);
    tables::<f64>("5 000 people, 20 overlapping tables, 1 target", 5_000, 20, false);
    tables::<f64>("5 000 people, 20 overlapping tables, all targets", 5_000, 20, true);
    tables::<f64>("20 000 people, 200 overlapping tables, 1 target", 20_000, 200, false);

    tables::<Rational>("exact: 5 000 people, 20 overlapping tables, 1 target", 5_000, 20, false);
    tables::<Rational>("exact: 5 000 people, 20 overlapping tables, all targets", 5_000, 20, true);
    let mut network = Network::<Rational>::default();
    let everyone = people(&mut network, 100_000);
    let sum = total(&mut network, &everyone, |_| true);
    let all: Vec<_> = everyone.iter().map(|&person| plain(person)).collect();
    measure("exact: 100 000 people, 1 sum, 1 target", &network, &[seen(sum, 5_100_000)], &all[..1]);
    measure("exact: 100 000 people, 1 sum, all targets", &network, &[seen(sum, 5_100_000)], &all);
}
