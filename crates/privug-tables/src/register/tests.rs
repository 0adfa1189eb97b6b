//! Groups against a direct computation on the whole table.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::table::{Data, Table};

fn texts(values: &[Option<&str>]) -> Data {
    let (codes, labels) = crate::table::coded(values.iter().map(|value| value.map(str::to_owned)));
    Data::Texts { codes: Arc::new(codes), labels: Arc::new(labels) }
}

/// A small generator of numbers, the same each time.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

fn piece(columns: Vec<(&str, Data)>, rows: usize) -> Table {
    let columns = columns.into_iter().map(|(name, data)| (name.to_owned(), data)).collect();
    Table::from_columns(columns, rows).expect("a table")
}

#[test]
fn groups_say_what_a_direct_computation_says_in_pieces_of_any_size() {
    let mut draws = Draws(3);
    let rows: Vec<(String, i64, Option<f64>)> = (0..1000)
        .map(|_| {
            let secret = (draws.below(10) > 0).then(|| (draws.below(2_000_000) as f64 - 500_000.0) / 100.0);
            (["a", "b", "ü"][draws.below(3) as usize].to_owned(), draws.below(4) as i64 - 1, secret)
        })
        .collect();
    let mut expected: BTreeMap<(String, i64, bool), Vec<f64>> = BTreeMap::new();
    for (text, number, secret) in &rows {
        let all = expected.entry((text.clone(), *number, secret.is_none())).or_default();
        all.push(secret.unwrap_or(f64::NAN));
    }
    for size in [1, 7, 64, 1000] {
        let names = ["t", "income", "n"].map(str::to_owned);
        let mut grouper = Grouper::new(&names, 1, OwnColumns::default(), MAX_GROUPS);
        for part in rows.chunks(size) {
            let t = texts(&part.iter().map(|row| Some(row.0.as_str())).collect::<Vec<_>>());
            let n = Data::Integers(Arc::new(part.iter().map(|row| row.1).collect()));
            let s = Data::Numbers(Arc::new(part.iter().map(|row| row.2.unwrap_or(f64::NAN)).collect()));
            grouper.add(&piece(vec![("t", t), ("income", s), ("n", n)], part.len())).expect("grouped");
        }
        let groups = grouper.finish(vec!["rest".to_owned()]).expect("groups");
        assert_eq!((groups.len(), groups.people()), (expected.len(), 1000));
        assert!(matches!(groups.keys[1].1, Data::Integers(_)));
        for group in 0..groups.len() {
            let key = (
                groups.keys[0].1.show(group).expect("a text"),
                groups.keys[1].1.number(group).expect("a number") as i64,
                groups.sums[group].is_none(),
            );
            let mut values = expected[&key].clone();
            assert_eq!(groups.sizes[group], values.len() as u64);
            if groups.sums[group].is_none() {
                continue;
            }
            // In cents, which doubles hold exactly.
            let cents: Vec<i128> = values.iter().map(|value| (value * 100.0).round() as i128).collect();
            let units = 10i128.pow(groups.scale - 2);
            assert_eq!(groups.sums[group], Some(cents.iter().sum::<i128>() * units));
            assert_eq!(groups.absolute_sums[group], Some(cents.iter().map(|cent| cent.abs()).sum::<i128>() * units));
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
            assert!((groups.variances[group] - variance).abs() <= 1e-12 * variance);
            values.sort_by(f64::total_cmp);
            assert_eq!((groups.least[group], groups.most[group]), (values[0], values[values.len() - 1]));
            values.sort_by(|a, b| b.abs().total_cmp(&a.abs()));
            for (place, value) in values.iter().take(LARGEST).enumerate() {
                assert_eq!(groups.largest[group][place], value.abs());
            }
        }
        assert_eq!((groups.distinct, groups.unread.as_slice()), (None, ["rest".to_owned()].as_slice()));
    }
}

