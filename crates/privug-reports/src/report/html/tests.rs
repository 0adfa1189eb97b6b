//! Whole pages: what they say, that no text of users leaves its place, and that they stay small.

use proptest::prelude::*;

use super::*;
use privug_analysis::analysis::{
    Analysis, Binding, BindingKind, Note, Operand, Request, Required, Truth, Written, analyze,
};
use privug_analysis::compare::compare;
use privug_analysis::sweep::{Axis, Scale, sweep};

fn provenance() -> Provenance {
    let [command, version, date] = ["privug analyze f.py", "1.2.3", "2026-01-02 03:04 UTC"].map(str::to_owned);
    Provenance { command, version, date }
}

fn analysis(program: &str, fill: impl FnOnce(&mut Request)) -> Analysis {
    let mut request = Request::new("f.py", program);
    fill(&mut request);
    analyze(&request).unwrap_or_else(|refusal| panic!("{:?}", refusal.diagnostics))
}

fn page(program: &str, fill: impl FnOnce(&mut Request)) -> String {
    analysis_to_html(&analysis(program, fill), &provenance())
}

/// What stands between the tags, on one line.
fn words(page: &str) -> String {
    let body = page.split_once("<main>").map_or("", |(_, body)| body);
    let body = body.split_once("</main>").map_or("", |(body, _)| body);
    let text: String =
        body.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect::<Vec<_>>().join("");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The tags and the names of their attributes, in order.
fn skeleton(page: &str) -> Vec<String> {
    let tags = page.split('<').skip(1).map(|part| part.split_once('>').map_or(part, |(tag, _)| tag));
    tags.map(|tag| tag.split('"').step_by(2).collect::<Vec<_>>().join("_")).collect()
}

const AVERAGE: &str = "def f():\n    x = Normal(10, 4)\n    y = Normal(10, 4)\n    mean = (x + y) / 2\n    \
                       condition(mean, 11)\n    return x\n";
const DISCLOSED: &str = "def f():\n    x = Normal(10, 4)\n    y = x + 1\n    condition(y, 12)\n    return x\n";

#[test]
fn the_verdict_says_what_is_learned() {
    // Half of the variance 4 is left: ±1.96·√2 around 11, and half a bit.
    let words = words(&page(AVERAGE, |_| {}));
    for said in [
        "An attacker who sees this release can pin x down to 8.2 … 13.8 with 95 % probability.",
        "Before, the range was 6.1 … 13.9.",
        "The release reveals 0.5 bits about it",
        "the range is 29.3 % narrower, and the best guess moves from 10 to 11.",
        "No requirement was set",
        "observed 11 · alone it reveals 0.5 bits · it adds 0.5 bits",
        "privug 1.2.3",
        "privug analyze f.py",
        "2026-01-02 03:04 UTC",
    ] {
        assert!(words.contains(said), "{said}\n{words}");
    }
}

#[test]
fn full_disclosure_is_said_first() {
    let words = words(&page(DISCLOSED, |_| {}));
    assert!(words.contains("An attacker who sees this release knows x exactly: 11. Before, the range was 6.1 … 13.9"));
    assert!(words.contains("✕ Full disclosure") && words.contains("∞ bits"), "{words}");
}

#[test]
fn what_publishing_would_tell_is_said_without_observations() {
    let program = "def f(xs):\n    return sum(xs)\n";
    let fill = |request: &mut Request| {
        request.bindings =
            vec![Binding::read(BindingKind::Prior, "xs=[Normal(0, 1), Normal(0, 1)]").expect("a binding")];
        request.secrets = vec!["xs[0]".to_owned()];
    };
    let said = words(&page(program, fill));
    assert!(said.contains("Nothing observed yet"), "{said}");
    assert!(said.contains("will be able to pin xs[0] down to ± 1.39 around their best guess"), "{said}");
    assert!(said.contains("Now it is ± 1.96 around 0: the range will be 29.3 % narrower"), "{said}");
    let alone = words(&page("def f(xs):\n    return xs[0]\n", fill));
    assert!(alone.contains("an attacker will know xs[0] exactly, whatever its value is"), "{alone}");
    let nothing = words(&page("def f():\n    return Normal(0, 1)\n", |_| {}));
    assert!(nothing.contains("Nothing is published and nothing was observed"), "{nothing}");
}

#[test]
fn a_failed_requirement_and_an_absurd_prior_are_said() {
    let words = words(&page(&AVERAGE.replace("11", "90"), |request| {
        request.requirements = vec![Required::Source("mutual_information_bits <= 0.1".to_owned())];
        request.truths = vec![Truth::read("50")];
    }));
    for said in [
        "✕ The requirement is not met",
        "Not met: mutual_information_bits &lt;= 0.1. The value is 0.5.",
        "Read this with care. The assumed attacker expects mean to be 10 ± 1.41, but 90 was seen: 56.6 standard",
        "If the assumptions hold, an attacker",
        "In truth it is 50",
        "outside the range above",
    ] {
        assert!(words.contains(said), "{said}\n{words}");
    }
}

#[test]
fn what_tells_nothing_is_called_nothing() {
    let program = "def f():\n    x = Normal(0, 1)\n    y = Normal(0, 1)\n    condition(y, 1)\n    return x\n";
    assert!(words(&page(program, |_| {})).contains("learns nothing about x."));
    let faint = program.replace("condition(y, 1)", "condition(y + x * 1e-6, 1)");
    assert!(words(&page(&faint, |_| {})).contains("learns next to nothing about x."));
}

#[test]
fn several_secrets_are_ordered_by_what_is_told_about_them() {
    let program = "def f():\n    a = Normal(0, 1)\n    b = Normal(0, 9)\n    condition(a + b, 1)\n    return a, b\n";
    let words = words(&page(program, |_| {}));
    assert!(words.contains("Of 2 secrets, none is fully disclosed. The most exposed one is b."), "{words}");
    assert!(words.contains("And the others: a: "), "{words}");
}

#[test]
fn headings_are_in_order_and_the_page_is_one_file() {
    let one = page(AVERAGE, |request| request.queries = vec!["P(x > 3)".to_owned()]);
    let mut last = 0;
    for tag in skeleton(&one) {
        if let Some(level) = tag.strip_prefix('h').and_then(|rest| rest.chars().next()).and_then(|c| c.to_digit(10)) {
            assert!(level <= last + 1, "a heading {level} behind a heading {last}");
            last = level;
        }
    }
    assert_eq!(one.matches("<h1").count(), 1);
    assert!(one.starts_with("<!DOCTYPE html>\n<html lang=\"en\">") && one.contains("default-src 'none'"));
    for loading in [" src=", "<link", "@import", "url(", "fetch(", "<iframe", "http:", "https:"] {
        let allowed = if loading == "http:" { one.matches("http://www.w3.org/2000/svg").count() } else { 0 };
        assert_eq!(one.matches(loading).count(), allowed, "{loading}");
    }
    assert_eq!(one, page(AVERAGE, |request| request.queries = vec!["P(x > 3)".to_owned()]));
}

#[test]
fn the_head_allows_exactly_the_script_of_the_page() {
    let page = page(AVERAGE, |_| {});
    let script = page.split("<script>").nth(1).and_then(|rest| rest.split("</script>").next()).expect("a script");
    let hash = base64(&sha256(script.as_bytes()));
    assert!(page.contains(&format!("script-src 'sha256-{hash}'")), "the hash of script.js is now sha256-{hash}");
}

#[test]
fn a_comparison_names_the_best_and_the_worst() {
    let release = |label: &str, program: &str| (label.to_owned(), Request::new("f.py", program));
    let noisy = AVERAGE.replace("condition(mean, 11)", "observe(mean, 11, std=5)");
    let compared = compare(&[release("plain", AVERAGE), release("noisy", &noisy), release("same", AVERAGE)]);
    let page = comparison_to_html(&compared.expect("comparable"), &provenance());
    let words = words(&page);
    assert!(words.contains("What 3 releases reveal about x"), "{words}");
    assert!(words.contains("noisy reveals the least: ") && words.contains("plain and same reveal the most: 0.5 bits."));
}

#[test]
fn a_sweep_says_how_the_measures_go() {
    let program = "def f(s):\n    x = Normal(0, 1)\n    observe(x, 1, std=s)\n    return x\n";
    let request = Request::new("f.py", program);
    let axis = Axis::parse("s=1..3", Scale::Linear).expect("a range");
    let measures = ["mutual_information_bits".to_owned(), "P(x > 0)".to_owned()];
    let found = sweep(&request, &[axis], 3, &measures, &|| {}).expect("a sweep");
    let words = words(&sweep_to_html(&found, &request, false, &provenance()));
    // ½ log₂ 2 = 0.5 and ½ log₂ (10/9) = 0.076.
    assert!(
        words.contains("When s goes from 1 to 3: mutual information falls from 0.5 bits to 0.076 bits."),
        "{words}"
    );
    let axes = ["s=1..3", "t=0..1"].map(|text| Axis::parse(text, Scale::Linear).expect("a range"));
    let request = Request::new("f.py", program.replace("f(s)", "f(s, t)"));
    let found = sweep(&request, &axes, 60, &measures, &|| {}).expect("a sweep");
    let page = sweep_to_html(&found, &request, false, &provenance());
    assert!(page.contains("3,400 more rows are left out here") && page.contains("900 of 3,600 points are drawn"));
}

#[test]
fn a_page_of_a_thousand_secrets_and_a_hundred_thousand_lines_stays_small() {
    let mut program = "def f():\n    xs = [Normal(0, 1) for _ in range(1000)]\n".to_owned();
    for line in 0..100_000 {
        program.push_str(&format!("    # line {line}\n"));
    }
    program.push_str("    for x in xs:\n        condition(x + xs[0], 1)\n    return xs\n");
    let large = page(&program, |_| {});
    assert!(large.len() < 400_000, "{}", large.len());
    for said in ["900 more secrets are left out", "960 more observations are left out", "lines left out</li>"] {
        assert!(large.contains(said), "{said}");
    }
    let long = format!("def f():\n    x = Normal(0, 1)  # {}\n    return x\n", "<&".repeat(500_000));
    assert!(page(&long, |_| {}).len() < 100_000);
}

/// An analysis in which every text of the user is this one.
fn filled_with(text: &str) -> (Analysis, Provenance) {
    let comment: String = text.chars().filter(|letter| *letter != '\n' && *letter != '\r').collect();
    let comment = comment.replace('\0', "");
    let program = format!("# {comment}\n{AVERAGE}");
    let mut found = analysis(&program, |request| {
        request.requirements = vec![Required::Source("posterior_std >= 100".to_owned())];
        request.queries = vec!["P(x > 3)".to_owned()];
        request.truths = vec![Truth::read("10")];
    });
    found.path = text.to_owned();
    found.function = text.to_owned();
    found.secrets.each_mut()[0].name = text.to_owned();
    found.secrets.each_mut()[0].by_output.iter_mut().for_each(|leak| leak.output = text.into());
    found.observations[0].name = text.to_owned();
    found.requirements[0].text = text.to_owned();
    found.requirements[0].secret = Some(text.to_owned());
    found.answers[0].text = text.to_owned();
    found.notes = vec![Note::from(text.to_owned()), Note::from(format!("`{text}` is so"))];
    let all = || text.to_owned();
    (found, Provenance { command: all(), version: all(), date: all() })
}

fn hostile() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "<script>alert(1)</script>",
        "\"",
        "'",
        "</style>",
        "</title>",
        "</textarea>",
        "-->",
        "<!--",
        "]]>",
        "<![CDATA[",
        "&lt;",
        "&#x3c;",
        "&",
        "\u{0}",
        "\u{1b}[2J",
        "\u{202e}",
        "\u{2066}",
        "שלום",
        "العربية",
        "\r\n",
        "\t",
        " onmouseover=alert(1) ",
        "javascript:alert(1)",
        "<img src=x onerror=alert(1)>",
        "</svg>",
        "\u{feff}",
        "\u{fffe}",
        "\\",
        "日本",
        "🙂",
        "x",
    ]);
    prop_oneof![
        prop::collection::vec(pieces, 1..8).prop_map(|pieces| pieces.concat()),
        any::<String>().prop_map(|text| text.replace('`', "")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_of_users_becomes_markup(text in hostile()) {
        let (harmless, from) = filled_with("x");
        let expected = skeleton(&analysis_to_html(&harmless, &from));
        let (found, from) = filled_with(&text);
        let page = analysis_to_html(&found, &from);
        prop_assert_eq!(skeleton(&page), expected);
        let unseen = |letter: char| {
            (letter.is_control() && letter != '\n' && letter != '\t')
                || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        prop_assert!(!page.contains(unseen));
    }

    #[test]
    fn labels_and_parameters_stay_text(text in hostile()) {
        let pages = |text: &str| {
            let compared = compare(&[(text.to_owned(), Request::new(text, AVERAGE))]).expect("comparable");
            let mut swept = privug_analysis::sweep::Sweep {
                parameters: vec![text.to_owned()],
                columns: vec![format!("P({text} > 1)")],
                points: Vec::new(),
            };
            for value in [1.0, 2.0] {
                swept.points.push(privug_analysis::sweep::Point { parameters: vec![value], values: vec![value / 4.0], lows: vec![value / 4.0] });
            }
            let mut request = Request::new(text, "x = 1\n");
            let value = Operand::Source(Written::whole(text));
            request.bindings = vec![Binding { name: text.to_owned(), kind: BindingKind::Set, value }];
            let (_, from) = filled_with(text);
            [comparison_to_html(&compared, &from), sweep_to_html(&swept, &request, false, &from)]
        };
        let (expected, found) = (pages("x"), pages(&text));
        // A long label may need another number of lines in a drawing, which escapes by itself.
        let outside = |page: &String| -> Vec<String> {
            let mut inside = false;
            let mut kept = skeleton(page);
            kept.retain(|tag| {
                inside = if tag.starts_with("svg") { true } else { inside && tag != "/svg" };
                !inside
            });
            kept
        };
        prop_assert_eq!(expected.each_ref().map(outside), found.each_ref().map(outside));
        prop_assert!(found.iter().all(|page| page.matches("<script").count() == 1));
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let all = chunk.iter().fold(0u32, |all, byte| all << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * place) & 63) as usize];
            text.push(if place > chunk.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

/// FIPS 180-4; the constants are the fractions of the roots of the first primes.
fn sha256(message: &[u8]) -> Vec<u8> {
    let primes: Vec<u32> = (2..312).filter(|n| (2..*n).all(|d| n % d != 0)).collect();
    let fraction = |root: f64| ((root - root.floor()) * 4_294_967_296.0) as u32;
    let k: Vec<u32> = primes[..64].iter().map(|p| fraction(f64::from(*p).cbrt())).collect();
    let mut state: Vec<u32> = primes[..8].iter().map(|p| fraction(f64::from(*p).sqrt())).collect();
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((message.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let mut w: Vec<u32> = block.chunks(4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]])).collect();
        for i in 16..64 {
            let (a, b): (u32, u32) = (w[i - 15], w[i - 2]);
            let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut h = state.clone();
        for i in 0..64 {
            let s1 = h[4].rotate_right(6) ^ h[4].rotate_right(11) ^ h[4].rotate_right(25);
            let choice = (h[4] & h[5]) ^ (!h[4] & h[6]);
            let first = h[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(k[i]).wrapping_add(w[i]);
            let s0 = h[0].rotate_right(2) ^ h[0].rotate_right(13) ^ h[0].rotate_right(22);
            let majority = (h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]);
            h.rotate_right(1);
            h[4] = h[4].wrapping_add(first);
            h[0] = first.wrapping_add(s0).wrapping_add(majority);
        }
        for (total, part) in state.iter_mut().zip(h) {
            *total = total.wrapping_add(part);
        }
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}
