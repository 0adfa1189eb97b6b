//! Policies as they are written: a TOML file, and flags that win over it.

use toml_edit::{Document, Item, Value};

use super::{Policy, Rule, Thresholds, Verdict};
use privug_language::diagnostic::{Code, Diagnostic, Refusal, nearest};
use privug_language::source::{SourceId, Sources, Span};

/// The texts that a policy is read from.
#[derive(Debug, Clone, Default)]
pub struct PolicyTexts {
    /// A policy file: its path and its text.
    pub file: Option<(String, String)>,
    /// Flags such as `minimum_frequency.fail=5` or `dominance=off`.
    pub rules: Vec<String>,
}

/// The default policy with what the file says, and then what the flags say.
pub fn read_policy(texts: &PolicyTexts) -> Result<Policy, Refusal> {
    let mut sources = Sources::default();
    let mut policy = Policy::default();
    let mut errors = Vec::new();
    if let Some((path, text)) = &texts.file {
        let source = sources.add(path.as_str(), text.as_str());
        match from_toml(source, text) {
            Ok(settings) => apply(&mut policy, settings, &mut errors),
            Err(error) => errors.push(*error),
        }
    }
    for text in &texts.rules {
        let source = sources.add("--rule", text.as_str());
        match from_flag(source, text) {
            Ok(setting) => apply(&mut policy, vec![setting], &mut errors),
            Err(error) => errors.push(*error),
        }
    }
    if errors.is_empty() { Ok(policy) } else { Err(Refusal { sources, diagnostics: errors }) }
}

/// `rule.key = value`, or `rule = value`.
struct Setting {
    rule: String,
    key: Option<String>,
    value: Given,
    /// Where the names are.
    name_span: Span,
    /// Where the value is.
    span: Span,
}

enum Given {
    Number(f64),
    Word(String),
}

type Read<T> = Result<T, Box<Diagnostic>>;

fn refuse<T>(span: Span, message: impl Into<String>, hint: impl Into<String>) -> Read<T> {
    Err(Box::new(Diagnostic::error(Code::BadPolicy, span, message).hint(hint)))
}

const FLAG_HINT: &str = "write `rule.threshold=value`, such as `minimum_frequency.fail=5`, or `dominance=off`";

fn from_toml(source: SourceId, text: &str) -> Read<Vec<Setting>> {
    let place = |range: Option<std::ops::Range<usize>>| {
        let range = range.unwrap_or(0..0);
        Span { source, start: range.start as u32, end: range.end as u32 }
    };
    let document = Document::parse(text).or_else(|error| {
        let words = error.message().lines().next().unwrap_or("it cannot be read").to_owned();
        refuse(place(error.span()), format!("this is not TOML: {words}"), "see docs/audit.md for a policy file")
    })?;
    let mut settings = Vec::new();
    for (rule, item) in document.iter() {
        let name_span = place(document.key(rule).and_then(|key| key.span()));
        if let Some(table) = item.as_table_like() {
            for (key, item) in table.iter() {
                let name_span = place(table.key(key).and_then(|key| key.span()));
                let span = place(item.span());
                let value = given(item, span)?;
                settings.push(Setting { rule: rule.to_owned(), key: Some(key.to_owned()), value, name_span, span });
            }
            // An empty table is still a rule's name.
            if table.is_empty() && Rule::named(rule).is_none() {
                return unknown_rule(rule, name_span);
            }
        } else {
            let span = place(item.span());
            settings.push(Setting { rule: rule.to_owned(), key: None, value: given(item, span)?, name_span, span });
        }
    }
    Ok(settings)
}

fn given(item: &Item, span: Span) -> Read<Given> {
    match item.as_value() {
        Some(Value::Integer(number)) => Ok(Given::Number(*number.value() as f64)),
        Some(Value::Float(number)) => Ok(Given::Number(*number.value())),
        Some(Value::String(word)) => Ok(Given::Word(word.value().clone())),
        Some(Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) | Value::InlineTable(_)) | None => {
            refuse(span, "a threshold must be a number, or \"off\"", "such as `fail = 10`")
        }
    }
}

