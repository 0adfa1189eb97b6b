//! The methods and attributes of tables, which the language has where a function is given tables.

/// A method or attribute of a table, a column or a grouping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the methods are those of pandas")]
pub enum TableMethod {
    GroupBy,
    PivotTable,
    Assign,
    Aggregate,
    GroupSizes,
    GetGroup,
    IsIn,
    Between,
    Unique,
    UniqueCount,
    ValueCounts,
    ToDict,
    WithoutIndex,
    /// The figure of its group in each row.
    Transform,
    Shift,
    Differences,
    Round,
    Rename,
    WithoutColumns,
    WithoutMissing,
    FillMissing,
    /// `isna` (true) or `notna` (false).
    IsMissing(bool),
    ByIndex,
    Minimum,
    Maximum,
    StandardDeviation,
    Variance,
    Median,
    /// Something that is not a sum, and therefore never of a secret.
    NotLinear(&'static str),
    Loc,
    Columns,
    Index,
    Empty,
    GroupCount,
}

impl TableMethod {
    /// As it is written.
    pub(super) fn name(self) -> &'static str {
        let known = TABLE_METHODS.iter().chain(TABLE_ATTRIBUTES).find(|(_, method)| *method == self);
        known.map_or("it", |(name, _)| *name)
    }
}

/// Methods, which are called.
pub(super) const TABLE_METHODS: &[(&str, TableMethod)] = &[
    ("groupby", TableMethod::GroupBy),
    ("pivot_table", TableMethod::PivotTable),
    ("assign", TableMethod::Assign),
    ("agg", TableMethod::Aggregate),
    ("aggregate", TableMethod::Aggregate),
    ("size", TableMethod::GroupSizes),
    ("get_group", TableMethod::GetGroup),
    ("isin", TableMethod::IsIn),
    ("between", TableMethod::Between),
    ("unique", TableMethod::Unique),
    ("nunique", TableMethod::UniqueCount),
    ("value_counts", TableMethod::ValueCounts),
    ("to_dict", TableMethod::ToDict),
    ("to_numpy", TableMethod::WithoutIndex),
    ("transform", TableMethod::Transform),
    ("shift", TableMethod::Shift),
    ("diff", TableMethod::Differences),
    ("round", TableMethod::Round),
    ("rename", TableMethod::Rename),
    ("drop", TableMethod::WithoutColumns),
    ("dropna", TableMethod::WithoutMissing),
    ("fillna", TableMethod::FillMissing),
    ("isna", TableMethod::IsMissing(true)),
    ("isnull", TableMethod::IsMissing(true)),
    ("notna", TableMethod::IsMissing(false)),
    ("notnull", TableMethod::IsMissing(false)),
    ("sort_index", TableMethod::ByIndex),
    ("min", TableMethod::Minimum),
    ("max", TableMethod::Maximum),
    ("std", TableMethod::StandardDeviation),
    ("var", TableMethod::Variance),
    ("median", TableMethod::Median),
    ("quantile", TableMethod::NotLinear("quantile")),
    ("sort_values", TableMethod::NotLinear("sort_values")),
    ("nlargest", TableMethod::NotLinear("nlargest")),
    ("nsmallest", TableMethod::NotLinear("nsmallest")),
    ("rank", TableMethod::NotLinear("rank")),
    ("mode", TableMethod::NotLinear("mode")),
    ("idxmax", TableMethod::NotLinear("idxmax")),
    ("idxmin", TableMethod::NotLinear("idxmin")),
    ("describe", TableMethod::NotLinear("describe")),
    ("sem", TableMethod::NotLinear("sem")),
    ("skew", TableMethod::NotLinear("skew")),
    ("kurt", TableMethod::NotLinear("kurt")),
    ("corr", TableMethod::NotLinear("corr")),
    ("cov", TableMethod::NotLinear("cov")),
    ("clip", TableMethod::NotLinear("clip")),
    ("abs", TableMethod::NotLinear("abs")),
    ("prod", TableMethod::NotLinear("prod")),
];

/// Attributes, which are not; every other one is a column.
pub(super) const TABLE_ATTRIBUTES: &[(&str, TableMethod)] = &[
    ("loc", TableMethod::Loc),
    ("at", TableMethod::Loc),
    ("columns", TableMethod::Columns),
    ("index", TableMethod::Index),
    ("values", TableMethod::WithoutIndex),
    ("empty", TableMethod::Empty),
    ("ngroups", TableMethod::GroupCount),
];
