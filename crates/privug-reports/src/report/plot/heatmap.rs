//! A quantity over two parameters: a field of shaded cells with a scale beside it.

use super::axis::{Axis, Labels, Place};
use super::font::{Font, clean};
use super::frame::heading;
use super::model::Heatmap;
use super::palette::{FAINT, INK, PAPER};
use super::scene::{Anchor, Colour, Mark, Rect, Scene};
use super::ticks::minus;
use super::words::significant;

const FIELD_WIDTH: f64 = 540.0;
const FIELD_HEIGHT: f64 = 360.0;
/// More rows or columns than this are left out.
const MOST: usize = 100;
const SIZE: f64 = 10.0;
/// From light to dark, so that it also reads in grey.
const RAMP: [Colour; 4] = [Colour(236, 243, 248), Colour(150, 195, 225), Colour(40, 115, 170), Colour(0, 40, 80)];
const UNDEFINED: Colour = Colour(225, 225, 225);

/// The picture.
pub(super) fn draw(plot: &Heatmap) -> Scene {
    let font = Font::new();
    let (columns, rows) = (plot.xs.len().min(MOST), plot.ys.len().min(MOST));
    let value = |row: usize, column: usize| {
        plot.values.get(row).and_then(|values| values.get(column)).copied().unwrap_or(f64::NAN)
    };
    let all: Vec<f64> =
        (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))).map(|(r, c)| value(r, c)).collect();
    let title = clean(&plot.title);
    let y_names: Vec<String> = plot.ys[..rows].iter().map(|y| short(*y)).collect();
    let x_names: Vec<String> = plot.xs[..columns].iter().map(|x| short(*x)).collect();
    let left = 46.0 + y_names.iter().map(|name| font.width(name, SIZE)).fold(10.0, f64::max);
    let labels = Labels { most: 6, extent: &|_| SIZE + 4.0 };
    let scale = Axis::new(&all, plot.log_values, FIELD_HEIGHT, &labels);
    let scale_width = 64.0 + scale.ticks.iter().map(|(_, label)| font.width(label, SIZE)).fold(20.0, f64::max);
    let width = left + FIELD_WIDTH + scale_width + 20.0;
    let (mut marks, top) = heading(&title, width, &font);
    let field = Rect { x: left, y: top + 18.0, width: FIELD_WIDTH, height: FIELD_HEIGHT };

    let (cell_width, cell_height) = (field.width / columns.max(1) as f64, field.height / rows.max(1) as f64);
    let widest = all.iter().map(|value| font.width(&short(*value), SIZE)).fold(0.0, f64::max);
    let written = widest + 8.0 <= cell_width && cell_height >= 16.0;
    for row in 0..rows {
        for column in 0..columns {
            let value = value(row, column);
            let fill = shade(&scale, value, field.height);
            let x = field.x + column as f64 * cell_width;
            let y = field.bottom() - (row + 1) as f64 * cell_height;
            let area = Rect { x, y, width: cell_width - 0.5, height: cell_height - 0.5 };
            let mut drawn = vec![Mark::Area { points: area.corners(), fill, opacity: 1.0 }];
            if written {
                let ink = if is_dark(fill) { PAPER } else { INK };
                let (x, y) = (x + cell_width / 2.0, y + cell_height / 2.0 + 3.5);
                drawn.push(Mark::anchored(x, y, short(value), SIZE, ink, Anchor::Middle));
            }
            let data = vec![
                ("x", format!("{}", plot.xs[column])),
                ("y", format!("{}", plot.ys[row])),
                ("value", format!("{value}")),
            ];
            marks.push(Mark::Group { data, marks: drawn });
        }
    }
    let widest_name = x_names.iter().map(|name| font.width(name, SIZE)).fold(0.0, f64::max);
    let every = ((widest_name + 8.0) / cell_width).ceil().max(1.0) as usize;
    for (column, name) in x_names.into_iter().enumerate().step_by(every) {
        let x = field.x + (column as f64 + 0.5) * cell_width;
        marks.push(Mark::anchored(x, field.bottom() + 15.0, name, SIZE, INK, Anchor::Middle));
    }
    let mut free = f64::INFINITY;
    for (row, name) in y_names.into_iter().enumerate() {
        let y = field.bottom() - (row as f64 + 0.5) * cell_height;
        if y < free {
            free = y - SIZE - 3.0;
            marks.push(Mark::anchored(field.x - 6.0, y + 3.5, name, SIZE, INK, Anchor::End));
        }
    }
    let x_label = font.fit(&clean(&plot.x_label), 11.0, field.width);
    marks.push(Mark::anchored(field.x + field.width / 2.0, field.bottom() + 34.0, x_label, 11.0, INK, Anchor::Middle));
    let y_label = font.fit(&clean(&plot.y_label), 11.0, field.height);
    marks.push(Mark::upwards(24.0, field.y + field.height / 2.0, y_label, 11.0, INK));
    marks.extend(legend(&scale, &field, scale_width, plot, &font));
    let mut bottom = field.bottom() + 44.0;
    let mut notes = Vec::new();
    if rows == 0 || columns == 0 {
        notes.push("There is nothing to draw.".to_owned());
    }
    if plot.xs.len() > MOST || plot.ys.len() > MOST {
        notes.push(format!("Only the first {MOST} values of a parameter are drawn."));
    }
    if all.iter().any(|value| value.is_nan()) {
        notes.push("Grey: undefined.".to_owned());
    }
    for note in &notes {
        marks.push(Mark::text(20.0, bottom + 10.0, note.clone(), SIZE, FAINT));
        bottom += 14.0;
    }
    let named = [&plot.value_label, &plot.x_label, &plot.y_label].map(|label| clean(label));
    let description = format!("{} over {} and {}. {}", named[0], named[1], named[2], notes.join(" "));
    Scene { width, height: (bottom + 12.0).ceil(), title, description, marks }
}

