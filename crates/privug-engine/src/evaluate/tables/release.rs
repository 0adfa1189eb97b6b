//! Running a function on tables twice: on the attacker's random variables, and on the real values.

use crate::sorting::CompactSort;
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::Limits;
use super::super::fault::{Fault, Outcome};
use super::super::marked::{Use, Uses, mixed};
use super::super::outcome::own_words;
use super::super::run::result_name;
use super::super::running::{Machine, Stop};
use super::super::state::State;
use super::super::value::Value;
use super::categories::{ChoiceSource, SecretSource, secret_source};
use super::pairing::{check_public, paired};
use super::possible::{possible, possible_in_groups};
use super::published::{GroupMeans, Published, PublishedFigure, SecretColumn, Unexamined};
use super::results::Figure;
use super::structure::{self, RowsOfNodes};
use super::{Belief, Column, Desk, Frame, FrameColumn, GroupTable, Index, Label, Roundings};
use super::{grouped, other_rows, publish, results, skewed};
use crate::evaluate::{random, tables};
use crate::network::{Affine, Network, NodeId};
use crate::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::program::{Expression, Program, Role};
use privug_language::source::Span;
use privug_tables::table::{Data, Table};

/// A column with more different texts tells people apart.
const MOST_CATEGORIES: usize = 1_000;

