//! Densities of secrets, a panel each: heading, key, curves over their axes, notes.

use super::arrange::{Arrangement, arrange};
use super::cell::{CellRoom, draw_cells};
use super::font::{Font, clean};
use super::model::{CurveStyle, DensityPlot, Panel};
use super::palette::{Direction, FAINT, INK, RULE, arrow, stroke};
use super::scene::{Mark, Rect, Scene};
use super::words::{curve_words, notes, percent, quantity, resolution};

/// More panels than this are only counted.
const MOST_PANELS: usize = 12;
/// More curves than this are not listed in a key.
const MOST_ROWS: usize = 8;
const MARGIN: f64 = 20.0;
const GUTTER: f64 = 34.0;
const ROW: f64 = 16.0;
const NOTE_ROW: f64 = 13.5;
const KEY_SIZE: f64 = 11.0;
const NOTE_SIZE: f64 = 10.0;

/// The sizes of a grid of panels.
struct Grid {
    columns: usize,
    panel_width: f64,
    plot_height: f64,
}

fn grid(panels: usize) -> Grid {
    match panels {
        0 | 1 => Grid { columns: 1, panel_width: 680.0, plot_height: 230.0 },
        2..=4 => Grid { columns: 2, panel_width: 450.0, plot_height: 170.0 },
        _ => Grid { columns: 3, panel_width: 350.0, plot_height: 130.0 },
    }
}

/// What stands before the words of a key.
#[derive(Debug, Clone, Copy)]
enum Sample {
    Curve(CurveStyle),
    Value(CurveStyle),
    Truth,
}

/// A panel with everything that is said about it.
struct Prepared<'a> {
    panel: &'a Panel,
    arrangement: Arrangement,
    name: String,
    /// The key.
    rows: Vec<(Sample, String)>,
    /// What is said of a curve in full, for the description.
    said: Vec<String>,
    notes: Vec<String>,
}

/// The picture.
pub(super) fn draw(plot: &DensityPlot) -> Scene {
    let font = Font::new();
    let title = clean(&plot.title);
    let unit = plot.unit.as_deref().map(|unit| font.fit(&clean(unit), KEY_SIZE, 90.0));
    let unit = unit.as_deref().filter(|unit| !unit.is_empty());
    let grid = grid(plot.panels.len());
    let shown: Vec<Prepared> =
        plot.panels.iter().take(MOST_PANELS).map(|panel| prepare(panel, unit, grid.panel_width, &font)).collect();
    let columns = grid.columns as f64;
    let width = 2.0 * MARGIN + columns * grid.panel_width + (columns - 1.0) * GUTTER;
    let mut marks = Vec::new();
    let mut y = MARGIN;
    for line in font.wrap(&title, 16.0, width - 2.0 * MARGIN, 2) {
        marks.push(Mark::text(MARGIN, y + 14.0, line, 16.0, INK));
        y += 22.0;
    }
    if shown.is_empty() {
        marks.push(Mark::text(MARGIN, y + 16.0, "There are no secrets to draw.", 12.0, FAINT));
        y += 28.0;
    }
    for row in shown.chunks(grid.columns) {
        y += 8.0;
        let key_rows = row.iter().map(|prepared| prepared.rows.len()).max().unwrap_or(0);
        let has_captions = row.iter().any(|prepared| prepared.has_captions());
        let mut bottom = y;
        for (column, prepared) in row.iter().enumerate() {
            let x = MARGIN + column as f64 * (grid.panel_width + GUTTER);
            let key_height = 24.0 + ROW * key_rows as f64;
            let plot_y = y + key_height + if has_captions { 30.0 } else { 14.0 };
            let room = Rect { x: x + 16.0, y: plot_y, width: grid.panel_width - 16.0, height: grid.plot_height };
            let (panel_marks, end) = draw_panel(prepared, x, y, room, unit, &font);
            marks.push(Mark::Group { data: vec![("panel", prepared.panel.name.clone())], marks: panel_marks });
            bottom = bottom.max(end);
        }
        y = bottom + 14.0;
    }
    let footer = footer(plot);
    marks.push(Mark::line((MARGIN, y), (width - MARGIN, y), RULE, 1.0));
    y += 6.0;
    for sentence in &footer {
        for line in font.wrap(sentence, NOTE_SIZE, width - 2.0 * MARGIN, 3) {
            marks.push(Mark::text(MARGIN, y + 10.0, line, NOTE_SIZE, FAINT));
            y += NOTE_ROW;
        }
    }
    let description = describe(&shown, &footer);
    Scene { width, height: (y + MARGIN / 2.0).ceil(), title, description, marks }
}

impl Prepared<'_> {
    /// Whether the parts of the panel need headings of their own.
    fn has_captions(&self) -> bool {
        self.arrangement.cells.len() > 1
    }
}

