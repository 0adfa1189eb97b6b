//! A picture as marks on a plane, which SVG and PNG draw alike.

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub u8, pub u8, pub u8);

/// Points to the right and downwards.
pub(super) type Point = (f64, f64);

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub colour: Colour,
    pub width: f64,
    /// Lengths of dashes and gaps in turn, none for a solid line.
    pub dash: &'static [f64],
}

/// Which point of a text its position is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text on a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Text {
    /// Position of the anchor.
    pub x: f64,
    /// Position of the baseline.
    pub y: f64,
    pub text: String,
    pub size: f64,
    pub anchor: Anchor,
    pub colour: Colour,
    /// Turned to be read from below.
    pub upwards: bool,
}

/// One thing that is drawn; later ones cover earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mark {
    Line {
        points: Vec<Point>,
        stroke: Stroke,
    },
    Area {
        points: Vec<Point>,
        fill: Colour,
        opacity: f64,
    },
    Text(Text),
    /// Marks that belong together, with the data that they show.
    Group {
        data: Vec<(&'static str, String)>,
        marks: Vec<Mark>,
    },
}

/// A whole picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scene {
    pub width: f64,
    pub height: f64,
    /// Its name for people who cannot see it.
    pub title: String,
    /// What it shows, for people who cannot see it.
    pub description: String,
    pub marks: Vec<Mark>,
}

/// A rectangle by its left upper corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// Its corners in order.
    pub fn corners(&self) -> Vec<Point> {
        vec![(self.x, self.y), (self.right(), self.y), (self.right(), self.bottom()), (self.x, self.bottom())]
    }
}

impl Mark {
    pub fn line(from: Point, to: Point, colour: Colour, width: f64) -> Mark {
        Mark::Line { points: vec![from, to], stroke: Stroke { colour, width, dash: &[] } }
    }

    /// A text that starts at its position.
    pub fn text(x: f64, y: f64, text: impl Into<String>, size: f64, colour: Colour) -> Mark {
        Mark::anchored(x, y, text, size, colour, Anchor::Start)
    }

    pub fn anchored(x: f64, y: f64, text: impl Into<String>, size: f64, colour: Colour, anchor: Anchor) -> Mark {
        Mark::Text(Text { x, y, text: text.into(), size, anchor, colour, upwards: false })
    }

    /// A text in the middle of its position, to be read from below.
    pub fn upwards(x: f64, y: f64, text: impl Into<String>, size: f64, colour: Colour) -> Mark {
        Mark::Text(Text { x, y, text: text.into(), size, anchor: Anchor::Middle, colour, upwards: true })
    }
}
