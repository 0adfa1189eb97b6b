"""Ways to publish beside what is audited: a program's own texts, messages, files, attributes, variables, last digits."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import pathlib
import sqlite3
import sys
import threading
import zipfile
from typing import Any, List

import numpy as np
import pandas as pd
import pytest

import live_corpus
import privug
from live_corpus import snippets
from privug._live_audit import Run, Tables
from privug._live_paired import Paired
from privug._live_script import ScriptRun

KEPT: List[Any] = []
FACTOR = 2.0
BOX = {"name": "constants", "rates": [0.1, 0.2]}


def people() -> pd.DataFrame:
    generator = np.random.default_rng(7)
    count = 40
    return pd.DataFrame(
        {
            "id": range(count),
            "sex": ["m", "f"] * (count // 2),
            "age": generator.integers(20, 70, count),
            "income": np.round(generator.normal(500, 120, count), 1),
        }
    )


def script(text: str, frame: Any = None, files: Any = ()) -> Paired:
    """A script that reads its table, and does what `text` says."""
    tables = Tables({"p": people() if frame is None else frame}, ["p.income"], files)
    head = 'import sys\nimport numpy as np\nimport pandas as pd\np = pd.read_csv("data/p.csv")\nprint(p.income.mean())\n'
    run = ScriptRun("<source>", head + text, tables)
    return Paired(run, tables, run.on_secrets(), run.publish(tables.real()))


def function(release: Any, frame: Any = None) -> Paired:
    tables = Tables({"p": people() if frame is None else frame}, ["p.income"])
    run = Run(release, tables)
    return Paired(run, tables, run.on_secrets(), run.publish(tables.real()))


def reason(caught: Any) -> Any:
    return caught.value.diagnostics[0]


TELLING = [
    'm = p.income.mean()\nprint("high" if isinstance(m, float) and m > 400 else "low")\n',
    'for c in p.columns:\n    if p[c].dtype == float and p[c].max() > 650:\n        print("outlier")\n',
    'import numbers\nfor x in p.income:\n    if isinstance(x, numbers.Number) and x > 600:\n        print("rich")\n',
    'words = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "."]\nx = p.income.iloc[3]\n'
    'for c in str(x) if isinstance(x, float) else "":\n    print(words["0123456789.".index(c)])\n',
    'if isinstance(p.income.iloc[3], float) and p.income.iloc[3] > 300:\n    sys.exit(0)\nprint("low")\n',
]


@pytest.mark.parametrize("text", TELLING)
def test_texts_of_the_script_that_only_numbers_let_it_print_are_refused(text: str) -> None:
    with pytest.raises(privug.ProgramError) as caught:
        script(text)
    assert reason(caught)["code"] == "P808"


def test_a_text_that_no_real_value_lets_it_print_is_refused_as_well() -> None:
    # Nobody is above a million: the silence would tell that.
    text = 'if p.income.dtype == float and p.income.max() > 1e3:\n    print("outlier")\n'
    assert people().income.max() < 1e3
    with pytest.raises(privug.ProgramError) as caught:
        script(text)
    assert reason(caught)["code"] == "P808" and reason(caught)["start"]["line"] == 7
    with pytest.raises(privug.ProgramError) as caught:
        script('if p.income.dtype == float and (p.income < 0).any():\n    print("negative")\n')
    assert reason(caught)["code"] == "P808"


def test_texts_of_the_script_that_are_always_the_same_are_harmless() -> None:
    found = script('print("Report")\nprint("f and m:", p.groupby("sex").income.mean())\nprint()\nprint("Report")\n')
    assert len(found.figures) == 3 and not found.unexamined


def test_texts_of_the_script_that_public_columns_choose_are_left_to_a_person() -> None:
    found = script('print("old" if p.age.max() > p.age.iloc[5:].max() else "young")\nprint("n" if len(p) == 40 else "m")\n')
    assert [kind for _, kind, _ in found.unexamined] == ["a text"]


@pytest.mark.parametrize(
    "text",
    [
        'x = p.income.iloc[3]\nprint("a", "b", sep=str(x) if isinstance(x, float) else "")\n',
        'x = p.income.iloc[3]\nprint("", end=str(x) if isinstance(x, float) else "")\n',
        'x = p.income.iloc[3]\nif isinstance(x, float):\n    sys.stderr.write(str(x))\n',
        'x = p.income.iloc[3]\nif isinstance(x, float):\n    sys.__stderr__.write(str(x))\n',
        'x = p.income.iloc[3]\nif isinstance(x, float):\n    sys.stdout.buffer.write(str(x).encode())\n',
        'import logging\nx = p.income.iloc[3]\nif isinstance(x, float):\n    logging.warning("%s", x)\n',
        'import warnings\nx = p.income.iloc[3]\nif isinstance(x, float):\n    warnings.warn(str(x))\n',
    ],
)
def test_what_stands_between_prints_and_in_messages_is_compared(text: str) -> None:
    with pytest.raises(privug.ProgramError) as caught:
        script(text)
    assert reason(caught)["code"] == "P808"


@pytest.mark.parametrize(
    "text", ['print("a", end=str(p.age.max()))\n', 'print("a", "b", sep=str(p.age.max()))\n', "sys.stderr.write(str(p.age.max()))\n"]
)
def test_what_stands_between_prints_and_in_messages_is_published(text: str) -> None:
    assert len(script(text).unexamined) == 1


def test_figures_in_messages_are_figures() -> None:
    assert len(script('sys.stderr.write(f"{p.groupby(\'sex\').income.sum().iloc[0]:.1f}")\n').figures) == 2


def test_messages_that_stand_in_the_script_are_harmless() -> None:
    import logging

    before = list(logging.getLogger().handlers)
    found = script('import logging, warnings\nprint("x", sep=": ", end="\\n", file=sys.stderr)\nlogging.warning("done")\nwarnings.warn("old")\n')
    assert len(found.figures) == 1 and not found.unexamined
    assert logging.getLogger().handlers == before


@pytest.mark.parametrize(
    "read",
    [
        'open("data/p.csv").read()', 'np.loadtxt("data/p.csv", delimiter=",", skiprows=1, usecols=[3])', 'np.genfromtxt("data/p.csv")',
        'list(__import__("csv").reader(open("data/p.csv")))', '__import__("pathlib").Path("data/p.csv").read_text()',
        '__import__("sqlite3").connect("data/p.db")', 'open("data/other.csv").read()',
    ],
)  # fmt: skip
def test_the_file_of_a_table_is_read_by_pandas_alone(read: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    for name in ("p.csv", "other.csv"):
        people().to_csv(tmp_path / "data" / name, index=False)
    (tmp_path / "data" / "p.db").touch()
    (tmp_path / "data" / "notes.txt").write_text("5")
    text = f'try:\n    a = {read}\nexcept Exception:\n    a = 1\nprint("done")\n'
    with pytest.raises(privug.ProgramError, match="pandas") as caught:
        script(text, files=[("p", str(tmp_path / "data" / "other.csv"))])
    assert (reason(caught)["code"], reason(caught)["start"]["line"]) == ("P205", 7)
    assert script('a = open("data/notes.txt").read()\nprint("done")\n').figures


def with_attrs(p: Any) -> Any:
    found = p.groupby("sex").income.mean()
    found.attrs["leak"] = p.income.iloc[3]
    return found


def with_attribute(p: Any) -> Any:
    found = p.groupby("sex")[["income"]].mean()
    object.__setattr__(found, "leak", p.income.iloc[3])
    return found


class Carrying(dict):  # type: ignore[type-arg]
    """A dictionary with attributes."""


def with_a_dictionary(p: Any) -> Any:
    found = Carrying(mean=p.income.mean())
    found.extra = p.income.iloc[3]  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize("release", [with_attrs, with_attribute, with_a_dictionary])
def test_what_tables_and_dictionaries_carry_beside_what_they_show_is_refused(release: Any) -> None:
    with pytest.raises(privug.ProgramError) as caught:
        function(release)
    assert reason(caught)["code"] == "P901"


def test_what_a_written_table_carries_is_refused_and_public_attributes_are_published() -> None:
    with pytest.raises(privug.ProgramError) as caught:
        script('d = p.groupby("sex")[["income"]].mean()\nd.attrs["leak"] = p.income.iloc[3]\nd.to_parquet("a.parquet")\n')
    assert reason(caught)["code"] == "P901"

    def real_only(p: Any) -> Any:
        found, x = p.groupby("sex").income.mean(), p.income.iloc[3]
        if isinstance(x, float):
            found.attrs["leak"] = x
        return found

    with pytest.raises(privug.ProgramError, match="leak"):
        function(real_only)


def in_a_list(p: Any) -> Any:
    KEPT.append(p.income.iloc[3])
    return p.income.mean()


def in_a_variable(p: Any) -> Any:
    global KEPT
    KEPT = p.income
    return p.income.mean()


def in_an_attribute(p: Any) -> Any:
    in_an_attribute.leak = p.income.iloc[3]  # type: ignore[attr-defined]
    return p.income.mean()


def in_a_module(p: Any) -> Any:
    sys.leak = p.income.iloc[3]  # type: ignore[attr-defined]
    return p.income.mean()


def in_a_default(p: Any, kept: List[Any] = []) -> Any:  # noqa: B006
    kept.append(p.income.iloc[3])
    return p.income.mean()


def as_a_number(p: Any) -> Any:
    x = p.income.iloc[3]
    BOX["last"] = x if isinstance(x, float) else 0.0
    return p.income.mean()


@pytest.mark.parametrize("release", [in_a_list, in_a_variable, in_an_attribute, in_a_module, in_a_default, as_a_number])
def test_what_a_function_keeps_of_the_secret_is_refused(release: Any) -> None:
    global KEPT
    try:
        with pytest.raises(privug.ProgramError) as caught:
            function(release)
    finally:
        KEPT = []
        vars(sys).pop("leak", None)
        vars(in_an_attribute).clear()
        in_a_default.__defaults__[0].clear()  # type: ignore[index]
        BOX.pop("last", None)
    assert reason(caught)["code"] == "P901"


def test_a_function_may_use_the_variables_of_its_notebook() -> None:
    def release(p: Any) -> Any:
        part = p[p.age > 30]
        return part.income.mean() * FACTOR * BOX["rates"][1]  # type: ignore[operator]

    assert len(function(release).figures) == 1
    # A script's own variables may hold secrets.
    assert len(script("everything = [p, p.income.iloc[3]]\n").figures) == 1


def test_a_rounded_figure_is_the_rounded_value_itself() -> None:
    def swapped(p: Any) -> Any:
        mean = p.income.mean()
        return float(p.income.max()) if isinstance(mean, float) else mean.round(-3)

    with pytest.raises(privug.ProgramError) as caught:
        function(swapped)
    assert reason(caught)["code"] == "P808"
    assert function(lambda p: round(p.income.mean(), -2) * 3 + 0.25).figures
    assert function(lambda p: f"{p.income.mean():.0e} {round(p.income.mean(), 1):.2f}").figures


def test_the_last_digits_have_no_room_for_a_secret() -> None:
    def hidden(p: Any) -> Any:
        mean, x = p.income.mean(), p.income.iloc[3]
        return round(mean, 4) + x * 1e-10 if isinstance(x, float) else mean

    with pytest.raises(privug.ProgramError) as caught:
        function(hidden)
    assert reason(caught)["code"] == "P808"


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e12])
def test_sums_of_many_values_are_the_same_to_rounding(scale: float) -> None:
    generator = np.random.default_rng(3)
    frame = pd.DataFrame({"g": np.arange(30_000) % 7, "income": generator.lognormal(3, 2, 30_000) * scale})

    def release(p: Any) -> Any:
        total = p.income.sum()
        return {"total": total, "others": total - p.income.iloc[:29_000].sum(), "mean": p.groupby("g").income.mean()}

    assert len(function(release, frame).figures) == 9


def test_public_numbers_are_the_same_to_the_last_digit_whatever_the_secret_is() -> None:
    for number in (lambda x: 10**15 + int(x), lambda x: 40 + x * 1e-14, lambda x: 1 if x > 300 else 1.0):

        def release(p: Any) -> Any:
            x = p.income.iloc[3]
            return {"mean": p.income.mean(), "n": number(x if isinstance(x, float) else 0)}

        with pytest.raises(privug.ProgramError) as caught:
            function(release)
        assert reason(caught)["code"] == "P808"


@pytest.mark.parametrize("kind", ["int64", "Int64", "Float64", "float64", "uint8", "bool", "object"])
def test_columns_of_all_types_are_run_on_other_values(kind: str) -> None:
    frame = people()
    frame["income"] = (frame.income > 500 if kind == "bool" else frame.income // 4).astype(kind)
    tables = Tables({"p": frame}, ["p.income"])
    for sign in (1, -1):
        made, truths = tables.other(sign)
        assert made["p"].income.dtype == frame.income.dtype
        assert (truths != tables.truths).any() and (made["p"].income.astype(float) == truths).all()
    found = function(lambda p: {"all": p.income.sum(), "mean": p.groupby("sex").income.mean()}, frame)
    assert len(found.figures) == 3


def test_the_figure_that_is_not_in_both_runs_is_named() -> None:
    def sorted_by_value(p: Any) -> Any:
        means = p.groupby("sex").income.mean().to_dict()
        return dict(sorted(means.items(), key=lambda item: -item[1] if isinstance(item[1], float) else 0))

    frame = people()
    frame["income"] += frame.sex.map({"m": 500.0, "f": 0.0})
    with pytest.raises(privug.ProgramError, match="in a different order: `f` has a different position"):
        function(sorted_by_value, frame)
    with pytest.raises(privug.ProgramError, match="`leak` is not in both runs"):
        script('x = p.income.iloc[3]\nif isinstance(x, float):\n    open("leak.bin", "w").write(str(x))\n')


@pytest.mark.parametrize(
    "text, named",
    [
        ("p.income.max()", "`max`"), ("p.income.std()", "`std`"), ("p.groupby('sex').income.median()", "`median`"),
        ("p.max(numeric_only=True)", "`max`"), ("p.income > 650", "`>`"), ("p.income.iloc[3] <= 400", "`<=`"),
        ("p[['income', 'age']] != 400", "`!=`"), ("pd.Series([1.0], name=p.income.iloc[3])", "`Series`"),
        ("p.income.iloc[3].is_integer()", "`is_integer`"), ("p.set_index('income').age", "label"),
    ],
)  # fmt: skip
def test_a_refusal_names_what_the_analyst_wrote(text: str, named: str) -> None:
    with pytest.raises(privug.ProgramError) as caught:
        script(f"x = {text}\nprint(x)\n")
    found = reason(caught)
    assert named in found["message"] and "income" in found["message"] and found["code"].startswith("P3"), found


def test_what_a_database_cannot_take_is_refused_at_its_line() -> None:
    text = 'import sqlite3\ncon = sqlite3.connect(":memory:")\ncon.execute("create table t (x)")\ncon.executemany("insert into t values (?)", [(x,) for x in p.income])\n'
    with pytest.raises(privug.ProgramError, match="executemany") as caught:
        script(text)
    assert reason(caught)["start"]["line"] == 9


def test_points_in_the_colours_of_the_secret_publish_it() -> None:
    pytest.importorskip("matplotlib")
    for option in ("c", "s"):
        found = script(f"import matplotlib.pyplot as plt\nplt.scatter([1] * len(p), [2] * len(p), {option}=p.income)\n")
        assert len(found.figures) == 41


def ledger(path: pathlib.Path) -> privug.Ledger:
    return privug.Ledger(path, p=people(), secret="p.income", prior="Normal(500, std=100)", person="id")


def test_an_error_after_a_release_does_not_make_the_ledger_forget_it(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "ledger.json"
    with pytest.raises(KeyError):
        with ledger(file) as book:
            assert book.publish("all", book.p.income.sum()).verdict == "pass"
            assert [each["name"] for each in json.loads(file.read_text())["releases"]] == ["all"]
            raise KeyError("the next cell")
    with ledger(file) as book:
        assert book.publish("without", book.p[book.p.id != 3].income.sum()).verdict == "fail"
        book.withdraw("without")
    assert [each["name"] for each in json.loads(file.read_text())["releases"]] == ["all"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["ledger.html", "ledger.json"]


def test_a_ledger_that_somebody_else_changed_is_not_overwritten(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "ledger.json"
    one, other = ledger(file), ledger(file)
    with other:
        other.publish("all", other.p.income.sum())
    with one:
        with pytest.raises(ValueError, match="has changed since it was read"):
            one.publish("without", one.p[one.p.id != 3].income.sum())
    with pytest.raises(ValueError, match="has changed since it was read"):
        one.save()
    assert [each["name"] for each in json.loads(file.read_text())["releases"]] == ["all"]


OUTSIDE = [
    "import subprocess\nsubprocess.run(['true'])",
    "import os\nos.system('true')",
    "import socket\ntry:\n    socket.socket().connect(('127.0.0.1', 9))\nexcept OSError:\n    pass",
    "import atexit\natexit.register(lambda: print(total))",
    "import ctypes\nctypes.CDLL(None)",
]


@pytest.mark.parametrize("text", OUTSIDE)
def test_what_leaves_the_program_is_refused_also_if_the_script_goes_on(text: str, tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script.py"
    guarded = "\n".join(f"    {line}" for line in text.splitlines())
    head = "import pandas as pd\npeople = pd.read_csv('people.csv')\ntotal = people.income.sum()\n"
    script.write_text(f"{head}try:\n{guarded}\nexcept Exception:\n    pass\nprint(total)\n")
    with pytest.raises(privug.ProgramError) as caught:
        privug.audit(str(script), live=True, people=people(), secret="people.income", prior="Normal(500, std=100)", person="id")
    assert caught.value.diagnostics[0]["code"] == "P901"


def test_a_function_that_starts_a_program_is_refused() -> None:
    def release(people: Any) -> Any:
        import subprocess

        subprocess.run(["true"])
        return people.income.sum()

    with pytest.raises(privug.ProgramError, match="P901"):
        privug.audit(release, people=people(), secret="people.income", prior="Normal(500, std=100)", person="id")


def test_the_file_of_a_table_is_not_read_by_compiled_code(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("pyarrow")
    people().to_parquet(tmp_path / "people.parquet")
    script = tmp_path / "script.py"
    read = f"import pyarrow.parquet as pq\nprint(len(pq.read_table({str(tmp_path / 'people.parquet')!r})['income'].to_pylist()))"
    script.write_text(f"import pandas as pd\npeople = pd.read_csv('people.csv')\nprint(people.income.sum())\n{read}\n")
    with pytest.raises(privug.ProgramError) as caught:
        privug.audit(str(script), live=True, people=people(), secret="people.income", prior="Normal(500, std=100)", person="id")
    assert (caught.value.diagnostics[0]["code"], caught.value.diagnostics[0]["start"]["line"]) == ("P205", 5)


def test_what_is_written_with_a_path_is_published(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import pathlib\nimport pandas as pd\npeople = pd.read_csv('people.csv')\n"
        "pathlib.Path('out.txt').write_text(f'{people.income.sum():.1f}')\nprint(sum(map(float, people.income)))\n"
    )
    found = privug.audit(str(script), live=True, people=people(), secret="people.income", prior="Normal(500, std=100)", person="id")
    assert len(found.figures) == 2 and not pathlib.Path("out.txt").exists()


HELPERS = {
    "helper_open.py": "PEOPLE = open('p.csv').read().splitlines()\nRICH = [int(line.split(',')[0]) for line in PEOPLE[1:] if float(line.split(',')[-1]) > 480]\n",
    "helper_system.py": "import os\nos.system('true')\n",
    "helper_print.py": "def show(p):\n    print(p.income.iloc[3])\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: Any) -> pathlib.Path:
    """The table's file, copies of it under other names and in other formats, and modules beside the script."""
    made = tmp_path_factory.mktemp("beside")
    frame = people()
    for name in ("p.csv", "backup.csv", "backup.csv.gz"):
        frame.to_csv(made / name, index=False)
    frame.to_json(made / "backup.json")
    frame.to_pickle(made / "backup.pkl")
    np.save(made / "backup.npy", frame.income.to_numpy())
    (made / "f.bin").write_text("x")
    for name, text in HELPERS.items():
        (made / name).write_text(text)
    with zipfile.ZipFile(made / "backup.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(made / "backup.csv", "backup.csv")
    with contextlib.closing(sqlite3.connect(made / "backup.db")) as connection:
        frame.to_sql("p", connection)
    if importlib.util.find_spec("pyarrow") is not None:
        frame.to_parquet(made / "backup.parquet")
    return made


@pytest.mark.parametrize("head, text", snippets("live_beside.txt"), ids=lambda each: each[0] if isinstance(each, list) else "")
def test_what_is_shown_beside_a_release_is_seen_or_refused(head: List[str], text: str, folder: pathlib.Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(folder)
    for package in ("pyarrow", "duckdb", "jinja2", "matplotlib", "IPython"):
        if package in text or (package == "jinja2" and ".style" in text) or (package == "pyarrow" and "parquet" in text):
            pytest.importorskip(package)
    name, expected = head
    path = folder / f"{name}_program.py"
    is_function = "def release(p" in text
    path.write_text(text if is_function else f"import pandas as pd\np = pd.read_csv('p.csv')\n{text}")
    tables = Tables({"p": people()}, ["p.income"])
    def published() -> Paired:
        run: Any
        if is_function:
            module = live_corpus.load(path)
            module.ORIGINAL = people()
            run = Run(module.release, tables)
            run.check_copies()
        else:
            run = ScriptRun(str(path), path.read_text(), tables)
        return Paired(run, tables, run.on_secrets(), run.publish(tables.real()))

    if expected == "seen":
        assert [3] in [part.terms(0)[0].tolist() for part in published().parts]
        return
    with pytest.raises(privug.ProgramError) as caught:
        published()
    assert reason(caught)["code"] == expected
    assert not list(folder.glob("leak*"))


def test_a_script_imports_the_modules_beside_it_anew_for_each_run(tmp_path: pathlib.Path) -> None:
    people().to_csv(tmp_path / "p.csv", index=False)
    (tmp_path / "loaded_beside.py").write_text(f"import pandas as pd\ndf = pd.read_csv({str(tmp_path / 'p.csv')!r})\n")
    path = tmp_path / "script.py"
    path.write_text("from loaded_beside import df\nprint(df.groupby('sex').income.mean())\n")
    tables = Tables({"p": people()}, ["p.income"])
    run = ScriptRun(str(path), path.read_text(), tables)
    assert len(Paired(run, tables, run.on_secrets(), run.publish(tables.real())).figures) == 2
    assert "loaded_beside" not in sys.modules and str(tmp_path) not in sys.path


def test_a_function_may_fill_a_cache_and_read_public_files(tmp_path: pathlib.Path) -> None:
    lookup = tmp_path / "names.csv"
    lookup.write_text("sex,label\nm,men\nf,women\n")
    cache: Any = {}

    def release(p: Any) -> Any:
        if "names" not in cache:
            cache["names"] = pd.read_csv(lookup)
        print("Means")
        return p.merge(cache["names"], on="sex").groupby("label").income.mean()

    found = function(release)
    assert len(found.figures) == 2 and not found.unexamined


@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="the system does not count what is written")
def test_what_other_threads_write_meanwhile_is_not_the_programs() -> None:
    from privug import _live_writing

    stop = threading.Event()

    def write() -> None:
        with open(os.devnull, "wb", buffering=0) as nowhere:
            while not stop.is_set():
                nowhere.write(b"12345678")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        others = {writer.native_id or 0}
        for _ in range(300):
            before = _live_writing.written_bytes(others, afterwards=False)
            after = _live_writing.written_bytes(others, afterwards=True)
            assert before is not None and after is not None and after <= before
    finally:
        stop.set()
        writer.join()
