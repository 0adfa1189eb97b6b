//! `privug._privug`: the compiled part of the Python package, a thin layer over the library.

mod analysis;
mod audit;
mod command;
mod distribution;
mod errors;
mod forms;
mod given;
mod groups;
mod operand;
mod random;
mod recorder;
mod rehearse;
mod request;
mod supervise;
mod vector;

use pyo3::prelude::*;

#[pymodule]
fn _privug(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    privug::internal::keep_panics_quiet();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ProgramError", py.get_type::<errors::ProgramError>())?;
    module.add("InternalError", py.get_type::<errors::InternalError>())?;
    module.add("NotGaussianError", py.get_type::<errors::NotGaussianError>())?;
    module.add_class::<request::Request>()?;
    module.add_class::<analysis::RawAnalysis>()?;
    module.add_class::<forms::Forms>()?;
    module.add_class::<audit::RawTable>()?;
    module.add_class::<audit::AuditRequest>()?;
    module.add_class::<audit::RawAudit>()?;
    module.add_class::<recorder::Recorder>()?;
    module.add_class::<random::Random>()?;
    module.add_class::<vector::RandomVector>()?;
    module.add_class::<vector::RandomVectorIterator>()?;
    module.add_function(wrap_pyfunction!(distribution::density, module)?)?;
    module.add_function(wrap_pyfunction!(distribution::cumulative, module)?)?;
    module.add_function(wrap_pyfunction!(distribution::quantile, module)?)?;
    module.add_function(wrap_pyfunction!(request::calibrate_with, module)?)?;
    module.add_function(wrap_pyfunction!(command::run_command, module)?)?;
    module.add_function(wrap_pyfunction!(groups::plan_queries, module)?)?;
    module.add_function(wrap_pyfunction!(groups::audit_groups, module)?)?;
    module.add_function(wrap_pyfunction!(errors::not_gaussian, module)?)?;
    module.add_function(wrap_pyfunction!(errors::explain, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::measures, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::mechanism, module)?)?;
    Ok(())
}
