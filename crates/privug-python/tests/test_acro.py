"""Whatever ACRO flags in a table is flagged here too. `test.sh` runs this with the older pandas, which ACRO needs."""

from __future__ import annotations

import logging
import os
import warnings
from typing import AbstractSet, Any, Dict, Tuple

import numpy as np
import pandas as pd
import pytest

import privug

# On a machine that must test everything, a missing ACRO is an error and not a reason to skip.
if os.environ.get("CI") == "true":
    import acro
else:
    acro = pytest.importorskip("acro")

COUNTS = "import pandas as pd\n\ndef release(people):\n    return {'t': pd.crosstab(people.ward, people.x)}\n"
AMOUNTS = (
    "import pandas as pd\n\ndef release(people):\n"
    "    return {'t': pd.crosstab(people.ward, people.kind, values=people.money, aggfunc='sum')}\n"
)


def outcomes(*arguments: Any, **options: Any) -> "pd.DataFrame":
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            session = acro.ACRO(suppress=False)
            session.crosstab(*arguments, **options)
            return session.results.get_index(0).outcome
    finally:
        logging.disable(logging.NOTSET)


def verdicts(found: Any) -> Dict[str, str]:
    return dict(zip(found.figures["name"], found.figures["verdict"]))


def assert_flagged(flagged: "pd.DataFrame", ours: Dict[str, str], empty: AbstractSet[Tuple[str, str]] = frozenset()) -> int:
    """How many cells ACRO flags, all of which are flagged here; an empty cell of amounts is NaN, and no figure here."""
    count = 0
    for row, cells in flagged.iterrows():
        for column, outcome in cells.items():
            if str(outcome).strip() not in ("", "ok") and (row, column) not in empty:
                assert ours[f"t[{row}, {column}]"] in ("review", "fail"), (row, column, outcome)
                count += 1
    return count


@pytest.mark.parametrize("seed", range(8))
def test_every_count_that_acro_flags_is_flagged(seed: int) -> None:
    random = np.random.default_rng(seed)
    people = pd.DataFrame({
        "ward": random.choice(["A", "B", "C"], 90),
        "x": random.choice(["a", "a", "a", "b", "c"], 90),
    })
    flagged = outcomes(people.ward, people.x)
    found = privug.audit(COUNTS, people=people, secret="people.x", prior="Categorical(people.x.value_counts(normalize=True))")
    assert assert_flagged(flagged, verdicts(found)) > 0


def test_a_class_that_all_belong_to_is_flagged() -> None:
    people = pd.DataFrame({"ward": ["A"] * 30 + ["B"] * 30, "x": ["flu"] * 30 + ["flu"] * 15 + ["none"] * 15})
    flagged = outcomes(people.ward, people.x)
    found = privug.audit(COUNTS, people=people, secret="people.x", prior="Categorical({'flu': 0.5, 'none': 0.5})")
    assert assert_flagged(flagged, verdicts(found)) > 0
    assert "class_disclosure" in set(found.reasons["rule"])


@pytest.mark.parametrize("prior", ["Normal(mean=80, std=200)", "LogNormal(mean=40, std=30)"])
@pytest.mark.parametrize("seed", range(4))
def test_every_sum_that_acro_flags_is_flagged(seed: int, prior: str) -> None:
    random = np.random.default_rng(100 + seed)
    people = pd.DataFrame({
        "ward": random.choice(["A", "B", "C"], 120),
        "kind": random.choice(["x", "y", "z"], 120, p=[0.7, 0.2, 0.1]),
        "money": np.round(random.lognormal(3, 1.4, 120)),
    })
    flagged = outcomes(people.ward, people.kind, values=people.money, aggfunc="sum")
    checks = " ".join(str(cell) for cell in flagged.to_numpy().ravel())
    assert "MinimumThresholdCheck" in checks and "NKCheck" in checks
    found = privug.audit(AMOUNTS, people=people, secret="people.money", prior=prior)
    counts = pd.crosstab(people.ward, people.kind).stack()
    assert assert_flagged(flagged, verdicts(found), set(counts[counts == 0].index)) > 0
