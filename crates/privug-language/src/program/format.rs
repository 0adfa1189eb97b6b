//! How values are shown in texts: `f"{x:,.1f}"`, and `"%.1f" % x`.

/// How a text shows a value: `[[fill]align][sign][0][width][,][.precision][type]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatSpecification {
    /// What fills the width.
    pub fill: char,
    /// Where the value stands in it; numbers stand on the right and texts on the left if it is not said.
    pub align: Option<Align>,
    /// What stands before a number that is not negative.
    pub sign: Option<char>,
    /// At least so many characters.
    pub width: u16,
    /// What stands between thousands.
    pub thousands: Option<char>,
    /// Digits after the point, or characters of a text.
    pub precision: Option<u8>,
    /// As what the value is shown.
    pub kind: Shown,
}

/// Where a value stands in its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// `<`
    Left,
    /// `>`
    Right,
    /// `^`
    Centre,
    /// `=`: the width is filled between the sign and the digits.
    AfterSign,
}

/// As what a value is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// As `str` shows it.
    Plain,
    /// As `repr` shows it: `{x!r}`, with nothing behind the colon.
    Representation,
    /// `s`
    Text,
    /// `d`
    Integer,
    /// `f`
    Fixed,
    /// `%`: times 100, with a percent sign.
    Percent,
    /// `e`
    Scientific,
    /// `b`, `o`, `x` and `X`: an integer in this base, `X` with capitals.
    InBase(u8, bool),
}

impl FormatSpecification {
    /// As `str` shows it.
    pub const PLAIN: FormatSpecification = FormatSpecification {
        fill: ' ',
        align: None,
        sign: None,
        width: 0,
        thousands: None,
        precision: None,
        kind: Shown::Plain,
    };

    /// As `repr` shows it.
    pub const REPRESENTATION: FormatSpecification =
        FormatSpecification { kind: Shown::Representation, ..FormatSpecification::PLAIN };

    /// What stands behind the colon in an f-string; `None` if it is not known.
    pub fn read(text: &str) -> Option<Self> {
        let mut found = Self::PLAIN;
        let mut rest = text;
        let mut characters = text.chars();
        let (first, second) = (characters.next(), characters.next());
        if let (Some(fill), Some(align)) = (first, second.and_then(align)) {
            (found.fill, found.align) = (fill, Some(align));
            rest = &rest[fill.len_utf8() + 1..];
        } else if let Some(align) = first.and_then(align) {
            found.align = Some(align);
            rest = &rest[1..];
        }
        if let Some(sign) = rest.chars().next().filter(|sign| matches!(sign, '+' | '-' | ' ')) {
            found.sign = (sign != '-').then_some(sign);
            rest = &rest[1..];
        }
        found.read_width(&mut rest)?;
        if let Some(between) = rest.chars().next().filter(|between| matches!(between, ',' | '_')) {
            found.thousands = Some(between);
            rest = &rest[1..];
        }
        found.read_precision(&mut rest)?;
        found.kind = kind(rest)?;
        found.is_known().then_some(found)
    }

    /// What stands behind the percent sign of `"%5.1f" % x`: its end, and how the value is shown.
    fn read_percent(text: &str) -> Option<(Self, &str)> {
        let mut found = FormatSpecification { align: Some(Align::Right), ..Self::PLAIN };
        let mut rest = text;
        while let Some(flag) = rest.chars().next().filter(|flag| matches!(flag, '-' | '+' | ' ')) {
            match flag {
                '-' => found.align = Some(Align::Left),
                sign => found.sign = Some(sign),
            }
            rest = &rest[1..];
        }
        found.read_width(&mut rest)?;
        found.read_precision(&mut rest)?;
        found.kind = match rest.chars().next()? {
            // As `str` shows it, whatever it is.
            's' => Shown::Plain,
            'd' | 'i' => Shown::Integer,
            'f' | 'F' => Shown::Fixed,
            'e' => Shown::Scientific,
            _ => return None,
        };
        found.is_known().then_some((found, &rest[1..]))
    }

    /// `05`: a zero before the width fills it between the sign and the digits.
    fn read_width(&mut self, rest: &mut &str) -> Option<()> {
        if rest.starts_with('0') {
            // Where the place is given too, Python's versions differ in what the zero means.
            if self.align.is_some_and(|align| align != Align::Right) || self.fill != ' ' {
                return None;
            }
            (self.fill, self.align) = ('0', Some(Align::AfterSign));
            *rest = &rest[1..];
        }
        let digits = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 {
            self.width = rest[..digits].parse().ok().filter(|width| *width <= 1000)?;
            *rest = &rest[digits..];
        }
        Some(())
    }

