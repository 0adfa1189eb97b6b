//! Forms against exact rationals, and against the same arithmetic on plain numbers.

use super::*;
use privug_engine::number::{Rational, Scalar};

/// The weights of an element as exact fractions.
fn exact(form: Form<'_>) -> Vec<(u32, Rational)> {
    let of = |value: f64| <Rational as Scalar>::from_f64(value).expect("finite");
    let terms = form.sources.iter().zip(form.weights);
    terms.map(|(source, weight)| (*source, of(*weight) / of(form.divisor))).collect()
}

fn people(count: u32) -> Forms {
    Forms::of_secrets((0..count).map(Some))
}

/// Small random numbers, always the same.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f64 / 256.0).floor() - 32_768.0
    }
}

#[test]
fn the_mean_of_three_keeps_thirds_and_times_three_is_the_sum() {
    let rows = Rows::of_groups(&[0, 0, 0], 1, &[false; 3]);
    let mean = people(3).combined(&rows).and_then(|sum| sum.over(&[3.0])).expect("a mean");
    let third = Rational::ONE / Rational::from(3);
    assert_eq!(exact(mean.get(0)), [(0, third.clone()), (1, third.clone()), (2, third)]);
    assert!(!mean.is_rounded());
    let sum = mean.times(&[3.0]).expect("a sum");
    assert_eq!((sum.get(0).weights, sum.get(0).divisor), (&[1.0; 3][..], 1.0));
}

#[test]
fn windows_are_the_sums_of_what_is_inside_in_any_order() {
    let bounds = [(0, 2), (1, 4), (3, 3), (2, 5)];
    // Ascending with a gap in the middle, and an offset.
    let column = Forms::of_secrets([Some(0), Some(1), None, Some(2), Some(3)])
        .plus(&[0.5, 0.0, 0.0, 2.0, 0.0])
        .expect("a column");
    let sums = column.windows(&bounds).expect("sums");
    let found: Vec<(Vec<u32>, f64)> = (0..4).map(|at| (sums.get(at).sources.to_vec(), sums.get(at).offset)).collect();
    assert_eq!(found, [(vec![0, 1], 0.5), (vec![1, 2], 2.0), (vec![], 0.0), (vec![2, 3], 2.0)]);
    // The same people the other way round, and everybody twice.
    let turned = column.take(&[4, 3, 2, 1, 0, 0]).expect("turned").windows(&[(0, 2), (4, 6)]).expect("sums");
    assert_eq!((turned.get(0).sources, turned.get(1).sources), (&[2, 3][..], &[0][..]));
    assert_eq!((turned.get(1).weights, turned.get(1).offset), (&[2.0][..], 1.0));
    assert_eq!(column.windows(&[(0, 6)]), Err(FormsError::OutOfRange(6)));
}

#[test]
fn a_difference_of_means_of_overlapping_groups_is_exact() {
    // (x0 + x1 + x2)/3 − (x1 + x2 + x3 + x4 + x5 + x6 + x7)/7 = 7/21·x0 + 4/21·(x1 + x2) − 3/21·(…).
    let rows = Rows { starts: vec![0, 3, 10], places: vec![0, 1, 2, 1, 2, 3, 4, 5, 6, 7], weights: None };
    let means = people(8).combined(&rows).and_then(|sums| sums.over(&[3.0, 7.0])).expect("means");
    let gap = means.take(&[0]).expect("one").plus_forms(&means.take(&[1]).expect("one"), -1.0).expect("a gap");
    let part = |count: i64| Rational::from(count) / Rational::from(21);
    let wanted = [(0, part(7)), (1, part(4)), (2, part(4)), (3, part(-3)), (4, part(-3))];
    assert_eq!(exact(gap.get(0))[..5], wanted);
    assert!(!gap.is_rounded());
}

#[test]
fn differences_of_means_over_a_base_with_a_half_are_exact() {
    // (x0 + x1)/2/12.5 − (x2 + x3 + x4)/3/12.5.
    let rows = Rows { starts: vec![0, 2, 5], places: vec![0, 1, 2, 3, 4], weights: None };
    let means = people(5).combined(&rows).and_then(|sums| sums.over(&[2.0, 3.0])).expect("means");
    let index = means.over(&[12.5]).and_then(|index| index.times(&[100.0])).expect("an index");
    let change = index.take(&[0]).expect("one").plus_forms(&index.take(&[1]).expect("one"), -1.0).expect("a change");
    let part = |above: i64, below: i64| Rational::from(above) / Rational::from(below);
    assert_eq!(exact(change.get(0))[..3], [(0, part(4, 1)), (1, part(4, 1)), (2, part(-8, 3))]);
    assert!(!change.is_rounded());
    // 1.07 is 107/100; a number with more digits stands for its decimal, and stays as it is.
    let over = |by: f64| people(1).over(&[by]).expect("a quotient");
    assert_eq!((over(1.07).get(0).weights, over(1.07).get(0).divisor), (&[100.0][..], 107.0));
    assert_eq!((over(1.0 / 3.0).get(0).weights, over(1.0 / 3.0).get(0).divisor), (&[1.0][..], 1.0 / 3.0));
}

