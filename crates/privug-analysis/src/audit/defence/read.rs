//! Reading the texts of defences.

use super::{Defence, DefenceTexts, Defences, Kind, Sensitivity};
use privug_engine::mechanism::Method;
use privug_engine::sorting::CompactSort;
use privug_language::diagnostic::{Code, Diagnostic, Refusal, nearest};
use privug_language::source::{SourceId, Sources, Span};

type Read<T> = Result<T, Box<Diagnostic>>;

const NOISE_HINT: &str = "write `NAME=normal(std=1000)` or `NAME=gaussian(epsilon=0.5, delta=1e-5, sensitivity=5000)`";
const ROUND_HINT: &str = "write the base, such as `1000` or `NAME=1000`; for random rounding `random(3)`";

/// Reads all defences: roundings of everything first, so that those of single figures win; each text becomes a source.
pub(in crate::audit) fn read_defences(texts: &DefenceTexts) -> Result<Defences, Refusal> {
    let mut sources = Sources::default();
    let (mut all, mut errors) = (Vec::new(), Vec::new());
    let mut read = |flag: &str, text: &String, read: fn(SourceId, &str) -> Read<Defence>| {
        let source = sources.add(flag, text.as_str());
        match read(source, text) {
            Ok(defence) => all.push(defence),
            Err(error) => errors.push(*error),
        }
    };
    texts.noise.iter().for_each(|text| read("--noise", text, read_noise));
    texts.round.iter().for_each(|text| read("--round", text, read_rounding));
    texts.suppress.iter().for_each(|text| read("--suppress", text, read_suppression));
    // Stable: among equals the later one wins.
    all.sort_compact_by_key(|defence: &Defence| defence.name.is_some());
    let defences = Defences { sources, all };
    if errors.is_empty() { Ok(defences) } else { Err(defences.refuse(errors)) }
}

fn refuse<T>(span: Span, message: impl Into<String>, hint: &str) -> Read<T> {
    Err(Box::new(Diagnostic::error(Code::BadDefence, span, message).hint(hint)))
}

fn whole(source: SourceId, text: &str) -> Span {
    Span { source, start: 0, end: text.len() as u32 }
}

fn read_number(text: &str) -> Option<f64> {
    text.trim().replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
}

fn read_suppression(source: SourceId, text: &str) -> Read<Defence> {
    let span = whole(source, text);
    if text.trim().is_empty() {
        return refuse(
            span,
            "no figure to suppress is named",
            "use the name of a figure or a table as shown in the report",
        );
    }
    Ok(Defence { name: Some(text.trim().to_owned()), span, kind: Kind::Suppress })
}

/// `1000` or `NAME=1000`.
fn read_rounding(source: SourceId, text: &str) -> Read<Defence> {
    let span = whole(source, text);
    let (name, unit, span) = match text.rsplit_once('=') {
        Some((name, unit)) => (Some(name.trim().to_owned()), unit, Span { end: name.len() as u32, ..span }),
        None => (None, text, span),
    };
    let base = unit.trim().strip_prefix("random(").and_then(|base| base.strip_suffix(')'));
    if let Some(base) = base.and_then(read_number).filter(|base| *base > 0.0) {
        return Ok(Defence { name, span, kind: Kind::RoundAtRandom(base) });
    }
    match read_number(unit) {
        Some(unit) if unit > 0.0 => Ok(Defence { name, span, kind: Kind::Round(unit) }),
        _ => refuse(whole(source, text), format!("`{}` is not a valid base for rounding", unit.trim()), ROUND_HINT),
    }
}

/// `NAME=normal(std=…)`, `NAME=gaussian(epsilon=…, delta=…)`.
fn read_noise(source: SourceId, text: &str) -> Read<Defence> {
    let all = whole(source, text);
    let call = text.trim_end().strip_suffix(')').and_then(|text| text.rsplit_once('('));
    let Some((before, arguments)) = call else {
        return refuse(all, format!("`{}` is not a valid noise specification", text.trim()), NOISE_HINT);
    };
    let (name, kind) = match before.rsplit_once('=') {
        Some((name, kind)) => (Some(name), kind.trim()),
        None => (None, before.trim()),
    };
    let span = name.map_or(all, |name| Span { end: name.len() as u32, ..all });
    let allowed: &[&str] = match kind {
        "normal" => &["std", "variance"],
        "gaussian" => &["epsilon", "delta", "sensitivity", "range", "calibration"],
        other => {
            let hint = nearest(other, ["normal", "gaussian"]).map(|near| format!("did you mean `{near}`?"));
            return refuse(all, format!("there is no noise `{other}`"), hint.as_deref().unwrap_or(NOISE_HINT));
        }
    };
    let arguments = read_arguments(all, arguments, allowed)?;
    let kind = if kind == "normal" { normal(all, &arguments)? } else { gaussian(all, &arguments)? };
    Ok(Defence { name: name.map(|name| name.trim().to_owned()), span, kind })
}

type Arguments<'a> = Vec<(&'a str, &'a str)>;

