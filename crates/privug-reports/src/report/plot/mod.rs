//! Pictures of what was found: densities of secrets, quantities over parameters, and a sketch for a terminal.
//!
//! A plot is data ([`Plot`]); [`to_svg`] and [`to_png`] draw it, always the same bytes for the same data, whatever the
//! numbers are.

mod arrange;
mod axis;
mod bars;
pub(crate) mod beliefs;
mod cell;
mod density;
mod font;
mod frame;
mod from_analysis;
mod heatmap;
mod histogram;
mod line;
mod model;
mod palette;
mod png;
mod scene;
mod svg;
mod terminal;
#[cfg(test)]
mod tests;
mod ticks;
mod words;

pub(crate) use from_analysis::after;
pub use from_analysis::{analysis_plot, before_and_after, density_plot};
pub use model::{
    Bar, BarPanel, BarPlot, BarSeries, Curve, CurveStyle, DensityPlot, Heatmap, Histogram, LinePlot, Panel, Plot,
    Series,
};
pub use terminal::terminal_sketch;

fn scene(plot: &Plot) -> scene::Scene {
    match plot {
        Plot::Density(plot) => density::draw(plot),
        Plot::Line(plot) => line::draw(plot),
        Plot::Heatmap(plot) => heatmap::draw(plot),
        Plot::Histogram(plot) => histogram::draw(plot),
        Plot::Bars(plot) => bars::draw(plot),
    }
}

/// The plot as an SVG document.
pub fn to_svg(plot: &Plot) -> String {
    svg::write(&scene(plot))
}

/// The plot as a PNG file, `scale` pixels to each unit of the SVG; refuses a scale that gives no picture or a huge one.
///
/// Letters are Latin, Greek, Cyrillic and Hebrew; others (emoji, Chinese, Arabic) are boxes here, and right in the SVG.
pub fn to_png(plot: &Plot, scale: f64) -> Result<Vec<u8>, String> {
    png::write(&scene(plot), scale)
}
