//! The methods and attributes of tables, which the language has where a function is given tables.

use super::instruction::{Binary, Comparison};

/// A part of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the parts are those of pandas")]
pub enum DatePart {
    Year,
    Month,
    Day,
    Quarter,
    Weekday,
    /// Of the time between two dates.
    Days,
}

/// A method of strings, and of columns of them behind `.str`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the methods are Python's")]
pub enum TextMethod {
    StartsWith,
    EndsWith,
    Contains,
    Upper,
    Lower,
    Strip,
    Title,
    Length,
    Slice,
    Replace,
    Split,
    Join,
    FillWithZeros,
    Find,
    IsDigits,
    /// What the groups of a pattern hold.
    Extract,
}

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
    /// `ffill` and `bfill`
    FillFrom {
        forward: bool,
    },
    /// `isna` (true) or `notna` (false).
    IsMissing(bool),
    ByIndex,
    /// `sort_values`
    Sort,
    ResetIndex,
    SetIndex,
    Merge,
    Join,
    Melt,
    Pivot,
    Stack,
    Unstack,
    Query,
    /// `apply(f)`
    Apply,
    Map,
    Pipe,
    /// `groups.filter(f)`; of a table it chooses columns.
    FilterGroups,
    /// `head` (true) or `tail`
    Ends(bool),
    Where(bool),
    Rolling,
    Replace,
    /// `first` (true) or `last`
    FirstRow(bool),
    /// `add`, `sub`, … with `fill_value=`
    Operator(Binary),
    Compare(Comparison),
    WithoutDuplicates,
    Duplicated,
    ToFrame,
    Rows,
    RowTuples,
    AddPrefix {
        before: bool,
    },
    /// `to_csv` and the like: what is written is published.
    Write,
    Squeeze,
    Reindex,
    /// `nlargest`, `nsmallest`, by public columns.
    Extremes {
        largest: bool,
    },
    /// `select_dtypes`
    OfType,
    /// `xs`
    CrossSection,
    /// `get_level_values`
    LevelValues,
    /// `droplevel`
    WithoutLevel,
    /// `swaplevel`
    SwapLevels,
    /// `to_flat_index`
    FlatLabels,
    /// `rename_axis`
    NameRows,
    Iloc,
    /// `.str`, `.dt`
    TextAccessor,
    DateAccessor,
    /// `strftime` or `to_period` behind `.dt`
    DateText {
        is_period: bool,
    },
    /// `to_timestamp` behind `.dt`
    PeriodStarts,
    /// `year`, `month`, … behind `.dt`
    DatePart(DatePart),
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
    ("sort_values", TableMethod::Sort),
    ("reset_index", TableMethod::ResetIndex),
    ("set_index", TableMethod::SetIndex),
    ("merge", TableMethod::Merge),
    ("join", TableMethod::Join),
    ("melt", TableMethod::Melt),
    ("pivot", TableMethod::Pivot),
    ("stack", TableMethod::Stack),
    ("unstack", TableMethod::Unstack),
    ("query", TableMethod::Query),
    ("apply", TableMethod::Apply),
    ("map", TableMethod::Map),
    ("pipe", TableMethod::Pipe),
    ("filter", TableMethod::FilterGroups),
    ("ffill", TableMethod::FillFrom { forward: true }),
    ("bfill", TableMethod::FillFrom { forward: false }),
    ("head", TableMethod::Ends(true)),
    ("tail", TableMethod::Ends(false)),
    ("where", TableMethod::Where(true)),
    ("mask", TableMethod::Where(false)),
    ("rolling", TableMethod::Rolling),
    ("replace", TableMethod::Replace),
    ("first", TableMethod::FirstRow(true)),
    ("last", TableMethod::FirstRow(false)),
    ("add", TableMethod::Operator(Binary::Add)),
    ("sub", TableMethod::Operator(Binary::Subtract)),
    ("subtract", TableMethod::Operator(Binary::Subtract)),
    ("mul", TableMethod::Operator(Binary::Multiply)),
    ("multiply", TableMethod::Operator(Binary::Multiply)),
    ("div", TableMethod::Operator(Binary::Divide)),
    ("divide", TableMethod::Operator(Binary::Divide)),
    ("truediv", TableMethod::Operator(Binary::Divide)),
    ("eq", TableMethod::Compare(Comparison::Equal)),
    ("ne", TableMethod::Compare(Comparison::NotEqual)),
    ("lt", TableMethod::Compare(Comparison::Less)),
    ("le", TableMethod::Compare(Comparison::LessEqual)),
    ("gt", TableMethod::Compare(Comparison::Greater)),
    ("ge", TableMethod::Compare(Comparison::GreaterEqual)),
    ("drop_duplicates", TableMethod::WithoutDuplicates),
    ("duplicated", TableMethod::Duplicated),
    ("to_frame", TableMethod::ToFrame),
    ("iterrows", TableMethod::Rows),
    ("itertuples", TableMethod::RowTuples),
    ("add_prefix", TableMethod::AddPrefix { before: true }),
    ("add_suffix", TableMethod::AddPrefix { before: false }),
    ("to_csv", TableMethod::Write),
    ("to_excel", TableMethod::Write),
    ("to_markdown", TableMethod::Write),
    ("to_string", TableMethod::Write),
    ("to_html", TableMethod::Write),
    ("to_latex", TableMethod::Write),
    ("to_json", TableMethod::Write),
    ("to_parquet", TableMethod::Write),
    ("to_feather", TableMethod::Write),
    ("strftime", TableMethod::DateText { is_period: false }),
    ("to_period", TableMethod::DateText { is_period: true }),
    ("to_timestamp", TableMethod::PeriodStarts),
    ("squeeze", TableMethod::Squeeze),
    ("reindex", TableMethod::Reindex),
    ("min", TableMethod::Minimum),
    ("max", TableMethod::Maximum),
    ("std", TableMethod::StandardDeviation),
    ("var", TableMethod::Variance),
    ("median", TableMethod::Median),
    ("quantile", TableMethod::NotLinear("quantile")),
    ("nlargest", TableMethod::Extremes { largest: true }),
    ("nsmallest", TableMethod::Extremes { largest: false }),
    ("select_dtypes", TableMethod::OfType),
    ("xs", TableMethod::CrossSection),
    ("get_level_values", TableMethod::LevelValues),
    ("droplevel", TableMethod::WithoutLevel),
    ("swaplevel", TableMethod::SwapLevels),
    ("to_flat_index", TableMethod::FlatLabels),
    ("rename_axis", TableMethod::NameRows),
    ("rank", TableMethod::NotLinear("rank")),
    ("mode", TableMethod::NotLinear("mode")),
    ("idxmax", TableMethod::NotLinear("idxmax")),
    ("idxmin", TableMethod::NotLinear("idxmin")),
    ("describe", TableMethod::NotLinear("describe")),
    ("sem", TableMethod::NotLinear("sem")),
    ("skew", TableMethod::NotLinear("skew")),
    ("kurt", TableMethod::NotLinear("kurt")),
    ("corr", TableMethod::NotLinear("corr")),
    ("clip", TableMethod::NotLinear("clip")),
    ("abs", TableMethod::NotLinear("abs")),
    ("prod", TableMethod::NotLinear("prod")),
];

/// Attributes, which are not; every other one is a column.
pub(super) const TABLE_ATTRIBUTES: &[(&str, TableMethod)] = &[
    ("loc", TableMethod::Loc),
    ("at", TableMethod::Loc),
    ("iloc", TableMethod::Iloc),
    ("iat", TableMethod::Iloc),
    ("str", TableMethod::TextAccessor),
    ("dt", TableMethod::DateAccessor),
    ("year", TableMethod::DatePart(DatePart::Year)),
    ("month", TableMethod::DatePart(DatePart::Month)),
    ("day", TableMethod::DatePart(DatePart::Day)),
    ("quarter", TableMethod::DatePart(DatePart::Quarter)),
    ("dayofweek", TableMethod::DatePart(DatePart::Weekday)),
    ("weekday", TableMethod::DatePart(DatePart::Weekday)),
    ("days", TableMethod::DatePart(DatePart::Days)),
    ("columns", TableMethod::Columns),
    ("index", TableMethod::Index),
    ("values", TableMethod::WithoutIndex),
    ("empty", TableMethod::Empty),
    ("ngroups", TableMethod::GroupCount),
];