#[test]
fn integers_with_gaps_in_some_pieces_are_numbers_in_all() {
    let names = ["k", "x"].map(str::to_owned);
    let mut grouper = Grouper::new(&names, 1, OwnColumns::default(), 10);
    let x = || Data::Integers(Arc::new(vec![1, 1]));
    grouper.add(&piece(vec![("k", Data::Integers(Arc::new(vec![5, 6]))), ("x", x())], 2)).expect("grouped");
    grouper.add(&piece(vec![("k", Data::Numbers(Arc::new(vec![f64::NAN, 5.0]))), ("x", x())], 2)).expect("grouped");
    let groups = grouper.finish(Vec::new()).expect("groups");
    assert_eq!(groups.sizes, [2, 1, 1]);
    let Data::Numbers(keys) = &groups.keys[0].1 else { panic!("{:?}", groups.keys) };
    assert!(keys[0] == 5.0 && keys[1] == 6.0 && keys[2].is_nan());
    assert_eq!(groups.distinct, Some(1));
    assert_eq!(groups.name(2), "k=missing");
    assert_eq!(groups.first_rows, Some(vec![0, 1, 2]));
}

#[test]
fn without_any_column_to_group_by_everybody_is_one_group() {
    let mut grouper = Grouper::new(&["x".to_owned()], 0, OwnColumns::default(), 10);
    grouper.add(&piece(vec![("x", Data::Numbers(Arc::new(vec![f64::NAN, 0.1, 0.2, -0.3])))], 4)).expect("grouped");
    let groups = grouper.finish(Vec::new()).expect("groups");
    assert_eq!((groups.sizes.as_slice(), groups.scale), ([1, 3].as_slice(), 1));
    // 0.1 + 0.2 − 0.3 is 0 in decimals.
    assert_eq!((groups.sums.as_slice(), groups.name(1)), ([None, Some(0)].as_slice(), "everybody".to_owned()));
}

#[test]
fn too_many_groups_are_refused_with_the_column_to_blame() {
    let names = ["id", "sex", "x"].map(str::to_owned);
    let mut grouper = Grouper::new(&names, 2, OwnColumns::default(), 100);
    let ids = Data::Integers(Arc::new((0..200).collect()));
    let sexes = Data::Booleans(Arc::new((0..200).map(|row| row % 2 == 0).collect()));
    let x = Data::Integers(Arc::new(vec![1; 200]));
    let error = grouper.add(&piece(vec![("id", ids), ("sex", sexes), ("x", x)], 200)).expect_err("too many");
    assert_eq!(error, GroupError::TooMany { groups: 200, rows: 200, column: "id".to_owned(), values: 200 });
}

#[test]
fn a_column_that_is_added_up_is_not_to_blame() {
    let names = ["id", "sex", "x", "expected"].map(str::to_owned);
    let mut grouper = Grouper::new(&names, 2, OwnColumns { prior_means: Some(3), weights: None }, 100);
    let few = Data::Integers(Arc::new((0..200).map(|row| row % 150).collect()));
    let sexes = Data::Booleans(Arc::new((0..200).map(|row| row % 2 == 0).collect()));
    let x = Data::Integers(Arc::new(vec![1; 200]));
    let expected = Data::Numbers(Arc::new((0..200).map(|row| f64::from(row) / 7.0).collect()));
    let columns = vec![("id", few), ("sex", sexes), ("x", x), ("expected", expected)];
    let error = grouper.add(&piece(columns, 200)).expect_err("too many");
    let GroupError::TooMany { column, values, .. } = error else { panic!("{error:?}") };
    assert_eq!((column.as_str(), values), ("id", 150));
}

