//! The methods and attributes that the language knows.

use super::iteration::SetMethod;
use super::tables::{TableMethod, TextMethod};

/// A method or attribute of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the methods are Python's and numpy's")]
pub enum Method {
    Append,
    Extend,
    Copy,
    Index,
    Count,
    Items,
    Keys,
    Values,
    Get,
    Sum,
    Mean,
    Dot,
    ToList,
    Size,
    Shape,
    Dimensions,
    Transposed,
    Min,
    Max,
    Product,
    CumulativeSum,
    Any,
    All,
    Reshape,
    /// `ravel`, a view where that is possible.
    Ravel,
    /// `flatten`, always a copy.
    Flatten,
    /// `astype`
    AsType,
    SetDefault,
    Update,
    /// `sort`, in place.
    Sort,
    /// `squeeze`
    Squeeze,
    /// `repeat`
    Repeat,
    Pop,
    Insert,
    Remove,
    Reverse,
    Clear,
    /// `most_common`, of a `Counter`.
    MostCommon,
    /// `bit_length`, of an integer.
    BitLength,
    /// `bit_count`, of an integer.
    BitCount,
    /// `argmax` and `argmin`, of an array.
    ArgExtreme {
        largest: bool,
    },
    /// A method of sets.
    OfSet(SetMethod),
    /// A method of strings.
    Text(TextMethod),
    /// One of tables only.
    Table(TableMethod),
}

impl Method {
    /// Whether it calls the functions that it is given, and no later than it ends.
    pub(super) fn calls(self) -> bool {
        matches!(
            self,
            Method::Sort
                | Method::Table(
                    TableMethod::Apply
                        | TableMethod::Assign
                        | TableMethod::Aggregate
                        | TableMethod::Transform
                        | TableMethod::FilterGroups
                        | TableMethod::Map
                        | TableMethod::Pipe
                )
        )
    }

    /// The method of tables that is written in the same way.
    pub fn on_tables(self) -> Method {
        match self {
            Method::Min => Method::Table(TableMethod::Minimum),
            Method::Max => Method::Table(TableMethod::Maximum),
            Method::Product => Method::Table(TableMethod::NotLinear("prod")),
            Method::Text(TextMethod::Replace) => Method::Table(TableMethod::Replace),
            Method::Text(TextMethod::Join) => Method::Table(TableMethod::Join),
            Method::Squeeze => Method::Table(TableMethod::Squeeze),
            Method::OfSet(SetMethod::Add) => Method::Table(TableMethod::Operator(super::Binary::Add)),
            other => other,
        }
    }

    /// As it is written.
    pub fn name(self) -> &'static str {
        let ordinary = METHODS.iter().chain(ATTRIBUTES).find(|(_, method)| *method == self).map(|(name, _)| *name);
        match (ordinary, self) {
            (Some(name), _) => name,
            (None, Method::Table(method)) => method.name(),
            (None, _) => "it",
        }
    }
}

/// Methods, which are called.
pub(super) const METHODS: &[(&str, Method)] = &[
    ("append", Method::Append),
    ("bit_length", Method::BitLength),
    ("bit_count", Method::BitCount),
    ("argmax", Method::ArgExtreme { largest: true }),
    ("argmin", Method::ArgExtreme { largest: false }),
    ("extend", Method::Extend),
    ("copy", Method::Copy),
    ("index", Method::Index),
    ("count", Method::Count),
    ("items", Method::Items),
    ("keys", Method::Keys),
    ("values", Method::Values),
    ("get", Method::Get),
    ("sum", Method::Sum),
    ("mean", Method::Mean),
    ("dot", Method::Dot),
    ("tolist", Method::ToList),
    ("to_list", Method::ToList),
    ("min", Method::Min),
    ("max", Method::Max),
    ("prod", Method::Product),
    ("cumsum", Method::CumulativeSum),
    ("any", Method::Any),
    ("all", Method::All),
    ("reshape", Method::Reshape),
    ("ravel", Method::Ravel),
    ("flatten", Method::Flatten),
    ("transpose", Method::Transposed),
    ("astype", Method::AsType),
    ("setdefault", Method::SetDefault),
    ("update", Method::Update),
    ("sort", Method::Sort),
    ("squeeze", Method::Squeeze),
    ("repeat", Method::Repeat),
    ("pop", Method::Pop),
    ("insert", Method::Insert),
    ("remove", Method::Remove),
    ("reverse", Method::Reverse),
    ("clear", Method::Clear),
    ("most_common", Method::MostCommon),
    ("add", Method::OfSet(SetMethod::Add)),
    ("discard", Method::OfSet(SetMethod::Discard)),
    ("union", Method::OfSet(SetMethod::Union)),
    ("intersection", Method::OfSet(SetMethod::Intersection)),
    ("difference", Method::OfSet(SetMethod::Difference)),
    ("symmetric_difference", Method::OfSet(SetMethod::SymmetricDifference)),
    ("issubset", Method::OfSet(SetMethod::IsSubset)),
    ("issuperset", Method::OfSet(SetMethod::IsSuperset)),
    ("isdisjoint", Method::OfSet(SetMethod::IsDisjoint)),
    ("startswith", Method::Text(TextMethod::StartsWith)),
    ("endswith", Method::Text(TextMethod::EndsWith)),
    ("contains", Method::Text(TextMethod::Contains)),
    ("upper", Method::Text(TextMethod::Upper)),
    ("lower", Method::Text(TextMethod::Lower)),
    ("strip", Method::Text(TextMethod::Strip)),
    ("title", Method::Text(TextMethod::Title)),
    ("len", Method::Text(TextMethod::Length)),
    ("slice", Method::Text(TextMethod::Slice)),
    ("replace", Method::Text(TextMethod::Replace)),
    ("split", Method::Text(TextMethod::Split)),
    ("join", Method::Text(TextMethod::Join)),
    ("zfill", Method::Text(TextMethod::FillWithZeros)),
    ("find", Method::Text(TextMethod::Find)),
    ("extract", Method::Text(TextMethod::Extract)),
    ("isdigit", Method::Text(TextMethod::IsDigits)),
];

/// Attributes, which are not.
pub(super) const ATTRIBUTES: &[(&str, Method)] =
    &[("size", Method::Size), ("shape", Method::Shape), ("ndim", Method::Dimensions), ("T", Method::Transposed)];
