//! Tables that cross, with their margins: what follows from what, and who is disclosed, against the reference.

use super::super::learn::Learner;
use super::super::poll::Poll;
use super::super::survey::{explain_in_blocks, survey, survey_in_blocks};
use super::super::sweep::Sweeper;
use super::super::{Subject, Survey, large};
use super::*;
use crate::network::Variables;
use crate::number::Constants;
use proptest::prelude::*;

/// What a release is made of.
#[derive(Debug, Clone)]
struct Shape {
    people: usize,
    /// How many different terms people share, in two ways: none of them, or each has one.
    shared: [usize; 2],
    /// Pairs of keys that are published, each with so many different values.
    tables: Vec<(usize, usize)>,
    with_margins: bool,
    /// Whether people have different variances.
    uneven: bool,
    /// Whether members are weighted 1, 2 and 3 instead of all alike.
    weighted: bool,
    means: bool,
    /// Variance of the noise of each figure.
    noise: f64,
    repeated: usize,
    /// Figures come in another order.
    shuffled: bool,
    seed: u64,
}

struct Release {
    build: Build<f64>,
    people: Vec<NodeId>,
    /// Some of them, with noise of their own beside what figures see.
    members: Vec<NodeId>,
    observations: Vec<Observation<f64>>,
}

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

fn release(shape: &Shape) -> Release {
    let mut state = shape.seed;
    let mut build = Build::<f64>::default();
    let shared = shape.shared.map(|count| (0..count).map(|_| build.normal(10.0, 9.0)).collect::<Vec<NodeId>>());
    let (mut people, mut shared_by) = (Vec::new(), Vec::new());
    let mut truths = Vec::new();
    for person in 0..shape.people {
        let variance = if shape.uneven { 1.0 + (person % 5) as f64 } else { 4.0 };
        let mut parents = Vec::new();
        for terms in shared.iter().filter(|terms| !terms.is_empty()) {
            parents.push((terms[random(&mut state) as usize % terms.len()], 1.0));
        }
        let mean = 30.0 - 10.0 * parents.len() as f64;
        people.push(if parents.is_empty() {
            build.normal(mean, variance)
        } else {
            build.node(mean, &parents, variance)
        });
        shared_by.push(parents);
        truths.push(25.0 + (random(&mut state) % 40) as f64 / 4.0);
    }
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for (rows, columns) in &shape.tables {
        // Squares make some cells rare.
        let mut draw = |below: usize| (random(&mut state) as usize % (below * below)).isqrt();
        let keys: Vec<(usize, usize)> = (0..shape.people).map(|_| (draw(*rows), draw(*columns))).collect();
        let mut add = |is_in: &dyn Fn(&(usize, usize)) -> bool| {
            let members: Vec<usize> = (0..shape.people).filter(|person| is_in(&keys[*person])).collect();
            if !members.is_empty() {
                sets.push(members);
            }
        };
        for row in 0..*rows {
            (0..*columns).for_each(|column| add(&|key| *key == (row, column)));
        }
        if shape.with_margins {
            (0..*rows).for_each(|row| add(&|key| key.0 == row));
            (0..*columns).for_each(|column| add(&|key| key.1 == column));
            add(&|_| true);
        }
    }
    for repeated in 0..shape.repeated.min(sets.len()) {
        sets.push(sets[repeated * 7 % sets.len()].clone());
    }
    if shape.shuffled {
        for place in (1..sets.len()).rev() {
            sets.swap(place, random(&mut state) as usize % (place + 1));
        }
    }
    let weight = |person: usize| if shape.weighted { 1.0 + (person % 3) as f64 } else { 1.0 };
    let mut observations = Vec::new();
    for members in sets {
        let terms: Vec<(NodeId, f64)> = members.iter().map(|&person| (people[person], weight(person))).collect();
        let total: f64 = members.iter().map(|&person| weight(person) * truths[person]).sum();
        let sum = build.node(0.0, &terms, shape.noise);
        let count = members.len() as f64;
        let (node, value) = match shape.means {
            true => (build.network.push_quotient(sum, count, Span::START), total / count),
            false => (sum, total),
        };
        observations.push(seen(plain(node), value));
    }
    // Somebody of a group of people, whose mean is what figures see: noise of their own beside it, little or much.
    let mut members = Vec::new();
    for (place, person) in people.iter().enumerate().step_by(3) {
        let own = [1e-3, 2.0, 1e6][place / 3 % 3];
        members.push(build.node(0.0, &[(*person, 1.0)], own));
        // What is their own, and what is not.
        for (term, _) in &shared_by[place] {
            members.extend([*term, build.node(0.0, &[(*person, 1.0), (*term, -1.0)], 0.0)]);
        }
    }
    Release { build, people, members, observations }
}

