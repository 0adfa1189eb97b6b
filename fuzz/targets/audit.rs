//! A whole audit on any bytes: options one in each line (the first letter says which), a CSV table and a script,
//! with lines of `===` between them.

use privug::audit::{DefenceTexts, Input, PolicyTexts, Settings, audit, read_policy};
use privug::diagnostic::Front;
use privug::report;
use privug::table::Missing;

/// Answers or refuses what the bytes say.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.splitn(3, "\n===\n");
    let (options, table, program) = (parts.next().unwrap_or(""), parts.next(), parts.next().unwrap_or(""));
    let Ok(table) = super::read_table(table.unwrap_or("").as_bytes(), Missing::DropRows) else { return };
    let mut input = Input {
        path: "script.py".to_owned(),
        program: program.to_owned(),
        function: None,
        tables: vec![("people".to_owned(), table)],
        secrets: Vec::new(),
        priors: Vec::new(),
        person: None,
        attacker: Default::default(),
        limits: super::limits(),
        cancelled: None,
    };
    let mut defences = DefenceTexts::default();
    let mut rules = PolicyTexts::default();
    let mut exact = false;
    for line in options.lines() {
        let text = line.get(1..).unwrap_or_default().to_owned();
        match line.as_bytes().first() {
            Some(b's') => input.secrets.push(text),
            Some(b'p') => input.priors.push(text),
            Some(b'i') => input.person = Some(text),
            Some(b'n') => defences.noise.push(text),
            Some(b'u') => defences.suppress.push(text),
            Some(b'o') => defences.round.push(text),
            Some(b'x') => exact = true,
            Some(b'r') => rules.rules.push(text),
            _ => {
                let policy = &mut rules.file.get_or_insert_with(|| ("policy.toml".to_owned(), String::new())).1;
                policy.push_str(line);
                policy.push('\n');
            }
        }
    }
    if input.secrets.is_empty() {
        input.secrets.push("people.income".to_owned());
    }
    if input.priors.is_empty() {
        input.priors.push("Normal(50, 10)".to_owned());
    }
    let policy = match read_policy(&rules) {
        Ok(policy) => policy,
        Err(refusal) => return super::look_at(&refusal),
    };
    let settings = Settings { policy, defences, top: 3, work: super::work(), ..Settings::default() };
    match audit(&input, &settings, exact, &|_| {}) {
        Ok(found) => {
            let _ = report::audit_to_text(&found, 3, Front::CommandLine, report::Palette::PLAIN);
            super::read_back(&report::audit_to_json(&found, true));
        }
        Err(refusal) => super::look_at(&refusal),
    }
}
