//! The page of an audit: the verdict, the distribution of risk, the worst people and figures, what it rests on.

use super::Provenance;
use super::analysis::arithmetic;
use super::figure::figure as draw;
use super::frame::{begin, close, end, section, sortable_table};
use super::glossary::notes;
use super::page::Page;
use super::words::{count, figure, pretty};
use crate::report::audit::{
    Distribution, audit_plot, behind_figures, derivation_sentence, estimate, implied, list, near_truth, near_words,
    next_steps, people_behind, percent, posterior, prior, published, reason_sentence, rules, support_words,
    whose_verdict, why,
};
use privug_analysis::audit::{Audit, Figure, Rule, Verdict, patterns};
use privug_language::diagnostic::Front;

/// Rows of a table, and combinations.
const ROWS: usize = 200;
const COMBINATIONS: usize = 25;
/// Reasons why people are at risk.
const SENTENCES: usize = 20;

/// An audit as a page.
pub fn audit_to_html(audit: &Audit, front: Front, provenance: &Provenance) -> String {
    let people = audit.everybody();
    let mut page = begin(&format!("May {} be published?", audit.about.path), &audit.about.path, provenance, |page| {
        page.markup("May this be published? ").text(&count(audit.figures.len(), "figure"));
        page.markup(" about ").text(&people);
    });
    verdict(&mut page, audit, front);
    at_risk(&mut page, audit);
    combinations(&mut page, audit);
    risk(&mut page, audit);
    possible(&mut page, audit);
    people_table(&mut page, audit);
    figures_table(&mut page, audit);
    inputs(&mut page, audit);
    notes(&mut page, audit.notes.iter().map(|note| (None, note)));
    end(page, provenance, Some(arithmetic(audit.arithmetic)))
}

/// How the risk is distributed over people, as far as it is known.
fn risk(page: &mut Page, audit: &Audit) {
    section(page, "risk", "How much is learned about how many people");
    let Distribution { counts, disclosed, unknown } = Distribution::of(audit);
    if disclosed > 0 || counts.iter().any(|count| *count > 0) {
        let caption = "The attacker's uncertainty protects people; the bars show how many lose how much of it.";
        draw(page, &audit_plot(audit), caption);
    }
    if unknown > 0 {
        page.markup("<p>For ").text(&people_counted(unknown));
        page.markup(" it is unknown how much the attacker learns: they are not plotted, and do not pass.</p>\n");
    }
    close(page);
}

fn people_counted(people: usize) -> String {
    if people == 1 { "1 person".to_owned() } else { format!("{} people", figure(people as f64)) }
}