#[test]
fn prior_means_are_added_up_to_twice_the_digits_and_gaps_are_groups() {
    let names = ["k", "x", "m"].map(str::to_owned);
    let mut grouper = Grouper::new(&names, 1, OwnColumns { prior_means: Some(2), weights: None }, 10);
    let k = Data::Integers(Arc::new(vec![1, 1, 1, 1, 2]));
    let x = Data::Integers(Arc::new(vec![1; 5]));
    let m = Data::Numbers(Arc::new(vec![1e16, 1.0, -1e16, f64::NAN, 3.0]));
    grouper.add(&piece(vec![("k", k), ("x", x), ("m", m)], 5)).expect("grouped");
    let groups = grouper.finish(Vec::new()).expect("groups");
    assert_eq!(groups.sizes, [3, 1, 1]);
    let (name, sums) = groups.prior_means.as_ref().expect("sums");
    let sums: Vec<Option<f64>> = sums.iter().map(|sum| sum.map(|sum| sum.high + sum.low)).collect();
    assert_eq!((name.as_str(), sums), ("m", vec![Some(1.0), None, Some(3.0)]));
    assert_eq!([groups.name(0), groups.name(1)], ["k=1", "k=1, m=missing"]);
    let table = groups.table(&names, &(0..groups.len() as u32).collect::<Vec<_>>()).expect("a table");
    assert_eq!(table.columns()[2].data().number(0), Some(1.0 / 3.0));
    let text = piece(
        vec![("k", texts(&[Some("a")])), ("x", Data::Integers(Arc::new(vec![1]))), ("m", texts(&[Some("b")]))],
        1,
    );
    assert!(matches!(
        Grouper::new(&names, 1, OwnColumns { prior_means: Some(2), weights: None }, 10).add(&text),
        Err(GroupError::Table(_))
    ));
}

#[test]
fn sums_that_overflow_are_refused_and_not_wrapped() {
    let grouper = || Grouper::new(&["x".to_owned()], 0, OwnColumns::default(), 10);
    // 10³⁸ fits into 127 bits, and neither ten times nor twice as much does.
    for huge in [vec![1e38, 0.5], vec![1e38, 1e38]] {
        let mut grouper = grouper();
        let error = grouper.add(&piece(vec![("x", Data::Numbers(Arc::new(huge)))], 2)).expect_err("too large");
        let GroupError::Table(error) = error else { panic!("{error:?}") };
        assert!(error.to_string().contains("too many digits"), "{error}");
    }
    // Whole numbers that no double is.
    let odd = Data::Integers(Arc::new(vec![(1 << 53) + 1]));
    assert!(grouper().add(&piece(vec![("x", odd)], 1)).is_err());
    let tiny = Data::Numbers(Arc::new(vec![1e-25]));
    assert!(grouper().add(&piece(vec![("x", tiny)], 1)).is_err());
}

#[test]
fn weights_are_added_up_and_told_apart_by_their_signs() {
    let names = ["region", "income", "weight"].map(str::to_owned).to_vec();
    let (incomes, weights) = ([10.0, -20.0, 30.0, 5.0, 7.0, f64::NAN], [0.5, 2.0, 0.5, 0.0, f64::NAN, 1.5]);
    let columns = vec![
        ("region".to_owned(), Data::Integers(Arc::new(vec![1; 6]))),
        ("income".to_owned(), Data::Numbers(Arc::new(incomes.to_vec()))),
        ("weight".to_owned(), Data::Numbers(Arc::new(weights.to_vec()))),
    ];
    let table = Table::from_columns(columns, 6).expect("a table");
    let own = OwnColumns { prior_means: None, weights: Some(2) };
    let mut grouper = Grouper::new(&names, 1, own, 10);
    grouper.add(&table).expect("grouped");
    let groups = grouper.finish(Vec::new()).expect("groups");
    assert_eq!(groups.sizes, [3, 1, 1, 1]);
    let (name, known) = groups.weights.as_ref().expect("weights");
    let first = known[0].expect("weights above 0");
    assert_eq!((name.as_str(), first.least, first.most, first.at_least, first.at_most), ("weight", 0.5, 2.0, 2, 1));
    assert_eq!((first.sum.high, first.products.high, first.absolute.high), (3.0, -20.0, 60.0));
    assert_eq!((first.secrets, first.squares.high, first.largest[0]), ([10.0, -20.0], 4.5, 40.0));
    assert!(first.are_two(3) && known[1].is_some_and(|zero| zero.is_one()) && known[2].is_none());
    assert_eq!(
        [0, 1, 2].map(|group| groups.name(group)),
        ["region=1", "region=1, weight=0", "region=1, weight=missing"]
    );
    assert_eq!(grouper.groups_of(&table).expect("rows").groups, [0, 0, 0, 1, 2, 3]);
}
