//! A picture as SVG: text stays text, and groups carry the numbers that they show.

use std::fmt::Write;

use super::scene::{Anchor, Colour, Mark, Point, Scene, Text};
use crate::report::escape::escaped;

/// Verdana has the widths of DejaVu Sans; the others are narrower.
const FONTS: &str = "DejaVu Sans, Verdana, Segoe UI, Helvetica, Arial, sans-serif";

/// The document, ending in a line break.
pub(super) fn write(scene: &Scene) -> String {
    let mut svg = String::new();
    let (width, height) = (coordinate(scene.width), coordinate(scene.height));
    line(
        &mut svg,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">"
        ),
    );
    line(&mut svg, format_args!("<title>{}</title>", escape(&scene.title)));
    line(&mut svg, format_args!("<desc>{}</desc>", escape(&scene.description)));
    line(&mut svg, format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"));
    marks(&mut svg, &scene.marks);
    svg.push_str("</svg>\n");
    svg
}

fn line(svg: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = svg.write_fmt(arguments);
    svg.push('\n');
}

fn marks(svg: &mut String, all: &[Mark]) {
    for mark in all {
        match mark {
            Mark::Line { points, stroke } => {
                let dash: Vec<String> = stroke.dash.iter().map(|length| coordinate(*length)).collect();
                let dash =
                    if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", dash.join(" ")) };
                line(
                    svg,
                    format_args!(
                        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" \
                         stroke-linejoin=\"round\"{dash}/>",
                        path(points),
                        hexadecimal(stroke.colour),
                        coordinate(stroke.width)
                    ),
                );
            }
            Mark::Area { points, fill, opacity } => {
                let opacity =
                    if *opacity < 1.0 { format!(" fill-opacity=\"{}\"", coordinate(*opacity)) } else { String::new() };
                line(
                    svg,
                    format_args!("<polygon points=\"{}\" fill=\"{}\"{opacity}/>", path(points), hexadecimal(*fill)),
                );
            }
            Mark::Text(text) => write_text(svg, text),
            Mark::Group { data, marks: inside } => {
                svg.push_str("<g");
                for (name, value) in data {
                    let _ = write!(svg, " data-{name}=\"{}\"", escape(value));
                }
                svg.push_str(">\n");
                marks(svg, inside);
                svg.push_str("</g>\n");
            }
        }
    }
}

fn write_text(svg: &mut String, text: &Text) {
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let (x, y) = (coordinate(text.x), coordinate(text.y));
    let turn = if text.upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    line(
        svg,
        format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"{anchor}{turn}>{}</text>",
            coordinate(text.size),
            hexadecimal(text.colour),
            escape(&text.text)
        ),
    );
}

fn path(points: &[Point]) -> String {
    let mut path = String::new();
    for (x, y) in points {
        if !path.is_empty() {
            path.push(' ');
        }
        let _ = write!(path, "{},{}", coordinate(*x), coordinate(*y));
    }
    path
}

/// A hundredth of a pixel is more than anyone sees; a whole number has no point.
fn coordinate(value: f64) -> String {
    let rounded = if value.is_finite() { (value * 100.0).round() / 100.0 } else { 0.0 };
    // No `-0`.
    format!("{}", rounded + 0.0)
}

fn hexadecimal(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Text as XML takes it, between tags and in attributes.
pub(super) fn escape(text: &str) -> String {
    escaped(&super::font::clean(text), String::push)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_text_cannot_leave_its_place() {
        assert_eq!(escape("<script>\"&'\u{1b}"), "&lt;script&gt;&quot;&amp;&#39;\u{fffd}");
    }

    #[test]
    fn coordinates_are_short_and_finite() {
        assert_eq!([1.0, -0.001, 2.345, f64::NAN, f64::INFINITY].map(coordinate), ["1", "0", "2.35", "0", "0"]);
    }
}
