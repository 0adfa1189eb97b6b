//! What is asked, and the ways to have it answered.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use privug::analysis::{self, Analysis, GainRequest, Questions, Request as LibraryRequest};
use privug::diagnostic::Refusal;
use privug::evaluate::{NamedPart, NamedValue, Note, Recorded, Recording};
use privug::program::Role;
use privug::source::{SourceId, Span};
use privug::sweep::{self, Axis, Calibrated, Scale};
use privug::{diagnostic, report};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::analysis::RawAnalysis;
use crate::errors::program_error;
use crate::given::{Closeness, Demand, Known, Seen, Value};
use crate::recorder::Recorder;
use crate::supervise::supervise;

/// One analysis: a program, what is known about its inputs, what was published, what is asked.
#[pyclass(frozen, module = "privug._privug")]
pub struct Request {
    request: LibraryRequest,
}

/// A place: which text, first byte, one past the last.
type Place = (u32, u32, u32);

/// A part of a value: itself, its name, its path.
type Part<'py> = (Bound<'py, PyAny>, String, String);

/// A value in its parts, and its place.
type Parts<'py> = (Vec<Part<'py>>, Place);

/// A run that was told other values: recorder, shared steps, secrets, published, quantities.
type OtherRun<'py> =
    (Bound<'py, Recorder>, usize, Vec<Parts<'py>>, Option<Parts<'py>>, Vec<(Bound<'py, PyAny>, Place)>);

fn named_value(recorder: &Bound<'_, Recorder>, (parts, place): Parts<'_>) -> PyResult<NamedValue> {
    let mut named = Vec::with_capacity(parts.len());
    for (value, name, path) in parts {
        named.push(NamedPart { value: Recorder::tree(recorder, &value)?, name, path });
    }
    Ok(NamedValue { parts: named, span: span(place) })
}

fn named_values(
    recorder: &Bound<'_, Recorder>,
    secrets: Vec<Parts<'_>>,
    published: Option<Parts<'_>>,
) -> PyResult<(Vec<NamedValue>, Option<NamedValue>)> {
    let secrets = secrets.into_iter().map(|parts| named_value(recorder, parts)).collect::<PyResult<_>>()?;
    Ok((secrets, published.map(|parts| named_value(recorder, parts)).transpose()?))
}

fn asked(
    recorder: &Bound<'_, Recorder>,
    quantities: Vec<(Bound<'_, PyAny>, Place)>,
) -> PyResult<Vec<(Recorded, Span)>> {
    quantities.into_iter().map(|(value, place)| Ok((Recorder::tree(recorder, &value)?, span(place)))).collect()
}

fn span(place: Place) -> Span {
    Span { source: SourceId(place.0), start: place.1, end: place.2 }
}

impl Request {
    /// Runs something without the interpreter's lock; Ctrl-C stops it.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&LibraryRequest) -> Result<T, Refusal> + Send,
    ) -> PyResult<T> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let request = LibraryRequest { cancelled: Some(cancelled.clone()), ..self.request.clone() };
        supervise(py, &cancelled, || work(&request))?.map_err(|refusal| program_error(py, &refusal))
    }
}

fn axis(name: &str, from: f64, to: f64, logarithmic: bool) -> Result<Axis, Refusal> {
    let scale = if logarithmic { Scale::Logarithmic } else { Scale::Linear };
    Axis::new(name, from, to, scale)
}

fn calibration(axis: &Axis, found: Calibrated, smallest: bool) -> (String, RawAnalysis) {
    let document = report::calibration_to_json(axis, &found, smallest).to_string();
    (document, RawAnalysis { analysis: found.analysis })
}