fn verdict(page: &mut Page, audit: &Audit, front: Front) {
    page.markup("<section class=\"verdict\" aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">In short</h2>\n");
    page.markup("<ul class=\"badges\">");
    page.markup(match audit.verdict {
        Verdict::Pass => "<li class=\"good\">✓ Pass</li>",
        Verdict::Review => "<li class=\"caution\">! Review</li>",
        Verdict::Fail => "<li class=\"danger\">✕ Fail</li>",
    });
    let disclosed = audit.disclosed();
    if disclosed > 0 {
        page.markup("<li class=\"danger\">✕ ").text(&people_counted(disclosed)).markup(" fully disclosed</li>");
    }
    page.markup("</ul>\n<p class=\"lead\">");
    page.markup(match audit.verdict {
        Verdict::Pass => "No rule of the policy objects to publishing this.",
        Verdict::Review => "This needs to be reviewed before it is published.",
        Verdict::Fail => "This should not be published as it is.",
    });
    page.markup(" ").text(&whose_verdict(audit)).markup("</p>\n");
    if !audit.reasons.is_empty() {
        page.markup("<h3>Why</h3>\n<ul class=\"notes\">\n");
        for reason in &audit.reasons {
            page.markup(if reason.verdict == Verdict::Fail { "<li><strong>Fail:</strong> " } else { "<li>Review: " });
            page.sentence(&reason_sentence(audit, reason))
                .markup(" <small>")
                .text(reason.rule.name())
                .markup("</small></li>\n");
        }
        page.markup("</ul>\n");
    }
    let steps = next_steps(audit, front);
    if !steps.is_empty() {
        page.markup("<h3>What to do next</h3>\n<ul class=\"notes\">\n");
        for step in &steps {
            page.markup("<li class=\"plain\">").sentence(step).markup("</li>\n");
        }
        page.markup("</ul>\n");
    }
    page.markup("<dl class=\"tiles\">");
    for (verdict, words) in [(Verdict::Fail, "fail"), (Verdict::Review, "to review"), (Verdict::Pass, "pass")] {
        let figures = audit.figures.iter().filter(|figure| figure.verdict == verdict).count();
        // What there is some of stands first, so that nobody reads "fail: 0 people" above figures that fail.
        let (mut first, mut second) = (people_counted(audit.count(verdict)), count(figures, "figure"));
        if audit.count(verdict) == 0 && figures > 0 {
            std::mem::swap(&mut first, &mut second);
        }
        page.markup("<div><dt>").text(words).markup("</dt><dd>").text(&first);
        page.markup("</dd><dd class=\"more\">").text(&second).markup("</dd></div>");
    }
    page.markup("</dl>\n</section>\n");
}

/// Who is at risk, and why, in one sentence each: people of whom the same is to be said stand together.
fn at_risk(page: &mut Page, audit: &Audit) {
    let at_risk = |entry: &&usize| audit.verdict_of(**entry) != Verdict::Pass;
    let mut reasons: Vec<(String, Verdict, Vec<usize>)> = Vec::new();
    for entry in audit.worst.iter().filter(at_risk) {
        let (sentence, verdict) = (why(audit, *entry), audit.verdict_of(*entry));
        match reasons.iter_mut().find(|(words, worst, _)| *words == sentence && *worst == verdict) {
            Some((_, _, people)) => people.push(*entry),
            None => reasons.push((sentence, verdict, vec![*entry])),
        }
    }
    let behind = behind_figures(audit);
    if reasons.is_empty() && behind.is_empty() {
        return;
    }
    section(page, "at-risk", "Who is at risk, and why");
    page.markup("<ul class=\"notes\">\n");
    let mut told = 0;
    for verdict in [Verdict::Fail, Verdict::Review] {
        let start = if verdict == Verdict::Fail { "<li><strong>Fail:</strong> " } else { "<li>Review: " };
        for (sentence, _, people) in reasons.iter().take(SENTENCES).filter(|(_, worst, _)| *worst == verdict) {
            told += people.len();
            page.markup(start);
            match people.len() {
                1 => page.strong(&audit.whom(people)),
                some => page.strong(&people_counted(some)).markup(" (").text(&audit.whom(people)).markup(")"),
            };
            page.markup(": ").sentence(sentence).markup(".</li>\n");
        }
        for (_, who, sentence) in behind.iter().take(SENTENCES).filter(|(worst, ..)| *worst == verdict) {
            page.markup(start).strong(who).markup(": ").sentence(sentence).markup(".</li>\n");
        }
    }
    page.markup("</ul>\n");
    let all = audit.count(Verdict::Fail) + audit.count(Verdict::Review);
    if all > told {
        page.markup("<p class=\"left-out\">").text(&figure((all - told) as f64));
        page.markup(" more are at lower risk; <code>--people FILE</code> lists them all.</p>\n");
    }
    close(page);
}

/// Which figures disclose whom.
fn combinations(page: &mut Page, audit: &Audit) {
    if audit.combinations.is_empty() {
        return;
    }
    section(page, "combinations", "What discloses whom");
    page.markup("<p>The secrets of these people can be computed from the figures listed:</p>\n<ul>\n");
    if audit.combinations.len() <= COMBINATIONS {
        for combination in &audit.combinations {
            page.markup("<li>").strong(&audit.whom(&combination.people)).markup(": ");
            page.sentence(&list(audit, &combination.figures)).markup("</li>\n");
        }
    } else {
        let patterns = patterns(&audit.combinations, |figure| audit.figures[figure].name.clone());
        for pattern in patterns.iter().take(COMBINATIONS) {
            let tables = pattern.tables.iter().map(|(table, count)| match count {
                1 => format!("a figure of `{table}`"),
                count => format!("{count} figures of `{table}`"),
            });
            page.markup("<li>").strong(&people_counted(pattern.people)).markup(": ");
            page.sentence(&tables.collect::<Vec<_>>().join(" and ")).markup("; such as ");
            let example = &audit.combinations[pattern.example];
            page.text(&audit.whom(&example.people))
                .markup(": ")
                .sentence(&list(audit, &example.figures))
                .markup("</li>\n");
        }
        let more = patterns.len().saturating_sub(COMBINATIONS);
        if more > 0 {
            page.markup("<li>").text(&count(more, "more kind")).markup(" of combinations</li>\n");
        }
    }
    page.markup("</ul>\n");
    close(page);
}

/// For whom hardly anything but the truth is possible, and why.
fn possible(page: &mut Page, audit: &Audit) {
    let Some(possible) = audit.possible.as_ref().filter(|possible| !possible.derivations.is_empty()) else { return };
    section(page, "possible", "What remains possible");
    page.markup("<p>Whatever the prior, the published figures bound the secrets of these people closely:</p>\n<ul>\n");
    for derivation in &possible.derivations {
        page.markup("<li>").sentence(&derivation_sentence(audit, derivation)).markup("</li>\n");
    }
    page.markup("</ul>\n");
    close(page);
}

fn verdict_cell(page: &mut Page, verdict: Verdict) {
    page.markup(match verdict {
        Verdict::Pass => "<td class=\"good\" data-label=\"verdict\" data-value=\"0\">✓ pass</td>",
        Verdict::Review => "<td class=\"caution\" data-label=\"verdict\" data-value=\"1\">! review</td>",
        Verdict::Fail => "<td class=\"danger\" data-label=\"verdict\" data-value=\"2\">✕ fail</td>",
    });
}

/// A cell whose number sorts. On a narrow page a row is a card, and each cell says what it is.
fn sorted_cell(page: &mut Page, label: &str, value: f64, words: &str) {
    let value = if value == f64::INFINITY { "1e309".to_owned() } else { value.to_string() };
    page.open("<td class=\"n\" data-label=", label, " ").open("data-value=", &value, ">");
    phrases(page, &pretty(words));
    page.markup("</td>");
}

/// Lines break between the parts of a text, and not between a number and its unit.
fn phrases(page: &mut Page, words: &str) {
    for (place, part) in words.split("; ").enumerate() {
        page.markup(if place == 0 { "" } else { "; " });
        for (place, phrase) in part.split(", ").enumerate() {
            page.markup(if place == 0 { "" } else { ", " }).markup("<span>").text(phrase).markup("</span>");
        }
    }
}

/// A cell with words.
fn labelled_cell(page: &mut Page, label: &str, text: &str) {
    page.open("<td data-label=", label, ">").text(text).markup("</td>");
}

fn people_table(page: &mut Page, audit: &Audit) {
    section(page, "people", "People most at risk");
    let near = near_words(audit);
    let label = audit.names.label().to_owned();
    let headings = [
        (label.as_str(), false),
        ("verdict", false),
        ("before", true),
        ("after", true),
        ("uncertainty left", true),
        ("information gained (bits)", true),
        (near.as_str(), true),
        ("rules", false),
    ];
    if audit.count(Verdict::Fail) + audit.count(Verdict::Review) == 0 {
        page.markup("<p>No rule is broken for any person; these come closest.</p>\n");
    }
    explained(page, &people_terms(audit));
    sortable_table(page, "People most at risk", &headings);
    let people = &audit.people;
    for person in audit.worst.iter().take(ROWS) {
        page.open("<tr data-verdict=", audit.verdict_of(*person).name(), ">");
        page.open("<th scope=\"row\" data-label=", headings[0].0, ">");
        page.name(&audit.entry_name(*person)).markup("</th>");
        verdict_cell(page, audit.verdict_of(*person));
        sorted_cell(page, headings[2].0, people.prior_mean[*person], &prior(audit, *person));
        sorted_cell(page, headings[3].0, people.posterior_mean[*person], &posterior(audit, *person));
        let left = 1.0 - people.uncertainty_removed(*person);
        sorted_cell(page, headings[4].0, left, &percent(left));
        let bits = people.mutual_information_bits[*person];
        let gained = if bits.is_nan() { "–".to_owned() } else { super::words::short(bits) };
        sorted_cell(page, headings[5].0, bits, &gained);
        sorted_cell(page, headings[6].0, people.near_truth_posterior[*person], &near_truth(audit, *person));
        labelled_cell(page, headings[7].0, &rules(&audit.broken_rules(*person)));
        page.markup("</tr>\n");
    }
    super::frame::end_table(page);
    more(page, audit.persons.secrets(), "people", "<code>--people FILE</code> has them all.");
    close(page);
}

fn more(page: &mut Page, all: usize, what: &'static str, where_else: &'static str) {
    if all > ROWS {
        page.markup("<p class=\"left-out\">").text(&figure((all - ROWS) as f64)).markup(" more ").markup(what);
        page.markup(" are left out here; ").markup(where_else).markup("</p>\n");
    }
}

fn figures_table(page: &mut Page, audit: &Audit) {
    section(page, "figures", "Figures");
    let largest = match audit.policy.dominance_largest {
        1 => "share of the largest".to_owned(),
        count => format!("share of the {count} largest"),
    };
    let sums = audit.people.discrete.is_none();
    let mut headings = vec![("figure", false), ("verdict", false), ("published", true), ("people", true)];
    if sums {
        headings.extend([(largest.as_str(), true), ("estimate of the largest", true)]);
    }
    headings.extend([("discloses", true), ("rules", false), ("status", false)]);
    explained(page, &figure_terms(sums));
    sortable_table(page, "Figures", &headings);
    for index in audit.worst_figures().into_iter().take(ROWS) {
        figure_row(page, audit, &audit.figures[index], &largest);
    }
    super::frame::end_table(page);
    more(page, audit.figures.len(), "figures", "<code>--json</code> has them all.");
    close(page);
}

fn figure_row(page: &mut Page, audit: &Audit, one: &Figure, largest: &str) {
    page.open("<tr data-verdict=", one.verdict.name(), "><th scope=\"row\">").name(&one.name).markup("</th>");
    verdict_cell(page, one.verdict);
    sorted_cell(page, "published", one.published, &published(one));
    let contributors = one.contributions.contributors as f64;
    sorted_cell(page, "people", contributors, &people_behind(one));
    if audit.people.discrete.is_none() {
        let share = one.concentration.dominance_percent;
        let share_words = share.map_or("–".to_owned(), |share| percent(share / 100.0));
        sorted_cell(page, largest, share.unwrap_or(-1.0), &share_words);
        let percent = one.concentration.estimate_percent.unwrap_or(f64::INFINITY);
        sorted_cell(page, "estimate of the largest", percent, &estimate(one));
    }
    sorted_cell(page, "discloses", one.discloses as f64, &figure(one.discloses as f64));
    labelled_cell(page, "rules", &rules(&one.broken));
    page.markup("<td data-label=\"status\">");
    match implied(audit, one) {
        Some(words) => page.sentence(&words),
        None => page.text("adds new information"),
    };
    page.markup("</td></tr>\n");
}

fn inputs(page: &mut Page, audit: &Audit) {
    section(page, "inputs", "What this rests on");
    page.markup("<dl class=\"facts\">");
    let about = &audit.about;
    let mut fact = |name: &'static str, text: &str| {
        page.markup("<div><dt>").markup(name).markup("</dt><dd>").name(text).markup("</dd></div>");
    };
    fact("Script", &about.path);
    about.secrets.iter().for_each(|secret| fact("Secret", secret));
    about.priors.iter().for_each(|prior| fact("Prior", prior));
    let supports = audit.possible.iter().flat_map(|possible| &possible.supports);
    supports.for_each(|support| fact("Possible", &support_words(support)));
    about.defences.iter().for_each(|defence| fact("Defence", defence));
    fact("Baseline", audit.policy.baseline());
    page.markup(
        "</dl>\n<p>The attacker knows every other column of the tables, the prior for each row, and everything \
                 that is published, and draws every valid conclusion from it.</p>\n<h3>Rules</h3>\n<dl class=\"glossary\">",
    );
    for rule in Rule::ALL {
        page.markup("<div><dt>").text(rule.name()).markup("</dt><dd>");
        page.text(audit.policy.describe(rule).as_deref().unwrap_or("off")).markup("</dd></div>\n");
    }
    page.markup("</dl>\n");
    close(page);
}