fn prepare<'a>(panel: &'a Panel, unit: Option<&str>, width: f64, font: &Font) -> Prepared<'a> {
    let arrangement = arrange(panel);
    let resolution = resolution(panel);
    let room = width - 36.0;
    let forms: Vec<Vec<String>> = panel
        .curves
        .iter()
        .take(MOST_ROWS)
        .map(|curve| {
            curve_words(curve, panel.interval_level, resolution, unit).iter().map(|form| clean(form)).collect()
        })
        .collect();
    // All curves are said in the same form: the longest that fits for each of them.
    let shortness = forms
        .iter()
        .map(|forms| {
            let fits = |form: &String| font.width(form, KEY_SIZE) <= room;
            forms.iter().position(fits).unwrap_or(forms.len())
        })
        .max()
        .unwrap_or(0);
    let mut rows = Vec::new();
    let mut said = Vec::new();
    for (curve, forms) in panel.curves.iter().zip(forms) {
        let chosen = forms.get(shortness.min(forms.len().saturating_sub(1))).map_or("", String::as_str);
        // A value that is known exactly has no interval to shade.
        let sample = if curve.variance > 0.0 { Sample::Curve(curve.style) } else { Sample::Value(curve.style) };
        rows.push((sample, font.fit(chosen, KEY_SIZE, room)));
        said.extend(forms.into_iter().next());
    }
    if let Some(truth) = panel.truth {
        let words = format!("true value: {}", quantity(truth, resolution.of_means, unit));
        rows.push((Sample::Truth, font.fit(&words, KEY_SIZE, room)));
        said.push(words);
    }
    let mut notes = notes(panel, &arrangement, unit);
    if panel.curves.len() > MOST_ROWS {
        notes.push(format!("{} more curves are not listed.", panel.curves.len() - MOST_ROWS));
    }
    let name = clean(&panel.name);
    Prepared { panel, arrangement, name, rows, said, notes }
}

/// Draws a panel and says where it ends.
fn draw_panel(prepared: &Prepared, x: f64, y: f64, room: Rect, unit: Option<&str>, font: &Font) -> (Vec<Mark>, f64) {
    let width = room.right() - x;
    let mut marks = vec![Mark::text(x, y + 13.0, font.fit(&prepared.name, 13.0, width), 13.0, INK)];
    let mut row_y = y + 24.0;
    for (style, words) in &prepared.rows {
        marks.extend(key_sample(*style, x, row_y + 7.0));
        marks.push(Mark::text(x + 36.0, row_y + 11.0, words.clone(), KEY_SIZE, INK));
        row_y += ROW;
    }
    let captions = prepared.has_captions();
    let cells = CellRoom { plot: room, captions, unit, font };
    let mut end = room.bottom();
    if !prepared.arrangement.cells.is_empty() {
        marks.extend(draw_cells(prepared.panel, &prepared.arrangement, &cells));
        marks.push(Mark::upwards(x + 8.0, room.y + room.height / 2.0, "density", NOTE_SIZE, FAINT));
        end += 34.0;
    } else {
        end = room.y;
    }
    for note in &prepared.notes {
        for line in font.wrap(&clean(note), NOTE_SIZE, width, 4) {
            marks.push(Mark::text(x, end + 11.0, line, NOTE_SIZE, FAINT));
            end += NOTE_ROW;
        }
    }
    (marks, end)
}

fn key_sample(sample: Sample, x: f64, y: f64) -> Vec<Mark> {
    let (style, shaded) = match sample {
        Sample::Curve(style) => (style, style == CurveStyle::After),
        Sample::Value(style) => (style, false),
        Sample::Truth => return vec![arrow((x + 14.0, y + 5.0), Direction::Down, 9.0, INK)],
    };
    let stroke = stroke(style);
    let mut marks = Vec::new();
    if shaded {
        let swatch = Rect { x, y: y - 5.0, width: 28.0, height: 10.0 };
        marks.push(Mark::Area { points: swatch.corners(), fill: stroke.colour, opacity: super::cell::SHADE });
    }
    marks.push(Mark::Line { points: vec![(x, y), (x + 28.0, y)], stroke });
    marks
}

fn footer(plot: &DensityPlot) -> Vec<String> {
    let mut said = vec!["Each curve is a probability density; ± is one standard deviation.".to_owned()];
    let panels = &plot.panels[..plot.panels.len().min(MOST_PANELS)];
    let shaded =
        |panel: &&Panel| panel.curves.iter().any(|curve| curve.style == CurveStyle::After && curve.variance > 0.0);
    if let Some(panel) = panels.iter().find(shaded)
        && panel.interval_level > 0.0
        && panel.interval_level < 1.0
    {
        said[0].push_str(&format!(" Shaded: the interval with probability {}.", percent(panel.interval_level)));
    }
    match plot.panels.len().saturating_sub(MOST_PANELS) {
        0 => {}
        1 => said.push("1 more secret is not shown.".to_owned()),
        more => said.push(format!("{more} more secrets are not shown.")),
    }
    said
}

fn describe(shown: &[Prepared], footer: &[String]) -> String {
    let mut sentences = Vec::new();
    for prepared in shown {
        sentences.push(format!("{}: {}.", prepared.name, prepared.said.join("; ")));
        sentences.extend(prepared.notes.iter().cloned());
    }
    sentences.extend(footer.iter().cloned());
    sentences.join(" ")
}
