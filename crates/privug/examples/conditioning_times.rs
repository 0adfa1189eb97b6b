//! Prints how long conditioning takes on networks of the sizes that the documentation promises.

use std::time::Instant;

use privug::network::{Affine, Network, NodeId};
use privug::number::{Rational, Scalar};
use privug::posterior::{Observation, Options, condition};
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
    (index.wrapping_mul(0x9e37_79b9) ^ table.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35) >> 15 & 1 == 1
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

fn main() {
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