/// Runs a function on tables. There is one prior for each secret column, in their order.
pub fn evaluate_release<S: Scalar>(
    program: &Program,
    tables: &[(String, Table)],
    secrets: &[SecretColumn],
    limits: &Limits,
    cancelled: Option<Arc<AtomicBool>>,
    follows_doubles: bool,
    groups: Option<&GroupTable>,
) -> Result<Published<S>, Vec<Diagnostic>> {
    let frame = |((_, table), id): (&(String, Table), u32)| frame_of_table(table, id, follows_doubles);
    let mut frames: Vec<Frame<S>> = tables.iter().zip(0..).map(frame).collect();
    if let (Some(groups), Some(secret)) = (groups, secrets.first()) {
        groups.apply(&mut frames[groups.table], secret.column, follows_doubles);
    }
    let machine = || {
        let mut machine = Machine::new(program, limits.clone(), cancelled.clone(), follows_doubles)
            .map_err(|diagnostic| vec![diagnostic])?;
        machine.state.tables.publishes_rows = true;
        Ok::<_, Vec<Diagnostic>>(machine)
    };
    let mut attacked = Release { machine: machine()?, tables, frames: frames.clone() };
    let group_secret = groups.zip(secrets.first()).map(|(groups, secret)| {
        let name = tables[secret.table].1.columns()[secret.column].name().to_owned();
        (name, Rc::new(groups.variances.clone()))
    });
    attacked.machine.state.tables.group_secret = group_secret.clone();
    let rows: Vec<Vec<u32>> = secrets.iter().map(|secret| attacked.rows_with_secret(*secret)).collect();
    let modelled = attacked.modelled(secrets, groups);
    let Modelled { secrets: mut variables, beliefs, sensitive, choices, figures, span: return_span } =
        attacked.ended(modelled)?;
    let looks = attacked.looks();
    let said = std::mem::take(&mut attacked.machine.state.tables.said);
    let asks_for_rows = attacked.machine.state.tables.tells_rows.get() && !said.is_empty();
    let telling = secrets.first().filter(|_| asks_for_rows).and_then(|secret| {
        if groups.is_some() {
            // Rows that stand for many people cannot be left out: the counts in the texts are looked for.
            return other_rows::showing(&said, &attacked.machine.state.counts_in_texts());
        }
        other_rows::depending_on_rows(tables, secret.table, &said, |tables| {
            let frames = tables.iter().zip(0..).map(frame).collect();
            let mut other = Release { machine: machine().ok()?, tables, frames };
            let modelled = other.modelled(secrets, None);
            other.ended(modelled).ok()?;
            Some(std::mem::take(&mut other.machine.state.tables.said))
        })
    });
    let doubt = secrets.first().filter(|_| groups.is_none()).and_then(|secret| {
        let count = tables[secret.table].1.row_count();
        if count > structure::FEW_ROWS && !attacked.machine.state.tables.tells_rows.get() {
            return None;
        }
        let every: Vec<u32> = (0..count as u32).collect();
        let network = &attacked.machine.state.builder.network;
        let behind = RowsOfNodes::new(network, &variables, rows.iter().flatten().copied(), &beliefs);
        let all = structure::told(looks, &figures, (secret.table, &every), &behind);
        structure::depending(&all, count, |picked| {
            let tables = other_rows::with_rows(tables, secret.table, picked);
            let frames = tables.iter().zip(0..).map(frame).collect();
            let mut other = Release { machine: machine().ok()?, tables: &tables, frames };
            let modelled = other.modelled(secrets, None);
            let modelled = other.ended(modelled).ok()?;
            let rows = secrets.iter().flat_map(|secret| other.rows_with_secret(*secret)).collect::<Vec<u32>>();
            let looks = other.looks();
            let network = &other.machine.state.builder.network;
            let behind = RowsOfNodes::new(network, &modelled.secrets, rows.into_iter(), &modelled.beliefs);
            Some(structure::told(looks, &modelled.figures, (secret.table, picked), &behind))
        })
    });
    let mut group_means = None;
    if let Some(groups) = groups {
        let sizes: Vec<u64> = rows.iter().flatten().map(|row| groups.sizes[*row as usize]).collect();
        let (members, between) = grouped::members(
            &mut attacked.machine.state,
            &variables,
            &sizes,
            rows.first().map_or(&[], Vec::as_slice),
            &groups.pairs,
        )
        .map_err(|fault| vec![fault.at(return_span)])?;
        let means = std::mem::replace(&mut variables, members);
        group_means = Some(GroupMeans { means, between });
    }
    if let Some(groups) = groups {
        groups.hide_prior_means(&mut frames[groups.table]);
    }
    let mut real = Release { machine: machine()?, tables, frames };
    real.machine.state.tables.real = true;
    real.machine.state.tables.group_secret = group_secret;
    for (secret, source) in secrets.iter().zip(choices) {
        if let Some(source) = source {
            real.reveal(*secret, source, return_span).map_err(|diagnostic| vec![diagnostic])?;
        }
    }
    let ran = real.prepare().and_then(|()| {
        let roundings = std::mem::take(&mut attacked.machine.state.tables.roundings);
        if let Roundings::Recorded(all) = roundings {
            real.machine.state.tables.roundings = Roundings::Followed(all.into_iter());
        }
        real.run()
    });
    let values = real.ended(ran.map(|(figures, _)| figures))?;
    let program_source = program.functions[0].span.source;
    let network = std::mem::take(&mut attacked.machine.state.builder.network);
    let mut published = Published {
        network,
        rows,
        secrets: variables,
        group_means,
        beliefs,
        sensitive,
        medians: std::mem::take(&mut attacked.machine.state.tables.medians),
        figures: Vec::new(),
        counts: Vec::new(),
        unexamined: Vec::new(),
        empty: Vec::new(),
        notes: std::mem::take(&mut attacked.machine.state.notes),
        doubt: attacked.machine.state.certainty.doubt.or(real.machine.state.certainty.doubt),
        rounded: attacked.machine.state.certainty.rounded.or(real.machine.state.certainty.rounded),
        known_rounded: attacked.machine.state.certainty.known_rounded.get(),
    };
    for note in std::mem::take(&mut real.machine.state.notes) {
        if !published.notes.contains(&note) {
            published.notes.push(note);
        }
    }
    let uses = Uses::new(&published.network, &attacked.machine.state.tables.marks);
    for (figure, value) in paired(figures, values).map_err(|fault| vec![fault.at(return_span)])? {
        let random = figure.value.as_random().filter(|x| is_random(&published.network, x));
        let Some(variable) = random else {
            match figure.value {
                Value::None
                | Value::Missing
                | Value::Counted(_)
                | Value::Bool(_)
                | Value::Int(_)
                | Value::BigInt(_)
                | Value::Float(_)
                | Value::Text(_)
                | Value::Range(_)
                | Value::Random { .. } => {
                    check_public(&attacked.machine.state, &figure, &real.machine.state, &value)
                        .map_err(|fault| vec![fault.at(return_span)])?;
                    let number = real.machine.state.number(&value).and_then(|number| number.scalar());
                    published.push_public(figure, number.map(|number| number.to_f64()), return_span);
                }
                // Nothing may be taken for public only because nobody looked into it.
                other => return Err(vec![not_a_number(&attacked.machine.state, &figure.name, &other).at(return_span)]),
            }
            continue;
        };
        if let Use::Mixed(node) = uses.of(&variable) {
            return Err(vec![mixed().at(published.network.span(node))]);
        }
        let made = published.network.span(variable.node);
        let span = if made.source == program_source { made } else { return_span };
        let number = real.machine.state.number(&value);
        let value = match number.map(|number| random::met_number(&mut real.machine.state, &number)) {
            Some(number) => number.map_err(|fault| vec![fault.at(span)])?,
            None => return Err(vec![not_a_number(&real.machine.state, &figure.name, &value).at(span)]),
        };
        published.figures.push(PublishedFigure { name: figure.name, variable, value, span });
    }
    if let Some(name) = doubt {
        published.unexamined.push(Unexamined { name, kind: "a text", value: None, span: return_span });
    }
    if let Some(said) = telling {
        let name = format!("the label `{said}`");
        published.unexamined.push(Unexamined { name, kind: "a text", value: None, span: return_span });
    }
    published.doubt = published.doubt.or(real.machine.state.certainty.doubt);
    Ok(published)
}