fn from_flag(source: SourceId, text: &str) -> Read<Setting> {
    let whole = Span { source, start: 0, end: text.len() as u32 };
    let Some((names, value)) = text.split_once('=') else {
        return refuse(whole, format!("`{text}` sets no rule"), FLAG_HINT);
    };
    let at = names.len() as u32;
    let (name_span, span) = (Span { end: at, ..whole }, Span { start: at + 1, ..whole });
    let (rule, key) = match names.split_once('.') {
        Some((rule, key)) => (rule.trim().to_owned(), Some(key.trim().to_owned())),
        None => (names.trim().to_owned(), None),
    };
    let word = value.trim().trim_matches('"');
    let value = match word.replace('_', "").parse::<f64>() {
        Ok(number) => Given::Number(number),
        Err(_) => Given::Word(word.to_owned()),
    };
    Ok(Setting { rule, key, value, name_span, span })
}

fn apply(policy: &mut Policy, settings: Vec<Setting>, errors: &mut Vec<Diagnostic>) {
    for setting in &settings {
        if let Err(error) = set(policy, setting) {
            errors.push(*error);
        }
    }
}

fn unknown_rule<T>(name: &str, span: Span) -> Read<T> {
    let hint = match nearest(name, Rule::ALL.map(Rule::name).into_iter().chain(["baseline"])) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the rules are {}", Rule::ALL.map(Rule::name).join(", ")),
    };
    refuse(span, format!("there is no rule `{name}`"), hint)
}

/// `baseline = "prior"` or `"without_person"`.
fn set_baseline(policy: &mut Policy, setting: &Setting) -> Read<()> {
    policy.without_person = match (&setting.key, &setting.value) {
        (None, Given::Word(word)) if word == "prior" => false,
        (None, Given::Word(word)) if word == "without_person" => true,
        _ => {
            let message = "`baseline` must be \"prior\" or \"without_person\"";
            return refuse(setting.span, message, "such as `baseline = \"without_person\"`");
        }
    };
    Ok(())
}

fn set(policy: &mut Policy, setting: &Setting) -> Read<()> {
    if setting.rule == "baseline" {
        return set_baseline(policy, setting);
    }
    let Some(rule) = Rule::named(&setting.rule) else {
        return unknown_rule(&setting.rule, setting.name_span);
    };
    match rule {
        Rule::MinimumFrequency => set_thresholds(&mut policy.minimum_frequency, setting, f64::INFINITY),
        Rule::Dominance if key_is(setting, "largest") => {
            policy.dominance_largest = number_between(setting, 1.0, MOST_LARGEST as f64)? as usize;
            Ok(())
        }
        Rule::Dominance => set_thresholds(&mut policy.dominance, setting, 100.0),
        Rule::PPercent => set_thresholds(&mut policy.p_percent, setting, f64::INFINITY),
        Rule::SameValue => set_level(&mut policy.same_value, setting),
        Rule::NearBound if key_is(setting, "percent") => {
            policy.near_bound_percent = number_between(setting, f64::MIN_POSITIVE, f64::MAX)?;
            Ok(())
        }
        Rule::NearBound => set_thresholds(&mut policy.near_bound, setting, 1.0),
        Rule::Recoverable => set_level(&mut policy.recoverable, setting),
        Rule::Unexamined => set_level(&mut policy.unexamined, setting),
        Rule::DiscreteSecret => set_level(&mut policy.discrete_secret, setting),
        Rule::FullDisclosure => set_level(&mut policy.full_disclosure, setting),
        Rule::RelativeStd => set_thresholds(&mut policy.relative_std, setting, 1.0),
        Rule::MutualInformation => set_thresholds(&mut policy.mutual_information_bits, setting, f64::INFINITY),
        Rule::NearTruth if key_is(setting, "percent") => {
            policy.near_truth_percent = number_between(setting, f64::MIN_POSITIVE, f64::MAX)?;
            Ok(())
        }
        Rule::NearTruth if key_is(setting, "gain") => {
            policy.near_truth_gain = number_between(setting, 0.0, 1.0)?;
            Ok(())
        }
        Rule::NearTruth => set_thresholds(&mut policy.near_truth, setting, 1.0),
        Rule::IntervalPercent => set_thresholds(&mut policy.interval_percent, setting, f64::INFINITY),
        Rule::SmallCount => set_thresholds(&mut policy.small_count, setting, f64::INFINITY),
        Rule::ClassDisclosure => set_level(&mut policy.class_disclosure, setting),
        Rule::RevealingZero => set_level(&mut policy.revealing_zero, setting),
        Rule::Differencing => set_level(&mut policy.differencing, setting),
        Rule::LDiversity => set_thresholds(&mut policy.l_diversity, setting, f64::INFINITY),
        Rule::TCloseness => set_thresholds(&mut policy.t_closeness, setting, 1.0),
        Rule::KAnonymity => set_thresholds(&mut policy.k_anonymity, setting, f64::INFINITY),
        Rule::AttributeDisclosure if key_is(setting, "gain") => {
            policy.attribute_gain = number_between(setting, 0.0, 1.0)?;
            Ok(())
        }
        Rule::AttributeDisclosure => set_thresholds(&mut policy.attribute_disclosure, setting, 1.0),
        Rule::Unknown => {
            let mut level = policy.unknown;
            set_level(&mut level, setting)?;
            if level == Verdict::Pass {
                let hint = "what is unknown must not pass: set it to \"review\" or \"fail\"";
                return refuse(setting.span, "`unknown` cannot be switched off", hint);
            }
            policy.unknown = level;
            Ok(())
        }
    }
}

