//! What a run knows besides values because there are tables: whose rows are secret, and what a script has published.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::super::marked::Mark;
use super::super::value::{Handle, Value};
use super::{Desk, Index, Median, Roundings};
use crate::network::NodeId;
use crate::number::Scalar;

/// The part of a run's state that only tables need.
pub(in crate::evaluate) struct TableLayer<S: Scalar> {
    /// The rows of the secret's table, while its prior is computed: `Normal` makes a variable for each.
    pub(in crate::evaluate) prior_rows: Option<Index>,
    /// Where rows of a table stand for groups of people: what its secret is called, and the variance of that within each
    /// group, which a prior that is made of the real values needs.
    pub(in crate::evaluate) group_secret: Option<(String, Rc<Vec<f64>>)>,
    /// The nodes that are secrets of rows of a table of groups, ascending.
    pub(in crate::evaluate) group_rows: Vec<NodeId>,
    /// Whether rows of a table are secret: what is published must be linear in them.
    pub(in crate::evaluate) publishes_rows: bool,
    pub(in crate::evaluate) roundings: Roundings,
    /// The nodes that stand for rounded values, ascending.
    pub(in crate::evaluate) marks: Vec<Mark>,
    /// The public numbers that stand in texts which a script made, by the text: they are published with it.
    pub(in crate::evaluate) told: HashMap<Handle, Vec<Value<S>>>,
    /// What is published beside values: labels, headings, keys, texts, and the names of files.
    pub(in crate::evaluate) said: BTreeSet<String>,
    /// How it is shown: widths, decimals, options of what writes it.
    pub(in crate::evaluate) looks: BTreeSet<String>,
    /// How many empty lines were printed one after the other.
    pub(in crate::evaluate) empty_lines: u32,
    /// Whether a number of rows may stand in what is said, or decides what is: it was put into a text, made a label, or asked
    /// about. A cell, since labels are made of values that are only looked at.
    pub(in crate::evaluate) tells_rows: Cell<bool>,
    /// The rows that those of tables made by the program come from.
    pub(in crate::evaluate) made_tables: Vec<(u32, Rc<Vec<u32>>)>,
    /// The tables that a script reads, and what it has published.
    pub(in crate::evaluate) desk: Desk<S>,
    /// The medians of discrete secrets that were taken.
    pub(in crate::evaluate) medians: Vec<Median>,
    /// Whether rows were sorted by something that leaves the order of some open.
    pub(in crate::evaluate) unstable_order: bool,
    /// Whether rows were grouped by categories in an order that is not that of their texts.
    pub(in crate::evaluate) own_order: bool,
    /// How many tables have rows that are called alike.
    pub(in crate::evaluate) alike: u32,
    /// Whether rows in such an order were numbered anew.
    pub(in crate::evaluate) renumbered: bool,
    /// Whether the run is on real values, where privacy mechanisms have numbers to work on.
    pub(in crate::evaluate) real: bool,
}

impl<S: Scalar> TableLayer<S> {
    pub(in crate::evaluate) fn new() -> Self {
        TableLayer {
            prior_rows: None,
            group_secret: None,
            group_rows: Vec::new(),
            publishes_rows: false,
            roundings: Roundings::default(),
            marks: Vec::new(),
            told: HashMap::new(),
            said: BTreeSet::new(),
            looks: BTreeSet::new(),
            empty_lines: 0,
            tells_rows: Cell::new(false),
            made_tables: Vec::new(),
            desk: Desk::None,
            medians: Vec::new(),
            unstable_order: false,
            own_order: false,
            alike: 0,
            renumbered: false,
            real: false,
        }
    }
}
