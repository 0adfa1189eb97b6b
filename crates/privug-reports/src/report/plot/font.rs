//! Widths and outlines of letters, from the one font that comes with the plots.

use ttf_parser::Face;

use super::png::Glyphs;

/// A part of DejaVu Sans; its license is beside it. It is wider than the usual sans-serif fonts, so what fits with it
/// also fits where a viewer of the SVG has another font.
const FONT: &[u8] = include_bytes!("font/labels.ttf");

/// No name needs more letters; a longer one is shortened before anything else looks at it.
const LONGEST: usize = 400;

/// The font.
pub(super) struct Font {
    face: Option<Face<'static>>,
}

impl Font {
    pub fn new() -> Self {
        Font { face: Face::parse(FONT, 0).ok() }
    }

    /// How far a letter moves the pen, as a part of the size.
    fn advance(&self, letter: char) -> f64 {
        let known = self.face.as_ref().and_then(|face| {
            let glyph = face.glyph_index(letter)?;
            Some(f64::from(face.glyph_hor_advance(glyph)?) / f64::from(face.units_per_em()))
        });
        // Ideographs and emoji are square.
        known.unwrap_or(if letter >= '\u{1100}' { 1.05 } else { 0.7 })
    }

    /// Width of a text on one line.
    pub fn width(&self, text: &str, size: f64) -> f64 {
        text.chars().map(|letter| self.advance(letter)).sum::<f64>() * size
    }

    /// The text, its middle left out if it is wider than `room`.
    pub fn fit(&self, text: &str, size: f64, room: f64) -> String {
        if self.width(text, size) <= room {
            return text.to_owned();
        }
        let letters: Vec<char> = text.chars().collect();
        // The end of a name often tells it from its neighbours: `income[17]`.
        for kept in (0..letters.len()).rev() {
            let tail = kept / 3;
            let shortened: String =
                letters[..kept - tail].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect();
            if self.width(&shortened, size) <= room {
                return shortened;
            }
        }
        String::new()
    }

    /// The text in lines no wider than `room`; what does not fit on `most` lines is left out.
    pub fn wrap(&self, text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            if let Some(last) = lines.last_mut() {
                let longer = format!("{last} {word}");
                if self.width(&longer, size) <= room {
                    *last = longer;
                    continue;
                }
            }
            if lines.len() == most {
                if let Some(last) = lines.last_mut() {
                    *last = self.fit(&format!("{last} …"), size, room);
                }
                break;
            }
            lines.push(self.fit(word, size, room));
        }
        lines
    }

    /// Draws a text from (0, 0) to the right, and says where letters are that the font does not have.
    pub fn outline(&self, text: &str, size: f64, glyphs: &mut Glyphs) -> Vec<Missing> {
        let mut missing = Vec::new();
        let mut pen = 0.0;
        for letter in text.chars() {
            let width = self.advance(letter) * size;
            match self.face.as_ref().and_then(|face| Some((face, face.glyph_index(letter)?))) {
                Some((face, glyph)) => {
                    glyphs.pen = pen as f32;
                    // `None` is a letter without an outline, such as a space.
                    let _ = face.outline_glyph(glyph, glyphs);
                }
                None => missing.push(Missing { x: pen, width }),
            }
            pen += width;
        }
        missing
    }

    /// Pixels per unit of the font.
    pub fn units(&self, size: f64) -> f64 {
        size / self.face.as_ref().map_or(2048.0, |face| f64::from(face.units_per_em()))
    }
}

/// A letter that the font does not have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Missing {
    pub x: f64,
    pub width: f64,
}

/// The text as it can be shown: short enough, without control characters and without marks that turn what follows.
pub(super) fn clean(text: &str) -> String {
    let letters = text.chars().count();
    let shown = text.chars().enumerate().filter_map(|(index, letter)| {
        if letters <= LONGEST || index < LONGEST / 2 || index >= letters - LONGEST / 3 {
            Some(letter)
        } else {
            (index == LONGEST / 2).then_some('…')
        }
    });
    shown
        .filter_map(|letter| match letter {
            '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' => Some(' '),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}' => None,
            '\u{fffe}' | '\u{ffff}' => Some('\u{fffd}'),
            letter if letter.is_control() => Some('\u{fffd}'),
            letter => Some(letter),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_keeps_its_beginning_and_its_end() {
        let font = Font::new();
        let name = format!("{}[17]", "x".repeat(300));
        let fitted = font.fit(&name, 12.0, 200.0);
        assert!(font.width(&fitted, 12.0) <= 200.0);
        assert!(fitted.starts_with("xxx") && fitted.ends_with("[17]") && fitted.contains('…'), "{fitted}");
        assert_eq!(font.fit("age", 12.0, 200.0), "age");
        assert_eq!(font.fit("age", 12.0, 0.0), "");
    }

    #[test]
    fn lines_are_no_wider_than_their_room() {
        let font = Font::new();
        let lines = font.wrap("the quick brown fox jumps over an incomprehensibilityissimo dog", 10.0, 80.0, 3);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| font.width(line, 10.0) <= 80.0), "{lines:?}");
    }

    #[test]
    fn the_font_has_what_our_own_words_need() {
        let font = Font::new();
        for letter in "az09ÅåñßžΩσεЖжאת±−×·…–“”→←≤≥∞⁰¹²³⁴⁵⁶⁷⁸⁹⁻ %(),.[]_<>&\"'".chars()
        {
            let face = font.face.as_ref().expect("the font is well formed");
            assert!(face.glyph_index(letter).is_some(), "{letter:?}");
        }
    }

    #[test]
    fn text_is_made_harmless_but_stays_readable() {
        assert_eq!(clean("a\u{0}b\tc\u{202e}d\u{ffff}é🙂"), "a\u{fffd}b cd\u{fffd}é🙂");
        assert!(clean(&"y".repeat(1_000_000)).chars().count() <= LONGEST);
    }
}
