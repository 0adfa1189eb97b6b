"""Times audits of registers for docs/scale.md: embedded, and with the groups made by DuckDB or Spark. Prints a row of a table
for each number of rows: processor seconds, seconds by the clock, and peak memory, of whole processes.
Usage: register_scale.py PRIVUG FOLDER ROWS … [--prior-means] [--with duckdb] [--with spark]

Files have a million rows each. Those beyond ten million are links to the first ten, so that 10⁸ rows need no more disk."""

import argparse
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import time

SCRIPT = """
def release(people):
    return {
        "by municipality and sex": people.groupby(["municipality", "sex"])["income"].sum(),
        "by occupation and age": people.groupby(["occupation", "age"])["income"].mean(),
    }
"""
PRIOR = "Normal(mean=45_000, std=12_000)"
OWN_PRIOR = "Normal(expected, std=12_000)"
MUNICIPALITIES, OCCUPATIONS, AGES = 100, 5, 100
PER_FILE, WRITTEN = 1_000_000, 10


def write(folder: pathlib.Path, rows: int) -> pathlib.Path:
    """A folder of files with so many people, in which every group of them comes up."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = folder / f"people-{rows}"
    if whole.exists():
        return whole
    written = folder / "written"
    for path in (whole, written):
        path.mkdir(parents=True, exist_ok=True)
    for number in range(math.ceil(rows / PER_FILE)):
        count = min(PER_FILE, rows - number * PER_FILE)
        seed = number % WRITTEN
        file = written / f"{seed}-{count}.parquet"
        if not file.exists():
            draw = np.random.default_rng(seed)
            columns = {
                "id": np.arange(count) + number * PER_FILE,
                "municipality": draw.integers(0, MUNICIPALITIES, count),
                "sex": pa.array(np.array(["f", "m"])[draw.integers(0, 2, count)]),
                "occupation": pa.array(np.array([f"o{one}" for one in range(OCCUPATIONS)])[draw.integers(0, OCCUPATIONS, count)]),
                "age": draw.integers(0, AGES, count),
                "note": draw.integers(0, 1 << 40, count),
                "income": np.round(draw.gamma(9.0, 5_000.0, count), 2),
                "expected": np.round(draw.normal(45_000.0, 9_000.0, count), 2),
            }
            pq.write_table(pa.table(columns), file)
        os.link(file, whole / f"{number:03}.parquet")
    return whole


def measured(command: list) -> dict:
    """Runs a process and waits for it; the figures are its own and those of its children."""
    before = time.monotonic()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 3, 4):
            print(done.stderr, file=sys.stderr)
        answer = {"cpu": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024, "code": done.returncode}
        os.write(writer, json.dumps(answer).encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    found = json.loads(os.read(reader, 4096))
    os.close(reader)
    return {**found, "clock": time.monotonic() - before}


DUCKDB = """
import sys, duckdb
connection = duckdb.connect()
connection.execute("SET threads = 2")
connection.execute(f"CREATE VIEW people AS SELECT * FROM read_parquet('{sys.argv[1]}/*.parquet')")
query = open(sys.argv[2]).read()
connection.execute(f"COPY ({query}) TO '{sys.argv[3]}' (FORMAT parquet)")
"""

SPARK = """
import pathlib, resource, sys
sys.path.insert(0, sys.argv[4])
from engines import Spark
import pyarrow.parquet
spark = Spark()
spark.load_folder(pathlib.Path(sys.argv[1]))
pyarrow.parquet.write_table(spark.query(open(sys.argv[2]).read()), sys.argv[3])
spark.close()
"""


def main() -> None:
    reader = argparse.ArgumentParser()
    reader.add_argument("privug")
    reader.add_argument("folder", type=pathlib.Path)
    reader.add_argument("rows", type=lambda text: int(float(text)), nargs="+")
    reader.add_argument("--prior-means", action="store_true", help="also with a prior mean of their own for everybody")
    reader.add_argument("--with", dest="engines", action="append", default=[], choices=["duckdb", "spark"])
    given = reader.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    script = given.folder / "release.py"
    script.write_text(SCRIPT)
    options = ["--secret", "people.income", "--prior", PRIOR]
    last: dict = {}

    def tell(what: str, rows: int, found: dict) -> None:
        growth = ""
        if what in last:
            before_rows, before = last[what]
            growth = f", exponent {math.log(found['cpu'] / before) / math.log(rows / before_rows):.2f}"
        last[what] = (rows, found["cpu"])
        print(f"{what}, {rows:.0e} rows: {found['cpu']:.1f} s of processor time, {found['clock']:.1f} s by the clock, "
              f"{found['peak_mb']:.0f} MB, exit {found['code']}{growth}", flush=True)  # fmt: skip

    for rows in given.rows:
        table = f"people={write(given.folder, rows)}"
        tell("embedded", rows, measured([given.privug, "audit", script, "--table", table, *options, "--json"]))
        if given.prior_means:
            own = ["--secret", "people.income", "--prior", OWN_PRIOR]
            tell("prior means of their own", rows, measured([given.privug, "audit", script, "--table", table, *own, "--json"]))
        for engine in given.engines:
            query, groups = given.folder / f"{engine}.sql", given.folder / f"groups-{engine}.parquet"
            plan = subprocess.run(
                [given.privug, "plan", script, "--table", table, *options, "--dialect", engine, "--json"],
                check=True, capture_output=True, text=True,
            )  # fmt: skip
            query.write_text(json.loads(plan.stdout)["group"])
            tests = pathlib.Path(__file__).parents[2] / "crates/privug-cli/tests/registers"
            code = DUCKDB if engine == "duckdb" else SPARK
            folder = table.partition("=")[2]
            tell(engine, rows, measured([sys.executable, "-c", code, folder, query, groups, tests]))
            tell(f"audit of {engine}'s groups", rows, measured([given.privug, "audit", script, "--groups", groups, *options, "--json"]))


if __name__ == "__main__":
    main()
