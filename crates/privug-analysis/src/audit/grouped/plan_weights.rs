//! The parts of the queries for weights that are nearly everybody's own: their sums, and what they make of a group's results.
//!
//! All sums are of how far a weight w lies above the smallest one of its group, d = w − least, so that no digits are lost where
//! weights are close together: Σ(w − w̄)² = Σd² − (Σd)²/n. Products are computed in doubles, which all engines round alike, and
//! added up as decimals, so that the order of rows does not matter.

use super::dialect::Dialect;
use privug_tables::register::{LARGEST, WEIGHT_DECIMALS, WEIGHT_SQUARE_DECIMALS};

pub(super) struct WeightQueries<'a> {
    pub(super) dialect: Dialect,
    /// The column with the weights.
    pub(super) column: &'a str,
    /// Whether everybody has a prior mean of their own as well.
    pub(super) with_priors: bool,
}

impl WeightQueries<'_> {
    fn double(&self, column: &str) -> String {
        format!("CAST({column} AS {})", self.dialect.double())
    }

    /// What the sign of a weight tells apart: missing, below 0, 0 and above 0.
    pub(super) fn sign(&self, of: &str) -> String {
        let column = format!("{of}{}", self.dialect.quoted(self.column));
        format!(
            "CASE WHEN {} THEN '-' WHEN {column} < 0 THEN 'n' WHEN {column} = 0 THEN '0' ELSE 'p' END",
            self.dialect.is_missing(&column)
        )
    }

    /// Columns of the table of people.
    pub(super) fn of_people(&self) -> String {
        let column = self.dialect.quoted(self.column);
        let is_missing = self.dialect.is_missing(&column);
        format!(
            ",\n    CASE WHEN {is_missing} THEN NULL ELSE {} END AS privug_weight,\n    {} AS privug_weight_sign",
            self.double(&column),
            self.sign("")
        )
    }

    /// Columns beside the decimals: the smallest and the largest weight of everybody's group.
    pub(super) fn of_decimals(&self, partition: &str) -> String {
        format!(
            ",\n    privug_weight,\n    privug_weight_sign,\n    \
             MIN(privug_weight) OVER ({partition}) AS privug_weight_low,\n    \
             MAX(privug_weight) OVER ({partition}) AS privug_weight_high{}",
            if self.dialect.has_largest() {
                String::new()
            } else {
                format!(
                    ",\n    ROW_NUMBER() OVER ({partition}\n      ORDER BY ABS(privug_weight * {}) DESC) AS privug_weight_rank",
                    self.double("privug_secret")
                )
            }
        )
    }

    /// A table with everybody's products.
    pub(super) fn products(&self) -> String {
        let (above, secret) = ("(privug_weight - privug_weight_low)", self.double("privug_secret"));
        let product = |of: &str, decimals: u32| self.dialect.decimal(&format!("{above} * {of}"), decimals);
        let mut columns = vec![
            (self.dialect.decimal(above, WEIGHT_DECIMALS), "decimal"),
            (product(above, WEIGHT_SQUARE_DECIMALS), "square"),
            (product(&secret, WEIGHT_DECIMALS), "product"),
            (product(&format!("ABS({secret})"), WEIGHT_DECIMALS), "size"),
        ];
        if self.with_priors {
            columns.push((product(&self.double("privug_prior"), WEIGHT_DECIMALS), "prior"));
        }
        let columns: Vec<String> =
            columns.iter().map(|(what, name)| format!(",\n    {what} AS privug_weight_{name}")).collect();
        format!(
            "privug_weighted AS (\n  SELECT\n    privug_decimals.*{}\n  FROM privug_decimals\n),\n",
            columns.concat()
        )
    }

    /// The sums of a group.
    pub(super) fn sums(&self) -> String {
        let mut text = String::new();
        let mut add = |what: String, name: &str| text += &format!("    {what} AS privug_weight_{name},\n");
        add("COUNT(privug_weight)".to_owned(), "known");
        add("MIN(privug_weight)".to_owned(), "least");
        add("MAX(privug_weight)".to_owned(), "most");
        for (end, name) in [("low", "at_least"), ("high", "at_most")] {
            add(format!("SUM(CASE WHEN privug_weight = privug_weight_{end} THEN 1 ELSE 0 END)"), name);
        }
        let mut sums = vec![("decimal", "sum"), ("square", "squares"), ("product", "products"), ("size", "absolute")];
        let mut lost = "privug_weight_decimal IS NULL OR privug_weight_square IS NULL\n      \
                        OR (privug_secret IS NOT NULL AND (privug_weight_product IS NULL OR privug_weight_size IS NULL))"
            .to_owned();
        if self.with_priors {
            sums.push(("prior", "priors"));
            lost += "\n      OR (privug_prior IS NOT NULL AND privug_weight_prior IS NULL)";
        }
        for (of, name) in sums {
            add(format!("CAST(SUM(privug_weight_{of}) AS {})", self.dialect.text()), name);
        }
        add(format!("SUM(CASE WHEN privug_weight IS NOT NULL AND ({lost})\n      THEN 1 ELSE 0 END)"), "inexact");
        let size = format!("ABS(privug_weight * {})", self.double("privug_secret"));
        for place in 1..=LARGEST {
            add(self.dialect.largest(&size, "privug_weight_rank", place), &format!("largest_{place}"));
        }
        text
    }

    /// What the results of a group are for somebody with a weight of their own: the mean moves by what is affine in the weight,
    /// and the variance that is left is a parabola through those at the smallest, the largest and the middle weight. The place of
    /// the posterior mean has what the mean moves by.
    pub(super) fn of_somebody(&self) -> Vec<(&'static str, String)> {
        let weight = self.double(&format!("privug_source.{}", self.dialect.quoted(self.column)));
        let of = |name: &str| format!("privug_results.privug_{name}");
        let (least, most) = (of("weight_least"), of("weight_most"));
        let (at_least, at_most) = (format!("{weight} = {least}"), format!("{weight} = {most}"));
        // Of a group with one weight there is no largest one.
        let t = format!("(({weight} - {least}) / ({most} - {least}))");
        let between = |at_end: &str, at_other: &str, inside: &str| {
            format!(
                "CASE WHEN {most} IS NULL OR {at_least} THEN {at_end} WHEN {at_most} THEN {at_other}\n    ELSE {inside} END"
            )
        };
        let shift = between(
            &of("mean_shift"),
            &of("mean_shift_most"),
            &format!("(1 - {t}) * {} + {t} * {}", of("mean_shift"), of("mean_shift_most")),
        );
        let through = format!(
            "(1 - {t}) * (1 - 2 * {t}) * {} + {t} * (2 * {t} - 1) * {} + 4 * {t} * (1 - {t}) * {}",
            of("posterior_variance"),
            of("posterior_variance_most"),
            of("posterior_variance_middle")
        );
        // Somebody in between is not disclosed, whatever rounding says.
        let floor = format!("2.2E-16 * {0} * {0}", of("prior_std"));
        let inside = format!("CASE WHEN {through} > {floor} THEN {through} ELSE {floor} END");
        let variance = between(&of("posterior_variance"), &of("posterior_variance_most"), &inside);
        let (std_dev, prior) = (format!("SQRT({variance})"), of("prior_std"));
        let bits = format!("LN({prior} * {prior} / ({inside})) / (2 * LN(2))");
        let bits = format!("CASE WHEN {bits} > 0 THEN {bits} ELSE 0 END");
        vec![
            ("privug_fully_disclosed", between(&of("fully_disclosed"), &of("fully_disclosed_most"), "FALSE")),
            ("privug_posterior_mean", shift.clone()),
            ("privug_posterior_std", std_dev.clone()),
            ("privug_mean_shift", shift),
            (
                "privug_relative_std",
                format!("CASE WHEN {prior} > 0 THEN {std_dev} / {prior} ELSE {} END", of("relative_std")),
            ),
            ("privug_mutual_information_bits", between(&of("mutual_information_bits"), &of("bits_most"), &bits)),
        ]
    }
}
