//! Densities as a few lines of text for a terminal: a strip for each curve, over the axis they share.

use super::arrange::{Cell, Relation, arrange};
use super::font::clean;
use super::model::{Curve, Panel};
use super::ticks::{Ticks, ticks_that_fit};
use super::words::significant;
use crate::report::number_near;
use privug_measures::leakage::Normal;

/// Lines of a sketch at most, without the one that says what is left out.
const MOST_LINES: usize = 8;
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII: [char; 4] = [' ', '.', ':', '#'];

/// Six to eight lines of at most `width` columns (30 at least), each ending in a line break; each curve has its own
/// height, and where one axis does not do, each part has its own.
pub fn terminal_sketch(curves: &[Curve], width: usize, unicode: bool) -> String {
    let panel = Panel { name: String::new(), curves: curves.to_vec(), truth: None, interval_level: 0.95 };
    let arrangement = arrange(&panel);
    let width = width.clamp(30, 200);
    let drawn: usize = arrangement.cells.iter().map(|cell| cell.members.len()).sum();
    if drawn == 0 {
        return "there is no distribution to draw\n".to_owned();
    }
    let rows = if drawn <= 2 && arrangement.cells.len() == 1 { 3 } else { 2 };
    let heads: Vec<[String; 2]> = curves.iter().map(|curve| head(curve, unicode)).collect();
    let words = arrangement.cells.iter().filter_map(|cell| offset_words(&cell_ticks(cell, width * 2 / 3), unicode));
    let beside = heads.iter().flatten().cloned().chain(words).map(|text| text.chars().count());
    let margin = beside.max().unwrap_or(0).clamp(9, width / 3);
    let sketch = Sketch { unicode, rows, margin, columns: width - margin - 1 };
    let mut text = String::new();
    let (mut lines, mut shown) = (0, 0);
    for cell in &arrangement.cells {
        let fitting = MOST_LINES.saturating_sub(lines + 2) / rows;
        let members = &cell.members[..cell.members.len().min(fitting)];
        if members.is_empty() {
            break;
        }
        for &(index, _) in members {
            sketch.strip(&mut text, &curves[index], &heads[index], cell);
        }
        let note = if arrangement.relation == Relation::OwnScales { "own scale" } else { "" };
        sketch.axis(&mut text, cell, note);
        lines += members.len() * rows + 2;
        shown += members.len();
    }
    if shown < curves.len() {
        text.push_str(&format!("{} more not drawn\n", curves.len() - shown));
    }
    if unicode { text } else { plain(&text) }
}

/// The two texts before a strip.
fn head(curve: &Curve, unicode: bool) -> [String; 2] {
    let spread = match Normal::new(curve.mean, curve.variance) {
        Some(normal) if normal.is_constant() => "exactly".to_owned(),
        Some(normal) if unicode => format!("± {}", significant(normal.std_dev(), 3)),
        Some(normal) => format!("+- {}", significant(normal.std_dev(), 3)),
        None => String::new(),
    };
    [clean(&curve.label), spread]
}

struct Sketch {
    unicode: bool,
    rows: usize,
    /// Columns before the strips.
    margin: usize,
    columns: usize,
}

impl Sketch {
    fn line(&self, text: &mut String, head: &str, body: &str) {
        let count = head.chars().count();
        let head: String = if count > self.margin {
            head.chars().take(self.margin - 1).chain(['…']).collect()
        } else {
            head.chars().chain(std::iter::repeat_n(' ', self.margin - count)).collect()
        };
        text.push_str(format!("{head} {body}").trim_end());
        text.push('\n');
    }

    fn strip(&self, text: &mut String, curve: &Curve, head: &[String; 2], cell: &Cell) {
        let Some(normal) = Normal::new(curve.mean, curve.variance) else { return };
        let levels = if self.unicode { &BLOCKS[..] } else { &ASCII[..] };
        let steps = levels.len() - 1;
        let heights: Vec<usize> = (0..self.columns)
            .map(|column| libm::round(self.height(&normal, cell, column) * (self.rows * steps) as f64) as usize)
            .collect();
        for row in (0..self.rows).rev() {
            let body: String = heights
                .iter()
                .map(|height| match height.saturating_sub(row * steps).min(steps) {
                    level if level == steps && normal.is_constant() => {
                        if self.unicode {
                            '┃'
                        } else {
                            '|'
                        }
                    }
                    level => levels[level],
                })
                .collect();
            let head = match self.rows - 1 - row {
                0 if self.rows == 2 => &head[0],
                1 if self.rows == 3 => &head[0],
                1 | 2 => &head[1],
                _ => "",
            };
            self.line(text, head, &body);
        }
    }

    /// The density in the middle of a column as a part of the peak, which is always seen.
    fn height(&self, normal: &Normal, cell: &Cell, column: usize) -> f64 {
        let step = cell.length() / self.columns as f64;
        let centre = normal.mean() - cell.origin;
        let (low, high) = (cell.low + step * column as f64, cell.low + step * (column + 1) as f64);
        if low <= centre && centre < high {
            return 1.0;
        }
        if normal.is_constant() {
            return 0.0;
        }
        let middle = 0.5 * (low + high) - centre;
        let z = middle.abs() / normal.std_dev();
        libm::exp(-0.5 * z * z)
    }

