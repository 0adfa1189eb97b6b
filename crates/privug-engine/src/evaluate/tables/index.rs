//! What the rows of a column are called: rows of a table, keys of groups, or just positions.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use super::shape::Shape;

/// A value that groups and columns are called by.
#[derive(Debug, Clone)]
pub(in super::super) enum Label {
    Text(Arc<str>),
    Int(i64),
    Bool(bool),
    Number(f64),
    /// A missing value, which is a group where it is asked for.
    Missing,
}

impl Label {
    pub(super) fn text(text: &str) -> Label {
        Label::Text(Arc::from(text))
    }

    fn as_number(&self) -> Option<f64> {
        match self {
            Label::Text(_) | Label::Missing => None,
            Label::Int(value) => Some(*value as f64),
            Label::Bool(value) => Some(f64::from(u8::from(*value))),
            Label::Number(value) => Some(*value),
        }
    }

    /// As it is shown in the name of a figure.
    pub(super) fn show(&self) -> String {
        match self {
            Label::Text(text) => text.to_string(),
            Label::Int(value) => value.to_string(),
            Label::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
            Label::Number(value) => format!("{value:?}"),
            Label::Missing => "nan".to_owned(),
        }
    }
}

/// A key as it is shown: `21-30, male`. The empty texts of pandas' margins are left out.
pub(in super::super) fn label_text(labels: &[Label]) -> String {
    let shown: Vec<String> = labels.iter().map(Label::show).filter(|text| !text.is_empty()).collect();
    shown.join(", ")
}

impl PartialEq for Label {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Label::Text(a), Label::Text(b)) => a == b,
            (Label::Int(a), Label::Int(b)) => a == b,
            (Label::Missing, Label::Missing) => true,
            // As in Python, 1, 1.0 and True are one key.
            (a, b) => a.as_number().is_some() && a.as_number() == b.as_number(),
        }
    }
}

impl Eq for Label {}

impl Hash for Label {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match self {
            Label::Text(text) => text.hash(hasher),
            Label::Missing => 7u8.hash(hasher),
            other => {
                let number = other.as_number().unwrap_or(0.0);
                // Both zeros are one number.
                (if number == 0.0 { 0.0f64 } else { number }).to_bits().hash(hasher);
            }
        }
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Label {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Label::Text(a), Label::Text(b)) => a.cmp(b),
            (Label::Int(a), Label::Int(b)) => a.cmp(b),
            // Missing ones come last.
            (Label::Missing, Label::Missing) => Ordering::Equal,
            (Label::Missing, _) => Ordering::Greater,
            (_, Label::Missing) => Ordering::Less,
            (Label::Text(_), _) => Ordering::Greater,
            (_, Label::Text(_)) => Ordering::Less,
            (a, b) => a.as_number().unwrap_or(0.0).total_cmp(&b.as_number().unwrap_or(0.0)),
        }
    }
}

/// The keys of groups, in order.
#[derive(Debug)]
pub(in super::super) struct Keys {
    /// One label for each column that was grouped by.
    pub(super) labels: Vec<Vec<Label>>,
    /// Whether a key is a label by itself and not a tuple of them.
    pub(super) scalar: bool,
    /// What each part of a key is, as far as it is known.
    pub(super) levels: Vec<Level>,
    /// Whether which keys there are depends on a secret.
    pub(super) shape: Shape,
    positions: OnceCell<HashMap<Vec<Label>, usize>>,
}

/// One part of a key.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in super::super) struct Level {
    pub(super) name: Option<Rc<str>>,
    /// The order of its labels, if it is not that of their values.
    pub(super) categories: Option<Rc<Vec<Label>>>,
}

impl Level {
    /// Which of two labels comes first.
    pub(super) fn order(&self, a: &Label, b: &Label) -> Ordering {
        match &self.categories {
            None => a.cmp(b),
            Some(categories) => {
                let place = |label: &Label| categories.iter().position(|category| category == label);
                place(a).cmp(&place(b))
            }
        }
    }
}

impl Keys {
    /// Keys whose parts have no names.
    pub(super) fn new(labels: Vec<Vec<Label>>, scalar: bool) -> Rc<Keys> {
        Keys::of_levels(labels, scalar, Vec::new())
    }

    pub(super) fn of_levels(labels: Vec<Vec<Label>>, scalar: bool, levels: Vec<Level>) -> Rc<Keys> {
        Keys::shaped(labels, scalar, levels, Shape::default())
    }

    /// Keys of which it may be secret whether they are there.
    pub(super) fn shaped(labels: Vec<Vec<Label>>, scalar: bool, levels: Vec<Level>, shape: Shape) -> Rc<Keys> {
        Rc::new(Keys { labels, scalar, levels, shape, positions: OnceCell::new() })
    }

    /// How many parts a key has.
    pub(super) fn depth(&self) -> usize {
        self.labels.first().map_or(self.levels.len().max(1), Vec::len)
    }

