"""Codes such as `0301` in files: the number 301 does not tell how they are written, and a script that reads texts must not get `301`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, List

import pandas as pd
import pytest

import privug
from conftest import command_line
from live_corpus import agrees
from privug._live_audit import Tables
from privug._live_script import ScriptRun

CODES = ["0301", "1103", "0301", "4601", "1103", "0301", "4601", "4601"]

SCRIPT = """import pandas as pd

df = pd.read_csv("data/people.csv", dtype={"code": str})
capital = df[df["code"] == "0301"]
print(capital["income"].sum())
print(df.groupby("code")["income"].mean())
"""


def on_disk(folder: Path) -> Path:
    path = folder / "people.csv"
    people = pd.DataFrame({"code": CODES, "place": [" 1", "+2", "3", "4", "5", "6", "7", "-0"], "income": range(100, 900, 100)})
    people.to_csv(path, index=False)
    return path


def prepared(file: Path) -> Tables:
    tables = Tables({"people": pd.read_csv(file)}, ["people.income"], [("people", str(file))])
    tables.spelled.load(tables.frames, tables.files)
    return tables


def test_a_script_that_reads_codes_as_texts_has_them_live(tmp_path: Path) -> None:
    tables = prepared(on_disk(tmp_path))
    published = agrees(ScriptRun(str(tmp_path / "script.py"), SCRIPT, tables), tables)
    names = [name for name, _, _ in published.figures]
    assert len(names) == 4 and any("0301" in name for name in names[1:])


@pytest.mark.parametrize("type_", ["str", '"string"', "object", '"category"', '{"code": "category"}'])
def test_all_ways_to_ask_for_texts_give_them_live(type_: str, tmp_path: Path) -> None:
    tables = prepared(on_disk(tmp_path))
    script = SCRIPT.replace('{"code": str}', type_).replace('df["code"] ==', 'df["code"].astype(str) ==')
    script = script.replace("capital = ", 'df["income"] = df["income"].astype(float)\ncapital = ').replace('groupby("code")', 'groupby("code", observed=True)')
    run = ScriptRun(str(tmp_path / "script.py"), script, tables)
    assert len(agrees(run, tables).figures) == 4


def test_numbers_that_are_given_without_their_file_are_no_texts(tmp_path: Path) -> None:
    people = pd.read_csv(on_disk(tmp_path))
    with pytest.raises(privug.ProgramError) as caught:
        privug.audit(SCRIPT, people=people, secret="people.income", prior="Normal(400, std=200)", live=True)
    found = caught.value.diagnostics[0]
    assert (found["code"], found["start"]["line"]) == ("P205", 3)
    assert "code" in found["message"] and "dtype" in found["hint"]
    texts = people.assign(code=CODES)
    assert len(privug.audit(SCRIPT, people=texts, secret="people.income", prior="Normal(400, std=200)", live=True).figures) == 4


def values(folder: Path, script: str) -> List[Any]:
    path = folder / "script.py"
    path.write_text(script)
    arguments = [str(command_line()), "audit", str(path), "--json", "--table", f"people={folder / 'people.csv'}"]
    done = subprocess.run([*arguments, "--secret", "people.income", "--prior", "Normal(400, std=200)"], capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert "diagnostics" not in found, found
    return [(figure["name"], figure["value"]) for figure in found["figures"]]


def test_a_script_that_reads_codes_as_texts_has_them_from_source(tmp_path: Path) -> None:
    on_disk(tmp_path)
    found = values(tmp_path, SCRIPT)
    assert found[0][1] == 100 + 300 + 600
    assert "0301" in found[1][0]
    spelled = SCRIPT.replace('"code": str', '"place": str').replace('df["code"] == "0301"', 'df["place"] == "+2"').replace('"code"', '"place"')
    assert values(tmp_path, spelled)[0][1] == 200


def test_without_types_codes_are_numbers_as_in_pandas(tmp_path: Path) -> None:
    on_disk(tmp_path)
    numbers = SCRIPT.replace(', dtype={"code": str}', "").replace('== "0301"', "== 301")
    assert values(tmp_path, numbers)[0][1] == 100 + 300 + 600


def test_dates_columns_and_the_index_are_read_as_pandas_does(tmp_path: Path) -> None:
    days = pd.date_range("2024-01-01", periods=12, freq="10D").strftime("%Y-%m-%d")
    people = pd.DataFrame({"day": days, "area": list("ab") * 6, "note": "x", "income": [float(place * place) for place in range(12)]})
    for read in (
        'df = pd.read_csv("people.csv", index_col=0, parse_dates=True)',
        'df = pd.read_csv("people.csv", usecols=[0, 1, 3], index_col="day", parse_dates=["day"])',
        'df = pd.read_csv("people.csv", usecols=lambda name: name != "note", parse_dates=[0]).set_index("day")',
        'df = pd.read_csv("people.csv", index_col=[0], parse_dates=[0])',
    ):
        tables = Tables({"people": people}, ["people.income"])
        script = f'import pandas as pd\n{read}\nprint(df["income"].resample("MS").sum())\n'
        assert len(agrees(ScriptRun(str(tmp_path / "script.py"), script, tables), tables).figures) == 4


def test_a_decimal_in_a_query_is_the_one_in_the_query(tmp_path: Path) -> None:
    # Where the query's number would stand if the query were the file, there is another number.
    script = '"Hours: 10.5 or more"\nimport pandas as pd\n\ndf = pd.read_csv("people.csv")\nprint(df.query("hours > 37.5").income.sum())\n'
    pd.DataFrame({"hours": [20.0, 40.0, 41.0, 5.0], "income": [100, 200, 300, 1000]}).to_csv(tmp_path / "people.csv", index=False)
    assert values(tmp_path, script)[0][1] == 500


SPACED = """import pandas as pd

df = pd.read_csv("people.csv", skipinitialspace=True)
print(df[df["sex"] == "M"]["income"].sum())
"""


@pytest.mark.parametrize("is_spaced", [False, True])
def test_spaces_before_texts_are_not_skipped_without_a_word(is_spaced: bool, tmp_path: Path) -> None:
    file, script = tmp_path / "people.csv", tmp_path / "script.py"
    file.write_text("id,sex,income\n" + "".join(f"{place},{' ' if is_spaced and place < 3 else ''}{'MF'[place % 2]},{100 * place}\n" for place in range(1, 9)))
    script.write_text(SPACED)
    arguments = ["--table", str(file), "--secret", "people.income", "--prior", "Normal(500, std=200)", "--json"]
    found = json.loads(subprocess.run([str(command_line()), "audit", str(script), *arguments], capture_output=True, text=True).stdout)
    tables = Tables({"people": pd.read_csv(file)}, ["people.income"])
    run = ScriptRun(str(script), SPACED, tables)
    if is_spaced:
        assert found["diagnostics"][0]["code"] == "P408" and "sex" in found["diagnostics"][0]["message"]
        with pytest.raises(privug.ProgramError, match="skipinitialspace"):
            run.on_secrets()
    else:
        assert [figure["value"] for figure in found["figures"]] == [2000.0]
        assert agrees(run, tables).figures