/// Whether an expression depends on anything random at all.
fn is_random<S: Scalar>(network: &Network<S>, x: &Affine<S>) -> bool {
    let node = network.node(x.node);
    !x.scale.is_zero() && (!node.terms.is_empty() || !node.noise_variance.is_zero())
}

fn not_a_number<S: Scalar>(state: &State<S>, name: &str, value: &Value<S>) -> Box<Fault> {
    let own = match value {
        Value::Object(object, _) => own_words(state, *object),
        _ => None,
    };
    let message = format!("`{name}` is {}, so there is no figure to publish", own.unwrap_or(value.kind()));
    let is_drawn = own.is_some() || matches!(value, Value::Random { .. } | Value::Choice(_));
    let hint = if is_drawn {
        "of random numbers, an audit knows Gaussian noise only: add it with `gaussian_mechanism` or `random.gauss`"
    } else {
        "return numbers, columns and tables, and lists and dictionaries of them"
    };
    Fault::hinted(Code::RandomRelease, message, hint)
}

/// What the run on the attacker's random variables gave.
struct Modelled<S> {
    secrets: Vec<Affine<S>>,
    beliefs: Vec<Belief>,
    sensitive: Vec<Vec<bool>>,
    /// The discrete secrets, with their real values.
    choices: Vec<Option<Rc<ChoiceSource>>>,
    figures: Vec<Figure<S>>,
    span: Span,
}

/// One of the two runs.
pub(super) struct Release<'p, S: Scalar> {
    pub(super) machine: Machine<'p, S>,
    pub(super) tables: &'p [(String, Table)],
    pub(super) frames: Vec<Frame<S>>,
}