    fn read_precision(&mut self, rest: &mut &str) -> Option<()> {
        if let Some(after) = rest.strip_prefix('.') {
            let digits = after.find(|character: char| !character.is_ascii_digit()).unwrap_or(after.len());
            self.precision = Some(after[..digits].parse().ok().filter(|digits| *digits <= 30)?);
            *rest = &after[digits..];
        }
        Some(())
    }

    /// Whether this is a combination whose meaning is the same for every value that it takes.
    fn is_known(&self) -> bool {
        let fills_digits = self.align == Some(Align::AfterSign);
        match self.kind {
            // With a precision, `str` of a float has other digits.
            Shown::Plain | Shown::Representation => self.precision.is_none() && !fills_digits && self.sign.is_none(),
            Shown::Text => self.thousands.is_none() && !fills_digits && self.sign.is_none(),
            Shown::Integer if self.precision.is_some() => false,
            // What stands between their digits is another matter.
            Shown::InBase(..) => self.precision.is_none() && self.thousands.is_none(),
            // Zeros before the digits are thousands too.
            Shown::Integer | Shown::Fixed | Shown::Percent | Shown::Scientific => {
                !fills_digits || self.thousands.is_none()
            }
        }
    }
}

/// Which of its arguments `str.format` shows at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Field {
    Position(usize),
    Keyword(String),
}

/// A text with places for values, as `str.format` reads it: the texts between them, and what each shows. `None` if a part of it
/// is not known.
pub(super) fn brace_parts(text: &str) -> Option<(Vec<String>, Vec<(Field, FormatSpecification)>)> {
    let (mut texts, mut fields) = (vec![String::new()], Vec::new());
    // Places with and without a number do not go together.
    let (mut is_counted, mut is_numbered) = (false, false);
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let last = texts.last_mut()?;
        last.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            last.push_str(brace);
            rest = after;
            continue;
        }
        let end = rest.find('}').filter(|_| brace == "{")?;
        let (name, specification) = rest[..end].split_once(':').unwrap_or((&rest[..end], ""));
        let is_name = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        let counted = fields.iter().filter(|(field, _)| matches!(field, Field::Position(_))).count();
        let field = match name.parse() {
            _ if name.is_empty() => Field::Position(counted),
            Ok(position) => Field::Position(position),
            Err(_) if is_name => Field::Keyword(name.to_owned()),
            Err(_) => return None,
        };
        is_counted |= name.is_empty();
        is_numbered |= !name.is_empty() && matches!(field, Field::Position(_));
        fields.push((field, FormatSpecification::read(specification)?));
        texts.push(String::new());
        rest = &rest[end + 1..];
    }
    texts.last_mut()?.push_str(rest);
    (!(is_counted && is_numbered)).then_some((texts, fields))
}

/// A text with places for values, as `%` reads it: the texts between them, and how each value is shown. `None` if a part of it is not
/// known.
pub(super) fn percent_parts(text: &str) -> Option<(Vec<String>, Vec<FormatSpecification>)> {
    let (mut texts, mut specifications) = (vec![String::new()], Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let last = texts.last_mut()?;
        last.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            last.push('%');
            rest = after;
            continue;
        }
        let (specification, after) = FormatSpecification::read_percent(rest)?;
        specifications.push(specification);
        texts.push(String::new());
        rest = after;
    }
    texts.last_mut()?.push_str(rest);
    Some((texts, specifications))
}

fn align(character: char) -> Option<Align> {
    match character {
        '<' => Some(Align::Left),
        '>' => Some(Align::Right),
        '^' => Some(Align::Centre),
        '=' => Some(Align::AfterSign),
        _ => None,
    }
}

fn kind(text: &str) -> Option<Shown> {
    match text {
        "" => Some(Shown::Plain),
        "s" => Some(Shown::Text),
        "d" => Some(Shown::Integer),
        "f" | "F" => Some(Shown::Fixed),
        "%" => Some(Shown::Percent),
        "e" => Some(Shown::Scientific),
        "b" => Some(Shown::InBase(2, false)),
        "o" => Some(Shown::InBase(8, false)),
        "x" => Some(Shown::InBase(16, false)),
        "X" => Some(Shown::InBase(16, true)),
        _ => None,
    }
}
