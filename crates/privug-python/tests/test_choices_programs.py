"""Programs in the styles that people write them in, against CPython run once for each combination of choices."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import privug
import pytest
from choices_habits import PROGRAMS as OF_HABITS
from choices_idioms import PROGRAMS as IDIOMS
from choices_models import PROGRAMS as MODELS
from choices_more import PROGRAMS as MORE
from choices_objects import PROGRAMS as WITH_OBJECTS
from choices_oracle import disagreement, live_disagreement
from choices_others import PROGRAMS as OF_OTHERS
from choices_peers import PROGRAMS as OF_PEERS
from choices_programs import PROGRAMS
from choices_psi import PROGRAMS as OF_PSI
from choices_python import PROGRAMS as OF_PYTHON
from choices_releases import PROGRAMS as RELEASES
from choices_scripts import PROGRAMS as OF_SCRIPTS
from choices_shipped import PROGRAMS as SHIPPED
from choices_systems import PROGRAMS as SYSTEMS
from choices_tools import PROGRAMS as OF_TOOLS
from test_choices_oracle import analysed

IMPORTS = "from privug import Bernoulli, Binomial, Categorical, DiscreteUniform, Normal, condition\n"
# Python itself cannot run these to their end in each world: they fail where what was seen is not so, return lists of other
# lengths, or keep something for the next run. Or they observe a text that is taken for a name, or choose between tuples.
NOT_RUN = {
    "habit_count_ids",
    "habit_iterator_random_end",
    "habit_linked_stack",
    "habit_memo_decorator",
    "idiom_default_mutable",
    "idiom_dict_of_pairs",
    "idiom_generator_send_free",
    "idiom_global_counter",
    "idiom_nested_dict_update",
    "idiom_typing_protocol",
    "model_game_battleship",
    "more_dict_items_sorted",
    "more_star_middle",
    "release_k_anonymity_generalise_zip",
    "release_rr_kary_unary",
    "script_crowds_while",
    "script_group_by_dict",
    "script_group_testing",
    "script_invert_dict",
    "script_most_common_two",
    "script_older_than",
    "script_unique_in_order",
    "system_class_bank_exceptions",
    "system_ethernet_collision",
    "system_voting_borda_tiebreak",
    "system_voting_weighted_quota",
}
NEW = {**OF_SCRIPTS, **OF_HABITS, **MORE, **OF_TOOLS, **RELEASES, **MODELS, **SYSTEMS, **IDIOMS}
RUN = {**OF_PSI, **OF_OTHERS, **OF_PYTHON, **{name: NEW[name] for name in NEW if name not in NOT_RUN}}
ALL = {**PROGRAMS, **WITH_OBJECTS, **SHIPPED, **OF_PEERS, **RUN, **NEW}


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
