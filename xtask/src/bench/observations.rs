//! Many observations: dense ones against LAPACK, sparse ones against a sparse Cholesky factorisation.

use std::fmt::Write;

use super::Bench;
use super::figures::{
    agree, exponent, inner, peak_bytes, ratio, show_megabytes, show_ratio, show_seconds, spaced, spread, wall,
};
use super::measure::{Run, Runs};

const DENSE: &str = "
## 4. Many observations

### Dense: sums over random halves

n people, k sums over pseudo-random halves of them, the posterior mean and variance of everybody. The peer is
numpy with LAPACK: Gram matrix, Cholesky, triangular solve. Times are those of conditioning alone, without making up the
data; the sums over all people of means and variances agree.

| n | k | ours | peak | LAPACK | peak | ours / LAPACK |
|--:|--:|--:|--:|--:|--:|--:|
";

const SPARSE: &str = "
### Sparse: nested and crossed means

n people; the means of blocks, of districts of 10 blocks, of counties of 10 districts, of 22 industries within each county,
of the industries and of all, each published with a little noise. Ours gives everybody's mean and variance. The
peer factorises the sparse covariance matrix of the published figures and gives everybody's mean; it has no quick way to
everybody's variance, so that is left out of its time (with the variances of 1 000 people it takes the time in brackets).

| n | k | ours | peak | peer | peak | ours / peer | with 1 000 variances | solver |
|--:|--:|--:|--:|--:|--:|--:|--:|---|
";

fn two(runs: Vec<Runs>) -> Result<[Runs; 2], String> {
    <[Runs; 2]>::try_from(runs).map_err(|_| "two sides were run".to_owned())
}

/// Both sides must give the same sums.
fn compare(bench: &mut Bench<'_>, ours: &Runs, peer: &Runs, names: [&str; 2], what: &str) {
    if let (Ok(ours), Ok(peer)) = (ours, peer) {
        let agrees = names.iter().all(|name| agree(ours[0].number(name), peer[0].number(name)));
        bench.require(agrees, what);
    }
}

pub fn dense_section(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.page.push_str(DENSE);
    let n: u64 = if bench.is_quick() { 2_000 } else { 20_000 };
    let (mut ours_points, mut peer_points, mut last) = (Vec::new(), Vec::new(), None);
    for k in bench.sizes(&[10, 50], &[10, 50, 200, 500, 1_000, 2_000]) {
        let arguments = [n.to_string(), k.to_string()];
        let [first, second] = arguments.each_ref().map(String::as_str);
        let ours = bench.example("many_observations", &["dense", first, second]);
        let peer = bench.peer("scipy", "dense_observations.py", &[first, second]);
        let what = format!("dense observations, n = {n}, k = {k}");
        let repetitions = bench.repetitions().min(3);
        let [ours, lapack] = two(bench.in_turns(&what, &mut [Some(ours), peer], repetitions))?;
        compare(bench, &ours, &lapack, ["sum_mean", "sum_variance"], &what);
        let times = ratio(&lapack, inner, &ours, inner);
        let _ = writeln!(
            bench.page,
            "| {} | {} | {} | {} | {} | {} | {} |",
            spaced(n as i64),
            spaced(k as i64),
            show_seconds(&ours, inner),
            show_megabytes(peak_bytes(&ours)),
            show_seconds(&lapack, inner),
            show_megabytes(peak_bytes(&lapack)),
            show_ratio(times),
        );
        ours_points.extend(spread(&ours, inner).map(|spread| (k as f64, spread.middle)));
        peer_points.extend(spread(&lapack, inner).map(|spread| (k as f64, spread.middle)));
        last = (k == 2_000).then_some(times).flatten();
    }
    bench.grows(&format!("ours, dense, n = {}", spaced(n as i64)), "k", exponent(&ours_points));
    let series = vec![("privug", ours_points), ("LAPACK", peer_points)];
    bench.figure("dense.svg", "k sums over random halves", ["observations", "seconds"], series);
    bench.target(
        "k = 2 000 dense outputs in at most 2 times LAPACK's time",
        show_ratio(last),
        last.map(|times| times.middle <= 2.0),
    );
    as_program(bench)
}

