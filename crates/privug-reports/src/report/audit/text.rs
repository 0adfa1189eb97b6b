//! An audit as text for a terminal: the verdict, why, who is at risk, which figures are to blame, what was assumed.

use super::advice::next_steps;
use super::distribution::Distribution;
use super::reasons::{derivation_sentence, reason_sentence};
use super::words::{
    estimate, figures_counted, implied, list, near_truth, near_words, people_behind, percent, posterior, prior,
    published, rules, short, support_words,
};
use crate::report::notes::sentences;
use crate::report::text::{Palette, grid, heading, line};
use crate::report::{number, three_digits};
use privug_analysis::audit::{Audit, FigureLeak, PersonDetail, Rule, Verdict, patterns};
use privug_language::diagnostic::Front;

/// Figures, combinations and patterns that are shown.
const SHOWN: usize = 10;
/// Figures that are shown for a person.
const LEAKS: usize = 3;
/// Characters of the longest bar.
const BAR: usize = 40;

/// The whole report, ending in a line break; `top` people are listed, and options are written as a front end does.
pub fn audit_to_text(audit: &Audit, top: usize, front: Front, palette: Palette) -> String {
    let mut text = String::new();
    verdict(&mut text, audit, palette);
    next(&mut text, audit, front, palette);
    everybody(&mut text, audit, palette);
    people(&mut text, audit, top, front, palette);
    combinations(&mut text, audit, front, palette);
    possible(&mut text, audit, palette);
    leaks(&mut text, audit, top, palette);
    figures(&mut text, audit, palette);
    assumed(&mut text, audit, palette);
    if !audit.notes.is_empty() {
        heading(&mut text, "Caveats", palette.warning, palette);
        for note in sentences(&audit.notes) {
            line(&mut text, format_args!("  - {note}"));
        }
    }
    text
}

fn verdict(text: &mut String, audit: &Audit, palette: Palette) {
    let (words, colour) = match audit.verdict {
        Verdict::Pass => ("Verdict: PASS", palette.heading),
        Verdict::Review => ("Verdict: REVIEW", palette.warning),
        Verdict::Fail => ("Verdict: FAIL", palette.warning),
    };
    heading(text, words, colour, palette);
    if audit.reasons.is_empty() {
        line(text, format_args!("  no rule of the policy is broken"));
    }
    for reason in &audit.reasons {
        line(
            text,
            format_args!(
                "  {:<6}  {} {}({}){}",
                reason.verdict.name(),
                reason_sentence(audit, reason),
                palette.faint,
                reason.rule.name(),
                palette.end
            ),
        );
    }
}

/// What can be done about it.
fn next(text: &mut String, audit: &Audit, front: Front, palette: Palette) {
    let steps = next_steps(audit, front);
    if steps.is_empty() {
        return;
    }
    heading(text, "What to do next", palette.heading, palette);
    for step in steps {
        line(text, format_args!("  - {step}"));
    }
}

fn everybody(text: &mut String, audit: &Audit, palette: Palette) {
    heading(text, "Everybody", palette.heading, palette);
    let count = |verdict| number(audit.count(verdict) as f64);
    line(
        text,
        format_args!(
            "  {}: {} fail, {} review, {} pass; {} fully disclosed",
            audit.everybody(),
            count(Verdict::Fail),
            count(Verdict::Review),
            count(Verdict::Pass),
            number(audit.disclosed() as f64)
        ),
    );
    line(text, format_args!("  {}: {}", figures_named(audit.figures.len()), figures_counted(audit)));
    let measure = if audit.people.discrete.is_some() { "entropy" } else { "standard deviation" };
    line(text, format_args!("  how much of the attacker's uncertainty ({measure}) is removed:"));
    let Distribution { counts, disclosed, unknown } = Distribution::of(audit);
    let most = counts.iter().copied().max().unwrap_or(0).max(disclosed).max(unknown).max(1);
    let bins = counts.iter().enumerate().map(|(bin, count)| {
        let (low, high) = Distribution::bounds(bin);
        (format!("{low}–{high} %"), *count)
    });
    let others = [("everything".to_owned(), disclosed), ("not known".to_owned(), unknown)];
    for (label, count) in bins.chain(others).filter(|(_, count)| *count > 0) {
        let bar = "#".repeat((BAR * count).div_ceil(most));
        line(text, format_args!("  {label:>10}  {bar} {}", number(count as f64)));
    }
}