/// The most contributors that dominance takes together.
pub(in crate::audit) const MOST_LARGEST: usize = 10;

/// The keys of a rule.
fn keys(rule: &str) -> &'static [&'static str] {
    match Rule::named(rule) {
        Some(Rule::Dominance) => &["review", "fail", "largest"],
        Some(Rule::NearTruth) => &["review", "fail", "percent", "gain"],
        Some(Rule::NearBound) => &["review", "fail", "percent"],
        Some(Rule::AttributeDisclosure) => &["review", "fail", "gain"],
        _ => &["review", "fail"],
    }
}

fn key_is(setting: &Setting, name: &str) -> bool {
    setting.key.as_deref() == Some(name)
}

fn set_thresholds(thresholds: &mut Thresholds, setting: &Setting, largest: f64) -> Read<()> {
    let off = matches!(&setting.value, Given::Word(word) if word == "off");
    let place = match setting.key.as_deref() {
        None if off => {
            *thresholds = Thresholds::default();
            return Ok(());
        }
        None => {
            let message = format!("`{}` has several thresholds", setting.rule);
            return refuse(
                setting.span,
                message,
                format!("set `{0}.fail` or `{0}.review`, or write `off`", setting.rule),
            );
        }
        Some("review") => &mut thresholds.review,
        Some("fail") => &mut thresholds.fail,
        Some(key) => {
            let known = keys(&setting.rule);
            let hint = match nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", known.join(", ")),
            };
            return refuse(setting.name_span, format!("the rule `{}` has no `{key}`", setting.rule), hint);
        }
    };
    *place = if off { None } else { Some(number_between(setting, 0.0, largest)?) };
    Ok(())
}

fn number_between(setting: &Setting, least: f64, most: f64) -> Read<f64> {
    let name = setting.key.as_deref().unwrap_or(&setting.rule);
    match &setting.value {
        Given::Number(number) if number.is_finite() && (least..=most).contains(number) => Ok(*number),
        Given::Number(number) => {
            let upper = if most < f64::MAX { format!(" and {most}") } else { " and infinity".to_owned() };
            let lower = if least == f64::MIN_POSITIVE { 0.0 } else { least };
            refuse(setting.span, format!("`{name}` cannot be {number}"), format!("it must be between {lower}{upper}"))
        }
        Given::Word(word) => refuse(setting.span, format!("`{name}` must be a number, not `{word}`"), FLAG_HINT),
    }
}