/// A number in few letters.
fn short(value: f64) -> String {
    if value.is_nan() { "–".to_owned() } else { minus(&significant(value, 3)) }
}

/// The colour of a part of the scale.
fn ramp(part: f64) -> Colour {
    let position = part.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let index = (position as usize).min(RAMP.len() - 2);
    let (from, to, share) = (RAMP[index], RAMP[index + 1], position - index as f64);
    let mix = |from: u8, to: u8| libm::round(f64::from(from) + share * (f64::from(to) - f64::from(from))) as u8;
    Colour(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

fn shade(scale: &Axis, value: f64, length: f64) -> Colour {
    match scale.place(value) {
        Place::On(pixel) => ramp(pixel / length),
        Place::Below(_) => PAPER,
        Place::Above(_) => Colour(0, 0, 0),
        Place::Nowhere => UNDEFINED,
    }
}

fn is_dark(Colour(red, green, blue): Colour) -> bool {
    2 * u32::from(red) + 5 * u32::from(green) + u32::from(blue) < 1100
}

/// The colours with their values, and their name `width` to the right of the field.
fn legend(scale: &Axis, field: &Rect, width: f64, plot: &Heatmap, font: &Font) -> Vec<Mark> {
    let x = field.right() + 24.0;
    let mut marks = Vec::new();
    for step in 0..60 {
        let height = field.height / 60.0;
        let area = Rect { x, y: field.bottom() - f64::from(step + 1) * height, width: 14.0, height: height + 0.3 };
        marks.push(Mark::Area { points: area.corners(), fill: ramp(f64::from(step) / 59.0), opacity: 1.0 });
    }
    let ends = [(scale.below, scale.below_pixel(), PAPER), (scale.above, scale.above_pixel(), Colour(0, 0, 0))];
    for (label, pixel, fill) in ends {
        if let Some(label) = label {
            let y = field.bottom() - pixel;
            let area = Rect { x, y: y - 8.0, width: 14.0, height: 16.0 };
            marks.push(Mark::Area { points: area.corners(), fill, opacity: 1.0 });
            let mut edge = area.corners();
            edge.push((area.x, area.y));
            marks.push(Mark::Line {
                points: edge,
                stroke: super::scene::Stroke { colour: FAINT, width: 0.8, dash: &[] },
            });
            marks.push(Mark::text(x + 20.0, y + 3.5, label, SIZE, INK));
        }
    }
    for (pixel, label) in &scale.ticks {
        let y = field.bottom() - pixel;
        marks.push(Mark::line((x + 14.0, y), (x + 17.0, y), INK, 1.0));
        marks.push(Mark::text(x + 20.0, y + 3.5, label.clone(), SIZE, INK));
    }
    let words = scale.words.as_ref().map(|words| format!(" ({words})")).unwrap_or_default();
    let name = font.fit(&format!("{}{words}", clean(&plot.value_label)), 11.0, field.height);
    marks.push(Mark::upwards(field.right() + width, field.y + field.height / 2.0, name, 11.0, INK));
    marks
}
