//! Plots on a page: drawings that tell values under the pointer, and to the arrow keys.

use super::page::Page;
use crate::report::plot::{Heatmap, Plot, to_svg};

const HINT: &str = "Point at the plot, or focus it and use the arrow keys, to read values.";

/// A plot with its caption.
pub(super) fn figure(page: &mut Page, plot: &Plot, caption: &str) {
    page.markup("<figure class=\"plot\"");
    match plot {
        Plot::Density(_) => page.markup(" data-kind=\"density\">"),
        Plot::Line(plot) => page.open(" data-kind=\"line\" data-x-name=", &plot.x_label, ">"),
        Plot::Heatmap(Heatmap { x_label, y_label, value_label, .. }) => page
            .open(" data-kind=\"map\" data-x-name=", x_label, "")
            .open(" data-y-name=", y_label, "")
            .open(" data-value-name=", value_label, ">"),
        Plot::Bars(_) => page.open(" data-kind=\"bars\" data-y-name=", "probability", ">"),
        Plot::Histogram(plot) => page.open(" data-kind=\"bars\" data-y-name=", &plot.y_label, ">"),
    };
    let label = format!("Plot: {caption} Arrow keys read its values.");
    page.open("<div class=\"canvas\" tabindex=\"0\" role=\"group\" aria-label=", &label, ">\n");
    page.drawing(&to_svg(plot)).markup("</div>\n<p class=\"tip\" role=\"status\" hidden></p>\n<figcaption>");
    page.text(caption).markup(" <span class=\"hint\">").text(HINT).markup("</span></figcaption>\n</figure>\n");
}
