//! The verdict in words: what an attacker learns about whom, and how sure they become.

use super::page::Page;
use super::words::{bits, count, figure, interval, level_percent, near, percent, short};
use crate::report::number_near;
use privug_analysis::analysis::{Analysis, Known, ObservationResult, PriorCheck, RequirementResult, SecretResult};
use privug_measures::leakage::{Knowledge, Normal};

/// A range that narrows by less than this part, and moves by less than this part of it, is called unchanged.
const UNCHANGED: f64 = 1e-3;
/// Other secrets than the most exposed one that get a sentence.
const OTHERS: usize = 4;

/// The sections that every reader sees first.
pub(super) fn verdict(page: &mut Page, analysis: &Analysis) {
    page.markup("<section class=\"verdict\" aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">In short</h2>\n");
    badges(page, analysis);
    let Some(place) = most_exposed(analysis) else {
        page.markup("<p class=\"lead\">The program has no secrets.</p>\n</section>\n");
        return;
    };
    let worst = &*analysis.secrets.get(place);
    let disclosed =
        analysis.secrets.known().filter(|known| known.knowledge.as_if_published().fully_disclosed()).count();
    if analysis.secrets.len() > 1 {
        page.markup("<p class=\"lead\">Of ").text(&count(analysis.secrets.len(), "secret")).markup(", ");
        let [is, are] = if analysis.is_open() { ["would be"; 2] } else { ["is", "are"] };
        match disclosed {
            0 => page.text(&format!("none {is} fully disclosed. ")),
            1 => page.strong(&format!("one {is} fully disclosed")).markup(". "),
            more if more == analysis.secrets.len() => page.strong(&format!("all {are} fully disclosed")).markup(". "),
            more => page.strong(&format!("{} {are} fully disclosed", figure(more as f64))).markup(". "),
        };
        page.markup("The most exposed one is ").name(&worst.name).markup(".</p>\n");
    }
    page.markup("<p class=\"lead\">");
    learned(page, worst, analysis);
    page.markup("</p>\n<p>");
    bits_told(page, worst, analysis);
    page.markup("</p>\n");
    against_truth(page, worst, analysis);
    others(page, place, analysis);
    requirements(page, analysis);
    absurd(page, &analysis.observations, &analysis.prior_check);
    tiles(page, worst, analysis);
    page.markup("</section>\n");
}

/// The secret about which the outputs tell most.
pub(super) fn most_exposed(analysis: &Analysis) -> Option<usize> {
    let told = analysis.secrets.known().map(|known| {
        let bits = known.knowledge.mutual_information_bits();
        (known.knowledge.as_if_published().fully_disclosed(), if bits.is_nan() { -1.0 } else { bits })
    });
    let worst = told.enumerate().reduce(|worst, next| if next.1 > worst.1 { next } else { worst });
    worst.map(|(place, _)| place)
}

fn badges(page: &mut Page, analysis: &Analysis) {
    page.markup("<ul class=\"badges\">");
    let failed = analysis.requirements.iter().filter(|requirement| !requirement.holds).count();
    let will_disclose =
        |known: Known| known.knowledge.prior_variance > 0.0 && known.knowledge.variance_if_all_published == 0.0;
    if analysis.secrets.known().any(|known| known.knowledge.fully_disclosed()) {
        page.markup("<li class=\"danger\">✕ Full disclosure</li>");
    } else if analysis.secrets.known().any(will_disclose) {
        page.markup("<li class=\"danger\">✕ Publishing would fully disclose</li>");
    }
    match (failed, analysis.requirements.len()) {
        (0, 0) => page.markup("<li>No requirement was set</li>"),
        (0, 1) => page.markup("<li class=\"good\">✓ The requirement is met</li>"),
        (0, all) => {
            page.markup("<li class=\"good\">✓ All ").text(&figure(all as f64)).markup(" requirements are met</li>")
        }
        (1, 1) => page.markup("<li class=\"danger\">✕ The requirement is not met</li>"),
        (some, all) => page
            .markup("<li class=\"danger\">✕ ")
            .text(&format!("{} of {} requirements not met", figure(some as f64), figure(all as f64)))
            .markup("</li>"),
    };
    if analysis.observations.is_empty() {
        page.markup("<li>Nothing observed yet</li>");
    }
    if is_absurd(analysis) {
        page.markup("<li class=\"caution\">! Assumptions in doubt</li>");
    }
    page.markup("</ul>\n");
}

/// Whether something was seen that the modelled attacker would not believe.
fn is_absurd(analysis: &Analysis) -> bool {
    analysis.prior_check.surprise.is_refuted()
}

/// What an attacker learns about one secret.
fn learned(page: &mut Page, secret: &SecretResult, analysis: &Analysis) {
    let known = &secret.knowledge;
    let level = analysis.level;
    if known.prior_variance == 0.0 {
        page.markup("Everybody knows ").name(&secret.name).markup(" beforehand: it is ");
        page.strong(&near(known.prior_mean, 0.0)).markup(". There is nothing to learn about it.");
    } else if known.fully_disclosed() {
        page.markup("An attacker who sees this release <strong>knows ").name(&secret.name).markup(" exactly: ");
        page.text(&near(secret.posterior_mean, 0.0)).markup("</strong>.");
        before(page, known, level);
    } else if known.is_open() || analysis.observations.is_empty() {
        would_learn(page, secret, analysis);
    } else if tells_nothing(known) {
        page.markup("An attacker who sees this release learns <strong>nothing</strong> about ").name(&secret.name);
        page.markup(".");
        stays(page, known, level);
    } else if is_unchanged(known) {
        page.markup("An attacker who sees this release learns <strong>next to nothing</strong> about ");
        page.name(&secret.name).markup(".");
        stays(page, known, level);
    } else {
        pinned(page, secret, analysis);
    }
}

/// What would be learned if the outputs were published.
fn would_learn(page: &mut Page, secret: &SecretResult, analysis: &Analysis) {
    let known = &secret.knowledge;
    let after = Normal::new(0.0, known.variance_if_all_published);
    let whole = if analysis.observations.is_empty() { "this release" } else { "the rest of this release" };
    if analysis.outputs.is_empty() {
        page.markup("Nothing is published and nothing was observed, so an attacker knows about ").name(&secret.name);
        page.markup(" what they knew before.");
        stays(page, known, analysis.level);
    } else if known.variance_if_all_published == 0.0 {
        page.markup("If ").text(whole).markup(" is published, an attacker will <strong>know ").name(&secret.name);
        page.markup(" exactly</strong>, whatever its value is.");
        before(page, known, analysis.level);
    } else if known.reduction_if_all_published == 0.0 {
        page.markup("Publishing this release would reveal <strong>nothing</strong> to an attacker about ");
        page.name(&secret.name).markup(".");
        stays(page, known, analysis.level);
    } else {
        page.markup("If ").text(whole).markup(" is published, an attacker will be able to pin ").name(&secret.name);
        page.markup(" down to ").strong(&range_width(after, analysis.level)).markup(" around their best guess, with ");
        page.text(&level_percent(analysis.level)).markup(" probability. Now it is ");
        page.text(&range_width(known.posterior(), analysis.level));
        page.markup(" around ").text(&near(secret.posterior_mean, known.posterior_std()));
        page.markup(": the range will be ");
        page.strong(&narrower((known.variance_if_all_published / known.posterior_variance).sqrt()));
        page.markup(", whatever values are published");
        page.markup(".");
    }
}

/// The width of the range that holds a value with a probability of `level`.
fn range_width(normal: Option<Normal>, level: f64) -> String {
    let width = normal.and_then(|normal| normal.credible_interval(level)).map_or(f64::NAN, |(low, high)| high - low);
    format!("± {}", short(width / 2.0))
}

fn pinned(page: &mut Page, secret: &SecretResult, analysis: &Analysis) {
    let (known, level) = (&secret.knowledge, analysis.level);
    page.markup(if is_absurd(analysis) { "If the assumptions hold, an" } else { "An" });
    page.markup(" attacker who sees this release can pin ").name(&secret.name).markup(" down to ");
    match interval(known.posterior(), level) {
        Some(range) => page.strong(&range),
        None => page.strong(&format!(
            "{} ± {}",
            number_near(secret.posterior_mean, known.posterior_std()),
            short(known.posterior_std())
        )),
    };
    page.markup(" with ").text(&level_percent(level)).markup(" probability.");
    before(page, known, level);
}

fn before(page: &mut Page, known: &Knowledge, level: f64) {
    if let Some(range) = interval(known.prior(), level) {
        page.markup(" Before, the range was ").text(&range);
        page.markup(if known.fully_disclosed() { ", with " } else { "." });
        if known.fully_disclosed() {
            page.text(&level_percent(level)).markup(" probability.");
        }
    }
}

fn stays(page: &mut Page, known: &Knowledge, level: f64) {
    if let Some(range) = interval(known.prior(), level) {
        page.markup(" With ").text(&level_percent(level)).markup(" probability it is in ").strong(&range);
        page.markup(", before and after.");
    }
}

fn tells_nothing(known: &Knowledge) -> bool {
    known.variance_reduction == 0.0 && known.mean_shift == 0.0
}

fn is_unchanged(known: &Knowledge) -> bool {
    let narrower = 1.0 - known.posterior_std() / known.prior_std();
    narrower.abs() < UNCHANGED && (known.mean_shift / known.prior_std()).abs() < UNCHANGED
}

/// How much narrower a range has become, in words.
fn narrower(ratio: f64) -> String {
    let narrower = 1.0 - ratio;
    if ratio > 0.5 {
        let part = narrower * 100.0;
        if part < 0.01 {
            "less than 0.01\u{a0}% narrower".to_owned()
        } else {
            format!("{}\u{a0}% narrower", short(part))
        }
    } else {
        format!("{} times narrower", short(1.0 / ratio))
    }
}

/// The size of the leak, and what it means.
fn bits_told(page: &mut Page, secret: &SecretResult, analysis: &Analysis) {
    let known = &secret.knowledge;
    if known.prior_variance == 0.0 {
        return;
    }
    let told = known.mutual_information_bits();
    if told == 0.0 {
        page.markup("The release reveals <strong>0 bits</strong> about it.");
    } else if told == f64::INFINITY {
        page.markup("The release reveals <strong>∞ bits</strong> about it: no uncertainty is left.");
    } else {
        page.markup("The release reveals <strong>").text(&bits(told)).markup("</strong> about it");
        page.markup(" on average over all values it might have. (1 bit halves the width of the range.)");
    }
    if analysis.observations.is_empty() || known.fully_disclosed() || is_unchanged(known) {
        return;
    }
    page.markup(" Given the observed values, the range is ");
    page.strong(&narrower(known.posterior_std() / known.prior_std()));
    if known.mean_shift == 0.0 {
        page.markup(", and the best guess stays at ").text(&near(known.prior_mean, known.prior_std()));
    } else {
        let resolution = known.posterior_std().min(known.mean_shift.abs().max(known.prior_std() * 1e-3)) / 10.0;
        page.markup(", and the best guess moves from ").text(&near(known.prior_mean, resolution));
        page.markup(" to ").text(&near(secret.posterior_mean, resolution));
    }
    page.markup(".");
    if !analysis.outputs.is_empty() {
        page.markup(" The bits also include ").text(&count(analysis.outputs.len(), "output"));
        page.markup(", for which no value was observed.");
    }
}

fn against_truth(page: &mut Page, secret: &SecretResult, analysis: &Analysis) {
    let (Some(truth), Some(compared)) = (secret.truth, secret.measures.against_truth()) else { return };
    let known = &secret.knowledge;
    page.markup("<p>In truth it is <strong>").text(&near(truth, known.posterior_std())).markup("</strong>. ");
    if known.is_open() {
        page.markup("So far the attacker’s best guess is off by ").text(&short(compared.error_posterior));
        page.markup("; how far it will be once everything is published depends on the values.</p>\n");
        return;
    }
    page.markup("The attacker’s best guess is off by ").text(&short(compared.error_posterior));
    page.markup("; before it was off by ").text(&short(compared.error_prior)).markup(".");
    let inside = known
        .posterior()
        .and_then(|normal| normal.credible_interval(analysis.level))
        .is_some_and(|(low, high)| (low..=high).contains(&truth));
    if !inside && !known.fully_disclosed() && !analysis.observations.is_empty() {
        page.markup(
            " The true value lies <strong>outside</strong> the range above: the attacker is confident, and wrong.",
        );
    }
    page.markup("</p>\n");
}

/// One line for a secret beside others.
pub(super) fn in_one_line(page: &mut Page, secret: &SecretResult, analysis: &Analysis) {
    let known = &secret.knowledge;
    let range = |normal| interval(normal, analysis.level).unwrap_or_else(|| "undefined".to_owned());
    if known.prior_variance == 0.0 {
        page.markup("known beforehand: ").text(&near(known.prior_mean, 0.0));
    } else if known.fully_disclosed() {
        page.markup("<strong>fully disclosed: ").text(&near(secret.posterior_mean, 0.0)).markup("</strong>");
        page.markup("; before ").text(&range(known.prior()));
    } else if known.as_if_published().fully_disclosed() {
        page.markup("<strong>would be fully disclosed</strong>; now ").text(&range(known.posterior()));
    } else if known.is_open() {
        page.markup("would be known to ")
            .text(&range_width(Normal::new(0.0, known.variance_if_all_published), analysis.level));
        page.markup("; now ").text(&range_width(known.posterior(), analysis.level));
        page.markup("; ").text(&bits(known.mutual_information_bits()));
    } else {
        page.text(&range(known.posterior())).markup(" with ").text(&level_percent(analysis.level));
        page.markup(" probability; before ").text(&range(known.prior()));
        page.markup("; ").text(&bits(known.mutual_information_bits()));
    }
}

fn others(page: &mut Page, worst: usize, analysis: &Analysis) {
    let others: Vec<usize> = (0..analysis.secrets.len()).filter(|place| *place != worst).collect();
    if others.is_empty() {
        return;
    }
    page.markup(if others.len() > OTHERS {
        "<p>Some of the others:</p>\n<ul>"
    } else {
        "<p>And the others:</p>\n<ul>"
    });
    for place in others.iter().take(OTHERS) {
        let secret = analysis.secrets.get(*place);
        page.markup("<li>").name(&secret.name).markup(": ");
        in_one_line(page, &secret, analysis);
        page.markup(".</li>\n");
    }
    page.markup("</ul>\n");
    if others.len() > OTHERS {
        let more = count(others.len() - OTHERS, "more secret");
        page.markup("<p>").text(&more).markup(": see <a href=\"#knowledge\">the table below</a>.</p>\n");
    }
    if let Some(told) = analysis.joint.as_ref().and_then(|joint| joint.mutual_information_bits) {
        page.markup("<p>About all of them together the release reveals ").strong(&bits(told)).markup(".</p>\n");
    }
}

fn requirements(page: &mut Page, analysis: &Analysis) {
    let failed: Vec<&RequirementResult> =
        analysis.requirements.iter().filter(|requirement| !requirement.holds).collect();
    for requirement in failed.iter().take(OTHERS) {
        page.markup("<p class=\"danger box\"><strong>Not met:</strong> ").name(&requirement.text);
        page.markup(". The value is ").strong(&figure(requirement.value));
        if let Some(secret) = requirement.secret.as_ref().filter(|_| analysis.secrets.len() > 1) {
            page.markup(" for ").name(secret);
        }
        page.markup(".</p>\n");
    }
    if failed.len() > OTHERS {
        page.markup("<p>").text(&count(failed.len() - OTHERS, "more requirement")).markup(" failed: see ");
        page.markup("<a href=\"#requirements\">below</a>.</p>\n");
    }
}

/// Careful words where the prior cannot be what the attacker believes.
pub(super) fn absurd(page: &mut Page, observations: &[ObservationResult], check: &PriorCheck) {
    let furthest = observations.iter().max_by(|one, other| one.z.abs().total_cmp(&other.z.abs()));
    let Some(worst) = furthest.filter(|_| check.surprise.is_refuted()) else { return };
    let std_dev = worst.predicted_variance.sqrt();
    page.markup("<p class=\"caution box\"><strong>Read this with care.</strong> The assumed attacker expects ");
    page.name(&worst.name)
        .markup(" to be ")
        .text(&near(worst.predicted_mean, std_dev))
        .markup(" ± ")
        .text(&short(std_dev));
    page.markup(", but ").text(&near(worst.value, std_dev)).markup(" was seen: ").text(&short(worst.z.abs()));
    page.markup(" standard deviations away. A real attacker would doubt the assumptions rather than become as certain as this page says. ");
    page.markup(match check.cured_by_std {
        true => "Read as standard deviations instead of variances, the values would fit: write <code>std=</code>.",
        false => "Check the priors.",
    });
    page.markup("</p>\n");
}

/// The figures to remember.
fn tiles(page: &mut Page, secret: &SecretResult, analysis: &Analysis) {
    let known = &secret.knowledge;
    if known.prior_variance == 0.0 {
        return;
    }
    let level = analysis.level;
    page.markup("<dl class=\"tiles\">");
    let mut tile = |name: &str, value: &str, more: &str| {
        page.markup("<div><dt>").text(name).markup("</dt><dd>").text(value).markup("</dd>");
        if !more.is_empty() {
            page.markup("<dd class=\"more\">").text(more).markup("</dd>");
        }
        page.markup("</div>");
    };
    let likely = format!("{} range", level_percent(level));
    tile(
        &format!("Before: {likely}"),
        &interval(known.prior(), level).unwrap_or_default(),
        &format!("standard deviation {}", short(known.prior_std())),
    );
    if known.is_open() {
        let after = known.variance_if_all_published;
        tile(
            if after == 0.0 { "As if published: known" } else { "As if published: range" },
            &if after == 0.0 { "exactly".to_owned() } else { range_width(Normal::new(0.0, after), level) },
            &format!("standard deviation {}", short(after.sqrt())),
        );
    } else {
        let exactly = known.fully_disclosed();
        tile(
            &format!("After: {}", if exactly { "known exactly" } else { &likely }),
            &interval(known.posterior(), level).unwrap_or_default(),
            &format!("standard deviation {}", short(known.posterior_std())),
        );
    }
    tile("The release reveals", &bits(known.mutual_information_bits()), "mutual information, on average");
    let tolerance = secret.measures.guess_tolerance();
    let published = known.as_if_published();
    let (before, after) = (known.prior_vulnerability(tolerance), published.posterior_vulnerability(tolerance));
    if !analysis.observations.is_empty() || known.is_open() {
        let more = format!("guessing within ± {}; before {}", short(tolerance), percent(before));
        tile("Chance of a right guess", &percent(after), &more);
    }
    page.markup("</dl>\n");
}
