//! Audits of whole tables: very many people in crossed groups, and very many overlapping queries.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Bench;
use super::figures::{agree, peak_bytes, ratio, show_megabytes, show_ratio, show_seconds, spaced, spread, wall};
use super::measure::Run;
use serde_json::Value;

const CROSSED: &str = "\
import pandas as pd

def release(people):
    return pd.crosstab(people.region, people.age, values=people.income, aggfunc=\"mean\", margins=True)
";

/// Each query is about a half of the people that has nothing to do with the others.
const QUERIES: &str = "\
def release(people):
    means = []
    for q in range(COUNT):
        mixed = people.key * (2 * q + 1) % 1048576 * 2654435761 % 4294967296
        means.append(people[mixed // 65536 % 2 == 0].income.mean())
    return means
";

/// All margins of a table of four dimensions: 98 · 20 · 2 · 11 cells and their margins, 74 844 figures.
const MARGINS: &str = "\
def release(people):
    columns = [\"municipality\", \"occupation\", \"sex\", \"age\"]
    tables = [people.SECRET.sum()]
    for mask in range(1, 16):
        chosen = [column for place, column in enumerate(columns) if mask // 2**place % 2 == 1]
        tables.append(people.groupby(chosen).SECRET.sum())
    return tables
";

/// A register: four public columns, an income and whether somebody is ill; the same in every run.
fn register(people: u64) -> String {
    let mut state = 11u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text = String::from("municipality,occupation,sex,age,income,ill\n");
    for _ in 0..people {
        let (municipality, occupation, sex, age) = (random(98), random(20), random(2), random(11));
        let (income, ill) = (300_000 + random(300_000), u64::from(random(50) == 0));
        let _ = writeln!(text, "m{municipality},o{occupation},{sex},{age},{income},{ill}");
    }
    text
}

/// People in twenty regions and ten ages, the same in every run.
fn table(people: u64) -> String {
    let mut state = 7u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text = String::from("region,age,key,income\n");
    for _ in 0..people {
        let (region, age, key) = (random(20), random(10), random(1 << 30));
        // A sum of uniform numbers, near enough to a normal one.
        let income = 300_000 + (0..4).map(|_| random(75_000)).sum::<u64>();
        let _ = writeln!(text, "r{region:02},a{age},{key},{income}");
    }
    text
}

/// Tables of means without what they have in common, as offices publish them.
const CROSSING: &str = "\
def release(people):
    return TABLES
";

/// The keys of the tables that cross, with the values of each.
const KEYS: [[(&str, u64); 2]; 3] =
    [[("municipality", 98), ("sex", 2)], [("occupation", 41), ("age", 12)], [("education", 30), ("origin", 20)]];

/// People with six keys, the same in every run.
fn crossing_people(people: u64) -> String {
    let mut state = 7u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text = String::from("municipality,sex,occupation,age,education,origin,income\n");
    for _ in 0..people {
        for (key, values) in KEYS.iter().flatten() {
            let _ = write!(text, "{}{},", &key[..1], random(*values));
        }
        let income = 300_000 + (0..4).map(|_| random(75_000)).sum::<u64>();
        let _ = writeln!(text, "{income}");
    }
    text
}

fn cpu(run: &Run) -> f64 {
    run.cpu_seconds
}

/// Sums over the people of `--all-people --json`; a group stands for several.
fn sum(run: &Run, field: &str) -> Option<f64> {
    let people = run.answer.get("people")?.as_array()?;
    let times = |person: &Value| person.get("people").map_or(Some(1.0), Value::as_f64);
    people.iter().map(|person| Some(person.get(field)?.as_f64()? * times(person)?)).sum()
}

/// Tables that cross, beside a dense eigendecomposition in numpy: whole processes, processor time.
fn crossing(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.page.push_str(
        "\n### Tables that cross\n\nMeans by municipality and sex, by occupation and age, and (three tables) by \
         education and origin, without the tables that these are margins of. The peer reads the same file with pandas and \
         finds everybody's mean and variance with a dense eigendecomposition in numpy, which leaves out redundant figures \
         by a tolerance and applies no rules. Processor time of whole processes.\n\n| people | tables | ours | peak | \
         numpy | ours / numpy |\n|--:|--:|--:|--:|--:|--:|\n",
    );
    let cases: &[(u64, usize)] =
        if bench.is_quick() { &[(5_000, 2)] } else { &[(20_000, 2), (20_000, 3), (2_000_000, 2)] };
    for &(people, count) in cases {
        let tables: Vec<String> = KEYS[..count]
            .iter()
            .map(|[(one, _), (other, _)]| format!("people.groupby([\"{one}\", \"{other}\"]).income.mean()"))
            .collect();
        let script = bench.program("crossing.py", &CROSSING.replace("TABLES", &tables.join(", ")))?;
        let csv = bench.program(&format!("crossing-{people}.csv"), &crossing_people(people))?;
        let mut ours: Command = bench.context.command(&bench.binary.to_string_lossy());
        ours.arg("audit").arg(script).arg("--table").arg(format!("people={}", csv.display()));
        ours.args(["--secret", "people.income", "--prior", "Normal(mean=450_000, std=60_000)", "--json"]);
        // Everybody is compared where that is not too much to print.
        let is_compared = people <= 100_000;
        if is_compared {
            ours.arg("--all-people");
        }
        let file = csv.to_string_lossy().into_owned();
        let keys: Vec<String> = KEYS[..count].iter().map(|[(one, _), (other, _)]| format!("{one}*{other}")).collect();
        let arguments: Vec<&str> = std::iter::once(file.as_str()).chain(keys.iter().map(String::as_str)).collect();
        let peer = bench.peer("pandas", "crossing_tables.py", &arguments);
        let what = format!("audit, {people} people in {count} tables that cross");
        let repetitions = bench.repetitions().min(3);
        let runs = bench.in_turns(&what, &mut [Some(ours), peer], repetitions);
        if let (true, [Ok(ours), Ok(peer)]) = (is_compared, runs.as_slice()) {
            let same = |ours_name: &str, name: &str| agree(sum(&ours[0], ours_name), peer[0].number(name));
            bench.require(same("posterior_mean", "sum_mean") && same("posterior_variance", "sum_variance"), &what);
        }
        let times = ratio(&runs[1], cpu, &runs[0], cpu);
        let _ = writeln!(
            bench.page,
            "| {} | {count} | {} | {} | {} | {} |",
            spaced(people as i64),
            show_seconds(&runs[0], cpu),
            show_megabytes(peak_bytes(&runs[0])),
            show_seconds(&runs[1], cpu),
            show_ratio(times),
        );
        let promise = match (people, count) {
            (20_000, 2) => "20 000 people in two tables that cross in at most 3 times numpy's processor time",
            (20_000, _) => "20 000 people in three tables that cross in at most 3 times numpy's processor time",
            _ => "2 000 000 people in two tables that cross in at most 3 times numpy's processor time",
        };
        if !bench.is_quick() {
            bench.target(promise, show_ratio(times), times.map(|times| times.middle <= 3.0));
        }
    }
    Ok(())
}

pub fn section(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.page.push_str(
        "\n## 7. Audits\n\n`privug audit` of a CSV file, from start to exit: everybody's posterior, all rules, the \
         report. No peer does this.\n\n| people | published figures | time | peak |\n|--:|--:|--:|--:|\n",
    );
    let crossed = bench.program("crossed.py", CROSSED)?;
    for people in bench.sizes(&[20_000], &[100_000, 1_000_000]) {
        let runs = audit(bench, people, &crossed, "231: 200 groups and their margins")?;
        if people == 1_000_000 {
            bench.target("1 000 000 people in 200 crossed groups with margins within 4 GB", runs.1, runs.0);
        }
    }
    margins(bench)?;
    crossing(bench)?;
    bench.page.push_str(
        "\n### Beside numpy\n\nThe means of overlapping queries, each about a half of the people; and people in groups, with sums by \
         municipality and sex and means by occupation and age, audited by groups (`--grouped`). The peers read the same \
         file with pandas and find everybody's mean and variance with a dense eigendecomposition in numpy. Processor time of \
         whole processes.\n\n| people | what | ours | peak | numpy | ours / numpy |\n|--:|---|--:|--:|--:|--:|\n",
    );
    queries(bench)?;
    groups(bench)
}

/// Overlapping queries beside one dense matrix of who is in which.
fn queries(bench: &mut Bench<'_>) -> Result<(), String> {
    let (people, count) = if bench.is_quick() { (2_000, 200) } else { (10_000, 1_000) };
    let script = bench.program("queries.py", &QUERIES.replace("COUNT", &count.to_string()))?;
    let csv = bench.program(&format!("people-{people}.csv"), &table(people))?;
    let file = csv.to_string_lossy().into_owned();
    let peer = bench.peer("pandas", "overlapping_queries.py", &[&file, &count.to_string()]);
    let beside = Beside {
        people,
        what: format!("{} overlapping queries", spaced(count)),
        options: &["--all-people"],
        promise: "10 000 people with 1 000 overlapping queries in at most 3 times numpy's processor time",
    };
    beside.measure(bench, &script, &csv, peer)
}

/// People in groups, whose sums and means cross.
const GROUPS: &str = "\
def release(people):
    return (people.groupby([\"municipality\", \"sex\"]).income.sum(),
            people.groupby([\"occupation\", \"age\"]).income.mean())
";

/// 100 municipalities, two sexes, five occupations and 100 ages: 100 000 groups and 700 figures; the same in every run.
fn groups(bench: &mut Bench<'_>) -> Result<(), String> {
    let people = if bench.is_quick() { 5_000 } else { 1_000_000 };
    let mut state = 5u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text = String::from("municipality,sex,occupation,age,income\n");
    for _ in 0..people {
        let (municipality, sex, occupation, age) = (random(100), random(2), random(5), random(100));
        let income = 300_000 + (0..4).map(|_| random(75_000)).sum::<u64>();
        let _ = writeln!(text, "m{municipality},{sex},o{occupation},{age},{income}");
    }
    let script = bench.program("groups.py", GROUPS)?;
    let csv = bench.program(&format!("groups-{people}.csv"), &text)?;
    let file = csv.to_string_lossy().into_owned();
    let peer = bench.peer("pandas", "crossing_tables.py", &[&file, "municipality*sex", "occupation*age"]);
    let beside = Beside {
        people,
        what: "700 figures about 100 000 groups".to_owned(),
        options: &["--all-people", "--grouped"],
        promise: "700 figures about 100 000 groups of 1 000 000 people in at most 3 times numpy's processor time",
    };
    beside.measure(bench, &script, &csv, peer)
}

/// An audit that numpy has a program for.
struct Beside<'a> {
    people: u64,
    what: String,
    options: &'a [&'a str],
    promise: &'static str,
}

impl Beside<'_> {
    fn measure(&self, bench: &mut Bench<'_>, script: &Path, csv: &Path, peer: Option<Command>) -> Result<(), String> {
        let mut ours: Command = bench.context.command(&bench.binary.to_string_lossy());
        ours.arg("audit").arg(script).arg("--table").arg(format!("people={}", csv.display()));
        ours.args(["--secret", "people.income", "--prior", "Normal(mean=450_000, std=60_000)", "--json"]);
        ours.args(self.options);
        let what = format!("audit, {} people, {}", self.people, self.what);
        let repetitions = bench.repetitions().min(3);
        let runs = bench.in_turns(&what, &mut [Some(ours), peer], repetitions);
        if let [Ok(ours), Ok(peer)] = runs.as_slice() {
            let same = |ours_name: &str, name: &str| agree(sum(&ours[0], ours_name), peer[0].number(name));
            bench.require(same("posterior_mean", "sum_mean") && same("posterior_variance", "sum_variance"), &what);
        }
        let times = ratio(&runs[1], cpu, &runs[0], cpu);
        let _ = writeln!(
            bench.page,
            "| {} | {} | {} | {} | {} | {} |",
            spaced(self.people as i64),
            self.what,
            show_seconds(&runs[0], cpu),
            show_megabytes(peak_bytes(&runs[0])),
            show_seconds(&runs[1], cpu),
            show_ratio(times),
        );
        if !bench.is_quick() {
            bench.target(self.promise, show_ratio(times), times.map(|times| times.middle <= 3.0));
        }
        Ok(())
    }
}

/// A table of four dimensions with all margins: of incomes, and of how many are ill.
fn margins(bench: &mut Bench<'_>) -> Result<(), String> {
    for people in bench.sizes(&[20_000], &[2_000_000]) {
        let csv = bench.program(&format!("register-{people}.csv"), &register(people))?;
        let mut seconds = Vec::new();
        for (secret, prior, what) in [
            ("income", "Normal(mean=450_000, std=60_000)", "74 844 sums of incomes: four dimensions and all margins"),
            ("ill", "Bernoulli(0.02)", "74 844 counts of who is ill: the same groups"),
        ] {
            let script = bench.program(&format!("margins-{secret}.py"), &MARGINS.replace("SECRET", secret))?;
            let mut command: Command = bench.context.command(&bench.binary.to_string_lossy());
            command.arg("audit").arg(&script).arg("--table").arg(format!("people={}", csv.display()));
            command.args(["--secret", &format!("people.{secret}"), "--prior", prior, "--json"]);
            // Sums of so many margins take minutes: once is enough to compare with.
            let repetitions = if secret == "income" { 1 } else { bench.repetitions().min(3) };
            let runs = bench.in_turns(&format!("audit, {people} people, {what}"), &mut [Some(command)], repetitions);
            let (time, peak) = (show_seconds(&runs[0], wall), peak_bytes(&runs[0]));
            let _ = writeln!(bench.page, "| {} | {what} | {time} | {} |", spaced(people as i64), show_megabytes(peak));
            seconds.push((spread(&runs[0], wall), peak, time));
        }
        if people == 2_000_000 {
            let [(sums, ..), (counts, peak, time)] = &seconds[..] else { continue };
            let within = sums.as_ref().zip(counts.as_ref()).zip(*peak);
            let is_met = within.map(|((sums, counts), peak)| counts.middle <= 3.0 * sums.middle && peak <= 2e9);
            let words = "2 000 000 people, frequency tables of four dimensions with margins, within 3 times the time of sums \
                         and 2 GB";
            bench.target(words, format!("{time}, {}", show_megabytes(*peak)), is_met);
        }
    }
    Ok(())
}

/// Measures one audit; whether it stayed within 4 GB, and what it took.
fn audit(
    bench: &mut Bench<'_>,
    people: u64,
    script: &PathBuf,
    figures: &str,
) -> Result<(Option<bool>, String), String> {
    let csv = bench.program(&format!("people-{people}.csv"), &table(people))?;
    let mut command: Command = bench.context.command(&bench.binary.to_string_lossy());
    command.arg("audit").arg(script).arg("--table").arg(format!("people={}", csv.display()));
    command.args(["--secret", "people.income", "--prior", "Normal(mean=450_000, std=60_000)", "--json"]);
    let repetitions = bench.repetitions().min(3);
    let what = format!("audit, {people} people, {figures}");
    let runs = bench.in_turns(&what, &mut [Some(command)], repetitions);
    let (time, peak) = (show_seconds(&runs[0], wall), peak_bytes(&runs[0]));
    let _ = writeln!(bench.page, "| {} | {figures} | {time} | {} |", spaced(people as i64), show_megabytes(peak));
    let is_met = spread(&runs[0], wall).and(peak).map(|bytes| bytes <= 4e9);
    Ok((is_met, format!("{time}, {}", show_megabytes(peak))))
}