    fn axis(&self, text: &mut String, cell: &Cell, note: &str) {
        let ticks = cell_ticks(cell, self.columns);
        let (rule, mark) = if self.unicode { ('─', '┬') } else { ('-', '+') };
        let mut line = vec![rule; self.columns];
        let mut labels = vec![' '; self.columns];
        for (position, label) in &ticks.marks {
            let column = (position - cell.low) / cell.length() * self.columns as f64;
            let column = (column as usize).min(self.columns - 1);
            line[column] = mark;
            let letters: Vec<char> = label.chars().take(self.columns).collect();
            let start = column.saturating_sub(letters.len() / 2).min(self.columns - letters.len());
            labels[start..start + letters.len()].copy_from_slice(&letters);
        }
        self.line(text, note, &line.into_iter().collect::<String>());
        let labels: String = labels.into_iter().collect();
        match offset_words(&ticks, self.unicode) {
            // Half a number would be a wrong one.
            Some(words) if words.chars().count() > self.margin => {
                self.line(text, "", &labels);
                text.push_str(&words);
                text.push('\n');
            }
            words => self.line(text, &words.unwrap_or_default(), &labels),
        }
    }
}

/// What the labels of an axis are to be read with.
fn offset_words(ticks: &Ticks, unicode: bool) -> Option<String> {
    ticks.words().map(|words| if unicode { words } else { plain(&words) })
}

/// The ticks of an axis of so many columns.
fn cell_ticks(cell: &Cell, columns: usize) -> Ticks {
    if cell.only_values && cell.members.len() == 1 {
        return Ticks { offset: None, exponent: 0, marks: vec![(0.0, number_near(cell.origin, 0.0))] };
    }
    let most = (columns / 14).clamp(2, 6);
    // A column counts as five pixels: the ten pixels between labels become two columns.
    let measure = |label: &str| label.chars().count() as f64 * 5.0;
    ticks_that_fit((cell.origin, cell.low, cell.high), columns as f64 * 5.0, most, measure)
}

/// The letters of our own that ASCII does not have; names stay as they are.
fn plain(text: &str) -> String {
    let raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut plain = String::with_capacity(text.len());
    let mut was_raised = false;
    for letter in text.chars() {
        let digit = raised.iter().position(|other| *other == letter);
        let is_raised = digit.is_some() || letter == '⁻';
        if is_raised && !was_raised {
            plain.push('^');
        }
        was_raised = is_raised;
        match (digit.and_then(|digit| char::from_digit(digit as u32, 10)), letter) {
            (Some(digit), _) => plain.push(digit),
            (None, '−' | '⁻') => plain.push('-'),
            (None, '·') => plain.push('*'),
            (None, '…') => plain.push('~'),
            (None, letter) => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::super::model::CurveStyle;
    use super::*;
    use proptest::prelude::*;

    fn pair(before: (f64, f64), after: (f64, f64)) -> [Curve; 2] {
        let curve = |label: &str, (mean, variance), style| Curve {
            label: label.to_owned(),
            mean,
            variance,
            style,
            placed: true,
        };
        [curve("before", before, CurveStyle::Before), curve("after", after, CurveStyle::After)]
    }

    #[test]
    fn two_curves_on_one_axis_take_eight_lines() {
        let sketch = terminal_sketch(&pair((35.0, 4.0), (37.0, 1.2)), 60, false);
        assert_eq!(sketch.lines().count(), 8, "{sketch}");
        assert!(sketch.is_ascii() && sketch.contains("before") && sketch.contains("+- 1.1"), "{sketch}");
    }

    #[test]
    fn a_value_known_exactly_is_a_bar() {
        let sketch = terminal_sketch(&pair((480_000.0, 100.0), (483_000.0, 0.0)), 70, true);
        assert!(sketch.contains('┃') && sketch.contains("exactly") && sketch.contains("483,000"), "{sketch}");
        assert_eq!(sketch.lines().count(), 8, "{sketch}");
    }

    #[test]
    fn curves_on_very_different_scales_have_their_own_axes() {
        let sketch = terminal_sketch(&pair((0.0, 1e12), (3.0, 1.0)), 70, true);
        assert_eq!(sketch.matches("own scale").count(), 2, "{sketch}");
    }

    #[test]
    fn an_offset_stands_beside_the_labels() {
        let sketch = terminal_sketch(&pair((480_000.0, 1e-10), (480_000.0, 1e-12)), 78, false);
        assert!(sketch.contains("480,000 + x * 10^-5") && sketch.lines().count() <= 8, "{sketch}");
    }

    proptest! {
        #[test]
        fn a_sketch_is_never_wider_than_asked(
            means in prop::collection::vec(any::<f64>(), 0..6),
            variance in any::<f64>(),
            width in 0usize..300,
            unicode in any::<bool>(),
        ) {
            let curve = |mean: &f64| Curve { label: "x".repeat(40), mean: *mean, variance, style: CurveStyle::After, placed: true };
            let curves: Vec<Curve> = means.iter().map(curve).collect();
            let sketch = terminal_sketch(&curves, width, unicode);
            for line in sketch.lines() {
                prop_assert!(line.chars().count() <= width.clamp(45, 200), "{}", sketch);
            }
        }
    }
}
