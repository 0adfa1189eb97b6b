//! `privug mechanism`

use std::process::ExitCode;

use privug::mechanism::{self, Calibration, Method, NEIGHBOURS};
use privug::report::number;
use serde::Serialize;

use crate::arguments::Mechanism;
use crate::{REFUSED, output};

/// Calibrates the Gaussian mechanism both ways and prints the results.
pub fn mechanism(arguments: &Mechanism) -> ExitCode {
    let results = [Method::Analytic, Method::Classic].map(|method| {
        (method, mechanism::calibrate(method, arguments.sensitivity, arguments.epsilon, arguments.delta))
    });
    let refused = results.iter().all(|(_, result)| result.is_err());
    if arguments.json {
        let calibrations = results.iter().map(|(method, result)| match result {
            Ok(calibration) => calibrated(calibration),
            Err(error) => Entry::Refused { calibration: method.name(), error: error.to_string() },
        });
        let (schema, calibrations) = ("privug.mechanism/1", calibrations.collect());
        output::print_json(&Document { schema, neighbours: NEIGHBOURS, calibrations });
    } else if !refused {
        output::print(&to_text(arguments, &results));
    }
    if refused {
        let mut said: Vec<String> =
            results.iter().filter_map(|(_, result)| result.as_ref().err().map(ToString::to_string)).collect();
        // What is wrong with a parameter is wrong with it for both formulas.
        said.dedup();
        said.iter().for_each(|error| output::print_error(&format!("error[P415]: {error}\n")));
        return ExitCode::from(REFUSED);
    }
    ExitCode::SUCCESS
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    neighbours: &'static str,
    calibrations: Vec<Entry>,
}

/// One way to calibrate.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry {
    Calibrated {
        calibration: &'static str,
        sensitivity: f64,
        epsilon: f64,
        delta: f64,
        variance: f64,
        std: f64,
        rho_zcdp: f64,
        mu_gdp: f64,
    },
    Refused {
        calibration: &'static str,
        error: String,
    },
}

fn calibrated(calibration: &Calibration) -> Entry {
    Entry::Calibrated {
        calibration: calibration.method.name(),
        sensitivity: calibration.sensitivity,
        epsilon: calibration.epsilon,
        delta: calibration.delta,
        variance: calibration.variance,
        std: calibration.std_dev,
        rho_zcdp: calibration.rho_zcdp,
        mu_gdp: calibration.mu_gdp,
    }
}

fn to_text(arguments: &Mechanism, results: &[(Method, Result<Calibration, mechanism::CalibrationError>)]) -> String {
    let mut text = format!(
        "Gaussian noise for sensitivity {}, ε = {}, δ = {}\nneighbours: {NEIGHBOURS}\n\n",
        number(arguments.sensitivity),
        number(arguments.epsilon),
        number(arguments.delta)
    );
    text.push_str(&format!(
        "{:<10} {:>16} {:>16} {:>12} {:>16}\n",
        "", "std dev", "variance", "zCDP ρ", "Gaussian DP μ"
    ));
    for (method, result) in results {
        match result {
            Ok(calibration) => text.push_str(&format!(
                "{:<10} {:>16} {:>16} {:>12} {:>16}\n",
                method.name(),
                number(calibration.std_dev),
                number(calibration.variance),
                number(calibration.rho_zcdp),
                number(calibration.mu_gdp)
            )),
            Err(error) => text.push_str(&format!("{:<10} {error}\n", method.name())),
        }
    }
    text.push_str("\nThe analytic calibration is the least noise that suffices (Balle and Wang 2018);\n");
    text.push_str("the classic formula is a theorem for ε < 1 only (Dwork and Roth 2014).\n");
    text
}