/// The same through the whole line, from the text of a program.
fn as_program(bench: &mut Bench<'_>) -> Result<(), String> {
    let (n, k) = if bench.is_quick() { (1_000, 20) } else { (20_000, 100) };
    let text = format!(
        "def main():\n    people = [Normal(30 + i % 40, 1 + i % 9) for i in range({n})]\n    for t in range({k}):\n        \
         members = [i for i in range({n}) if (i * i * (7919 * t + 104_729) + i * (31 * t + 17) + t * t) % 1_000_003 % 2]\n        \
         value = sum([30 + i % 40 for i in members]) + 10 * (t % 7 - 3)\n        \
         condition(sum([people[i] for i in members]), value)\n    return people\n"
    );
    let path = bench.program("dense.py", &text)?;
    let printed = bench.analyze(&path, &["--quiet"]);
    let peer = bench.example("many_observations", &["dense", &n.to_string(), &k.to_string()]);
    let repetitions = bench.repetitions().min(3);
    let [program, conditioning] =
        two(bench.in_turns("dense observations, as a program", &mut [Some(printed), Some(peer)], repetitions))?;
    let _ = write!(
        bench.page,
        "\nAs a program (n = {}, k = {k}, whole process, which also runs the {} rounds of its loops): {}; conditioning \
         alone takes {}.\n",
        spaced(n),
        spaced(n * k),
        show_seconds(&program, wall),
        show_seconds(&conditioning, inner),
    );
    Ok(())
}

pub fn sparse_section(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.page.push_str(SPARSE);
    let cases: &[(u64, u64)] = if bench.is_quick() {
        &[(5_000, 100), (10_000, 200)]
    } else {
        &[(20_000, 300), (200_000, 3_000), (1_000_000, 15_000)]
    };
    let (mut points, mut last) = (Vec::new(), None);
    for &(n, blocks) in cases {
        let arguments = [n.to_string(), blocks.to_string()];
        let [first, second] = arguments.each_ref().map(String::as_str);
        let ours = bench.example("many_observations", &["sparse", first, second]);
        let peer = bench.peer("scipy", "sparse_observations.py", &[first, second]);
        let what = format!("sparse observations, n = {n}");
        let repetitions = bench.repetitions().min(3);
        let [ours, peer] = two(bench.in_turns(&what, &mut [Some(ours), peer], repetitions))?;
        compare(bench, &ours, &peer, ["sum_mean", "sum_sampled_variance"], &what);
        let of = |runs: &Runs, name: &str| runs.as_ref().ok().and_then(|runs: &Vec<Run>| runs.first()?.number(name));
        let solver =
            peer.as_ref().ok().and_then(|runs| runs.first()?.answer.get("solver")?.as_str().map(str::to_owned));
        let times = ratio(&peer, inner, &ours, inner);
        let _ = writeln!(
            bench.page,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            spaced(n as i64),
            of(&ours, "k").or(of(&peer, "k")).map_or("–".to_owned(), |k| spaced(k as i64)),
            show_seconds(&ours, inner),
            show_megabytes(peak_bytes(&ours)),
            show_seconds(&peer, inner),
            show_megabytes(peak_bytes(&peer)),
            show_ratio(times),
            show_seconds(&peer, |run| run.number("sample_known").unwrap_or(f64::NAN)),
            solver.unwrap_or_else(|| "–".to_owned()),
        );
        let terms = of(&ours, "terms");
        points.extend(spread(&ours, inner).zip(terms).map(|(spread, terms)| (terms, spread.middle)));
        last = (n == 1_000_000).then_some(times).flatten();
    }
    let growth = exponent(&points);
    bench.grows("ours, sparse", "nonzeros", growth);
    bench.target(
        "k = 20 000 sparse outputs in at most 2 times CHOLMOD's time",
        show_ratio(last),
        last.map(|times| times.middle <= 2.0),
    );
    let measured = growth.map_or("–".to_owned(), |growth| format!("{growth:.2}"));
    bench.target(
        "time linear in the nonzeros of sparse outputs (exponent at most 1.05)",
        measured,
        growth.map(|e| e <= 1.05),
    );
    Ok(())
}
