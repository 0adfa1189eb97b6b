//! Notes in words: the one place where text, JSON and pages get them from.

use privug_analysis::analysis::{Furthest, Inconclusive, Names, Note, PriorCheck};
use privug_language::words::number;

/// All notes, a sentence each.
pub fn sentences(notes: &[Note]) -> Vec<String> {
    notes.iter().map(sentence).collect()
}

/// A note as a sentence, without a full stop.
pub fn sentence(note: &Note) -> String {
    match note {
        Note::Disclosed(names) => {
            let are = if names.count == 1 { "is" } else { "are" };
            format!("{} {are} fully disclosed: the observations determine the value exactly", list(names))
        }
        Note::WillBeDisclosed(names) => {
            format!("{} will be fully disclosed once the outputs are published", list(names))
        }
        Note::PriorRefuted { check, furthest } => prior_refuted(check, furthest.as_ref()),
        Note::Redundant(names) => {
            let is = if names.count == 1 { "is redundant: it follows" } else { "are redundant: they follow" };
            format!("{} {is} from the other observations and the prior", list(names))
        }
        Note::NothingObserved => {
            "nothing was observed: the measures show what publishing would reveal, whatever the values"
                .into()
        }
        Note::NothingPublished => "nothing was observed, so the posterior is the prior".into(),
        Note::NotObserved(names) => format!(
            "no value was observed for {}: the measures are as if {} published too, whatever the values",
            list(names),
            if names.count == 1 { "it were" } else { "they were" }
        ),
        Note::KnownBeforehand(names) => format!("{} is known beforehand (its prior variance is 0)", list(names)),
        Note::CertainWorldsWon => {
            "the observations have positive probability in some worlds and only a density in others: only the former remain possible"
                .into()
        }
        Note::MixtureUnknown(names) => {
            let names = names.join("`, `");
            format!("how much would be learned about `{names}` is unknown: a mixture is published or secret, or the prior probability of a value is too small for a double")
        }
        Note::Program { line: Some(line), words } => format!("line {line}: {words}"),
        Note::Program { line: None, words } => words.clone(),
        Note::Rounded { line } => format!("line {line}: an irrational number is rounded to the nearest double"),
        Note::TogetherTooMuchWork => {
            "the information gained about all secrets together is too expensive to compute (raise `--max-work`)".into()
        }
        Note::TogetherUndecidable => {
            "the information gained about all secrets together is unknown: it depends on how an irrational number is rounded"
                .into()
        }
        Note::RanAgain(Inconclusive::Line(line)) => {
            format!("double precision was inconclusive at line {line}; re-ran in exact arithmetic")
        }
        Note::RanAgain(Inconclusive::Question(open)) => {
            format!("double precision was inconclusive ({open}); re-ran in exact arithmetic")
        }
        Note::PriorKnowsPeople(count) => {
            let people = counted(*count, "1 person", "people");
            format!("{people} cannot be disclosed, because they are known exactly beforehand (the prior variance is 0)")
        }
        Note::ExplainedSome { explained, disclosed } => format!(
            "which figures disclose whom was determined for {} of {} disclosed people",
            number(*explained as f64),
            number(*disclosed as f64)
        ),
        Note::RedundantFigures(count) => {
            let figures = counted(*count, "1 figure", "figures");
            let (is, follows, tells) =
                if *count == 1 { ("is", "it follows", "adds") } else { ("are", "they follow", "add") };
            format!(
                "{figures} {is} redundant: {follows} from the earlier figures and {tells} nothing more. To suppress such a figure, also suppress one of those it follows from"
            )
        }
        Note::NothingAboutSecret => "nothing about the secret is published".into(),
        Note::Confidential => "this report contains real values of people, and must not be published".into(),
    }
}

fn prior_refuted(check: &PriorCheck, furthest: Option<&Furthest>) -> String {
    let surprise = check.surprise;
    let log10 = surprise.log_p_value() / std::f64::consts::LN_10;
    let p_value = if log10 < -300.0 { "p < 1e-300".to_owned() } else { format!("p = {:.0e}", 10f64.powf(log10)) };
    let figures = counted(surprise.observations, "1 figure", "figures");
    let mut sentence = format!(
        "the data refute the prior: the values are {} times as far from its prediction as expected (χ² = {} for {figures}, {p_value})",
        number(surprise.ratio()),
        number(surprise.squares),
    );
    if let Some(Furthest { name, value, z }) = furthest {
        let (value, z) = (number(*value), number(z.abs()));
        sentence.push_str(&format!("; `{name}` = {value} is {z} standard deviations away"));
    }
    sentence.push_str(if check.cured_by_std {
        ". If the second argument of Normal were a standard deviation, they would fit; it is a variance, so write `std=`"
    } else {
        ". This report describes an attacker who believes it nevertheless; is this the prior you meant?"
    });
    sentence
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { one.to_owned() } else { format!("{} {many}", number(count as f64)) }
}

/// `a`, `b` and 3 more
fn list(names: &Names) -> String {
    let shown = names.first.iter().map(|(name, line)| match line {
        Some(line) => format!("`{name} (line {line})`"),
        None => format!("`{name}`"),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let more = names.count - names.first.len();
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_up_to_a_few_and_then_counted() {
        let names = |count: usize| Names {
            first: ["a", "b", "c", "d", "e"].iter().take(count).map(|name| ((*name).to_owned(), None)).collect(),
            count,
        };
        assert_eq!(list(&names(1)), "`a`");
        assert_eq!(list(&names(7)), "`a`, `b`, `c`, `d`, `e` and 2 more");
        let one = sentence(&Note::Disclosed(names(1)));
        assert_eq!(one, "`a` is fully disclosed: the observations determine the value exactly");
        let two = sentence(&Note::Redundant(names(2)));
        assert_eq!(two, "`a`, `b` are redundant: they follow from the other observations and the prior");
    }

    #[test]
    fn one_figure_and_several_are_spoken_of_as_people_do() {
        assert!(
            sentence(&Note::RedundantFigures(1))
                .starts_with("1 figure is redundant: it follows from the earlier figures and adds")
        );
        assert!(
            sentence(&Note::RedundantFigures(7))
                .starts_with("7 figures are redundant: they follow from the earlier figures and add ")
        );
    }
}
