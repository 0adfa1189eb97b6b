//! Releases of every shape, around every switch between algorithms, against the textbook.

use proptest::prelude::*;

use super::super::large;
use super::super::learn::Learner;
use super::super::poll::Poll;
use super::super::sweep::Sweeper;
use super::super::{Status, Surprise, survey};
use super::dense::Dense;
use super::*;
use crate::network::Variables;
use crate::number::Constants;

/// One published figure: a sum or a mean over people, with noise of this variance.
#[derive(Debug, Clone)]
struct Figure {
    members: Vec<usize>,
    mean: bool,
    noise: f64,
}

/// A release, before it is one.
#[derive(Debug, Clone)]
struct Shape {
    people: usize,
    /// People of one household share a part of their prior.
    household: Option<usize>,
    figures: Vec<Figure>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Every person in one group.
    Disjoint,
    /// Groups, groups of groups, and everybody.
    Nested,
    /// Two groupings across each other: the cells alone, or with their margins.
    Crossed { margins: bool },
    /// Two groupings across each other: only the margins.
    Margins,
}

/// How many people the group of this number has.
fn size(group: usize, largest: usize) -> usize {
    1 + group * 7 % largest
}

/// The members of `groups` groups, one after the other.
fn groups_of(groups: usize, largest: usize) -> (usize, Vec<Vec<usize>>) {
    let mut next = 0;
    let members = (0..groups).map(|group| {
        let start = next;
        next += size(group, largest);
        (start..next).collect()
    });
    let members = members.collect();
    (next, members)
}

fn union(parts: &[Vec<usize>]) -> Vec<usize> {
    parts.concat()
}

/// The members of each figure of a release of about `groups` of them.
fn members(kind: Kind, groups: usize, largest: usize) -> (usize, Vec<Vec<usize>>) {
    match kind {
        Kind::Disjoint => groups_of(groups, largest),
        Kind::Nested => {
            let (people, leaves) = groups_of(groups, largest);
            let parents: Vec<Vec<usize>> = leaves.chunks(5).map(union).collect();
            let everybody = union(&parents);
            (people, [leaves, parents, vec![everybody]].concat())
        }
        Kind::Crossed { .. } | Kind::Margins => {
            let wide = (groups as f64).sqrt().floor().max(1.0) as usize;
            let (people, cells) = groups_of(groups.div_ceil(wide) * wide, largest);
            let rows: Vec<Vec<usize>> = cells.chunks(wide).map(union).collect();
            let column = |place: usize| cells.iter().skip(place).step_by(wide).flatten().copied().collect();
            let columns: Vec<Vec<usize>> = (0..wide).map(column).collect();
            let total = vec![union(&rows)];
            let figures = match kind {
                Kind::Margins => [rows, columns, total].concat(),
                Kind::Crossed { margins: true } => [rows, cells, columns, total].concat(),
                _ => cells,
            };
            (people, figures)
        }
    }
}

impl Shape {
    fn new(kind: Kind, groups: usize, largest: usize) -> Self {
        let (people, members) = members(kind, groups, largest);
        let figures = members.into_iter().map(|members| Figure { members, mean: false, noise: 0.0 });
        Shape { people, household: None, figures: figures.collect() }
    }

    fn prior_variance(&self, person: usize) -> f64 {
        1.0 + (person % 9) as f64
    }

    fn prior_mean(&self, person: usize) -> f64 {
        30.0 + (person % 40) as f64
    }

    /// In eighths, so that all sums are exact.
    fn truth(&self, person: usize) -> f64 {
        self.prior_mean(person) + ((person * 37 % 41) as f64 - 20.0) / 8.0
    }

    fn reference(&self) -> Dense {
        let shared = |a: usize, b: usize| self.household.is_some_and(|size| a / size == b / size);
        let covariance = |a: usize, b: usize| {
            f64::from(u8::from(shared(a, b))) * 0.5 + if a == b { self.prior_variance(a) } else { 0.0 }
        };
        let people = || 0..self.people;
        let rows = people().map(|a| people().map(|b| covariance(a, b)).collect());
        Dense::new(people().map(|person| self.prior_mean(person)).collect(), rows.collect())
    }