/// The survey of the fast path, and what it explains.
fn in_blocks(release: &Release) -> Result<Option<(Survey<f64>, Vec<super::super::TargetOutcome<f64>>)>, Refusal<f64>> {
    let Release { build, people, observations, .. } = release;
    let options = Options::default();
    let (mut poll, mut sweeper) = (Poll::new(&options), Sweeper::new(&build.network));
    let learner = Learner::new(&build.network, observations, &mut sweeper, &mut poll)?;
    let targets: Variables<f64> = people.iter().map(|&person| plain(person)).collect();
    let surveyed = survey_in_blocks(&build.network, &learner, &mut sweeper, &targets, &mut poll)?;
    let targets: Vec<Affine<f64>> = people.iter().map(|&person| plain(person)).collect();
    let published = large::Order::AsPublished;
    let explained = explain_in_blocks(&learner, &mut sweeper, &targets, published, &mut poll)?;
    Ok(surveyed.map(|(survey, _)| survey).zip(explained))
}

fn close(got: f64, want: f64, scale: f64, what: &str) -> Result<(), TestCaseError> {
    prop_assert!((got - want).abs() <= 1e-9 * scale + 1e-300, "{what}: {got} is not {want}");
    Ok(())
}

fn compare(release: &Release, may_decline: bool) -> Result<(), TestCaseError> {
    let Release { build, people, members, observations } = release;
    let targets: Vec<Affine<f64>> = people.iter().map(|&person| plain(person)).collect();
    let reference = build.condition(observations, &targets).expect("the reference has an answer");
    let somebody: Vec<Affine<f64>> = people.iter().chain(members).map(|&person| plain(person)).collect();
    let variables: Variables<f64> = somebody.iter().cloned().collect();
    let either = survey(&build.network, observations, &variables, &Options::default()).expect("an answer");
    let wanted = build.condition(observations, &somebody).expect("the reference has an answer").targets;
    for (index, want) in wanted.iter().enumerate() {
        let spread = either.targets.spread(index);
        prop_assert_eq!(spread.fully_disclosed, want.fully_disclosed, "somebody {}", index);
        close(spread.prior_variance, want.prior_variance, want.prior_variance, "variance before")?;
        close(spread.posterior_variance, want.posterior_variance, want.posterior_variance, "variance after")?;
    }
    let fast = in_blocks(release).expect("values agree");
    // With weights of any size figures can be so close to following from others that the fast path leaves them to the slow one.
    prop_assert!(fast.is_some() || may_decline, "the fast path has no answer");
    let Some((surveyed, explained)) = fast else { return Ok(()) };
    close(
        surveyed.log_evidence_nats,
        reference.log_evidence_nats,
        reference.log_evidence_nats.abs().max(1.0),
        "evidence",
    )?;
    for (index, (got, want)) in surveyed.observations.iter().zip(&reference.observations).enumerate() {
        prop_assert_eq!(got.redundant, want.status == Status::Redundant, "observation {}", index);
        prop_assert_eq!((got.mean, got.variance), (want.predicted_mean, want.predicted_variance));
    }
    for (index, want) in reference.targets.iter().enumerate() {
        let spread = surveyed.targets.spread(index);
        prop_assert_eq!(spread.fully_disclosed, want.fully_disclosed, "person {}", index);
        close(spread.posterior_variance, want.posterior_variance, want.posterior_variance, "variance")?;
        close(spread.variance_reduction, want.variance_reduction, want.prior_variance, "reduction")?;
        // Published values are rounded doubles: which of them a disclosed person follows from shows in the last digits.
        let rounding = 1e-5 * want.posterior_mean.abs();
        let std_dev = want.posterior_variance.sqrt().max(1e-6 * want.prior_variance.sqrt()).max(rounding);
        close(surveyed.targets.posterior_mean[index], want.posterior_mean, std_dev, "mean")?;
        let got = &explained[index];
        prop_assert_eq!(got.fully_disclosed, want.fully_disclosed);
        close(got.posterior_variance, want.posterior_variance, want.posterior_variance, "explained variance")?;
        close(got.mean_shift, want.mean_shift, std_dev, "explained shift")?;
        prop_assert_eq!(got.covariances_alone.len(), want.covariances_alone.len());
        for (got, want) in got.covariances_alone.iter().zip(&want.covariances_alone) {
            prop_assert_eq!(got.0, want.0);
            close(got.1, want.1, want.1.abs(), "covariance alone")?;
        }
        for (got, left) in got.variances_left_alone.iter().zip(&want.variances_left_alone) {
            prop_assert_eq!(got.0, left.0);
            close(got.1, left.1, left.1, "left alone")?;
        }
        let dense = |parts: &[(usize, f64)]| {
            let mut dense = vec![0.0; observations.len()];
            parts.iter().for_each(|(place, part)| dense[*place] = *part);
            dense
        };
        for (got, want_part) in dense(&got.reductions).into_iter().zip(dense(&want.reductions)) {
            close(got, want_part, want.prior_variance, "share")?;
        }
        if want.fully_disclosed {
            for (got, want) in dense(&got.weights).into_iter().zip(dense(&want.weights)) {
                close(got, want, want.abs().max(1.0), "weight")?;
            }
        }
    }
    Ok(())
}