    /// A part of the keys.
    pub(super) fn level(&self, at: usize) -> Level {
        self.levels.get(at).cloned().unwrap_or_default()
    }

    /// Which of two keys comes first.
    pub(super) fn order(&self, a: &[Label], b: &[Label]) -> Ordering {
        let parts = a.iter().zip(b).enumerate();
        let order = parts.map(|(at, (a, b))| match self.levels.get(at) {
            Some(level) => level.order(a, b),
            None => a.cmp(b),
        });
        order.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
    }

    /// The place of a key.
    pub(super) fn position(&self, key: &[Label]) -> Option<usize> {
        let all = || self.labels.iter().cloned().zip(0..).collect();
        self.positions.get_or_init(all).get(key).copied()
    }
}

/// How many people the rows of a column stand for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes<'a> {
    of_table: &'a [u64],
    rows: Option<&'a [u32]>,
}

impl<'a> Sizes<'a> {
    /// Of rows that are all there are.
    pub(super) fn of_rows(sizes: &'a [u64]) -> Self {
        Sizes { of_table: sizes, rows: None }
    }

    /// How many the row at a position stands for.
    pub(super) fn at(&self, position: usize) -> u64 {
        self.of_table[self.row(position)]
    }

    /// The row of the table at a position.
    pub(super) fn row(&self, position: usize) -> usize {
        self.rows.map_or(position, |rows| rows[position] as usize)
    }
}

/// What rows are called.
#[derive(Debug, Clone)]
pub(in super::super) enum Index {
    /// Rows of a table, which are their labels; `None` for all `count` of them. A table that is not given, but made from
    /// others, has a number of its own. In a table of groups, `sizes` says how many people each row of the table stands for.
    Rows { table: u32, rows: Option<Rc<Vec<u32>>>, count: usize, sizes: Option<Rc<Vec<u64>>> },
    /// Keys of groups.
    Keys(Rc<Keys>),
    /// Nothing: they are only counted.
    Positions(usize),
}

impl Index {
    pub(super) fn len(&self) -> usize {
        match self {
            Index::Rows { rows: Some(rows), .. } => rows.len(),
            Index::Rows { count, .. } | Index::Positions(count) => *count,
            Index::Keys(keys) => keys.labels.len(),
        }
    }

    /// Whether the rows are the same, so that columns can be combined row by row.
    pub(super) fn same(&self, other: &Index) -> bool {
        match (self, other) {
            (Index::Rows { table: a, rows: rows_a, .. }, Index::Rows { table: b, rows: rows_b, .. }) => {
                a == b
                    && match (rows_a, rows_b) {
                        (None, None) => self.len() == other.len(),
                        (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a == b,
                        (Some(rows), None) | (None, Some(rows)) => {
                            self.len() == other.len() && rows.iter().zip(0..).all(|(row, place)| *row == place)
                        }
                    }
            }
            (Index::Keys(a), Index::Keys(b)) => Rc::ptr_eq(a, b) || a.labels == b.labels,
            // As many things as there are groups are no column of people.
            (Index::Positions(_), other) | (other, Index::Positions(_)) if other.sizes().is_some() => false,
            // numpy's arrays go by position.
            (Index::Positions(count), other) | (other, Index::Positions(count)) => *count == other.len(),
            (Index::Rows { .. }, Index::Keys(_)) | (Index::Keys(_), Index::Rows { .. }) => false,
        }
    }

    /// How many people each row stands for, where rows are groups of people.
    pub(super) fn sizes(&self) -> Option<Sizes<'_>> {
        match self {
            Index::Rows { rows, sizes: Some(sizes), .. } => {
                Some(Sizes { of_table: sizes, rows: rows.as_ref().map(|rows| rows.as_slice()) })
            }
            Index::Rows { sizes: None, .. } | Index::Keys(_) | Index::Positions(_) => None,
        }
    }

    /// Only some of the rows.
    pub(super) fn picked(&self, positions: &Rc<Vec<u32>>) -> Index {
        match self {
            Index::Rows { table, rows, count, sizes } => Index::Rows {
                table: *table,
                rows: Some(compose(rows.as_ref(), positions)),
                count: *count,
                sizes: sizes.clone(),
            },
            Index::Keys(keys) => {
                let labels = positions.iter().map(|at| keys.labels[*at as usize].clone()).collect();
                Index::Keys(Keys::shaped(labels, keys.scalar, keys.levels.clone(), keys.shape))
            }
            Index::Positions(_) => Index::Positions(positions.len()),
        }
    }
}

/// The rows at some positions among others.
pub(super) fn compose(rows: Option<&Rc<Vec<u32>>>, positions: &Rc<Vec<u32>>) -> Rc<Vec<u32>> {
    match rows {
        None => positions.clone(),
        Some(rows) => Rc::new(positions.iter().map(|at| rows[*at as usize]).collect()),
    }
}