    fn build(&self) -> (Build<f64>, Vec<NodeId>, Vec<Observation<f64>>) {
        let mut build = Build::<f64>::default();
        let homes: Vec<NodeId> = match self.household {
            Some(size) => (0..self.people.div_ceil(size)).map(|_| build.normal(0.0, 0.5)).collect(),
            None => Vec::new(),
        };
        let people: Vec<NodeId> = (0..self.people)
            .map(|person| {
                let home: Vec<(NodeId, f64)> = self.household.iter().map(|size| (homes[person / size], 1.0)).collect();
                build.node(self.prior_mean(person), &home, self.prior_variance(person))
            })
            .collect();
        let observations = self.figures.iter().map(|figure| {
            let terms: Vec<(NodeId, f64)> = figure.members.iter().map(|member| (people[*member], 1.0)).collect();
            let node = build.node(0.0, &terms, figure.noise);
            seen(scaled(node, self.scale(figure)), self.value(figure))
        });
        let observations = observations.collect();
        (build, people, observations)
    }

    fn scale(&self, figure: &Figure) -> f64 {
        if figure.mean && !figure.members.is_empty() { 1.0 / figure.members.len() as f64 } else { 1.0 }
    }

    fn value(&self, figure: &Figure) -> f64 {
        let sum: f64 = figure.members.iter().map(|member| self.truth(*member)).sum();
        if figure.mean && !figure.members.is_empty() { sum / figure.members.len() as f64 } else { sum }
    }

    /// Compares everything with the textbook.
    fn check(&self) {
        let mut reference = self.reference();
        let told: Vec<bool> = self
            .figures
            .iter()
            .map(|figure| {
                let scale = self.scale(figure);
                let weights: Vec<(usize, f64)> = figure.members.iter().map(|member| (*member, scale)).collect();
                reference.observe(&weights, figure.noise * scale * scale, self.value(figure))
            })
            .collect();
        let (build, people, observations) = self.build();
        let options = Options { value_tolerance_ulps: Some(64.0 + self.people as f64), ..Options::default() };

        let targets: Variables<f64> = people.iter().map(|person| plain(*person)).collect();
        let surveyed = survey(&build.network, &observations, &targets, &options).expect("a survey");
        let redundant: Vec<bool> = surveyed.observations.iter().map(|seen| !seen.redundant).collect();
        assert_eq!(redundant, told, "which figures are redundant");
        self.check_evidence(surveyed.log_evidence_nats, &reference);
        let Surprise { squares, observations: used } = surveyed.surprise;
        assert_eq!(used, told.iter().filter(|told| **told).count());
        assert!((squares - reference.squares).abs() <= 1e-7 * (1.0 + squares), "{squares}, not {}", reference.squares);
        for person in 0..self.people {
            let spread = surveyed.targets.spread(person);
            self.check_person(&reference, person, spread.posterior_variance, surveyed.targets.posterior_mean[person]);
            assert_eq!(spread.fully_disclosed, reference.is_disclosed(person), "whether {person} is disclosed");
        }

        let some: Vec<usize> = (0..self.people).step_by(self.people.div_ceil(40)).collect();
        let chosen: Vec<Affine<f64>> = some.iter().map(|person| targets.get(*person)).collect();
        let posterior = condition(&build.network, &observations, &chosen, &options).expect("a posterior");
        self.check_evidence(posterior.log_evidence_nats, &reference);
        for (outcome, told) in posterior.observations.iter().zip(&told) {
            assert_eq!(outcome.status != Status::Redundant, *told);
        }
        for (person, target) in some.iter().zip(&posterior.targets) {
            self.check_person(&reference, *person, target.posterior_variance, target.posterior_mean);
            assert_eq!(target.fully_disclosed, reference.is_disclosed(*person), "whether {person} is disclosed");
        }
        check_blocks(&build, &observations, &options);
    }

    fn check_evidence(&self, found: f64, reference: &Dense) {
        let wanted = reference.log_evidence_nats;
        assert!((found - wanted).abs() <= 1e-7 * (1.0 + wanted.abs()), "log evidence {found}, not {wanted}");
    }

    fn check_person(&self, reference: &Dense, person: usize, variance: f64, mean: f64) {
        let wanted = reference.covariance[person][person];
        let scale = self.prior_variance(person);
        assert!((variance - wanted).abs() <= 1e-8 * scale, "variance of {person}: {variance}, not {wanted}");
        let wanted = reference.mean[person];
        assert!((mean - wanted).abs() <= 1e-7 * (1.0 + wanted.abs()), "mean of {person}: {mean}, not {wanted}");
    }
}

