//! Groups from the table that a query of `privug plan` gave.

use std::path::Path;

use super::decimal::{Decimal, MAX_SCALE};
use super::groups::{COLUMNS, Groups};
use super::summary::{LARGEST, PairSum};
use crate::table::{Data, Missing, Table, TableError, outline, pieces};

/// More different secrets than this are many.
const FEW_VALUES: f64 = 20.0;

pub(super) fn refuse(column: &str, message: impl Into<String>) -> TableError {
    TableError::new(message).in_column(column)
}

/// Reads a file of groups: CSV or Parquet.
pub fn read_groups(path: &Path, secret: &str) -> Result<(Groups, Vec<String>), TableError> {
    let shown = path.display().to_string();
    let read = || {
        let (names, rows) = outline(path)?;
        if rows.is_some() {
            return groups_of_table(&crate::table::read(path, Missing::AsPandas)?, secret);
        }
        // In a CSV file, numbers would be read as doubles.
        let exact = [
            "privug_sum",
            "privug_sum_absolute",
            "privug_columns",
            "privug_key",
            "privug_prior_sum",
            "privug_prior_column",
            "privug_weight_column",
            "privug_weight_sum",
            "privug_weight_squares",
            "privug_weight_products",
            "privug_weight_absolute",
            "privug_weight_priors",
        ];
        let mut texts: Vec<usize> = (0..names.len()).filter(|place| exact.contains(&names[*place].as_str())).collect();
        let places: Vec<usize> = (0..names.len()).collect();
        loop {
            let mut found = None;
            let mut keep = |piece: &Table| {
                found = Some(piece.clone());
                Ok::<(), TableError>(())
            };
            if pieces(path, &places, &mut texts, usize::MAX, &mut keep)? {
                let table = found.ok_or_else(|| TableError::new("the table has no rows"))?;
                return groups_of_table(&table, secret);
            }
        }
    };
    read().map_err(|error: TableError| if error.path.is_empty() { error.in_file(&shown) } else { error })
}

