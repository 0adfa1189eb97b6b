//! Running an analysis over a grid of parameter values, on all cores.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::Axis;
use crate::analysis::{Analysis, Binding, Request, analyze};
use privug_language::diagnostic::{Code, Diagnostic, Refusal, nearest};
use privug_language::source::{Sources, Span};
use privug_measures::leakage::{MEASURES, Measure};

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The parameters' values, one for each axis.
    pub parameters: Vec<f64>,
    /// One value for each column.
    pub values: Vec<f64>,
}

/// All runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The parameters' names.
    pub parameters: Vec<String>,
    /// What was measured; of several secrets, each with its name behind.
    pub columns: Vec<String>,
    /// The runs, the last parameter changing fastest.
    pub points: Vec<Point>,
}

/// A request with parameters set to numbers.
pub(super) fn with_parameters(request: &Request, axes: &[Axis], values: &[f64]) -> Request {
    let mut request = request.clone();
    let bindings = axes.iter().zip(values).map(|(axis, value)| Binding::Set(format!("{}={value:?}", axis.name)));
    request.bindings.splice(0..0, bindings);
    request
}

/// Runs a request for every combination of `steps` values of each axis. `measures` are names of measures or questions;
/// `progress` is called after each run.
pub fn sweep(
    request: &Request,
    axes: &[Axis],
    steps: usize,
    measures: &[String],
    progress: &(dyn Fn() + Sync),
) -> Result<Sweep, Refusal> {
    let measures = measures.iter().map(|text| Column::read(text)).collect::<Result<Vec<Column>, Refusal>>()?;
    let mut request = request.clone();
    request.queries = measures.iter().filter_map(Column::query).collect();
    let grid = grid(axes, steps);
    let analyses = run_all(&request, axes, &grid, progress)?;
    let columns = match analyses.first() {
        Some(first) => measures.iter().flat_map(|column| column.names(first)).collect(),
        None => Vec::new(),
    };
    let points = grid
        .into_iter()
        .zip(&analyses)
        .map(|(parameters, analysis)| {
            let mut queries = analysis.answers.iter().map(|answer| answer.after);
            let values = measures.iter().flat_map(|column| column.values(analysis, &mut queries)).collect();
            Point { parameters, values }
        })
        .collect();
    Ok(Sweep { parameters: axes.iter().map(|axis| axis.name.clone()).collect(), columns, points })
}

/// Something to measure in each run.
enum Column {
    Measure(&'static Measure),
    Query(String),
}

impl Column {
    fn read(text: &str) -> Result<Column, Refusal> {
        if text.contains('(') {
            return Ok(Column::Query(text.to_owned()));
        }
        Measure::named(text.trim()).map(Column::Measure).ok_or_else(|| {
            let mut sources = Sources::default();
            let source = sources.add("--measure", text);
            let span = Span { source, start: 0, end: text.len() as u32 };
            let hint = match nearest(text, MEASURES.iter().map(|measure| measure.name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "the measures page lists the names; questions such as `P(x > 3)` are measures too".to_owned(),
            };
            let message = format!("there is no measure `{text}`");
            Refusal { sources, diagnostics: vec![Diagnostic::error(Code::UnknownMeasure, span, message).hint(hint)] }
        })
    }

    fn query(&self) -> Option<String> {
        match self {
            Column::Measure(_) => None,
            Column::Query(text) => Some(text.clone()),
        }
    }

    fn names(&self, analysis: &Analysis) -> Vec<String> {
        match self {
            Column::Query(text) => vec![text.clone()],
            Column::Measure(measure) if analysis.secrets.len() == 1 => vec![measure.name.to_owned()],
            Column::Measure(measure) => {
                analysis.secrets.names().map(|name| format!("{} of {name}", measure.name)).collect()
            }
        }
    }

    fn values(&self, analysis: &Analysis, queries: &mut impl Iterator<Item = f64>) -> Vec<f64> {
        match self {
            Column::Query(_) => vec![queries.next().unwrap_or(f64::NAN)],
            Column::Measure(measure) => {
                analysis.secrets.measures().map(|measures| measure.value(&measures).unwrap_or(f64::NAN)).collect()
            }
        }
    }
}

fn grid(axes: &[Axis], steps: usize) -> Vec<Vec<f64>> {
    axes.iter().fold(vec![Vec::new()], |grid, axis| {
        let values = axis.values(steps);
        grid.iter()
            .flat_map(|start| values.iter().map(|value| start.iter().copied().chain([*value]).collect()))
            .collect()
    })
}

/// Runs all points, each on the next free core; the first refusal in the order of the grid is the one that counts.
fn run_all(
    request: &Request,
    axes: &[Axis],
    grid: &[Vec<f64>],
    progress: &(dyn Fn() + Sync),
) -> Result<Vec<Analysis>, Refusal> {
    let next = AtomicUsize::new(0);
    let refused = AtomicBool::new(false);
    let results: Mutex<Vec<Option<Result<Analysis, Refusal>>>> = Mutex::new(grid.iter().map(|_| None).collect());
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(grid.len().max(1));
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(values) = grid.get(index).filter(|_| !refused.load(Ordering::Relaxed)) else { return };
                    let result = analyze(&with_parameters(request, axes, values));
                    if result.is_err() {
                        refused.store(true, Ordering::Relaxed);
                    }
                    if let Ok(mut results) = results.lock() {
                        results[index] = Some(result);
                    }
                    progress();
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_default();
    results.into_iter().flatten().collect()
}