fn read_arguments<'a>(span: Span, text: &'a str, allowed: &[&str]) -> Read<Arguments<'a>> {
    let mut arguments: Arguments<'a> = Vec::new();
    for part in text.split(',').filter(|part| !part.trim().is_empty()) {
        let Some((name, value)) = part.split_once('=') else {
            return refuse(span, format!("`{}` has no name", part.trim()), NOISE_HINT);
        };
        let name = name.trim();
        if !allowed.contains(&name) {
            let hint = match nearest(name, allowed.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it takes {}", allowed.join(", ")),
            };
            return refuse(span, format!("there is no argument `{name}`"), &hint);
        }
        if arguments.iter().any(|(given, _)| *given == name) {
            return refuse(span, format!("`{name}` is given twice"), NOISE_HINT);
        }
        arguments.push((name, value.trim().trim_matches(['"', '\''])));
    }
    Ok(arguments)
}

fn number(span: Span, arguments: &Arguments<'_>, name: &str) -> Read<Option<f64>> {
    let Some((_, text)) = arguments.iter().find(|(given, _)| *given == name) else { return Ok(None) };
    match read_number(text) {
        Some(number) if number > 0.0 => Ok(Some(number)),
        _ => refuse(span, format!("`{name}` must be a positive number, not `{text}`"), NOISE_HINT),
    }
}

fn normal(span: Span, arguments: &Arguments<'_>) -> Read<Kind> {
    match (number(span, arguments, "std")?, number(span, arguments, "variance")?) {
        (Some(std), None) => Ok(Kind::Noise(std)),
        (None, Some(variance)) => Ok(Kind::Noise(variance.sqrt())),
        _ => refuse(span, "give either `std` or `variance`", NOISE_HINT),
    }
}

fn gaussian(span: Span, arguments: &Arguments<'_>) -> Read<Kind> {
    let (Some(epsilon), Some(delta)) = (number(span, arguments, "epsilon")?, number(span, arguments, "delta")?) else {
        return refuse(span, "`gaussian` needs `epsilon` and `delta`", NOISE_HINT);
    };
    let sensitivity = match (number(span, arguments, "sensitivity")?, number(span, arguments, "range")?) {
        (Some(sensitivity), None) => Sensitivity::Given(sensitivity),
        (None, Some(range)) => Sensitivity::Range(range),
        (None, None) => Sensitivity::RangeOfData,
        (Some(_), Some(_)) => return refuse(span, "give either `sensitivity` or `range`", NOISE_HINT),
    };
    let method = match arguments.iter().find(|(given, _)| *given == "calibration") {
        None => Method::Analytic,
        Some((_, name)) => match Method::from_name(name) {
            Some(method) => method,
            None => {
                return refuse(span, format!("there is no calibration `{name}`"), "it must be `analytic` or `classic`");
            }
        },
    };
    Ok(Kind::Mechanism { epsilon, delta, sensitivity, method })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(text: &str) -> Result<Defence, String> {
        read_noise(SourceId(0), text).map_err(|error| format!("{}; {}", error.message, error.hint.unwrap_or_default()))
    }

    #[test]
    fn names_may_hold_brackets_and_commas() {
        let found = noise("by group[21-30, male]=normal(std=1_000)").expect("noise");
        assert_eq!((found.name.as_deref(), found.kind), (Some("by group[21-30, male]"), Kind::Noise(1000.0)));
        assert_eq!(noise("normal(variance=4)").map(|found| (found.name, found.kind)), Ok((None, Kind::Noise(2.0))));
    }

    #[test]
    fn a_mechanism_has_a_sensitivity_a_range_or_that_of_the_data() {
        let kind = |text: &str| noise(text).map(|found| found.kind);
        let mechanism =
            |sensitivity| Kind::Mechanism { epsilon: 0.5, delta: 1e-5, sensitivity, method: Method::Analytic };
        assert_eq!(kind("men=gaussian(epsilon=0.5, delta=1e-5)"), Ok(mechanism(Sensitivity::RangeOfData)));
        assert_eq!(kind("gaussian(epsilon=0.5, delta=1e-5, range=7)"), Ok(mechanism(Sensitivity::Range(7.0))));
        assert_eq!(kind("gaussian(epsilon=0.5, delta=1e-5, sensitivity=7)"), Ok(mechanism(Sensitivity::Given(7.0))));
    }

    #[test]
    fn what_is_no_noise_is_refused_with_a_hint() {
        for (text, said) in [
            ("men", "`men` is not a valid noise"),
            ("men=gausian(epsilon=1)", "did you mean `gaussian`?"),
            ("men=gaussian(epsilon=1)", "needs `epsilon` and `delta`"),
            ("men=gaussian(epsilon=1, delta=0.1, sensitvity=3)", "did you mean `sensitivity`?"),
            ("men=normal(std=-1)", "`std` must be a positive number, not `-1`"),
            ("men=normal(std=1, std=2)", "`std` is given twice"),
            ("men=normal(1)", "`1` has no name"),
        ] {
            let error = noise(text).expect_err(text);
            assert!(error.contains(said), "{text}: {error}");
        }
        assert!(read_rounding(SourceId(0), "0").is_err() && read_rounding(SourceId(0), "men=much").is_err());
        assert!(read_suppression(SourceId(0), " ").is_err());
    }
}