/// The groups in a table, and the names of all columns of the table that was grouped. Sums are texts of decimals.
pub fn groups_of_table(table: &Table, secret: &str) -> Result<(Groups, Vec<String>), TableError> {
    let reader = Reader { table };
    let count = table.row_count();
    let whole = |name: &str| reader.whole(name);
    let (sizes, known, inexact) = (whole("privug_rows")?, whole("privug_known")?, whole("privug_inexact")?);
    let merged = whole("privug_merged")?;
    let sums = reader.decimals("privug_sum")?;
    let absolute = reader.decimals("privug_sum_absolute")?;
    let variances = reader.numbers("privug_variance")?;
    let (least, most) = (reader.numbers("privug_least")?, reader.numbers("privug_most")?);
    let mut largest = Vec::with_capacity(LARGEST);
    for place in 1..=LARGEST {
        largest.push(reader.numbers(&format!("privug_largest_{place}"))?);
    }
    for row in 0..count {
        let at = |column: &str, message: &str| refuse(column, message).at_row(row + 1);
        if sizes[row] == 0 || (known[row] != 0 && known[row] != sizes[row]) {
            let error = at("privug_known", "a group mixes people with and without a secret, or is empty");
            return Err(error.hint("use the unchanged result of the query that `privug plan` printed"));
        }
        if inexact[row] != 0 {
            let error = at("privug_inexact", "secrets have more decimals than the query sums, or are infinite");
            return Err(error.hint("rerun `privug plan` with more `--decimals`"));
        }
        if merged[row] != 0 {
            let error = at("privug_merged", "the database treats strings as equal that the script distinguishes");
            return Err(
                error.hint("group by columns with a binary collation: make a view with `COLLATE \"C\"` or the like")
            );
        }
        let has_secret = known[row] > 0;
        let there = [
            sums[row].is_some(),
            absolute[row].is_some(),
            variances[row].is_some(),
            least[row].is_some(),
            most[row].is_some(),
        ];
        if there.contains(&!has_secret) {
            let error = at("privug_sum", "some of the sums of the group are missing");
            return Err(error.hint("did a sum overflow? rerun `privug plan` with fewer `--decimals`"));
        }
        let kept = largest.iter().filter(|one| one[row].is_some()).count() as u64;
        if kept != known[row].min(LARGEST as u64) {
            return Err(at("privug_largest_1", "the largest values of the group are missing"));
        }
    }
    let scale_of = |all: &[Option<Decimal>]| all.iter().flatten().map(|one| one.scale).max().unwrap_or(0);
    let scale = scale_of(&sums).max(scale_of(&absolute));
    if scale > MAX_SCALE {
        let error = refuse("privug_sum", format!("the sums have {scale} digits after the decimal point"));
        return Err(error.hint("rerun `privug plan` with fewer `--decimals`"));
    }
    let at = |all: &[Option<Decimal>], name: &str| -> Result<Vec<Option<i128>>, TableError> {
        let units = |(row, one): (usize, &Option<Decimal>)| match one {
            None => Ok(None),
            Some(one) => {
                one.at(scale).map(Some).ok_or_else(|| refuse(name, "the sum has too many digits").at_row(row + 1))
            }
        };
        all.iter().enumerate().map(units).collect()
    };
    let names = reader.names()?;
    let keys: Vec<(String, Data)> = table
        .columns()
        .iter()
        .filter(|column| !COLUMNS.contains(&column.name()))
        .map(|column| (column.name().to_owned(), column.data().clone()))
        .collect();
    let prior_means = reader.prior_means(&names, secret)?;
    let weights = reader.weights(&names, secret, prior_means.as_ref())?;
    let own = [prior_means.as_ref().map(|(own, _)| own), weights.as_ref().map(|(own, _)| own)];
    let is_own = |name: &String| name == secret || own.contains(&Some(name));
    let is_known = |name: &String| is_own(name) || keys.iter().any(|(key, _)| key == name);
    if let Some((name, _)) = keys.iter().find(|(name, _)| !names.contains(name) || is_own(name)) {
        return Err(refuse(name, "this is not a column that people were grouped by"));
    }
    if !names.iter().any(|name| name == secret) {
        return Err(TableError::new(format!("the table that was grouped has no column `{secret}`")));
    }
    let distinct = whole("privug_distinct")?.first().map(|count| *count as f64).filter(|count| *count <= FEW_VALUES);
    let groups = Groups {
        secret: secret.to_owned(),
        scale,
        sums: at(&sums, "privug_sum")?,
        absolute_sums: at(&absolute, "privug_sum_absolute")?,
        variances: variances.into_iter().map(|one| one.unwrap_or(0.0)).collect(),
        least: least.into_iter().map(|one| one.unwrap_or(f64::INFINITY)).collect(),
        most: most.into_iter().map(|one| one.unwrap_or(f64::NEG_INFINITY)).collect(),
        largest: (0..count).map(|row| std::array::from_fn(|place| largest[place][row].unwrap_or(-1.0))).collect(),
        distinct: distinct.map(|count| count as usize),
        first_rows: None,
        unread: names.iter().filter(|name| !is_known(name)).cloned().collect(),
        prior_means,
        weights,
        engine_keys: Some(reader.column("privug_key")?.clone()),
        sizes,
        keys,
    };
    Ok((groups, names))
}

pub(super) struct Reader<'t> {
    pub(super) table: &'t Table,
}

