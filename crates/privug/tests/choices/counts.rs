//! Published sums over people, against the enumeration of everybody's answers.

use privug::analysis::{Analysis, Belief, Binding, BindingKind, Observed, PlainValue, Request, analyze};

/// Numbers that look random, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// People with their probabilities in hundredths, and sums with a factor for each person.
struct Release {
    people: Vec<Vec<u64>>,
    sums: Vec<Vec<i64>>,
}

impl Release {
    fn random(dice: &mut Dice) -> Release {
        let count = 9 + dice.below(3) as usize;
        let few_kinds = dice.below(3) == 0;
        let mut people = Vec::new();
        for number in 0..count {
            let yes = if few_kinds { 10 + 20 * dice.below(2) } else { 1 + dice.below(99) };
            if number < 2 && dice.below(2) == 0 {
                let second = dice.below(100 - yes);
                people.push(vec![100 - yes - second, second, yes]);
            } else {
                people.push(vec![100 - yes, yes]);
            }
        }
        let mut sums = Vec::new();
        for _ in 0..1 + dice.below(3) {
            let weighted = dice.below(3) == 0;
            let factor = |dice: &mut Dice| match (dice.below(8), weighted) {
                (0, _) => 0,
                (1, true) => 3,
                (2, true) => -1,
                _ => 1,
            };
            sums.push((0..count).map(|_| factor(dice)).collect());
        }
        Release { people, sums }
    }

    fn values(&self, world: &[usize]) -> Vec<i64> {
        let sum = |factors: &Vec<i64>| factors.iter().zip(world).map(|(factor, value)| factor * *value as i64).sum();
        self.sums.iter().map(sum).collect()
    }

    /// For each person and each value, the weight of the worlds with these sums: whole numbers, exactly.
    fn enumerated(&self, seen: &[i64]) -> Vec<Vec<u128>> {
        let mut found: Vec<Vec<u128>> = self.people.iter().map(|law| vec![0; law.len()]).collect();
        let mut world = vec![0; self.people.len()];
        loop {
            if self.values(&world) == seen {
                let weight =
                    self.people.iter().zip(&world).map(|(law, value)| u128::from(law[*value])).product::<u128>();
                for (person, value) in found.iter_mut().zip(&world) {
                    person[*value] += weight;
                }
            }
            let Some(next) = (0..world.len()).find(|place| world[*place] + 1 < self.people[*place].len()) else {
                break;
            };
            world[next] += 1;
            world[..next].fill(0);
        }
        found
    }

    fn analysed(&self, seen: &[i64], exact: bool) -> Analysis {
        let law = |law: &Vec<u64>| match &law[..] {
            [_, yes] => format!("Bernoulli({yes} / 100)"),
            more => {
                format!("Categorical([{}])", more.iter().map(|p| format!("{p} / 100")).collect::<Vec<_>>().join(", "))
            }
        };
        let term = |(person, factor): (usize, &i64)| (*factor != 0).then(|| format!("{factor} * xs[{person}]"));
        let sum = |factors: &Vec<i64>| {
            format!("sum([{}])", factors.iter().enumerate().filter_map(term).collect::<Vec<_>>().join(", "))
        };
        let program =
            format!("def main(xs):\n    return [{}]\n", self.sums.iter().map(sum).collect::<Vec<_>>().join(", "));
        let prior = self.people.iter().map(law).collect::<Vec<_>>().join(", ");
        let request = Request {
            exact,
            bindings: vec![Binding::read(BindingKind::Prior, &format!("xs=[{prior}]")).expect("a binding")],
            secrets: vec!["xs".to_owned()],
            observations: vec![Observed::read(&format!("{seen:?}")).expect("values")],
            ..Request::new("program.py", program.clone())
        };
        analyze(&request).unwrap_or_else(|refusal| panic!("{:?}\n{program}\n{prior}\n{seen:?}", refusal.diagnostics))
    }
}