impl<S: Scalar> Release<'_, S> {
    /// What a run gave, or what is wrong with it.
    fn ended<T>(&mut self, result: Result<T, Stop>) -> Result<T, Vec<Diagnostic>> {
        let mut diagnostics = std::mem::take(&mut self.machine.diagnostics);
        match result {
            Ok(value) if diagnostics.is_empty() => Ok(value),
            _ => {
                if diagnostics.is_empty() {
                    let span = self.machine.program.functions[0].span;
                    diagnostics.push(Diagnostic::error(Code::Cancelled, span, "the run stopped without a result"));
                }
                diagnostics.sort_compact_by_key(|diagnostic| diagnostic.span);
                Err(diagnostics)
            }
        }
    }

    /// What stands outside functions runs first, unless it is what is audited.
    fn prepare(&mut self) -> Result<(), Stop> {
        if self.is_script() { Ok(()) } else { self.machine.run_module() }
    }

    /// How what was published is shown.
    fn looks(&mut self) -> BTreeSet<String> {
        publish::end_empty_lines(&mut self.machine.state);
        std::mem::take(&mut self.machine.state.tables.looks)
    }

    fn is_script(&self) -> bool {
        self.machine.program.entry.0 == 0
    }

    /// The run on the attacker's random variables.
    fn modelled(&mut self, columns: &[SecretColumn], groups: Option<&GroupTable>) -> Result<Modelled<S>, Stop> {
        let program = self.machine.program;
        self.prepare()?;
        let mut priors =
            program.expressions.iter().filter(|expression| matches!(expression.role, Role::ColumnPrior(_)));
        let mut secrets: Vec<Affine<S>> = Vec::new();
        let (mut beliefs, mut choices) = (Vec::new(), Vec::new());
        for secret in columns {
            let Some(prior) = priors.next() else { return Err(Stop) };
            // A prior that mentions an earlier secret mentions its variables.
            let believed = self.prior_column(prior, *secret)?;
            let (variables, column) = match &believed {
                Column::Choices(believed) => {
                    let real = &self.frames[secret.table].columns[secret.column].column;
                    let found = secret_source(believed, real);
                    let SecretSource { hidden: source, revealed, belief } = self.checked(found, prior.span)?;
                    let rows = self.rows_with_secret(*secret);
                    let variables = rows.iter().map(|row| Affine {
                        node: source.indicator(*row, 1),
                        scale: S::one(),
                        offset: S::zero(),
                    });
                    let variables: Vec<Affine<S>> = variables.collect();
                    let column = self.choices(*secret, source);
                    choices.push(Some(revealed));
                    beliefs.push(Belief::Discrete(belief));
                    (variables, self.checked(column, prior.span)?)
                }
                believed => {
                    let last = secrets.last().map(|last| last.node);
                    let variables = self.secrets(believed, prior, *secret)?;
                    let belief = skewed::belief_of(&self.machine.state, &variables);
                    let belief = self.checked(belief, prior.span)?;
                    let rows = self.rows_with_secret(*secret);
                    let network = &self.machine.state.builder.network;
                    let found = match groups {
                        None => {
                            let data = self.tables[secret.table].1.columns()[secret.column].data();
                            let truths = rows.into_iter().map(|row| (row, data.number(row as usize)));
                            possible(network, &variables, &belief, truths)
                        }
                        Some(groups) => possible_in_groups(network, &variables, groups, &rows),
                    };
                    self.checked(found, prior.span)?;
                    beliefs.push(belief);
                    let variables = self.own_nodes(variables, last);
                    let variables = self.checked(variables, prior.span)?;
                    let column = self.secret_column(*secret, &variables);
                    choices.push(None);
                    (variables, column)
                }
            };
            self.frames[secret.table].columns[secret.column].column = column;
            secrets.extend(variables);
        }
        let rest: Vec<&Expression> = priors.collect();
        let sensitive = self.sensitive(columns, &beliefs, &rest)?;
        self.machine.state.tables.roundings = Roundings::Recorded(Vec::new());
        if let Some(groups) = groups {
            groups.hide_prior_means(&mut self.frames[groups.table]);
        }
        if groups.is_some() {
            let mut nodes: Vec<NodeId> = secrets.iter().map(|secret| secret.node).collect();
            nodes.sort_unstable();
            self.machine.state.tables.group_rows = nodes;
        }
        let (figures, span) = self.run()?;
        if let Some(evidence) = self.machine.state.builder.evidence.first() {
            let message = "an audited function observes something";
            let hint = "what it returns is what is published; what the attacker knows goes into the prior";
            let (fault, at) = (Fault::hinted(Code::ObservationInRelease, message, hint), evidence.seen.span);
            self.machine.report(fault, at)?;
        }
        Ok(Modelled { secrets, beliefs, sensitive, choices, figures, span })
    }

    pub(super) fn checked<T>(&mut self, outcome: Outcome<T>, span: Span) -> Result<T, Stop> {
        match outcome {
            Ok(value) => Ok(value),
            Err(fault) => {
                self.machine.report(fault, span)?;
                Err(Stop)
            }
        }
    }

    /// Runs the function on the tables as they are.
    fn run(&mut self) -> Result<(Vec<Figure<S>>, Span), Stop> {
        let program = self.machine.program;
        // What is printed and written on the way is published like what is returned.
        let given = self.tables.iter().zip(&self.frames);
        let tables = given.map(|((name, table), frame)| (name.clone(), frame.clone(), table.clone())).collect();
        self.machine.state.tables.desk = Desk::Open { tables, shown: Vec::new() };
        let arguments = self.arguments()?;
        // The variables of a script are its own; nobody sees what it does not write.
        let kept = (!program.reads_tables()).then(|| self.machine.kept_by_module());
        let mut returned = self.machine.call(program.entry, arguments)?;
        let mut span = self.machine.state.span;
        let shown = self.machine.without_records(std::mem::replace(&mut returned.value, Value::None), 0);
        returned.value = self.checked(shown, span)?;
        if let Some(kept) = kept {
            self.machine.refuse_keeping(&kept, span)?;
        }
        if matches!(returned.value, Value::Poison) {
            return Err(Stop);
        }
        let shown = match std::mem::replace(&mut self.machine.state.tables.desk, Desk::None) {
            Desk::Open { shown, .. } => shown,
            Desk::None => Vec::new(),
        };
        if let Some(last) = shown.last() {
            span = last.span;
        }
        let name = &result_name(program, returned.name);
        // What is published on the way comes before what is returned, and nothing is returned by a script.
        let returns = (shown.is_empty() && !self.is_script()) || !matches!(returned.value, Value::None);
        let returned = returns.then_some((&returned.value, name));
        let figures = results::all_figures(&mut self.machine.state, &shown, returned);
        let figures = self.checked(figures, span)?;
        let figures = self.without_categories(figures);
        if figures.iter().any(|figure| matches!(figure.value, Value::Poison)) {
            return Err(Stop);
        }
        Ok((figures, span))
    }

    /// Figures without the texts that stand in public columns, such as the names below bars: whoever knows the columns knows
    /// them. Which of them is published where is compared with runs on other rows.
    fn without_categories(&mut self, figures: Vec<Figure<S>>) -> Vec<Figure<S>> {
        if !figures.iter().any(|figure| matches!(figure.value, Value::Text(_))) {
            return figures;
        }
        let columns = self.frames.iter().flat_map(|frame| &frame.columns);
        let labels = columns.filter_map(|column| match &column.column {
            Column::Texts { labels, .. } if labels.len() <= MOST_CATEGORIES => Some(labels.iter()),
            _ => None,
        });
        let known: HashSet<String> = labels.flatten().map(|label| label.to_string()).collect();
        let state = &mut self.machine.state;
        let mut dropped = 0;
        let mut stays = |figure: &Figure<S>| match &figure.value {
            Value::Text(handle) if known.contains(state.heap.text(*handle)) => {
                let text = state.heap.text(*handle).to_owned();
                // The second time is the same place.
                let place = figure.name.split(" (").next().unwrap_or_default().to_owned();
                state.tables.tells_rows.set(true);
                publish::look(state, || format!("{}`{text}` in `{place}`", structure::TEXT));
                dropped += 1;
                false
            }
            _ => true,
        };
        let figures = figures.into_iter().filter(|figure| stays(figure)).collect();
        publish::look(state, || format!("{}{dropped} of them", structure::TEXT));
        figures
    }

    /// One argument for each parameter: the table of its name, or the only table.
    fn arguments(&mut self) -> Result<Vec<Value<S>>, Stop> {
        let program = self.machine.program;
        let entry = program.function(program.entry);
        let mut arguments = Vec::new();
        for (position, parameter) in entry.parameters.iter().enumerate() {
            let named = self.tables.iter().position(|(name, _)| *name == parameter.name);
            let only = (position == 0 && self.tables.len() == 1).then_some(0);
            let value = match (named.or(only), parameter.default) {
                (Some(table), _) => {
                    let given = self.frames[table].clone();
                    let frame = tables::new_frame(&mut self.machine.state, given);
                    self.checked(frame, parameter.span)?
                }
                (None, Some(default)) => self.machine.default_value(default, &[]),
                (None, None) => {
                    let message = format!("the parameter `{}` of `{}` has no table", parameter.name, entry.name);
                    let hint = format!(
                        "give it one with `--table {0}=FILE`, or a default if it is not a table: `{0}=...`",
                        parameter.name
                    );
                    self.machine.report(Fault::hinted(Code::ParameterWithoutValue, message, hint), parameter.span)?;
                    Value::Poison
                }
            };
            arguments.push(value);
        }
        let further = self.machine.push_further(program.entry, (Vec::new(), Vec::new()), &mut arguments);
        self.checked(further, entry.span)?;
        if self.machine.diagnostics.is_empty() { Ok(arguments) } else { Err(Stop) }
    }
}