fn people(text: &mut String, audit: &Audit, top: usize, front: Front, palette: Palette) {
    let shown = audit.worst.iter().take(top);
    // A row is a group of people where they were audited so.
    let (whom, all, rows) = match audit.groups.is_some() {
        true => ("Groups", audit.people.len() as f64, audit.people.len()),
        false => ("People", audit.persons.with_secret() as f64, audit.persons.secrets()),
    };
    let words = format!("{whom} most at risk ({} of {})", shown.len(), number(all));
    let more = rows.saturating_sub(top);
    heading(text, &words, palette.heading, palette);
    let near = near_words(audit);
    let headings = [
        audit.names.label(),
        "verdict",
        "before",
        "after",
        "uncertainty left",
        "information gained (bits)",
        near.as_str(),
        "rules",
    ];
    let mut rows = vec![headings.map(str::to_owned).to_vec()];
    for person in shown {
        rows.push(vec![
            short(&audit.entry_name(*person)),
            audit.verdict_of(*person).name().to_owned(),
            prior(audit, *person),
            posterior(audit, *person),
            percent(1.0 - audit.people.uncertainty_removed(*person)),
            gained(audit.people.mutual_information_bits[*person]),
            near_truth(audit, *person),
            rules(&audit.broken_rules(*person)),
        ]);
    }
    grid(text, &rows);
    if more > 0 {
        let all = match front {
            Front::CommandLine => "--people FILE",
            Front::Python => ".people",
        };
        line(text, format_args!("  … and {} more (`{all}` has them all)", number(more as f64)));
    }
}

/// How many bits somebody's secret lost; no number where that is not known.
fn gained(bits: f64) -> String {
    if bits.is_nan() { "–".to_owned() } else { three_digits(bits) }
}

/// Which figures disclose whom.
fn combinations(text: &mut String, audit: &Audit, front: Front, palette: Palette) {
    if audit.combinations.is_empty() {
        return;
    }
    heading(text, "What discloses whom", palette.warning, palette);
    if audit.combinations.len() <= SHOWN {
        for combination in &audit.combinations {
            line(text, format_args!("  {}: {}", audit.whom(&combination.people), list(audit, &combination.figures)));
        }
    } else {
        let patterns = patterns(&audit.combinations, |figure| audit.figures[figure].name.clone());
        for pattern in patterns.iter().take(SHOWN) {
            let tables = pattern.tables.iter().map(|(table, count)| match count {
                1 => format!("a figure of `{}`", short(table)),
                count => format!("{count} figures of `{}`", short(table)),
            });
            let people = number(pattern.people as f64);
            line(text, format_args!("  {people} people: {}", tables.collect::<Vec<_>>().join(" and ")));
            let example = &audit.combinations[pattern.example];
            line(text, format_args!("    such as {}: {}", audit.whom(&example.people), list(audit, &example.figures)));
        }
        let more = patterns.len().saturating_sub(SHOWN);
        if more > 0 {
            let all = match front {
                Front::CommandLine => "--json",
                Front::Python => ".disclosed_by",
            };
            line(text, format_args!("  … and {more} more kinds of combinations (`{all}` has them)"));
        }
    }
    for detail in audit.details.iter().filter(|detail| (1..=LEAKS).contains(&detail.combination.len())).take(LEAKS) {
        line(
            text,
            format_args!(
                "  {} of {} = {}",
                audit.column_name(audit.persons.column(detail.person)),
                audit.name(detail.person),
                formula(audit, detail)
            ),
        );
    }
}

/// `12 × department − 11 × department without head`, up to a constant that the prior knows.
fn formula(audit: &Audit, detail: &PersonDetail) -> String {
    let mut words = String::new();
    for (index, (figure, weight)) in detail.combination.iter().enumerate() {
        let sign = match (index, *weight < 0.0) {
            (0, false) => "",
            (0, true) => "−",
            (_, false) => " + ",
            (_, true) => " − ",
        };
        let weight = weight.abs();
        let factor = if (weight - 1.0).abs() < 1e-9 { String::new() } else { format!("{} × ", number(weight)) };
        words.push_str(&format!("{sign}{factor}`{}`", short(&audit.figures[*figure].name)));
    }
    if audit.people.discrete.is_some() {
        return words.replace(" + ", ", ");
    }
    let value = audit.people.posterior_mean[detail.person];
    format!("{words} = {}", number(value))
}

/// For whom hardly anything but the truth is possible, and why.
fn possible(text: &mut String, audit: &Audit, palette: Palette) {
    let derivations = audit.possible.iter().flat_map(|possible| &possible.derivations);
    let mut shown = derivations.take(SHOWN).peekable();
    if shown.peek().is_none() {
        return;
    }
    heading(text, "What remains possible", palette.warning, palette);
    for derivation in shown {
        line(text, format_args!("  {}", derivation_sentence(audit, derivation)));
    }
}

