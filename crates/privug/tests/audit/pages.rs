//! What is shown of an audit: nothing that a name says is taken for markup, and everybody has a row.

use privug::audit::{About, Audit, Settings, audit};
use privug::diagnostic::Front;
use privug::report::html::{Provenance, audit_to_html};
use privug::report::write_people_csv;

use super::support::{messages, returning};

/// The mean of everybody, and that of all but the first: the first is disclosed.
fn audited(name: &str) -> Audit {
    let expression = format!("{{{name:?}: people.income.mean(), 'others': people[people.age > 25].income.mean()}}");
    let mut input = returning(&expression);
    input.person = Some("name".to_owned());
    let about = About { path: "release.py".into(), secrets: vec!["people.income".into()], ..About::default() };
    let settings = Settings { about, top: 10, ..Settings::default() };
    audit(&input, &settings, false, &|_| {}).unwrap_or_else(|refusal| panic!("{:?}", messages(&refusal)))
}

#[test]
fn no_name_leaves_its_place_on_the_page() {
    let found = audited("</code><script>alert(1)</script>");
    let [command, version, date] = ["privug audit", "1", "today"].map(str::to_owned);
    let provenance = Provenance { command, version, date };
    let page = audit_to_html(&found, Front::CommandLine, &provenance);
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert"));
    assert_eq!(page, audit_to_html(&found, Front::CommandLine, &provenance));
    // One script, whose hash the page states.
    assert_eq!(page.matches("<script>").count(), 1);
}

#[test]
fn the_table_of_people_has_a_row_for_each() {
    let found = audited("all");
    let mut table = Vec::new();
    write_people_csv(&found, &mut table).expect("memory");
    let table = String::from_utf8(table).expect("UTF-8");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), found.people.len() + 1);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let place = |name: &str| rows[0].iter().position(|column| *column == name).expect("a column of that name");
    assert_eq!(rows[1][place("verdict")], "fail");
    assert_eq!(rows[1][place("fully_disclosed")], "true");
    assert!(rows[1].last().is_some_and(|rules| rules.contains("full_disclosure")), "{:?}", rows[1]);
}

#[test]
fn people_of_whom_the_same_is_to_be_said_stand_together() {
    let mut input = returning("people.groupby('sex').income.mean()");
    input.person = Some("name".to_owned());
    input.priors = vec!["Normal(400, std=300)".to_owned()];
    let found = audit(&input, &Settings { top: 10, ..Settings::default() }, false, &|_| {});
    let found = found.unwrap_or_else(|refusal| panic!("{:?}", messages(&refusal)));
    let [command, version, date] = ["privug audit", "1", "today"].map(str::to_owned);
    let page = audit_to_html(&found, Front::CommandLine, &Provenance { command, version, date });
    let (_, behind) = page.split_once("id=\"at-risk\"").expect("somebody is at risk");
    let (section, _) = behind.split_once("</section>").expect("the end of the section");
    let sentences: Vec<&str> =
        section.split("<li>").skip(1).filter_map(|line| line.split_once("): ")).map(|(_, why)| why).collect();
    let different: std::collections::BTreeSet<&&str> = sentences.iter().collect();
    assert!(!sentences.is_empty() && sentences.len() == different.len(), "{section}");
    assert!(section.contains(" people</strong> ("), "{section}");
}
