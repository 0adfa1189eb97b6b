//! Running an analysis over a grid of parameter values, on all cores.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::Axis;
use crate::analysis::{Analysis, Binding, Compiled, Request};
use privug_language::diagnostic::{Code, Diagnostic, Refusal, nearest};
use privug_language::program::Given;
use privug_language::source::{Sources, Span};
use privug_measures::channel::{CHANNEL_MEASURES, channel_measure};
use privug_measures::leakage::{MEASURES, Measure, Reading};

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The parameters' values, one for each axis.
    pub parameters: Vec<f64>,
    /// One value for each column.
    pub values: Vec<f64>,
    /// The smaller end of each value that is only known to lie between two numbers, and is the larger one; others as they are.
    pub lows: Vec<f64>,
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
fn with_parameters(request: &Request, axes: &[Axis]) -> Request {
    let mut request = request.clone();
    let bindings = axes.iter().map(|axis| Binding::swept(&axis.name, axis.given(axis.from)));
    request.bindings.splice(0..0, bindings);
    request
}

/// A program that is compiled once, and the parameters that run through ranges.
pub(super) struct Swept<'r> {
    compiled: Compiled<'r>,
    pub(super) axes: Vec<Axis>,
}

impl Swept<'_> {
    /// Analyses one point.
    pub(super) fn analyze(&self, values: &[f64]) -> Result<Analysis, Refusal> {
        let given: Vec<Given> = self.axes.iter().zip(values).map(|(axis, value)| axis.given(*value)).collect();
        self.compiled.analyze_at(&given)
    }

    /// Makes axes with integers as ends axes of integers if the function takes nothing else.
    fn settle(mut self) -> Self {
        let starts: Vec<f64> = self.axes.iter().map(|axis| axis.from).collect();
        if !self.axes.iter().any(Axis::has_whole_ends) || self.analyze(&starts).is_ok() {
            return self;
        }
        let whole = self.axes.iter().map(|axis| Axis { whole: axis.has_whole_ends(), ..axis.clone() }).collect();
        let given = std::mem::replace(&mut self.axes, whole);
        if self.analyze(&starts).is_err() {
            self.axes = given;
        }
        self
    }
}

/// Compiles a request, and gives it with its axes to something that runs it.
pub(super) fn swept<T>(
    request: &Request,
    axes: &[Axis],
    run: impl FnOnce(&Swept<'_>) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let request = with_parameters(request, axes);
    let compiled = Compiled::new(&request)?;
    run(&Swept { compiled, axes: axes.to_vec() }.settle())
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
    let (grid, analyses) = swept(&request, axes, |swept| {
        let grid = grid(&swept.axes, steps);
        let analyses = run_all(swept, &grid, progress)?;
        Ok((grid, analyses))
    })?;
    let fewest = analyses.iter().map(Analysis::secret_count).min().unwrap_or(0);
    if let Some(more) = analyses.iter().find(|analysis| analysis.secret_count() != fewest) {
        let message = format!("there are {fewest} secrets at one value and {} at another", more.secret_count());
        let hint = "name the same ones for all values with `--secret`".to_owned();
        return Err(refusal(&axes[0].name, Code::BadSweep, message, hint));
    }
    let columns = match analyses.first() {
        Some(first) => measures.iter().flat_map(|column| column.names(first)).collect(),
        None => Vec::new(),
    };
    let mut points = Vec::with_capacity(grid.len());
    for (parameters, analysis) in grid.into_iter().zip(&analyses) {
        let mut queries = analysis.answers.iter().map(|answer| answer.after);
        let (mut values, mut lows) = (Vec::with_capacity(columns.len()), Vec::with_capacity(columns.len()));
        for column in &measures {
            let read = column.values(analysis, &mut queries)?;
            lows.extend(read.iter().enumerate().map(|(secret, value)| column.low(analysis, secret).unwrap_or(*value)));
            values.extend(read);
        }
        points.push(Point { parameters, values, lows });
    }
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
        let named = Measure::named(text.trim()).or_else(|| channel_measure(text.trim()));
        named.map(Column::Measure).ok_or_else(|| {
            let all = MEASURES.iter().chain(CHANNEL_MEASURES).map(|measure| measure.name);
            let hint = match nearest(text, all) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "the measures page lists the names; questions such as `P(x > 3)` are measures too".to_owned(),
            };
            refusal(text, Code::UnknownMeasure, format!("there is no measure `{text}`"), hint)
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
            Column::Measure(measure) if analysis.secret_count() == 1 => vec![measure.name.to_owned()],
            Column::Measure(measure) => {
                analysis.secret_names().iter().map(|name| format!("{} of {name}", measure.name)).collect()
            }
        }
    }

    /// The smaller end of what is only bounded.
    fn low(&self, analysis: &Analysis, secret: usize) -> Option<f64> {
        match self {
            Column::Measure(measure) => analysis.bounds(secret, measure.name).map(|(low, _)| low),
            Column::Query(_) => None,
        }
    }

    fn values(
        &self,
        analysis: &Analysis,
        queries: &mut impl Iterator<Item = Option<f64>>,
    ) -> Result<Vec<f64>, Refusal> {
        let values_needed = |text: &str, instead: &str| {
            let message = format!("`{text}` depends on the published values, which were not all observed");
            let hint = format!("observe them (`--observe`), or measure {instead}, the same whatever the values are");
            refusal(text, Code::ValuesNeeded, message, hint)
        };
        match self {
            Column::Query(text) => match queries.next().flatten() {
                Some(answer) => Ok(vec![answer]),
                None => Err(values_needed(text, "`Std(x)`, `Var(x)` or `mutual_information_bits`")),
            },
            Column::Measure(measure) => {
                let read = |secret| match analysis.reading(secret, measure.name) {
                    Reading::Value(value) => Ok(value),
                    Reading::Unknown => Ok(f64::NAN),
                    Reading::NeedsValues { instead } => Err(values_needed(measure.name, &format!("`{instead}`"))),
                    Reading::NeedsTruth => {
                        let message = format!("`{}` needs the true value of the secret", measure.name);
                        Err(refusal(measure.name, Code::TruthNeeded, message, "give it with `--truth`".to_owned()))
                    }
                };
                (0..analysis.secret_count()).map(read).collect()
            }
        }
    }
}

