//! What an analysis found, as arrays, text and JSON.

use numpy::{IntoPyArray, PyArray1, PyArray2};
use privug::analysis::{Analysis, Known};
use privug::channel::CHANNEL_MEASURES;
use privug::leakage::MEASURES;
use privug::mechanism::{self as privacy, Method};
use privug::report::html::Provenance;
use privug::report::plot::{self, Plot};
use privug::report::{self, Palette};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The result of an analysis; `privug.Analysis` is the class around it.
#[pyclass(frozen, module = "privug._privug")]
pub struct RawAnalysis {
    pub analysis: Analysis,
}

impl RawAnalysis {
    fn column<'py>(&self, py: Python<'py>, pick: fn(&Known) -> f64) -> Bound<'py, PyArray1<f64>> {
        self.analysis.secrets.known().map(|known| pick(&known)).collect::<Vec<f64>>().into_pyarray(py)
    }
}

fn matrix<'py>(py: Python<'py>, rows: &[Vec<f64>]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray2::from_vec2(py, rows).map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl RawAnalysis {
    /// The JSON document `privug.analysis/1`.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| report::to_json_text(&self.analysis))
    }

    /// The report for a terminal.
    fn to_text(&self, coloured: bool) -> String {
        report::to_text(&self.analysis, if coloured { Palette::COLOURED } else { Palette::PLAIN }, None)
    }

    /// The report as a self-contained HTML page; what made it and when are the caller's to say.
    fn to_html(&self, py: Python<'_>, command: String, date: String) -> String {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        py.detach(|| report::html::analysis_to_html(&self.analysis, &Provenance { command, version, date }))
    }

    /// The picture of what was known before and is known after, of one secret or of all of them.
    #[pyo3(signature = (secret=None))]
    fn to_svg(&self, py: Python<'_>, secret: Option<usize>) -> String {
        let mut picture = plot::analysis_plot(&self.analysis);
        if let Some(place) = secret {
            match &mut picture {
                Plot::Density(all) => all.panels = all.panels.drain(..).skip(place).take(1).collect(),
                Plot::Bars(all) => all.panels = all.panels.drain(..).skip(place).take(1).collect(),
                Plot::Line(_) | Plot::Heatmap(_) | Plot::Histogram(_) => {}
            }
        }
        py.detach(|| plot::to_svg(&picture))
    }

    #[getter]
    fn secrets(&self) -> Vec<String> {
        self.analysis.secret_names()
    }

    /// Whether anything is discrete: then there are values and mixtures instead of means and covariances.
    #[getter]
    fn has_choices(&self) -> bool {
        self.analysis.choices.is_some()
    }

    #[getter]
    fn meets_requirements(&self) -> bool {
        self.analysis.meets_requirements()
    }

    #[getter]
    fn variable_count(&self) -> usize {
        self.analysis.variable_count
    }

    #[getter]
    fn prior_mean<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.column(py, |secret| secret.knowledge.prior_mean)
    }

    #[getter]
    fn prior_variance<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.column(py, |secret| secret.knowledge.prior_variance)
    }

    #[getter]
    fn posterior_mean<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.column(py, |secret| secret.posterior_mean)
    }

    #[getter]
    fn posterior_variance<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.column(py, |secret| secret.knowledge.posterior_variance)
    }

    /// Covariances of the secrets beforehand, if there are not too many.
    #[getter]
    fn prior_covariance<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        self.analysis.covariances.as_ref().map(|all| matrix(py, &all.prior)).transpose()
    }

    /// Covariances of the secrets afterwards, if there are not too many.
    #[getter]
    fn posterior_covariance<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        self.analysis.covariances.as_ref().map(|all| matrix(py, &all.posterior)).transpose()
    }
}

/// All measures: (name, unit, meaning).
#[pyfunction]
pub fn measures() -> Vec<(&'static str, &'static str, &'static str)> {
    let of_choices = CHANNEL_MEASURES.iter().filter(|measure| MEASURES.iter().all(|known| known.name != measure.name));
    MEASURES.iter().chain(of_choices).map(|measure| (measure.name, measure.unit.label(), measure.meaning)).collect()
}

/// The noise of the Gaussian mechanism: (variance, standard deviation, rho of zCDP, mu of Gaussian DP).
#[pyfunction]
pub fn mechanism(sensitivity: f64, epsilon: f64, delta: f64, calibration: &str) -> PyResult<(f64, f64, f64, f64)> {
    let method = Method::from_name(calibration)
        .ok_or_else(|| PyValueError::new_err("the calibrations are \"analytic\" and \"classic\""))?;
    let noise = privacy::calibrate(method, sensitivity, epsilon, delta)
        .map_err(|error| PyValueError::new_err(format!("P415: {error}")))?;
    Ok((noise.variance, noise.std_dev, noise.rho_zcdp, noise.mu_gdp))
}
