//! Draws lines with logarithmic axes, for the page of `cargo xtask bench`: JSON on standard input to SVG on standard output.
//!
//! `{"title": …, "x_label": …, "y_label": …, "series": [[label, [[x, y], …]], …]}`

use std::io::Read;
use std::process::ExitCode;

use privug::report::plot::{LinePlot, Plot, Series, to_svg};
use serde_json::Value;

fn main() -> ExitCode {
    let mut text = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    match serde_json::from_str(&text).ok().as_ref().and_then(plot) {
        Some(plot) => {
            print!("{}", to_svg(&Plot::from(plot)));
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("error: this is no plot");
            ExitCode::FAILURE
        }
    }
}

fn plot(description: &Value) -> Option<LinePlot> {
    let text = |key: &str| description[key].as_str().map(str::to_owned);
    let series = description["series"].as_array()?.iter().map(series).collect::<Option<_>>()?;
    Some(LinePlot {
        title: text("title")?,
        x_label: text("x_label")?,
        y_label: text("y_label")?,
        log_x: true,
        log_y: true,
        series,
        threshold: None,
    })
}

fn series(line: &Value) -> Option<Series> {
    let points = line[1].as_array()?.iter().map(|point| Some((point[0].as_f64()?, point[1].as_f64()?)));
    Some(Series { label: line[0].as_str()?.to_owned(), points: points.collect::<Option<_>>()? })
}