fn set_level(level: &mut Verdict, setting: &Setting) -> Read<()> {
    let word = match (&setting.key, &setting.value) {
        (None, Given::Word(word)) => word.as_str(),
        _ => "",
    };
    *level = match word {
        "off" => Verdict::Pass,
        "review" => Verdict::Review,
        "fail" => Verdict::Fail,
        _ => {
            let message = format!("`{}` must be \"fail\", \"review\" or \"off\"", setting.rule);
            return refuse(setting.span, message, format!("such as `{} = \"fail\"`", setting.rule));
        }
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str, rules: &[&str]) -> Result<Policy, Refusal> {
        let file = Some(("policy.toml".to_owned(), file.to_owned()));
        read_policy(&PolicyTexts { file, rules: rules.iter().map(|rule| (*rule).to_owned()).collect() })
    }

    fn refused(file: &str, rules: &[&str]) -> Vec<(String, String)> {
        let refusal = read(file, rules).expect_err("a refusal");
        let said = refusal.diagnostics.iter();
        said.map(|one| (one.message.clone(), one.hint.clone().unwrap_or_default())).collect()
    }

    #[test]
    fn a_file_changes_what_it_names_and_flags_win() {
        let file = "full_disclosure = \"review\"\ndominance = \"off\"\n[minimum_frequency]\nfail = 3\nreview = 20\n\
                    [near_truth]\npercent = 5\nfail = \"off\"\n";
        let policy = read(file, &["minimum_frequency.fail=5", "dominance.largest=1"]).expect("a policy");
        assert_eq!(policy.minimum_frequency, Thresholds { review: Some(20.0), fail: Some(5.0) });
        assert_eq!((policy.dominance, policy.dominance_largest), (Thresholds::default(), 1));
        assert_eq!(policy.full_disclosure, Verdict::Review);
        assert_eq!(
            (policy.near_truth_percent, policy.near_truth.fail, policy.near_truth.review),
            (5.0, None, Some(0.5))
        );
        assert_eq!(policy.p_percent, Policy::default().p_percent);
    }

    #[test]
    fn unknown_names_are_refused_with_the_nearest() {
        let said = refused("[minimum_frequncy]\nfail = 3\n", &["dominance.larges=2"]);
        assert_eq!(said[0], ("there is no rule `minimum_frequncy`".into(), "did you mean `minimum_frequency`?".into()));
        assert_eq!(said[1], ("the rule `dominance` has no `larges`".into(), "did you mean `largest`?".into()));
    }

    #[test]
    fn values_out_of_range_and_broken_files_are_refused() {
        assert_eq!(refused("", &["dominance.fail=101"])[0].0, "`fail` cannot be 101");
        assert_eq!(refused("", &["near_truth.percent=0"])[0].1, "it must be between 0 and infinity");
        assert_eq!(
            refused("", &["full_disclosure=maybe"])[0].0,
            "`full_disclosure` must be \"fail\", \"review\" or \"off\""
        );
        assert_eq!(refused("", &["minimum_frequency=5"])[0].0, "`minimum_frequency` has several thresholds");
        assert_eq!(refused("p_percent = true\n", &[])[0].0, "a threshold must be a number, or \"off\"");
        assert!(refused("[p_percent\n", &[])[0].0.starts_with("this is not TOML"));
        assert!(refused("", &["nonsense"])[0].0.contains("sets no rule"));
        assert!(refused("", &["baseline=nobody"])[0].0.contains("\"prior\" or \"without_person\""));
        assert!(read("baseline = \"without_person\"\n", &[]).expect("a policy").without_person);
        assert!(!read("baseline = \"without_person\"\n", &["baseline=prior"]).expect("a policy").without_person);
    }
}