#[test]
fn what_cancels_is_gone_and_rounding_is_told() {
    let all = people(2);
    let none = all.plus_forms(&all, -1.0).expect("zeros");
    assert_eq!(none.depends(), [false, false]);
    let scaled = |by: f64| all.times(&[by]).expect("multiples");
    let rest = scaled(0.1).plus_forms(&scaled(0.2), 1.0).and_then(|sum| sum.plus_forms(&scaled(0.3), -1.0));
    // As decimals they cancel, which the doubles 0.1 + 0.2 − 0.3 do not.
    let rest = rest.expect("nothing");
    assert_eq!((rest.depends(), rest.is_rounded()), (vec![false, false], false));
    let rest = scaled(1.0 / 3.0).plus_forms(&scaled(2.0 / 3.0), 1.0).and_then(|sum| sum.plus_forms(&all, -1.0));
    assert!(rest.expect("nearly nothing").is_rounded());
}

#[test]
fn missing_elements_spread_and_are_left_out_of_groups() {
    let some = Forms::of_secrets([Some(0), None, Some(1)]);
    assert_eq!(some.missing(), [false, true, false]);
    assert_eq!(some.plus(&[1.0, 1.0, f64::NAN]).expect("sums").missing(), [false, true, true]);
    let sums = some.combined(&Rows::of_groups(&[0, 0, 0], 1, &some.missing())).expect("a sum");
    assert_eq!((sums.get(0).sources, &some.sums(&[0, 0, 0], 1)), (&[0, 1][..], &Ok(sums.clone())));
    assert_eq!(some.sums(&[0, -1, 7], 1).expect("a sum").get(0).sources, [0]);
    let running = some.running(&[0, 0, 0]).expect("running sums");
    assert_eq!((running.missing(), running.get(2).sources), (vec![false, true, false], &[0, 1][..]));
}

#[test]
fn rounded_elements_may_be_shifted_and_scaled_but_not_added() {
    let rounded = people(2).rounded_to(5.0);
    let scaled = rounded.times(&[2.0]).and_then(|double| double.plus(&[7.0])).expect("affine");
    assert_eq!(scaled.get(0).unit, 10.0);
    assert_eq!(rounded.plus_forms(&people(2), 1.0), Err(FormsError::Rounded(0)));
    assert_eq!(rounded.combined(&Rows::of_groups(&[0, 0], 1, &[false; 2])), Err(FormsError::Rounded(0)));
}

#[test]
fn nothing_is_divided_by_zero_or_multiplied_by_infinity() {
    assert_eq!(people(2).over(&[1.0, 0.0]), Err(FormsError::DivisionByZero(1)));
    assert_eq!(people(1).times(&[f64::INFINITY]), Err(FormsError::NotFinite(0)));
    assert_eq!(people(1).plus(&[f64::INFINITY]), Err(FormsError::NotFinite(0)));
    assert_eq!(people(1).times(&[1e-310]), Err(FormsError::NotFinite(0)));
    assert_eq!(people(1).take(&[-2]), Err(FormsError::OutOfRange(-2)));
    assert_eq!(people(2).times(&[0.0]).expect("zeros").depends(), [false, false]);
}

