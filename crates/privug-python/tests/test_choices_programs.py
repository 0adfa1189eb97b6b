"""Programs in the styles that people write them in, against CPython run once for each combination of choices."""

from __future__ import annotations

import pytest
from choices_objects import PROGRAMS as WITH_OBJECTS
from choices_oracle import disagreement
from choices_peers import PROGRAMS as OF_PEERS
from choices_programs import PROGRAMS
from choices_shipped import PROGRAMS as SHIPPED
from test_choices_oracle import analysed

IMPORTS = "from privug import Bernoulli, Binomial, Categorical, DiscreteUniform, Normal, condition\n"


@pytest.mark.parametrize("name", sorted({**PROGRAMS, **WITH_OBJECTS, **SHIPPED, **OF_PEERS}))
def test_programs_as_people_write_them_are_answered_as_by_enumeration(name: str) -> None:
    program = {**PROGRAMS, **WITH_OBJECTS, **SHIPPED, **OF_PEERS}[name]
    found = disagreement(IMPORTS + program, analysed)
    assert not found, f"{found}\n{program}"