/// What tells most about the people that are listed.
fn leaks(text: &mut String, audit: &Audit, top: usize, palette: Palette) {
    let adds = |leak: &&FigureLeak| leak.added_bits > 0.0;
    let shown = || audit.details.iter().take(top).filter(|detail| detail.leaks.iter().any(|leak| adds(&leak)));
    if shown().next().is_none() {
        return;
    }
    heading(text, "What reveals most about them", palette.heading, palette);
    for detail in shown() {
        let told = detail.leaks.iter().filter(adds).take(LEAKS).map(|leak| {
            let name = short(&audit.figures[leak.figure].name);
            format!("`{name}` adds {} bits ({} alone)", three_digits(leak.added_bits), three_digits(leak.alone_bits))
        });
        let more = detail.leaks.iter().filter(adds).count().saturating_sub(LEAKS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let told = told.collect::<Vec<_>>().join(", ");
        line(text, format_args!("  {}: {told}{more}", audit.whom(&[detail.person])));
    }
}

fn figures(text: &mut String, audit: &Audit, palette: Palette) {
    let order = audit.worst_figures();
    let shown = order.iter().take(SHOWN);
    let words = format!("Worst figures ({} of {})", shown.len(), number(order.len() as f64));
    heading(text, &words, palette.heading, palette);
    let largest = match audit.policy.dominance_largest {
        1 => "largest".to_owned(),
        count => format!("{count} largest"),
    };
    let headings =
        ["figure", "verdict", "published", "people", largest.as_str(), "estimate", "discloses", "status", "rules"];
    let mut rows = vec![headings.map(str::to_owned).to_vec()];
    for index in shown.clone() {
        let figure = &audit.figures[*index];
        rows.push(vec![
            short(&figure.name),
            figure.verdict.name().to_owned(),
            published(figure),
            people_behind(figure),
            figure.concentration.dominance_percent.map_or("–".to_owned(), |share| percent(share / 100.0)),
            estimate(figure),
            number(figure.discloses as f64),
            figure.status.name().to_owned(),
            rules(&figure.broken),
        ]);
    }
    grid(text, &rows);
    let faint = |words: &str| format!("  {}{words}{}", palette.faint, palette.end);
    let words = "people: contributors; largest: their share of the figure; estimate: how closely the second-largest contributor can estimate the largest";
    line(text, format_args!("{}", faint(words)));
    for index in shown {
        if let Some(words) = implied(audit, &audit.figures[*index]) {
            line(text, format_args!("  `{}`: {words}", short(&audit.figures[*index].name)));
        }
    }
}

fn figures_named(count: usize) -> String {
    if count == 1 { "1 figure".to_owned() } else { format!("{} figures", number(count as f64)) }
}

fn assumed(text: &mut String, audit: &Audit, palette: Palette) {
    heading(text, "What was assumed", palette.heading, palette);
    let about = &audit.about;
    let function = about.function.as_ref().map_or(String::new(), |name| format!(":{name}"));
    let figures = figures_named(audit.figures.len());
    line(text, format_args!("  script     {}{function}, {figures} about {}", about.path, audit.everybody()));
    for secret in &about.secrets {
        line(text, format_args!("  secret     {secret}"));
    }
    for prior in &about.priors {
        line(text, format_args!("  prior      {prior} for each row"));
    }
    for support in audit.possible.iter().flat_map(|possible| &possible.supports) {
        line(text, format_args!("  possible   {}", support_words(support)));
    }
    line(text, format_args!("  attacker   knows every other column, the prior, and everything that is published"));
    for defence in &about.defences {
        line(text, format_args!("  defence    {defence}"));
    }
    let baseline = match (audit.policy.without_person, audit.people.baseline_mean.is_empty()) {
        (false, true) => "the prior",
        (false, false) => {
            "the prior (the policy can compare with what other people's records reveal: `baseline = \"without_person\"`)"
        }
        (true, true) => "the prior: people are independent, or have several entries",
        (true, false) => "what the attacker would know without the person's record",
    };
    line(text, format_args!("  baseline   {baseline}"));
    for (index, rule) in Rule::ALL.into_iter().enumerate() {
        let label = if index == 0 { "rules" } else { "" };
        let words = audit.policy.describe(rule).unwrap_or_else(|| "off".to_owned());
        line(text, format_args!("  {label:<9}  {:<24} {words}", rule.name()));
    }
}