fn shapes() -> impl Strategy<Value = Shape> {
    let tables = proptest::collection::vec((1..5usize, 1..5usize), 1..4);
    let noise = prop_oneof![4 => Just(0.0), 1 => Just(0.25)];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (3..60usize, tables, flags, noise, 0..4usize, any::<u64>(), [0..3usize, 0..3usize]).prop_map(
        |(people, tables, (with_margins, uneven, weighted, means, shuffled), noise, repeated, seed, shared)| Shape {
            people,
            shared,
            tables,
            with_margins,
            uneven,
            weighted,
            means,
            noise,
            repeated,
            shuffled,
            seed,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn crossing_tables_are_answered_as_by_the_reference(shape in shapes()) {
        compare(&release(&shape), shape.weighted || shape.shared != [0, 0])?;
    }

    /// A redundant figure with another value is a contradiction in both ways.
    #[test]
    fn a_figure_that_contradicts_others_is_refused(shape in shapes(), by in prop_oneof![Just(1.0), Just(-0.01), Just(1e-6)]) {
        let mut release = release(&Shape { noise: 0.0, repeated: 2, ..shape });
        let last = release.observations.last_mut().expect("a figure");
        last.value = last.value.map(|value| value + by);
        let targets: Vec<Affine<f64>> = release.people.iter().map(|&person| plain(person)).collect();
        let reference = release.build.condition(&release.observations, &targets);
        match (in_blocks(&release), reference) {
            (Err(got), Err(want)) => match (got, want) {
                (
                    Refusal::Contradiction { observation, implied, given },
                    Refusal::Contradiction { observation: expected, implied: value, given: same },
                ) => {
                    prop_assert_eq!((observation, given), (expected, same));
                    close(implied, value, value.abs().max(1.0), "implied")?;
                }
                // Where doubles do not tell the reference, the blocks may still know; rationals decide.
                (
                    Refusal::Contradiction { observation, .. } | Refusal::Doubtful { subject: Subject::Observation(observation) },
                    Refusal::Doubtful { subject: Subject::Observation(expected) },
                ) => prop_assert_eq!(observation, expected),
                (got, want) => prop_assert!(false, "{got:?} is not {want:?}"),
            },
            (Ok(Some(_)), Ok(_)) | (Ok(None), _) => {}
            (got, want) => prop_assert!(false, "{got:?} but {want:?}"),
        }
    }
}

/// What people share is known well where there are many of them: the fast path has the digits for that.
#[test]
fn people_who_share_terms_are_answered_as_by_the_reference() {
    for (seed, shared, means) in [(1, [5, 0], true), (2, [12, 3], false), (3, [2, 2], true)] {
        let tables = vec![(8, 6), (5, 5)];
        let (with_margins, uneven, weighted, shuffled) = (false, seed == 2, false, seed == 3);
        let (noise, repeated) = (0.0, 0);
        let shape = Shape {
            people: 2500,
            shared,
            tables,
            with_margins,
            uneven,
            weighted,
            means,
            noise,
            repeated,
            shuffled,
            seed,
        };
        // In another order, the figure that follows may need larger weights than the fast path looks for.
        compare(&release(&shape), shuffled).unwrap_or_else(|error| panic!("{shape:?}: {error}"));
    }
}

#[test]
fn two_tables_of_very_many_people_leave_one_figure_to_follow() {
    let shape = Shape {
        people: 3000,
        shared: [0, 0],
        tables: vec![(20, 2), (8, 6)],
        with_margins: false,
        uneven: false,
        weighted: false,
        means: true,
        noise: 0.0,
        repeated: 0,
        shuffled: false,
        seed: 5,
    };
    let release = release(&shape);
    let (surveyed, _) = in_blocks(&release).expect("values agree").expect("the fast path has an answer");
    let redundant: Vec<usize> =
        (0..release.observations.len()).filter(|place| surveyed.observations[*place].redundant).collect();
    assert_eq!(redundant, [release.observations.len() - 1]);
}

/// Very many groups with few figures each are added up from columns of the inverse: their bounds hold, whichever figure is
/// left out, and are narrow enough to be of use.
#[test]
fn the_bounds_of_sums_of_the_inverse_hold() {
    for (seed, uneven, shuffled) in [(1, false, false), (2, true, true), (3, true, false)] {
        let shape = Shape {
            people: 6000,
            shared: [0, 0],
            tables: vec![(7, 7), (7, 7)],
            with_margins: seed == 3,
            uneven,
            weighted: false,
            means: true,
            noise: 0.0,
            repeated: 0,
            shuffled,
            seed,
        };
        let Release { build, observations, .. } = release(&shape);
        let options = Options::default();
        let (mut poll, mut sweeper) = (Poll::new(&options), Sweeper::new(&build.network));
        let mut learner = Learner::new(&build.network, &observations, &mut sweeper, &mut poll).expect("in range");
        let blocks = large::learn(&learner, large::Order::Sparse, &mut poll).expect("values agree").expect("an answer");
        let profiles = blocks.profiles(&blocks.heights(&mut poll).expect("within the limits"), &poll);
        learner.learn(&mut poll).expect("the reference has enough digits");
        for group in 0..learner.projector.group_count() as u32 {
            let profile = profiles.get(Some(group)).expect("all are known");
            let reference = learner.profile(group, &mut poll).expect("within the limits");
            let (h, bound) = (profile.explained.value.to_f64(), profile.explained.error + profile.explained.rounding);
            let off = (h - reference.explained.value.to_f64()).abs();
            assert!(off <= bound, "{seed}: off by {off:e}, said to be within {bound:e}");
            assert!(bound <= 1e-10, "{seed}: a bound of {bound:e} is of no use");
            let off = (profile.shift.to_f64() - reference.shift.to_f64()).abs();
            assert!(off <= profile.shift_error + 1e-13, "{seed}: the shift is off by {off:e}");
        }
    }
}