/// What the headings of a table mean, where it stands.
fn explained(page: &mut Page, terms: &[(String, &str)]) {
    page.markup("<p class=\"left-out\">");
    for (index, (term, meaning)) in terms.iter().enumerate() {
        page.markup(if index == 0 { "" } else { " " }).strong(term).markup(": ").text(meaning);
    }
    page.markup("</p>\n");
}

fn people_terms(audit: &Audit) -> Vec<(String, &'static str)> {
    let near = near_words(audit);
    let own = |term: &str, meaning: &'static str| (term.to_owned(), meaning);
    match audit.people.discrete {
        None if audit.people.brackets.is_some() => vec![
            own(
                "before, after",
                "the attacker's best guess and its standard deviation, and an interval that contains the secret with a probability of 95 %.",
            ),
            own(
                "uncertainty left",
                "the posterior standard deviation as a fraction of the prior one, at least; 0 % is full disclosure.",
            ),
            own("information gained", "how far the attacker's distribution moved, D(after ‖ before) in bits, at most."),
            (near, "the attacker's probability of that, before and (at most) after."),
            own("rules", "the rules that are broken; their thresholds are listed below."),
        ],
        None => vec![
            own(
                "before, after",
                "the attacker's best guess and its standard deviation; the secret lies within one standard deviation in two out of three cases.",
            ),
            own(
                "uncertainty left",
                "the posterior standard deviation as a fraction of the prior one; 0 % is full disclosure.",
            ),
            own(
                "information gained",
                "mutual information; 1 bit halves the attacker's uncertainty, ∞ is full disclosure.",
            ),
            (near, "the attacker's probability of that, before and after."),
            own("rules", "the rules that are broken; their thresholds are listed below."),
        ],
        Some(_) => vec![
            own("before, after", "the most likely values of the secret, with the attacker's probabilities."),
            own("uncertainty left", "the posterior entropy as a fraction of the prior one; 0 % is full disclosure."),
            own("information gained", "how far the attacker's probabilities moved, D(after ‖ before) in bits."),
            (near, "the attacker's probability of the person's true value, before and after."),
            own("rules", "the rules that are broken; their thresholds are listed below."),
        ],
    }
}

fn figure_terms(sums: bool) -> Vec<(String, &'static str)> {
    let own = |term: &str, meaning: &'static str| (term.to_owned(), meaning);
    let mut terms = vec![
        own("published", "what the attacker sees."),
        own("people", "how many people's secrets the figure depends on, or how many people a count is about."),
    ];
    if sums {
        terms.push(own("share of the largest", "the largest contributors' share of the figure."));
        terms.push(own(
            "estimate of the largest",
            "how closely the second-largest contributor can estimate the largest, as a fraction of it.",
        ));
    }
    terms.push(own("discloses", "how many people's secrets can be computed from this figure together with others."));
    terms.push(own("status", "whether it reveals anything that the figures before it do not."));
    terms
}