fn number(value: &PlainValue) -> usize {
    value.number().expect("a number") as usize
}

#[test]
fn sums_over_people_are_those_of_enumeration() {
    let mut dice = Dice(17);
    for case in 0..24 {
        let release = Release::random(&mut dice);
        let world: Vec<usize> = release
            .people
            .iter()
            .map(|law| (0..law.len()).filter(|value| law[*value] > 0).nth(dice.below(2) as usize).unwrap_or(0))
            .collect();
        let seen = release.values(&world);
        let expected = release.enumerated(&seen);
        for exact in [false, true] {
            let analysis = release.analysed(&seen, exact);
            let secrets = &analysis.choices.as_ref().expect("choices").secrets;
            for (secret, weights) in secrets.iter().zip(&expected) {
                let Belief::Discrete(found) = &secret.posterior else { panic!("a mixture") };
                let total: u128 = weights.iter().sum();
                let possible = weights.iter().filter(|weight| **weight > 0).count();
                assert_eq!(found.len(), possible, "case {case}, {}: {found:?} against {weights:?}", secret.name);
                for chance in found {
                    let p = weights[number(&chance.value)] as f64 / total as f64;
                    let off = (chance.probability - p).abs();
                    assert!(off <= 1e-12 * p, "case {case}, {}: {} against {p}", secret.name, chance.probability);
                }
            }
        }
    }
}

/// The probability that so many of people with these probabilities say yes, without one of them.
fn chance_of(yes: usize, people: &[f64], without: usize) -> f64 {
    let mut counts = vec![0.0; yes + 1];
    counts[0] = 1.0;
    for (_, p) in people.iter().enumerate().filter(|(person, _)| *person != without) {
        for count in (0..=yes).rev() {
            let one_less = if count > 0 { counts[count - 1] } else { 0.0 };
            counts[count] = counts[count] * (1.0 - p) + one_less * p;
        }
    }
    counts[yes]
}

/// So many different people are a list of probabilities, whichever of the two answers is counted.
#[test]
fn very_many_different_people_are_those_of_the_recurrence() {
    let n = 5_200;
    let people: Vec<f64> = (0..n).map(|i| 0.02 + 0.9 * (i * 7919 % n) as f64 / n as f64).collect();
    for (counted, yes) in [("sum(xs)", 2450), ("sum(not x for x in xs)", 2750), ("3 - sum(xs)", 2450)] {
        let seen = if counted.starts_with('3') { 3 - yes } else { yes };
        let prior = format!("xs=[Bernoulli(0.02 + 0.9 * (i * 7919 % {n}) / {n}) for i in range({n})]");
        let request = Request {
            bindings: vec![Binding::read(BindingKind::Prior, &prior).expect("a binding")],
            secrets: ["xs[0]", "xs[1]", "xs[5000]"].map(str::to_owned).to_vec(),
            observations: vec![Observed::read(&seen.to_string()).expect("a value")],
            ..Request::new("program.py", format!("def main(xs):\n    return {counted}\n"))
        };
        let analysis = analyze(&request).unwrap_or_else(|refusal| panic!("{:?}", refusal.diagnostics));
        let said: Vec<f64> = people.iter().map(|p| if counted.contains("not") { 1.0 - p } else { *p }).collect();
        for (secret, person) in analysis.choices.as_ref().expect("choices").secrets.iter().zip([0, 1, 5000]) {
            let with = said[person] * chance_of(yes as usize - 1, &said, person);
            let without = (1.0 - said[person]) * chance_of(yes as usize, &said, person);
            let counted_one = with / (with + without);
            let expected = if counted.contains("not") { 1.0 - counted_one } else { counted_one };
            let Belief::Discrete(found) = &secret.posterior else { panic!("a mixture") };
            let yes = found.iter().find(|chance| number(&chance.value) == 1).expect("it is possible");
            assert!((yes.probability - expected).abs() < 1e-10, "{counted}, {person}: {} {expected}", yes.probability);
        }
    }
}
