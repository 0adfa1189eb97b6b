"""Programs in the styles that people write them in, against CPython run once for each combination of choices."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import privug
import pytest
from choices_objects import PROGRAMS as WITH_OBJECTS
from choices_oracle import disagreement, live_disagreement
from choices_others import PROGRAMS as OF_OTHERS
from choices_peers import PROGRAMS as OF_PEERS
from choices_programs import PROGRAMS
from choices_psi import PROGRAMS as OF_PSI
from choices_python import PROGRAMS as OF_PYTHON
from choices_shipped import PROGRAMS as SHIPPED
from test_choices_oracle import analysed

IMPORTS = "from privug import Bernoulli, Binomial, Categorical, DiscreteUniform, Normal, condition\n"
RUN = {**OF_PSI, **OF_OTHERS, **OF_PYTHON}
ALL = {**PROGRAMS, **WITH_OBJECTS, **SHIPPED, **OF_PEERS, **RUN}


@pytest.mark.parametrize("name", sorted(ALL))
def test_programs_as_people_write_them_are_answered_as_by_enumeration(name: str) -> None:
    program = ALL[name]
    found = disagreement(IMPORTS + program, analysed)
    assert not found, f"{found}\n{program}"


@pytest.mark.parametrize("name", sorted(RUN))
def test_the_same_programs_are_answered_when_they_are_run(name: str, tmp_path: Path) -> None:
    source = IMPORTS + RUN[name]
    path = tmp_path / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        document = privug.analyze(module.f).to_dict()
    except ValueError as error:
        # Too many combinations are told.
        assert "P609: the function inspects more than 4096 combinations" in str(error), f"{error}\n{source}"
        return
    found = live_disagreement(source, document)
    assert not found, f"{found}\n{source}"