impl Reader<'_> {
    /// A column, in any case: some engines write names in capitals.
    pub(super) fn column(&self, name: &str) -> Result<&Data, TableError> {
        self.table.column(name).map(|column| column.data()).ok_or_else(|| {
            let error = refuse(name, "the table of groups has no such column");
            error.hint("use the unchanged result of the query that `privug plan` printed")
        })
    }

    pub(super) fn numbers(&self, name: &str) -> Result<Vec<Option<f64>>, TableError> {
        let data = self.column(name)?;
        let read = |row: usize| match data {
            Data::Numbers(_) | Data::Integers(_) => Ok(data.number(row)),
            Data::Texts { .. } => match data.show(row) {
                None => Ok(None),
                Some(text) => match text.trim().parse::<f64>() {
                    Ok(value) if value.is_finite() => Ok(Some(value)),
                    Ok(_) if text.contains(|letter: char| letter.is_ascii_digit()) => {
                        Err(refuse(name, format!("`{text}` is too large for a number")).at_row(row + 1))
                    }
                    _ => Err(refuse(name, format!("`{text}` is not a number")).at_row(row + 1)),
                },
            },
            Data::Booleans(_) | Data::OptionalBooleans(_) => Err(refuse(name, "this is a column of booleans")),
        };
        (0..self.table.row_count()).map(read).collect()
    }

    /// Whole numbers, none of them missing.
    pub(super) fn whole(&self, name: &str) -> Result<Vec<u64>, TableError> {
        let read = |(row, value): (usize, Option<f64>)| match value {
            Some(value) if value >= 0.0 && value.fract() == 0.0 && value < 9e15 => Ok(value as u64),
            _ => Err(refuse(name, "this is not a number of rows").at_row(row + 1)),
        };
        self.numbers(name)?.into_iter().enumerate().map(read).collect()
    }

    pub(super) fn decimals(&self, name: &str) -> Result<Vec<Option<Decimal>>, TableError> {
        let data = self.column(name)?;
        if matches!(data, Data::Numbers(values) if values.iter().any(|value| !value.is_nan())) {
            // A double may have lost digits of it.
            let error = refuse(name, "the sums are floating-point numbers, and may have lost digits");
            return Err(error.hint("store them as decimal strings, as the query of `privug plan` returns them"));
        }
        let read = |row: usize| match data.show(row) {
            None => Ok(None),
            Some(text) => Decimal::read(&text).map(Some).ok_or_else(|| {
                refuse(name, format!("`{text}` is not a decimal")).at_row(row + 1).hint("sums must be decimal strings")
            }),
        };
        (0..self.table.row_count()).map(read).collect()
    }

    /// The column with everybody's own prior mean and its sums, if there is one.
    #[allow(clippy::type_complexity, reason = "a name and a column")]
    fn prior_means(
        &self,
        names: &[String],
        secret: &str,
    ) -> Result<Option<(String, Vec<Option<PairSum>>)>, TableError> {
        if self.table.column("privug_prior_sum").is_none() {
            return Ok(None);
        }
        let own = self.column("privug_prior_column")?.show(0).unwrap_or_default();
        if !names.contains(&own) || own == secret {
            return Err(refuse("privug_prior_column", format!("the table that was grouped has no column `{own}`")));
        }
        if let Some(row) = self.whole("privug_prior_inexact")?.iter().position(|count| *count != 0) {
            let message = "prior means are too large, or too small for 12 decimal places";
            let error = refuse("privug_prior_inexact", message).at_row(row + 1);
            return Err(error.hint("give prior means and secrets in other units, or round the prior means"));
        }
        let sums = self.decimals("privug_prior_sum")?;
        if let Some(row) = sums.iter().position(|sum| sum.is_some_and(|sum| sum.scale > MAX_SCALE)) {
            return Err(refuse("privug_prior_sum", "the sum has too many digits").at_row(row + 1));
        }
        let (rows, known) = (self.whole("privug_rows")?, self.whole("privug_prior_known")?);
        for (row, sum) in sums.iter().enumerate() {
            if (known[row] != 0 && known[row] != rows[row]) || sum.is_some() != (known[row] > 0) {
                let error = refuse("privug_prior_sum", "the sum of prior means is missing").at_row(row + 1);
                return Err(error.hint("did it overflow? give prior means in other units"));
            }
        }
        Ok(Some((own, sums.into_iter().map(|sum| sum.map(PairSum::of_decimal)).collect())))
    }

    /// The columns of the table that was grouped: a list in JSON, the same in every row.
    fn names(&self) -> Result<Vec<String>, TableError> {
        let text = self.column("privug_columns")?.show(0).unwrap_or_default();
        json_texts(&text).ok_or_else(|| refuse("privug_columns", "this is not a list of names"))
    }
}

