//! Conditions many people on many overlapping figures, and prints how long it took and checksums of the posteriors.
//!
//! `many_observations dense N K`: K sums over pseudo-random halves. `many_observations sparse N BLOCKS`: the means of
//! blocks, districts, counties, industries within counties, industries and all, each with a little noise. The same
//! figures are computed by the scripts in `xtask/bench/`.

use std::process::ExitCode;
use std::time::Instant;

use privug::network::{Affine, Network, NodeId, Variables};
use privug::posterior::{Observation, Options, survey};
use privug::source::Span;

const INDUSTRIES: usize = 22;
const NOISE_VARIANCE: f64 = 1e-4;
/// So many people's variances are summed up on their own.
const SAMPLE: usize = 1000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<usize>().ok());
    let (network, observations, people) = match (arguments.first().map(String::as_str), number(1), number(2)) {
        (Some("dense"), Some(n), Some(k)) => dense(n, k),
        (Some("sparse"), Some(n), Some(blocks)) => sparse(n, blocks),
        _ => {
            eprintln!("usage: many_observations dense N K | sparse N BLOCKS");
            return ExitCode::from(2);
        }
    };
    let targets: Variables<f64> = people.iter().map(|&person| plain(person)).collect();
    let start = Instant::now();
    let survey = survey(&network, &observations, &targets, &Options::default());
    let seconds = start.elapsed().as_secs_f64();
    match survey {
        Ok(survey) => {
            let variances = || survey.targets.spreads().map(|spread| spread.posterior_variance);
            let sampled: f64 = variances().step_by((people.len() / SAMPLE).max(1)).sum();
            println!(
                "{{\"seconds\": {seconds}, \"k\": {}, \"terms\": {}, \"sum_mean\": {}, \"sum_variance\": {}, \
                 \"sum_sampled_variance\": {sampled}}}",
                observations.len(),
                terms(&network),
                survey.targets.posterior_mean.iter().sum::<f64>(),
                variances().sum::<f64>(),
            );
            ExitCode::SUCCESS
        }
        Err(refusal) => {
            eprintln!("refused: {refusal:?}");
            ExitCode::FAILURE
        }
    }
}

type Case = (Network<f64>, Vec<Observation<f64>>, Vec<NodeId>);

/// How many terms all nodes have together.
fn terms(network: &Network<f64>) -> usize {
    (0..network.len()).map(|node| network.node(NodeId(node as u32)).parents().count()).sum()
}

fn prior_mean(person: usize) -> f64 {
    (30 + person % 40) as f64
}

fn people(network: &mut Network<f64>, n: usize) -> Vec<NodeId> {
    (0..n).map(|i| network.push(prior_mean(i), [], (1 + i % 9) as f64, Span::START)).collect()
}

fn plain(node: NodeId) -> Affine<f64> {
    Affine { node, scale: 1.0, offset: 0.0 }
}

fn dense(n: usize, k: usize) -> Case {
    let mut network = Network::default();
    let people = people(&mut network, n);
    let mut observations = Vec::new();
    for t in 0..k {
        let is_member = |i: usize| (i * i * (7919 * t + 104_729) + i * (31 * t + 17) + t * t) % 1_000_003 % 2 == 1;
        let members: Vec<usize> = (0..n).filter(|&i| is_member(i)).collect();
        let value = members.iter().map(|&i| prior_mean(i)).sum::<f64>() + 10.0 * ((t % 7) as f64 - 3.0);
        let sum = network.push(0.0, members.iter().map(|&i| (people[i], 1.0)), 0.0, Span::START);
        observations.push(Observation { variable: plain(sum), value: Some(value) });
    }
    (network, observations, people)
}

fn sparse(n: usize, blocks: usize) -> Case {
    let mut network = Network::default();
    let people = people(&mut network, n);
    let (districts, counties) = (blocks / 10, blocks / 100);
    let block = |i: usize| i * blocks / n;
    let county = |i: usize| block(i) * counties / blocks;
    let industry = |i: usize| (i * i * 104_729 + 7 * i) % 1_000_003 % INDUSTRIES;
    let kinds: [(usize, &dyn Fn(usize) -> usize); 6] = [
        (blocks, &block),
        (districts, &|i| block(i) * districts / blocks),
        (counties, &county),
        (counties * INDUSTRIES, &|i| county(i) * INDUSTRIES + industry(i)),
        (INDUSTRIES, &industry),
        (1, &|_| 0),
    ];
    let mut observations = Vec::new();
    for (count, group) in kinds {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        (0..n).for_each(|i| members[group(i)].push(i));
        for members in members {
            let size = members.len() as f64;
            let surprise = ((observations.len() % 7) as f64 - 3.0) / 10.0;
            let value = members.iter().map(|&i| prior_mean(i)).sum::<f64>() / size + surprise;
            let terms = members.iter().map(|&i| (people[i], 1.0 / size));
            let mean = network.push(0.0, terms, NOISE_VARIANCE, Span::START);
            observations.push(Observation { variable: plain(mean), value: Some(value) });
        }
    }
    (network, observations, people)
}
