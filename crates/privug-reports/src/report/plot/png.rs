//! A picture as PNG, drawn with the font that comes with the plots: it looks the same on every machine.

use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, StrokeDash, Transform};
use ttf_parser::OutlineBuilder;
use unicode_bidi::{BidiInfo, Level};

use super::font::{Font, clean};
use super::scene::{Anchor, Colour, Mark, Point, Scene, Stroke, Text};

/// More pixels than this are refused; 40 million need 160 MB.
const MOST_PIXELS: f64 = 40e6;

/// The file; `scale` is how many pixels a unit of the picture has.
pub(super) fn write(scene: &Scene, scale: f64) -> Result<Vec<u8>, String> {
    let (width, height) = ((scene.width * scale).ceil(), (scene.height * scale).ceil());
    // Also refuses NaN.
    if !(width >= 1.0 && height >= 1.0 && width * height <= MOST_PIXELS) {
        return Err(format!("a scale of {scale} gives an image of {width} × {height} pixels, which is too large"));
    }
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or("there is not enough memory for the image")?;
    pixmap.fill(tiny_skia::Color::WHITE);
    let mut canvas = Canvas { pixmap, transform: Transform::from_scale(scale as f32, scale as f32), font: Font::new() };
    canvas.marks(&scene.marks);
    canvas.pixmap.encode_png().map_err(|error| error.to_string())
}

struct Canvas {
    pixmap: Pixmap,
    transform: Transform,
    font: Font,
}

impl Canvas {
    fn marks(&mut self, marks: &[Mark]) {
        for mark in marks {
            match mark {
                Mark::Line { points, stroke } => self.line(points, stroke),
                Mark::Area { points, fill, opacity } => {
                    if let Some(path) = polygon(points, true) {
                        self.fill(&path, *fill, *opacity, self.transform);
                    }
                }
                Mark::Text(text) => self.text(text),
                Mark::Group { data: _, marks } => self.marks(marks),
            }
        }
    }

    fn line(&mut self, points: &[Point], stroke: &Stroke) {
        let Some(path) = polygon(points, false) else { return };
        let dash = stroke.dash.iter().map(|length| *length as f32).collect();
        let stroked = tiny_skia::Stroke {
            width: stroke.width as f32,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Round,
            dash: StrokeDash::new(dash, 0.0),
            ..Default::default()
        };
        self.pixmap.stroke_path(&path, &paint(stroke.colour, 1.0), &stroked, self.transform, None);
    }

    fn fill(&mut self, path: &Path, colour: Colour, opacity: f64, transform: Transform) {
        self.pixmap.fill_path(path, &paint(colour, opacity), FillRule::Winding, transform, None);
    }

    fn text(&mut self, text: &Text) {
        let shown = in_visual_order(&clean(&text.text));
        let width = self.font.width(&shown, text.size);
        let start = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let mut glyphs = Glyphs { path: PathBuilder::new(), unit: self.font.units(text.size) as f32, pen: 0.0 };
        let missing = self.font.outline(&shown, text.size, &mut glyphs);
        for letter in missing {
            glyphs.hollow_box(letter.x as f32, letter.width as f32, text.size as f32);
        }
        let Some(path) = glyphs.path.finish() else { return };
        let turn = if text.upwards { Transform::from_rotate(-90.0) } else { Transform::identity() };
        let place = Transform::from_translate(start as f32, 0.0)
            .post_concat(turn)
            .post_concat(Transform::from_translate(text.x as f32, text.y as f32))
            .post_concat(self.transform);
        self.fill(&path, text.colour, 1.0, place);
    }
}

fn paint(Colour(red, green, blue): Colour, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8);
    paint
}

fn polygon(points: &[Point], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, (x, y)) in points.iter().enumerate() {
        if index == 0 {
            path.move_to(*x as f32, *y as f32);
        } else {
            path.line_to(*x as f32, *y as f32);
        }
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// The letters from left to right; letters are not joined, as Arabic would need.
fn in_visual_order(text: &str) -> String {
    let bidi = BidiInfo::new(text, Some(Level::ltr()));
    if !bidi.has_rtl() {
        return text.to_owned();
    }
    bidi.paragraphs.iter().map(|paragraph| bidi.reorder_line(paragraph, paragraph.range.clone())).collect()
}

/// Letters as one path, the baseline at 0 and downwards positive.
pub(super) struct Glyphs {
    path: PathBuilder,
    unit: f32,
    /// Where the letter starts.
    pub pen: f32,
}

impl Glyphs {
    fn x(&self, x: f32) -> f32 {
        self.pen + x * self.unit
    }

    fn y(&self, y: f32) -> f32 {
        -y * self.unit
    }

    /// Stands for a letter that the font does not have.
    fn hollow_box(&mut self, x: f32, width: f32, size: f32) {
        let edge = size * 0.07;
        let (left, right, top, bottom) = (x + edge, x + width - edge, -0.72 * size, 0.0);
        for (left, right, top, bottom, clockwise) in
            [(left, right, top, bottom, true), (left + edge, right - edge, top + edge, bottom - edge, false)]
        {
            self.path.move_to(left, top);
            if clockwise {
                self.path.line_to(right, top);
                self.path.line_to(right, bottom);
                self.path.line_to(left, bottom);
            } else {
                self.path.line_to(left, bottom);
                self.path.line_to(right, bottom);
                self.path.line_to(right, top);
            }
            self.path.close();
        }
    }
}

impl OutlineBuilder for Glyphs {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x(x), self.y(y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x(x), self.y(y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.x(x1), self.y(y1), self.x(x), self.y(y));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(self.x(x1), self.y(y1), self.x(x2), self.y(y2), self.x(x), self.y(y));
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hebrew_is_drawn_from_right_to_left_within_other_text() {
        assert_eq!(in_visual_order("age אבג 12"), "age 12 גבא");
        assert_eq!(in_visual_order("age[0]"), "age[0]");
    }
}