/// The fast path by itself, also where there are too few figures for it: it has no answer, or that of the reference.
fn check_blocks(build: &Build<f64>, observations: &[Observation<f64>], options: &Options) {
    let mut poll = Poll::new(options);
    let mut sweeper = Sweeper::new(&build.network);
    let mut learner = Learner::new(&build.network, observations, &mut sweeper, &mut poll).expect("in range");
    let Some(fast) = large::learn(&learner, large::Order::Sparse, &mut poll).expect("within the limits") else {
        return;
    };
    let profiles = fast.profiles(&fast.heights(&mut poll).expect("within the limits"), &poll);
    learner.learn(&mut poll).expect("the reference has enough digits");
    for group in 0..learner.projector.group_count() as u32 {
        let found = profiles.get(Some(group)).expect("all are known").explained.value.to_f64();
        let wanted = learner.profile(group, &mut poll).expect("within the limits").explained.value.to_f64();
        assert!((found - wanted).abs() <= 1e-8 * (1.0 + wanted.abs()), "{found} is explained, not {wanted}");
    }
}

const KINDS: [Kind; 5] =
    [Kind::Disjoint, Kind::Nested, Kind::Crossed { margins: false }, Kind::Crossed { margins: true }, Kind::Margins];

#[test]
fn disjoint_groups_work_on_both_sides_of_every_switch() {
    for groups in [1, 2, 3, 62, 63, 64, 65, 66, 127, 128, 129, 256, 257, 300] {
        Shape::new(Kind::Disjoint, groups, 4).check();
    }
}

#[test]
fn every_shape_works_with_about_as_many_figures_as_the_switch_has() {
    for kind in KINDS {
        for groups in 50..=66 {
            Shape::new(kind, groups, 3).check();
        }
    }
}

#[test]
fn groups_of_one_disclose_everybody_however_many_there_are() {
    for groups in [1, 63, 64, 65, 200] {
        let shape = Shape::new(Kind::Disjoint, groups, 1);
        shape.check();
        let reference = {
            let mut reference = shape.reference();
            shape.figures.iter().for_each(|figure| {
                reference.observe(&[(figure.members[0], 1.0)], 0.0, shape.value(figure));
            });
            reference
        };
        assert!((0..groups).all(|person| reference.is_disclosed(person)));
    }
}

#[test]
fn more_targets_than_covariances_are_kept_for() {
    for groups in [63, 64, 65] {
        let mut shape = Shape::new(Kind::Disjoint, groups, 4);
        // Most people are in no figure.
        shape.people = 1_100;
        shape.check();
    }
}

#[test]
fn figures_without_anybody_tell_nothing() {
    for groups in [1, 63, 64, 65] {
        let mut shape = Shape::new(Kind::Disjoint, groups, 3);
        shape.figures.insert(groups / 2, Figure { members: Vec::new(), mean: true, noise: 0.0 });
        shape.check();
    }
}

/// What is done to a shape.
#[derive(Debug, Clone, Copy)]
enum Noise {
    None,
    All,
    EveryThird,
}

fn shapes() -> impl Strategy<Value = Shape> {
    let counts = prop_oneof![1..=8usize, 58..=70usize, 1..=300usize];
    let noises = prop::sample::select(vec![Noise::None, Noise::All, Noise::EveryThird]);
    let households = prop::sample::select(vec![None, None, None, Some(2), Some(7)]);
    let kinds = prop::sample::select(KINDS.to_vec());
    (kinds, counts, 1..=4usize, noises, households, any::<bool>(), 0..4usize, any::<u64>()).prop_map(
        |(kind, groups, largest, noise, household, mean, repeated, seed)| {
            let mut shape = Shape::new(kind, groups, if groups > 150 { largest.min(2) } else { largest });
            shape.household = household;
            for (place, figure) in shape.figures.iter_mut().enumerate() {
                figure.mean = mean;
                figure.noise = match noise {
                    Noise::None => 0.0,
                    Noise::All => 0.5,
                    Noise::EveryThird => {
                        if place % 3 == 0 {
                            0.25
                        } else {
                            0.0
                        }
                    }
                };
            }
            // Some are published twice, and none may depend on the order.
            let mut state = seed;
            let mut random = |limit: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % limit
            };
            for _ in 0..repeated {
                let again = shape.figures[random(shape.figures.len())].clone();
                shape.figures.push(again);
            }
            for place in (1..shape.figures.len()).rev() {
                shape.figures.swap(place, random(place + 1));
            }
            shape
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_release_is_conditioned_on_as_in_the_textbook(shape in shapes()) {
        shape.check();
    }
}
