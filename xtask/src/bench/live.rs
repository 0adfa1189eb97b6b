//! Live tables: installing the package from source, and pandas' groups of a secret column beside those of doubles.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use super::Bench;
use super::figures::{show_megabytes, spaced};
use super::measure::Runs;

const INTRODUCTION: &str = "
## Live tables

The real pandas, `groupby(…).mean()` of a column of doubles and of a secret column, whose means are affine forms over all
rows. Time is the best of seven, and memory what the process takes besides what it took after its imports and the keys.

| rows | groups | doubles | secrets | secrets / doubles | memory of doubles | of secrets | secrets / doubles |
|--:|--:|--:|--:|--:|--:|--:|--:|
";

/// How long `pip install .` may take from source, without anything built before.
const INSTALL_SECONDS: f64 = 480.0;

pub fn section(bench: &mut Bench<'_>) -> Result<(), String> {
    let Some(python) = package(bench)? else {
        let _ = writeln!(bench.page, "\n## Live tables\n\nThe Python package is not installed here.");
        return Ok(());
    };
    bench.page.push_str(INTRODUCTION);
    for rows in bench.sizes(&[20_000], &[100_000, 1_000_000]) {
        let what = format!("groups of {rows} rows");
        let script = bench.context.root.join("xtask/bench/live_groupby.py");
        let side = |kind: &str| {
            let mut command = Command::new(&python);
            command.arg(&script).args([kind, &rows.to_string(), "1000"]);
            Some(command)
        };
        let repetitions = bench.repetitions().min(3);
        let runs = bench.in_turns(&what, &mut [side("floats"), side("secrets")], repetitions);
        let [floats, secrets] = <[Runs; 2]>::try_from(runs).map_err(|_| "two sides were run")?;
        let (Ok(floats), Ok(secrets)) = (floats, secrets) else { continue };
        let smallest = |runs: &[super::measure::Run], name: &str| {
            runs.iter().filter_map(|run| run.number(name)).fold(f64::INFINITY, f64::min)
        };
        for name in ["first", "total"] {
            let (one, other) = (smallest(&floats, name), smallest(&secrets, name));
            bench.require((one - other).abs() <= 1e-9 * one.abs(), &format!("{what}: {name}"));
        }
        let times = (smallest(&floats, "seconds"), smallest(&secrets, "seconds"));
        let sizes = (smallest(&floats, "bytes"), smallest(&secrets, "bytes"));
        let (slower, larger) = (times.1 / times.0, sizes.1 / sizes.0);
        let _ = writeln!(
            bench.page,
            "| {} | 1 000 | {:.1} ms | {:.1} ms | {slower:.1} | {} | {} | {larger:.1} |",
            spaced(rows as i64),
            times.0 * 1e3,
            times.1 * 1e3,
            show_megabytes(Some(sizes.0)),
            show_megabytes(Some(sizes.1)),
        );
        if rows == 1_000_000 {
            let measured = format!("{slower:.1} times");
            bench.target(
                "1 000 groups of a million secrets in at most 3 times the time of doubles",
                measured,
                Some(slower <= 3.0),
            );
            let measured = format!("{larger:.1} times");
            bench.target("and at most 5 times their memory", measured, Some(larger <= 5.0));
        }
    }
    Ok(())
}

/// A Python that has the package: one of its own, with the package installed from source; in a quick run that of the tests.
fn package(bench: &mut Bench<'_>) -> Result<Option<PathBuf>, String> {
    let root = &bench.context.root;
    if bench.is_quick() {
        let tests = root.join("target/python-venv/bin/python");
        let has = Command::new(&tests).args(["-c", "import privug, pandas"]).output();
        return Ok(has.is_ok_and(|output| output.status.success()).then_some(tests));
    }
    let folder = root.join("target/bench-package");
    let python = folder.join("bin/python");
    let made = bench.context.command("python3").args(["-m", "venv", "--clear"]).arg(&folder).output();
    let pandas = Command::new(&python).args(["-m", "pip", "install", "--quiet", "pandas", "maturin>=1.9,<2"]).output();
    if !made.is_ok_and(|output| output.status.success()) || !pandas.is_ok_and(|output| output.status.success()) {
        return Ok(None);
    }
    // Nothing of what was built before is used.
    let build = root.join("target/bench-build");
    let _ = std::fs::remove_dir_all(&build);
    // The build backend starts `maturin` by its name.
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(folder.join("bin")).chain(std::env::split_paths(&others)));
    let start = Instant::now();
    let installed = Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps"])
        .arg(root)
        .env("CARGO_TARGET_DIR", &build)
        .env("PATH", path.map_err(|error| error.to_string())?)
        .output()
        .map_err(|error| error.to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    let _ = std::fs::remove_dir_all(&build);
    if !installed.status.success() {
        return Err(format!("pip install: {}", String::from_utf8_lossy(&installed.stderr)));
    }
    let measured = format!("{:.1} min", seconds / 60.0);
    bench.target("`pip install .` from source within 8 minutes", measured, Some(seconds <= INSTALL_SECONDS));
    Ok(Some(python))
}