fn refusal(measure: &str, code: Code, message: String, hint: String) -> Refusal {
    let mut sources = Sources::default();
    let source = sources.add("--measure", measure);
    let span = Span { source, start: 0, end: measure.len() as u32 };
    Refusal { sources, diagnostics: vec![Diagnostic::error(code, span, message).hint(hint)] }
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
fn run_all(swept: &Swept<'_>, grid: &[Vec<f64>], progress: &(dyn Fn() + Sync)) -> Result<Vec<Analysis>, Refusal> {
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
                    let result = swept.analyze(values);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{BindingKind, analyze};

    const PROGRAM: &str =
        "def f(noise, n):\n    xs = [Normal(0, 1) for _ in range(n)]\n    return sum(xs) + Normal(0, noise)\n";

    #[test]
    fn a_point_is_the_analysis_with_its_values_written_out() {
        let request = Request::new("f.py", PROGRAM);
        let axis = |text: &str| Axis::parse(text, super::super::Scale::Linear).expect("a range");
        let axes = [axis("noise=0.1..0.3"), axis("n=1..3")];
        swept(&request, &axes, |swept| {
            // `range` takes integers only.
            assert_eq!(swept.axes.iter().map(|axis| axis.whole).collect::<Vec<_>>(), [false, true]);
            for (noise, n) in [(0.1, 1.0), (0.2, 3.0), (0.3, 2.0)] {
                let found = swept.analyze(&[noise, n])?;
                let mut written = request.clone();
                for text in [format!("noise={noise:?}"), format!("n={n:.0}")] {
                    written.bindings.push(Binding::read(BindingKind::Set, &text)?);
                }
                let expected = analyze(&written)?;
                let variance = |analysis: &Analysis| analysis.secrets.get(0).knowledge.prior_variance;
                assert_eq!((variance(&found), found.variable_count), (variance(&expected), expected.variable_count));
                assert_eq!(variance(&found), n + noise);
                let texts = |analysis: &Analysis| -> Vec<String> {
                    analysis.sources.iter().skip(1).map(|source| source.text.to_string()).collect()
                };
                assert_eq!(texts(&found), texts(&expected));
            }
            Ok(())
        })
        .expect("analyses");
    }
}
