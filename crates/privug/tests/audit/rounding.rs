//! Rounded figures and counts, against an enumeration of everything that could be behind them.

use crate::support::{input, table};
use privug::audit::{Attacker, Audit, DefenceTexts, Input, Settings, audit};

/// A linear congruence is random enough.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

fn audited(csv: &str, prior: &str, known: &[&str], round: &str, program: &str) -> Audit {
    let of_table = Input {
        tables: vec![("people".to_owned(), table(csv))],
        secrets: vec!["people.x".to_owned()],
        priors: vec![prior.to_owned()],
        attacker: Attacker { known: known.iter().map(|name| (*name).to_owned()).collect(), ..Attacker::default() },
        ..input(program)
    };
    let defences = DefenceTexts { round: vec![round.to_owned()], ..DefenceTexts::default() };
    let settings = Settings { defences, ..Settings::default() };
    audit(&of_table, &settings, false, &|_| {}).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

/// All choices of a place for each of some people.
fn worlds(people: usize, places: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..places.pow(people as u32))
        .map(move |code| (0..people).map(|at| code / places.pow(at as u32) % places).collect())
}

#[test]
fn a_sum_in_the_middle_is_published_as_the_even_multiple_and_as_no_other() {
    let values = [0.0, 10.0, 25.0, 40.0];
    let laws = [0.3, 0.35, 0.175, 0.175];
    let mut random = Random(3);
    let mut in_the_middle = 0;
    for _ in 0..60 {
        let people = 1 + random.below(5);
        let x: Vec<f64> = (0..people).map(|_| values[random.below(4)]).collect();
        let rounded = |world: &[f64]| {
            let steps = world.iter().sum::<f64>() / 50.0;
            if (steps - steps.floor() - 0.5).abs() < 1e-9 { 2.0 * (steps / 2.0).round() } else { steps.round() }
        };
        let mut posterior = vec![[0.0; 4]; people];
        let mut evidence = 0.0;
        for world in worlds(people, 4) {
            let secrets: Vec<f64> = world.iter().map(|value| values[*value]).collect();
            in_the_middle += usize::from(secrets.iter().sum::<f64>() % 50.0 == 25.0);
            if rounded(&secrets) == rounded(&x) {
                let p: f64 = world.iter().map(|value| laws[*value]).product();
                evidence += p;
                world.iter().zip(&mut posterior).for_each(|(value, of)| of[*value] += p);
            }
        }
        let csv: String = x.iter().map(|x| format!("{x}\n")).collect();
        let prior = "Mixture([0.3, 0.7], [0, Empirical([10, 10, 25, 40])])";
        let program = "def release(people):\n    return people.x.sum()\n";
        let found = audited(&format!("x\n{csv}"), prior, &[], "50", program);
        let known = found.people.brackets.as_ref().expect("a law");
        for (row, of) in posterior.iter().enumerate() {
            let mean: f64 = of.iter().zip(values).map(|(p, value)| p / evidence * value).sum();
            let bits = |(p, law): (&f64, &f64)| if *p > 0.0 { p / evidence * (p / evidence / law).log2() } else { 0.0 };
            let bits: f64 = of.iter().zip(&laws).map(bits).sum();
            let bracket = known.of(row);
            for (bounds, wanted) in [(bracket.mean, mean), (bracket.bits, bits)] {
                let [low, high] = bounds.expect("known");
                assert!(low - 1e-9 <= wanted && wanted <= high + 1e-9, "{x:?}: {wanted} is not in {low}..{high}");
            }
        }
    }
    assert!(in_the_middle > 1000, "{in_the_middle}");
}

#[test]
fn of_counts_rounded_at_random_the_worst_outcome_counts_whatever_columns_are_known() {
    let laws = [0.4, 0.4, 0.2];
    let mut random = Random(11);
    let mut several = 0;
    for case in 0..60 {
        let people = 3 + random.below(5);
        let base = [3, 5][case % 2];
        let ward: Vec<usize> = (0..people).map(|_| random.below(2)).collect();
        let sex: Vec<usize> = (0..people).map(|_| random.below(2)).collect();
        let x: Vec<usize> = (0..people).map(|_| random.below(3)).collect();
        // How many of each ward have 0 or 1, and how many of all have 1.
        let counts = |world: &[usize]| -> Vec<usize> {
            let of = |wanted: usize| (0..people).filter(|row| ward[*row] == wanted && world[*row] < 2).count();
            let wards = (0..2).filter(|wanted| ward.contains(wanted)).map(of);
            wards.chain([world.iter().filter(|value| **value == 1).count()]).collect()
        };
        let outcomes = counts(&x).into_iter().fold(vec![Vec::new()], |all: Vec<Vec<usize>>, count| {
            let multiples =
                if count % base == 0 { vec![count] } else { vec![count / base * base, count / base * base + base] };
            let grown = |known: &Vec<usize>| {
                multiples.iter().map(|one| [known.as_slice(), &[*one]].concat()).collect::<Vec<_>>()
            };
            all.iter().flat_map(grown).collect()
        });
        several += usize::from(outcomes.len() > 1);
        let chance =
            |count: usize, seen: usize| (base as f64 - (count as f64 - seen as f64).abs()).max(0.0) / base as f64;
        // The likeliest value of a person that rises by a tenth or more, in the worst outcome.
        let mut worst = vec![0.0_f64; people];
        for outcome in &outcomes {
            let mut posterior = vec![[0.0; 3]; people];
            let mut evidence = 0.0;
            for world in worlds(people, 3) {
                let p: f64 = world.iter().map(|value| laws[*value]).product::<f64>()
                    * counts(&world).iter().zip(outcome).map(|(count, seen)| chance(*count, *seen)).product::<f64>();
                evidence += p;
                world.iter().zip(&mut posterior).for_each(|(value, of)| of[*value] += p);
            }
            for row in 0..people {
                let alike: Vec<usize> = (0..people).filter(|other| sex[*other] == sex[row]).collect();
                for value in 0..3 {
                    let sum: f64 = alike.iter().map(|other| posterior[*other][value]).sum();
                    let mean = sum / evidence / alike.len() as f64;
                    if mean - laws[value] >= 0.1 {
                        worst[row] = worst[row].max(mean);
                    }
                }
            }
        }
        let rows: String =
            (0..people).map(|row| format!("{},{},{}\n", ["A", "B"][ward[row]], ["f", "m"][sex[row]], x[row])).collect();
        let program = "def release(people):\n    return {'by ward': people.x.isin([0, 1]).groupby(people.ward).sum(), 'one': (people.x == 1).sum()}\n";
        let csv = format!("ward,sex,x\n{rows}");
        let found = audited(&csv, "Categorical([0.4, 0.4, 0.2])", &["sex"], &format!("random({base})"), program);
        let known = found.people.discrete.as_ref().expect("discrete");
        for (row, worst) in worst.iter().enumerate() {
            let raised = known.raised(row, 0.1).unwrap_or(0.0);
            assert!((raised - worst).abs() < 1e-9, "case {case}, row {row}: {raised}, not {worst}\n{csv}");
        }
    }
    assert!(several > 40, "{several}");
}