/// A table's columns as the evaluator has them.
fn frame_of_table<S: Scalar>(table: &Table, id: u32, follows_doubles: bool) -> Frame<S> {
    let read = |value: &f64| {
        let number: S = as_written(*value);
        if follows_doubles { number.followed_by(*value) } else { number }
    };
    let columns = table.columns().iter().map(|column| {
        let data = match column.data() {
            Data::Booleans(values) => Column::Booleans(values.clone()),
            Data::Integers(values) => Column::Integers(values.clone()),
            Data::Numbers(values) if !values.iter().any(|value| value.is_nan()) => {
                Column::Numbers(Rc::new(values.iter().map(read).collect()))
            }
            Data::Numbers(values) => {
                let cell = |value: &f64| if value.is_nan() { Value::Missing } else { Value::Float(read(value)) };
                Column::Cells(Rc::new(values.iter().map(cell).collect()))
            }
            Data::OptionalBooleans(values) => {
                let cell = |value: &Option<bool>| value.map_or(Value::Missing, Value::Bool);
                Column::Cells(Rc::new(values.iter().map(cell).collect()))
            }
            Data::Texts { codes, labels } => {
                Column::Texts { codes: codes.clone(), labels: labels.clone(), words: super::Words::Plain }
            }
        };
        FrameColumn { label: vec![Label::text(column.name())], column: data, rows: None }
    });
    let index = Index::Rows { table: id, rows: None, count: table.row_count(), sizes: None };
    Frame { index, columns: columns.collect() }
}

/// A number of a table. Exact arithmetic takes it as the decimal that it is written as: 0.1 is one tenth.
fn as_written<S: Scalar>(value: f64) -> S {
    S::from_written(value).unwrap_or_else(S::zero)
}
