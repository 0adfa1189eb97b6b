"""pandas' own tests of extension arrays, on secret columns. Values are compared by what they are for other secrets."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np
import pandas as pd
import pytest
from pandas.tests.extension import base
from pandas.tests.extension.conftest import (  # noqa: F401
    all_data, as_array, as_frame, as_series, box_in_series, data_repeated, fillna_method, groupby_apply_op, na_cmp, na_value,
    use_numpy,
)  # fmt: skip

import privug
from privug._privug import Forms
from privug._secret import SecretValue
from privug._secret_pandas import SecretColumn, SecretDtype

SECRETS = np.random.default_rng(7).normal(100, 30, 200)


def column(*numbers: int) -> SecretColumn:
    return SecretColumn(Forms.of_secrets(np.array(numbers, dtype=np.int64)), "y")


def at_secrets(value: Any) -> Any:
    """What a value is if the secrets are these."""
    if isinstance(value, (SecretValue, SecretColumn)):
        found = value._forms.at(SECRETS)
        return found if isinstance(value, SecretColumn) else found[0]
    if isinstance(value, pd.Series) and isinstance(value.dtype, SecretDtype):
        return pd.Series(at_secrets(value.array), index=value.index)
    return value


@pytest.fixture(autouse=True)
def compared(monkeypatch: Any) -> Iterator[None]:
    """The tests compare values, which functions under audit may not."""
    original = pd._testing.asserters.assert_extension_array_equal

    def equal(left: Any, right: Any, *inputs: Any, **options: Any) -> None:
        if isinstance(left, SecretColumn) and isinstance(right, SecretColumn):
            np.testing.assert_array_equal(left.isna(), right.isna())
            np.testing.assert_array_equal(at_secrets(left), at_secrets(right))
        else:
            original(left, right, *inputs, **options)

    for module in (pd._testing, pd._testing.asserters):
        monkeypatch.setattr(module, "assert_extension_array_equal", equal)
    monkeypatch.setattr(SecretValue, "__eq__", lambda self, other: at_secrets(self) == at_secrets(other))
    monkeypatch.setattr(SecretValue, "__ne__", lambda self, other: at_secrets(self) != at_secrets(other))
    monkeypatch.setattr(SecretColumn, "__eq__", lambda self, other: at_secrets(self) == at_secrets(other))
    yield


@pytest.fixture
def dtype() -> SecretDtype:
    return SecretDtype()


@pytest.fixture
def data() -> SecretColumn:
    return column(*range(10 if pd.__version__ >= "3.1" else 100))


@pytest.fixture
def data_missing() -> SecretColumn:
    return column(-1, 5)


@pytest.fixture
def data_for_sorting() -> SecretColumn:
    return column(1, 2, 0)


@pytest.fixture
def data_missing_for_sorting() -> SecretColumn:
    return column(1, -1, 0)


@pytest.fixture
def data_for_grouping() -> SecretColumn:
    return column(1, 1, -1, -1, 0, 0, 1, 2)


@pytest.fixture
def using_nan_is_na() -> bool:
    return True


@pytest.fixture
def invalid_scalar(data: Any) -> Any:
    return "a text"


class TestConstructors(base.BaseConstructorsTests):
    pass


class TestDtype(base.BaseDtypeTests):
    pass


class TestGetitem(base.BaseGetitemTests):
    pass


class TestSetitem(base.BaseSetitemTests):
    def test_loc_setitem_with_expansion_retains_ea_dtype(self, data: Any) -> None:  # type: ignore[override]
        with pytest.raises(privug.NotGaussianError, match="P802"):
            data.unique()


class TestInterface(base.BaseInterfaceTests):
    def test_contains(self, data: Any, data_missing: Any) -> None:  # type: ignore[override]
        assert np.nan in data_missing and np.nan not in data
        with pytest.raises(privug.NotGaussianError, match="P304"):
            data[0] in data

    def test_array_interface_copy(self, data: Any) -> None:
        # Versions of pandas differ in what they expect; an array of objects is always a new one.
        assert np.array(data, copy=True)[0] is not np.array(data)[0]
        with pytest.raises(ValueError, match="copy"):
            data.__array__(copy=False)


class TestMissing(base.BaseMissingTests):
    pass


class TestReshaping(base.BaseReshapingTests):
    @pytest.mark.parametrize("rows", [[0, 1], [0, 0]])
    def test_merge_on_extension_array(self, data: Any, rows: Any) -> None:  # type: ignore[override]
        frame = pd.DataFrame({"key": data.take(rows), "value": [1, 2]})
        with pytest.raises(privug.NotGaussianError, match="P802"):
            pd.merge(frame, frame, on="key")

    test_merge_on_extension_array_duplicates = test_merge_on_extension_array


class TestIndex(base.BaseIndexTests):
    pass