/// `["a","b\"c"]`
fn json_texts(text: &str) -> Option<Vec<String>> {
    let mut rest = text.trim().strip_prefix('[')?.strip_suffix(']')?.chars().peekable();
    let mut found = Vec::new();
    while rest.peek().is_some() {
        while rest.next_if(|letter| letter.is_whitespace() || *letter == ',').is_some() {}
        if rest.next()? != '"' {
            return None;
        }
        let mut name = String::new();
        loop {
            match rest.next()? {
                '"' => break,
                '\\' => match rest.next()? {
                    'n' => name.push('\n'),
                    't' => name.push('\t'),
                    'r' => name.push('\r'),
                    'u' => {
                        let digits: String = (0..4).filter_map(|_| rest.next()).collect();
                        name.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                    }
                    other => name.push(other),
                },
                letter => name.push(letter),
            }
        }
        found.push(name);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn lists_of_names_are_read_as_they_were_written() {
        let read = json_texts(r#"["a","b\"c", "d\\e","ü\u0041"]"#);
        assert_eq!(read, Some(["a", "b\"c", "d\\e", "üA"].map(str::to_owned).to_vec()));
        assert_eq!([json_texts("[]"), json_texts("a"), json_texts("[\"a]")], [Some(Vec::new()), None, None]);
    }

    fn text(value: Option<&str>) -> Data {
        let (codes, labels) = crate::table::coded([value.map(str::to_owned)].into_iter());
        Data::Texts { codes: Arc::new(codes), labels: Arc::new(labels) }
    }

    /// A table of one group of two people, with some columns changed.
    fn table(changed: &[(&str, Data)]) -> Table {
        let number = |value: f64| Data::Numbers(Arc::new(vec![value]));
        let whole = |value: i64| Data::Integers(Arc::new(vec![value]));
        let mut columns = vec![
            ("region", text(Some("north"))),
            ("privug_rows", whole(2)),
            ("privug_known", whole(2)),
            ("privug_sum", text(Some("12345678901234567890.10"))),
            ("privug_sum_absolute", text(Some("12345678901234567890.10"))),
            ("privug_variance", number(1.0)),
            ("privug_least", number(0.0)),
            ("privug_most", number(2.0)),
            ("privug_largest_1", number(2.0)),
            ("privug_largest_2", number(0.0)),
            ("privug_largest_3", number(f64::NAN)),
            ("privug_distinct", whole(2)),
            ("privug_inexact", whole(0)),
            ("privug_merged", whole(0)),
            ("privug_columns", text(Some(r#"["id","region","income"]"#))),
            ("privug_key", text(Some("0b4e"))),
        ];
        for (name, data) in changed {
            let place = columns.iter().position(|(one, _)| one == name).expect("a column");
            columns[place].1 = data.clone();
        }
        let columns = columns.into_iter().map(|(name, data)| (name.to_owned(), data)).collect();
        Table::from_columns(columns, 1).expect("a table")
    }

    #[test]
    fn sums_are_read_to_the_last_digit() {
        let (groups, names) = groups_of_table(&table(&[]), "income").expect("groups");
        assert_eq!((groups.sums[0], groups.scale), (Some(1234567890123456789010), 2));
        assert_eq!((groups.unread.as_slice(), names.len()), (["id".to_owned()].as_slice(), 3));
        assert_eq!((groups.distinct, groups.largest[0]), (Some(2), [2.0, 0.0, -1.0]));
    }

    #[test]
    fn what_is_lost_in_a_sum_is_noticed() {
        let whole = |value: i64| Data::Integers(Arc::new(vec![value]));
        for (name, data, words) in [
            ("privug_inexact", whole(1), "--decimals"),
            ("privug_merged", whole(1), "COLLATE"),
            ("privug_sum", text(None), "overflow"),
            ("privug_sum", text(Some("1e20")), "not a decimal"),
            ("privug_known", whole(1), "privug_known"),
            ("privug_rows", whole(0), "privug_known"),
            ("privug_largest_2", Data::Numbers(Arc::new(vec![f64::NAN])), "largest"),
            ("privug_columns", text(Some("[\"id\"]")), "not a column that people were grouped by"),
        ] {
            let error = groups_of_table(&table(&[(name, data)]), "income").expect_err(name);
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}
