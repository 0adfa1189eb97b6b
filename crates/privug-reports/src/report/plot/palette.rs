//! Colours, dashes and markers that can be told apart by colour-blind people and in grey.

use super::model::CurveStyle;
use super::scene::{Colour, Mark, Point, Stroke};

/// Text and axes.
pub(super) const INK: Colour = Colour(34, 34, 34);
/// Notes and ticks.
pub(super) const FAINT: Colour = Colour(96, 96, 96);
/// Lines that only guide the eye.
pub(super) const RULE: Colour = Colour(222, 222, 222);
/// The background.
pub(super) const PAPER: Colour = Colour(255, 255, 255);

/// After Okabe and Ito, with a darker blue so that the first two also differ in grey; the palest (yellow) is left out.
const COLOURS: [Colour; 7] = [
    Colour(0, 84, 138),
    Colour(213, 94, 0),
    Colour(0, 158, 115),
    Colour(170, 68, 130),
    Colour(20, 20, 20),
    Colour(70, 160, 215),
    Colour(200, 135, 0),
];

const DASHES: [&[f64]; 6] = [&[], &[7.0, 4.0], &[2.0, 3.0], &[10.0, 3.0, 2.0, 3.0], &[14.0, 4.0], &[4.0, 2.0]];

/// Colour, width and dashes of a curve.
pub(super) fn stroke(style: CurveStyle) -> Stroke {
    match style {
        CurveStyle::After => Stroke { colour: COLOURS[0], width: 2.2, dash: DASHES[0] },
        CurveStyle::Before => Stroke { colour: COLOURS[1], width: 1.8, dash: DASHES[1] },
        CurveStyle::Series(index) => {
            // 7 colours and 6 dashes have no common factor: 42 combinations before one comes back.
            Stroke { colour: COLOURS[index % COLOURS.len()], width: 1.8, dash: DASHES[index % DASHES.len()] }
        }
    }
}

/// The marker of the n-th series around a point.
pub(super) fn marker(index: usize, (x, y): Point, radius: f64, fill: Colour) -> Mark {
    let corners: &[Point] = match index % 5 {
        0 => return disc((x, y), radius, fill),
        1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2 => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        3 => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        _ => &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
    };
    polygon(corners, (x, y), radius, fill)
}

/// A filled circle.
pub(super) fn disc((x, y): Point, radius: f64, fill: Colour) -> Mark {
    let points = (0..24)
        .map(|step| {
            let angle = f64::from(step) * std::f64::consts::TAU / 24.0;
            (x + radius * libm::cos(angle), y + radius * libm::sin(angle))
        })
        .collect();
    Mark::Area { points, fill, opacity: 1.0 }
}

fn polygon(corners: &[Point], (x, y): Point, radius: f64, fill: Colour) -> Mark {
    let points = corners.iter().map(|(dx, dy)| (x + radius * dx, y + radius * dy)).collect();
    Mark::Area { points, fill, opacity: 1.0 }
}

/// Where an arrow head points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// An arrow head whose tip is at `tip`.
pub(super) fn arrow(tip: Point, direction: Direction, size: f64, fill: Colour) -> Mark {
    let corners: &[Point] = match direction {
        Direction::Left => &[(0.0, 0.0), (1.0, -0.6), (1.0, 0.6)],
        Direction::Right => &[(0.0, 0.0), (-1.0, -0.6), (-1.0, 0.6)],
        Direction::Up => &[(0.0, 0.0), (-0.6, 1.0), (0.6, 1.0)],
        Direction::Down => &[(0.0, 0.0), (-0.6, -1.0), (0.6, -1.0)],
    };
    polygon(corners, tip, size, fill)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lightness L* of a colour, 0 to 100.
    fn lightness(colour: Colour) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let luminance = 0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2);
        116.0 * luminance.cbrt() - 16.0
    }

    #[test]
    fn before_and_after_differ_in_grey_and_in_dashes() {
        let (before, after) = (stroke(CurveStyle::Before), stroke(CurveStyle::After));
        assert!((lightness(before.colour) - lightness(after.colour)).abs() > 15.0);
        assert_ne!(before.dash, after.dash);
    }

    #[test]
    fn forty_two_series_all_look_different() {
        let strokes: Vec<_> = (0..42).map(|index| stroke(CurveStyle::Series(index))).collect();
        for (index, one) in strokes.iter().enumerate() {
            assert!(!strokes[..index].contains(one), "series {index}");
        }
    }

    #[test]
    fn every_colour_stands_out_from_the_paper() {
        for colour in COLOURS {
            assert!(lightness(colour) < 65.0, "{colour:?}");
        }
    }
}