#[pymethods]
impl Request {
    #[new]
    #[pyo3(signature = (path, program, function=None, *, bindings=Vec::new(), secrets=Vec::new(),
        observations=Vec::new(), truths=Vec::new(), queries=Vec::new(), requirements=Vec::new(), tolerance=None,
        level=None, exact=false, gain=None, max_steps=None, max_variables=None, max_elements=None, max_depth=None,
        max_bits=None, max_work=None))]
    #[expect(clippy::too_many_arguments, reason = "the options of an analysis, each by its name")]
    fn new(
        py: Python<'_>,
        path: String,
        program: String,
        function: Option<String>,
        bindings: Vec<(bool, String, Value)>,
        secrets: Vec<String>,
        observations: Vec<Seen>,
        truths: Vec<Known>,
        queries: Vec<String>,
        requirements: Vec<Demand>,
        tolerance: Option<Closeness>,
        level: Option<f64>,
        exact: bool,
        gain: Option<String>,
        max_steps: Option<u64>,
        max_variables: Option<u64>,
        max_elements: Option<u64>,
        max_depth: Option<u32>,
        max_bits: Option<usize>,
        max_work: Option<u64>,
    ) -> PyResult<Self> {
        let mut request = LibraryRequest::new(path, program);
        request.function = function;
        let refused = |refusal: Refusal| program_error(py, &refusal);
        let bindings = bindings.iter().map(|(is_prior, name, value)| value.binding(py, *is_prior, name));
        request.bindings = Refusal::all(bindings.collect::<PyResult<Vec<_>>>()?).map_err(refused)?;
        request.secrets = secrets;
        let observations = observations.iter().map(|seen| seen.observed(py)).collect::<PyResult<Vec<_>>>()?;
        request.observations = Refusal::all(observations).map_err(refused)?;
        request.truths = truths.iter().map(|known| known.truth(py)).collect::<PyResult<_>>()?;
        request.queries = queries;
        request.requirements = requirements.into_iter().map(Demand::required).collect::<PyResult<_>>()?;
        request.tolerance = tolerance.map(|tolerance| tolerance.tolerance()).transpose().map_err(refused)?;
        request.level = level;
        request.exact = exact;
        request.gain = gain.map(GainRequest::Expression);
        let limits = &mut request.limits;
        limits.steps = max_steps.unwrap_or(limits.steps);
        limits.variables = max_variables.unwrap_or(limits.variables);
        limits.elements = max_elements.unwrap_or(limits.elements);
        limits.depth = max_depth.unwrap_or(limits.depth);
        limits.number_bits = max_bits.unwrap_or(limits.number_bits);
        if let Some(factor) = max_work {
            request.work.cells = request.work.cells.saturating_mul(factor);
            request.work.operations = request.work.operations.saturating_mul(factor);
        }
        Ok(Request { request })
    }

    /// Analyses the program's text.
    fn analyze(&self, py: Python<'_>) -> PyResult<RawAnalysis> {
        self.run(py, analysis::analyze).map(|analysis| RawAnalysis { analysis })
    }

    /// Looks for errors only; the JSON document `privug.diagnostics/1`.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        let refusal = self.run(py, |request| Ok(analysis::check(request).err()))?;
        Ok(match refusal {
            None => diagnostic::to_json(&Default::default(), &[]).to_string(),
            Some(refusal) => diagnostic::to_json(&refusal.sources, &refusal.diagnostics).to_string(),
        })
    }

    /// Runs the analysis for every combination of values of the axes `(name, from, to)`: names of the parameters,
    /// names of the columns, and rows.
    #[expect(clippy::type_complexity, reason = "a table in its parts")]
    fn sweep(
        &self,
        py: Python<'_>,
        axes: Vec<(String, f64, f64)>,
        steps: usize,
        logarithmic: bool,
        measures: Vec<String>,
    ) -> PyResult<(Vec<String>, Vec<String>, Vec<(Vec<f64>, Vec<f64>)>)> {
        let sweep = self.run(py, |request| {
            let axes = axes.iter().map(|(name, from, to)| axis(name, *from, *to, logarithmic));
            let axes = axes.collect::<Result<Vec<Axis>, Refusal>>()?;
            sweep::sweep(request, &axes, steps, &measures, &|| ())
        })?;
        let rows = sweep.points.into_iter().map(|point| (point.parameters, point.values)).collect();
        Ok((sweep.parameters, sweep.columns, rows))
    }

    /// Finds the largest or smallest value of a parameter for which the requirements hold: the JSON document
    /// `privug.calibration/1` and the analysis at that value.
    fn calibrate(
        &self,
        py: Python<'_>,
        name: &str,
        from_: f64,
        to: f64,
        logarithmic: bool,
        smallest: bool,
    ) -> PyResult<(String, RawAnalysis)> {
        self.run(py, |request| {
            let axis = axis(name, from_, to, logarithmic)?;
            let found = sweep::calibrate(request, &axis, smallest)?;
            Ok(calibration(&axis, found, smallest))
        })
    }

    /// The expressions that a live analysis has to compute, (role, text, path of the output, place) in their order,
    /// and the number of the first text that may be added.
    #[expect(clippy::type_complexity, reason = "a list of records")]
    fn questions(&self, py: Python<'_>) -> PyResult<(Vec<(&'static str, String, String, Place)>, u32)> {
        let mut questions = Questions::read(&self.request).map_err(|refusal| program_error(py, &refusal))?;
        let mut paths = questions.observed_paths().iter();
        let mut all = Vec::new();
        for (role, text, span) in questions.expressions() {
            let (role, path) = match role {
                Role::Secret => ("secret", String::new()),
                Role::ObservedValue => ("value", paths.next().cloned().unwrap_or_default()),
                Role::ObservedStd => ("std", String::new()),
                Role::Query => ("query", String::new()),
                Role::Prior(name) => ("prior", name.clone()),
                // Tables are audited from the command line.
                Role::ColumnPrior(_) => ("prior", String::new()),
                Role::Set(name) => ("set", name.clone()),
            };
            all.push((role, text.to_owned(), path, (span.source.0, span.start, span.end)));
        }
        let next = questions.add_source("", "").0;
        Ok((all, next))
    }

    /// Analyses what a recorder has recorded. `secrets` and `published` are (parts, place), with parts (value, name,
    /// path); `seen` is (path, value, place, standard deviation and its place), `quantities` are (value, place); `texts`
    /// are the texts behind the program's own that places refer to, (path, text); `notes` are (sentence, place). `others`
    /// are further runs, which were told other values: (recorder, how many first steps are those of the run before,
    /// secrets, published, quantities).
    #[expect(clippy::too_many_arguments, reason = "a recording in its parts")]
    #[expect(clippy::type_complexity, reason = "a recording in its parts")]
    fn analyze_recording(
        &self,
        py: Python<'_>,
        recorder: &Bound<'_, Recorder>,
        secrets: Vec<Parts<'_>>,
        published: Option<Parts<'_>>,
        seen: Vec<(String, Bound<'_, PyAny>, Place, Option<(Bound<'_, PyAny>, Place)>)>,
        quantities: Vec<(Bound<'_, PyAny>, Place)>,
        texts: Vec<(String, String)>,
        notes: Vec<(String, Place)>,
        others: Vec<OtherRun<'_>>,
    ) -> PyResult<RawAnalysis> {
        let (secrets, published) = named_values(recorder, secrets, published)?;
        let mut all_seen = Vec::with_capacity(seen.len());
        for (path, value, place, std_dev) in seen {
            let value = Recorder::tree(recorder, &value)?;
            let std_dev = match std_dev {
                Some((std_dev, place)) => Some((Recorder::tree(recorder, &std_dev)?, span(place))),
                None => None,
            };
            all_seen.push(privug::evaluate::SeenValue { path, value, span: span(place), std_dev });
        }
        let quantities = asked(recorder, quantities)?;
        let notes = notes.into_iter().map(|(message, place)| Note { message, span: span(place) }).collect();
        let mut recording = recorder.get().finish(secrets, published, all_seen, quantities, notes);
        for (recorder, shared_steps, secrets, published, quantities) in others {
            let (secrets, published) = named_values(&recorder, secrets, published)?;
            let quantities = asked(&recorder, quantities)?;
            let other = recorder.get().finish(secrets, published, Vec::new(), quantities, Vec::new());
            recording.others.push(Recording { shared_steps, ..other });
        }
        let analysis = self.run(py, |request| {
            let mut questions = Questions::read(request)?;
            for (path, text) in &texts {
                questions.add_source(path, text);
            }
            analysis::analyze_recording(&questions, &recording)
        })?;
        Ok(RawAnalysis { analysis })
    }
}

/// Finds the largest or smallest value for which the analyses that `run` makes meet their requirements.
#[pyfunction]
pub fn calibrate_with(
    py: Python<'_>,
    name: &str,
    from_: f64,
    to: f64,
    logarithmic: bool,
    smallest: bool,
    run: &Bound<'_, PyAny>,
) -> PyResult<(String, RawAnalysis)> {
    let axis = axis(name, from_, to, logarithmic).map_err(|refusal| program_error(py, &refusal))?;
    let found = sweep::search(&axis, smallest, |value| -> PyResult<Analysis> {
        let analysis = run.call1((value,))?;
        let raw = analysis.cast::<RawAnalysis>().map_err(|_| PyTypeError::new_err("an analysis is expected"))?;
        Ok(raw.get().analysis.clone())
    })?;
    if found.value.is_nan() {
        return Err(PyValueError::new_err("the search found no number"));
    }
    Ok(calibration(&axis, found, smallest))
}