#[test]
fn random_arithmetic_has_the_weights_of_exact_rationals() {
    let of = |value: f64| <Rational as Scalar>::from_f64(value).expect("finite");
    let mut exactly = 0;
    for seed in 0..300 {
        let mut next = numbers(seed);
        let mut forms = people(6);
        let unit = |row: usize| (0..6).map(|at| if at == row { Rational::ONE } else { Rational::ZERO }).collect();
        let mut wanted: Vec<Vec<Rational>> = (0..6).map(unit).collect();
        for _ in 0..6 {
            let number = next();
            let places: Vec<i64> = (0..6).map(|_| (next().abs() as i64) % 6).collect();
            match (number.abs() as u32) % 5 {
                0 => forms = forms.plus(&[number]).expect("sums"),
                1 => {
                    forms = forms.times(&[number / 1024.0]).expect("products");
                    wanted.iter_mut().flatten().for_each(|weight| *weight *= of(number / 1024.0));
                }
                2 if number != 0.0 => {
                    forms = forms.over(&[number]).expect("quotients");
                    wanted.iter_mut().flatten().for_each(|weight| *weight /= of(number));
                }
                3 => {
                    let taken = forms.take(&places).expect("elements");
                    forms = forms.plus_forms(&taken, -1.0).expect("differences");
                    let rows = places.iter().enumerate().map(|(row, place)| {
                        wanted[row].iter().zip(&wanted[*place as usize]).map(|(one, other)| one - other).collect()
                    });
                    wanted = rows.collect();
                }
                _ => {
                    let one_by_one = forms.combined(&Rows::of_groups(&places, 6, &[false; 6])).expect("sums");
                    forms = forms.sums(&places, 6).expect("sums");
                    assert!((0..6).all(|row| exact(forms.get(row)) == exact(one_by_one.get(row))), "seed {seed}");
                    let mut sums = vec![vec![Rational::ZERO; 6]; 6];
                    for (row, place) in places.iter().enumerate() {
                        let sum = &mut sums[*place as usize];
                        sum.iter_mut().zip(&wanted[row]).for_each(|(sum, weight)| *sum += weight);
                    }
                    wanted = sums;
                }
            }
        }
        if forms.is_rounded() {
            continue;
        }
        exactly += 1;
        for (row, wanted) in wanted.iter().enumerate() {
            let mut found = vec![Rational::ZERO; 6];
            exact(forms.get(row)).into_iter().for_each(|(source, weight)| found[source as usize] = weight);
            assert_eq!(&found, wanted, "seed {seed}, row {row}");
        }
    }
    assert!(exactly > 100, "only {exactly} of 300 lost no digit");
}

#[test]
fn values_are_those_of_the_weights() {
    let rows = Rows { starts: vec![0, 3], places: vec![0, 1, 2], weights: Some(vec![2.0, -1.0, 0.5]) };
    let figure = people(3).combined(&rows).and_then(|sum| sum.over(&[3.0])).and_then(|sum| sum.plus(&[10.0]));
    assert_eq!(figure.expect("a figure").at(&[6.0, 3.0, 12.0]), [15.0]);
}

#[test]
fn weights_that_are_not_marked_are_those_of_exact_rationals_over_the_decimals() {
    // Factors as tables and programs have them: decimals, quotients, whole numbers.
    let factors =
        [0.3, 0.45, 0.25, 1.1, 104.3, 37.5, 3.0, 1.0 / 3.0, 0.1 + 0.2, 2.0, -0.7, 12.5, 1e-7, 0.30000000000000004];
    let written = |value: f64| <Rational as Scalar>::from_written(value).expect("finite");
    let mut random = numbers(17);
    let mut pick = |count: usize| (random().abs() as usize) % count;
    let (mut exact_ones, mut marked) = (0, 0);
    for _ in 0..4_000 {
        let mut forms = people(6);
        // Row i: the weights of everybody.
        let mut known: Vec<Vec<Rational>> =
            (0..6).map(|row| (0..6).map(|at| Rational::from(i64::from(row == at))).collect()).collect();
        for _ in 0..4 {
            let by = factors[pick(factors.len())];
            match pick(3) {
                0 => {
                    forms = forms.times(&[by]).expect("a product");
                    known.iter_mut().flatten().for_each(|weight| *weight = weight.clone() * written(by));
                }
                1 => {
                    forms = forms.over(&[by]).expect("a quotient");
                    known.iter_mut().flatten().for_each(|weight| *weight = weight.clone() / written(by));
                }
                _ => {
                    let weights: Vec<f64> = (0..3).map(|_| factors[pick(factors.len())]).collect();
                    let places: Vec<u32> = (0..3).map(|_| pick(6) as u32).collect();
                    let mut rows = Rows { starts: vec![0], places: Vec::new(), weights: Some(Vec::new()) };
                    let mut sums = Vec::new();
                    for row in 0..6_usize {
                        let own: Vec<u32> = places.iter().map(|place| (place + row as u32) % 6).collect();
                        let sum = |at: usize| {
                            let parts = own.iter().zip(&weights);
                            let part =
                                |(place, weight): (&u32, &f64)| known[*place as usize][at].clone() * written(*weight);
                            parts.map(part).fold(Rational::from(0), |sum, part| sum + part)
                        };
                        sums.push((0..6).map(sum).collect::<Vec<_>>());
                        rows.places.extend(&own);
                        rows.weights.as_mut().expect("weights").extend(&weights);
                        rows.starts.push(rows.places.len());
                    }
                    forms = forms.combined(&rows).expect("sums");
                    known = sums;
                }
            }
        }
        if forms.is_rounded() {
            marked += 1;
            continue;
        }
        exact_ones += 1;
        for (row, expected) in known.iter().enumerate() {
            let form = forms.get(row);
            let mut found = vec![Rational::from(0); 6];
            for (source, weight) in form.sources.iter().zip(form.weights) {
                found[*source as usize] = written(*weight) / written(form.divisor);
            }
            assert_eq!(&found, expected);
        }
    }
    assert!(exact_ones > 500 && marked > 500, "{exact_ones} exact, {marked} marked");
}
