"""Secret columns of pandas' tables: an extension array whose elements are affine forms."""

from __future__ import annotations

import sys
from typing import Any, List, Optional

import numpy as np
import pandas
from pandas.api.extensions import ExtensionArray, ExtensionDtype, register_extension_dtype

from ._privug import Forms
from ._secret import SecretValue, binary, compared, decides, joined, needs_values, not_linear, numbers, objects, refused, secret
from ._secret_array import SecretArray


@register_extension_dtype
class SecretDtype(ExtensionDtype):
    """The type of secret columns."""

    name = "privug"
    type = SecretValue
    na_value = np.nan
    _metadata = ()

    @classmethod
    def construct_array_type(cls) -> Any:
        """The class of the columns."""
        return SecretColumn

    @property
    def _is_numeric(self) -> bool:
        return True

    def _get_common_dtype(self, dtypes: Any) -> Optional[Any]:
        def fits(dtype: Any) -> bool:
            return isinstance(dtype, SecretDtype) or getattr(dtype, "kind", "O") in "biuf"

        return self if all(map(fits, dtypes)) else None


class SecretColumn(ExtensionArray):
    """A column that depends on secrets; pandas computes with it, and nobody can look into it."""

    __array_priority__ = 1000

    def __init__(self, forms: Forms, label: str) -> None:
        # Views hold the same two, and see what is written into each other.
        self._held: List[Any] = [forms, label]

    @property
    def _forms(self) -> Forms:
        return self._held[0]

    @property
    def label(self) -> str:
        """What the secrets are called."""
        return self._held[1]

    def view(self, dtype: Any = None) -> Any:
        """The same column, which changes with this one."""
        if dtype is not None:
            raise NotImplementedError(dtype)
        other = self._with(self._forms)
        other._held = self._held
        if self._is_readonly():
            other._readonly = True  # type: ignore[attr-defined]
        return other

    def _is_readonly(self) -> bool:
        return bool(self.__dict__.get("_readonly", False))

    @classmethod
    def _from_sequence(cls, scalars: Any, *, dtype: Any = None, copy: bool = False) -> "SecretColumn":
        if isinstance(scalars, SecretColumn):
            return cls(scalars._forms, scalars.label)
        found = secret(scalars if isinstance(scalars, (np.ndarray, SecretArray)) or hasattr(scalars, "array") else list(scalars))
        if found is not None:
            if found.ndim != 1:
                raise ValueError("a column has one dimension")
            return cls(found._forms, found.label)
        plain = numbers(np.asarray(scalars, dtype=object)) if len(scalars) else np.zeros(0)
        if plain is None:
            raise TypeError("a secret column holds secrets, numbers and gaps only")
        return cls(Forms.of_numbers(np.ascontiguousarray(plain, dtype=float)), "")

    @classmethod
    def _from_scalars(cls, scalars: Any, *, dtype: Any) -> "SecretColumn":
        if not any(isinstance(each, SecretValue) for each in scalars):
            # Nothing secret is left: pandas finds the type.
            raise ValueError("no secrets")
        return cls._from_sequence(scalars, dtype=dtype)

    def _cast_pointwise_result(self, values: Any) -> Any:
        found = secret(values if isinstance(values, np.ndarray) else list(values))
        if found is not None:
            return SecretColumn(found._forms, found.label)
        return pandas.Series(list(values)).array

    @classmethod
    def _from_factorized(cls, values: Any, original: Any) -> Any:
        raise decides(original.label, "factorize")

    @classmethod
    def _concat_same_type(cls, to_concat: Any) -> "SecretColumn":
        label = ""
        for each in to_concat:
            label = joined(label, each.label)
        return cls(Forms.concat([each._forms for each in to_concat]), label)

    @property
    def dtype(self) -> SecretDtype:
        """`privug`."""
        return SecretDtype()

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return self._forms.nbytes

    def __len__(self) -> int:
        return len(self._forms)

    def _with(self, forms: Forms) -> "SecretColumn":
        return SecretColumn(forms, self.label)

    def _places(self, item: Any) -> Any:
        item = pandas.api.indexers.check_array_indexer(self, item)
        return np.arange(len(self), dtype=np.int64)[item]

    def __getitem__(self, item: Any) -> Any:
        if isinstance(item, tuple):
            item = item[0] if len(item) == 1 else item[0] if item[1] is Ellipsis else item[1] if item[0] is Ellipsis else item
        if isinstance(item, slice) and item == slice(None):
            return self.view()
        places = self._places(item)
        if np.ndim(places):
            return self._with(self._forms.take(np.ascontiguousarray(places)))
        one = self._forms.take(np.array([places], dtype=np.int64))
        return np.nan if one.missing()[0] else SecretValue(one, self.label)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self._is_readonly():
            raise ValueError("Cannot modify read-only array")
        places = np.atleast_1d(self._places(key))
        new = value if isinstance(value, SecretColumn) else SecretColumn._from_sequence(_listed(value))
        if len(new) not in (1, len(places)):
            raise ValueError("cannot set: the lengths differ")
        index = np.arange(len(self), dtype=np.int64)
        index[places] = len(self) + (np.arange(len(places)) if len(new) == len(places) else 0)
        self._held[:] = Forms.concat([self._forms, new._forms]).take(index), joined(self.label, new.label)

    def __iter__(self) -> Any:
        for place in range(len(self)):
            yield self[place]

    def __contains__(self, item: Any) -> bool:
        if item is pandas.NA or item is None or item != item:
            return bool(self.isna().any())
        raise compared(self.label, "in")

    def isna(self) -> np.ndarray:
        """Which elements are missing: that is public."""
        return self._forms.missing()

    def take(self, indices: Any, *, allow_fill: bool = False, fill_value: Any = None) -> "SecretColumn":
        """The elements at some places."""
        places = np.ascontiguousarray(indices, dtype=np.int64)
        if ((places >= len(self)) | (places < -max(len(self), 1))).any() and len(self):
            raise IndexError("index is out of bounds for a column of this length")
        if not allow_fill:
            if len(places) and not len(self):
                raise IndexError("cannot do a non-empty take from an empty axes.")
            return self._with(self._forms.take(np.where(places < 0, places + len(self), places)))
        if (places < -1).any():
            raise ValueError("allow_fill: there is an index below -1")
        taken = self._with(self._forms.take(places))
        if fill_value is not None and not (fill_value is pandas.NA or fill_value != fill_value):
            taken[places == -1] = fill_value
        return taken

    def copy(self) -> "SecretColumn":
        """The forms themselves never change."""
        return self._with(self._forms)

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """The same for floats; other types would need the values."""
        wanted = pandas.api.types.pandas_dtype(dtype)
        if isinstance(wanted, SecretDtype) or getattr(wanted, "kind", "O") == "f":
            return self.copy()
        if wanted == np.dtype(object):
            return objects(self._array())
        if getattr(wanted, "kind", "O") == "U" or isinstance(wanted, pandas.StringDtype):
            return self.map(str)
        raise needs_values(self.label, f"astype({wanted})")

    def to_numpy(self, dtype: Any = None, copy: bool = False, na_value: Any = None) -> Any:
        """A secret array of numpy's kind."""
        if (dtype is not None and np.dtype(dtype) == object) or (dtype is None and _asked_by_pandas()):
            return objects(self._array())
        if dtype is not None and np.dtype(dtype).kind != "f":
            raise needs_values(self.label, f"to_numpy({np.dtype(dtype)})")
        if dtype is not None and _asked_by_pandas():
            # pandas wants an array of doubles for its own loops.
            raise not_linear(self.label, "to_numpy")
        return self._array()

    def __getattr__(self, name: str) -> Any:
        # `.values` of a column is this array: numpy's methods are those of the array.
        if name in ("sum", "mean", "cumsum", "dot", "reshape", "std", "var", "min", "max", "clip", "sort"):
            return getattr(self._array(), name)
        raise AttributeError(f"a secret column has no attribute {name!r}")

    def _array(self) -> SecretArray:
        return SecretArray(self._forms, (len(self),), self.label)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        if copy is False:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return objects(self._array(), dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if any(isinstance(each, (pandas.Series, pandas.DataFrame, pandas.Index)) for each in inputs):
            return NotImplemented
        from ._secret_numpy import array_ufunc

        return _column(array_ufunc(ufunc, method, inputs, options))

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        from ._secret_numpy import array_function

        return array_function(function, inputs, options)

    def round(self, decimals: int = 0, *args: Any, **kwargs: Any) -> "SecretColumn":
        """The same rounded; what is published of it is judged as if it were not."""
        return self._with(self._forms.rounded_to(10.0 ** -int(decimals)))

    def map(self, mapper: Any, na_action: Optional[str] = None) -> Any:
        """A function of each element."""
        if not callable(mapper):
            raise decides(self.label, "map")
        from ._live_text import only_formats, show
        from ._session import formatted

        if mapper is str:
            texts = np.empty(len(self), dtype=object)
            for place, (each, gap) in enumerate(zip(self, self.isna())):
                texts[place] = str(np.nan) if gap else show(each, "")
            return texts
        if only_formats(mapper):
            made = np.empty(len(self), dtype=object)
            for place, (each, gap) in enumerate(zip(self, self.isna())):
                made[place] = (np.nan if na_action == "ignore" else mapper(np.nan)) if gap else formatted(mapper, each)
            return made
        results = [np.nan if gap and na_action == "ignore" else mapper(each) for each, gap in zip(self, self.isna())]
        return self._cast_pointwise_result(results)

    def _reduce(self, name: str, *, skipna: bool = True, keepdims: bool = False, **options: Any) -> Any:
        missing = self.isna()
        present = len(self) - int(missing.sum())
        if name not in ("sum", "mean"):
            raise not_linear(self.label, name)
        gap = (missing.any() and not skipna) or present < options.get("min_count", 0) or (name == "mean" and not present)
        forms = self._forms.sums(np.zeros(len(self), dtype=np.int64), 1)
        if gap:
            forms = Forms.of_numbers(np.array([np.nan]))
        elif name == "mean":
            forms = forms.over(np.array([float(present)]))
        if keepdims:
            return self._with(forms)
        return np.nan if gap else SecretValue(forms, self.label)

    def _accumulate(self, name: str, *, skipna: bool = True, **options: Any) -> "SecretColumn":
        if name != "cumsum":
            raise not_linear(self.label, name)
        return self._with(self._cumulated(np.zeros(len(self), dtype=np.int64), skipna))

    def _cumulated(self, groups: np.ndarray, skipna: bool) -> Forms:
        if not skipna:
            ended = set()
            groups = groups.copy()
            for place in np.flatnonzero(self.isna()):
                if groups[place] not in ended:
                    ended.add(groups[place])
                    groups[place:][groups[place:] == groups[place]] = -1
        return self._forms.running(groups)

    def _groupby_op(
        self, *, how: str, has_dropped_na: bool, min_count: int, ngroups: int, ids: Any, **options: Any
    ) -> Any:
        groups = np.ascontiguousarray(ids, dtype=np.int64)
        missing = self.isna()
        if how == "cumsum":
            return self._with(self._cumulated(groups, options.get("skipna", True)))
        if how in ("first", "last", "nth"):
            return self._chosen(how, groups, ngroups, missing)
        if how not in ("sum", "mean"):
            raise not_linear(self.label, how)
        inside = groups >= 0
        counts = np.bincount(groups[inside & ~missing], minlength=ngroups)
        forms = self._forms.sums(groups, ngroups)
        if how == "mean":
            forms = forms.over(np.where(counts > 0, counts, np.nan).astype(float))
        empty = counts < max(min_count, 0)
        if not options.get("skipna", True):
            empty |= np.bincount(groups[inside & missing], minlength=ngroups) > 0
        if empty.any():
            forms = forms.plus(np.where(empty, np.nan, 0.0))
        return self._with(forms)

    def _chosen(self, how: str, groups: np.ndarray, count: int, missing: np.ndarray) -> "SecretColumn":
        places = np.full(count, -1, dtype=np.int64)
        order = np.flatnonzero((groups >= 0) & ~missing)
        order = order if how == "last" else order[::-1]
        places[groups[order]] = order
        return self._with(self._forms.take(places))

    def _binary(self, name: str, other: Any, reflected: bool = False) -> Any:
        if isinstance(other, (pandas.Series, pandas.Index, pandas.DataFrame)):
            return NotImplemented
        other = other._array() if isinstance(other, SecretColumn) else other
        if isinstance(other, ExtensionArray):
            other = other.to_numpy(dtype=float, na_value=np.nan) if other.dtype.kind in "biuf" else np.asarray(other)
        if isinstance(other, (list, np.ndarray)) and np.ndim(other) == 1 and len(other) != len(self):
            raise ValueError("Lengths must match")
        found = binary(name, other, self._array()) if reflected else binary(name, self._array(), other)
        return _column(found)

    def __add__(self, other: Any) -> Any:
        return self._binary("add", other)

    def __radd__(self, other: Any) -> Any:
        return self._binary("add", other, True)

    def __sub__(self, other: Any) -> Any:
        return self._binary("subtract", other)

    def __rsub__(self, other: Any) -> Any:
        return self._binary("subtract", other, True)

    def __mul__(self, other: Any) -> Any:
        return self._binary("multiply", other)

    def __rmul__(self, other: Any) -> Any:
        return self._binary("multiply", other, True)

    def __truediv__(self, other: Any) -> Any:
        return self._binary("true_divide", other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._binary("true_divide", other, True)

    def __pow__(self, other: Any) -> Any:
        return self._binary("power", other)

    def __rpow__(self, other: Any) -> Any:
        return self._binary("power", other, True)

    def __floordiv__(self, other: Any) -> Any:
        return self._binary("floor_divide", other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._binary("floor_divide", other, True)

    def __mod__(self, other: Any) -> Any:
        return self._binary("remainder", other)

    def __rmod__(self, other: Any) -> Any:
        return self._binary("remainder", other, True)

    def __neg__(self) -> Any:
        return self._binary("multiply", -1.0)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        from ._secret_array import SecretArray

        own = SecretArray(self._forms, (len(self),), self.label).fixed()
        if own is not None:
            return abs(own)
        raise not_linear(self.label, "abs")

    def _compare(self, other: Any) -> Any:
        raise compared(self.label, "comparison")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _compare  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def _logical(self, other: Any) -> Any:
        raise compared(self.label, "logical operator")

    __and__ = __or__ = __xor__ = __rand__ = __ror__ = __rxor__ = _logical

    def __invert__(self) -> Any:
        raise compared(self.label, "~")

    def _decides(self, *args: Any, **kwargs: Any) -> Any:
        raise decides(self.label, "ordering")

    argsort = argmin = argmax = unique = duplicated = searchsorted = isin = value_counts = factorize = _decides  # type: ignore
    _values_for_argsort = _values_for_factorize = _rank = _mode = _hash_pandas_object = equals = _decides  # type: ignore

    def _quantile(self, qs: Any, interpolation: str) -> Any:
        raise not_linear(self.label, "quantile")

    def _groupby_quantile(self, *args: Any, **kwargs: Any) -> Any:
        raise not_linear(self.label, "quantile")

    def interpolate(
        self,
        *,
        method: str = "linear",
        axis: int = 0,
        index: Any = None,
        limit: Optional[int] = None,
        limit_direction: str = "forward",
        limit_area: Optional[str] = None,
        copy: bool = True,
        **options: Any,
    ) -> "SecretColumn":
        """Straight lines between the values around gaps; where the gaps are is public."""
        if method not in ("linear", "index", "values", "time") or limit is not None or limit_area is not None or options:
            raise not_linear(self.label, "interpolate with this method or limit")
        gaps = self.isna()
        known = np.flatnonzero(~gaps)
        places = np.arange(len(self), dtype=float)
        if method != "linear" and index is not None:
            places = np.asarray(index if method != "time" else index.asi8, dtype=float)
        if not len(known) or not gaps.any():
            return self._with(self._forms)
        behind = np.searchsorted(known, np.arange(len(self)))
        before, after = known[np.clip(behind - 1, 0, len(known) - 1)], known[np.clip(behind, 0, len(known) - 1)]
        # Outside the known values there is no line: the nearest one stays.
        at_start, at_end = np.arange(len(self)) < known[0], np.arange(len(self)) > known[-1]
        wide = np.where(before == after, 1.0, places[after] - places[before])
        part = np.where(before == after, 0.0, (places - places[before]) / wide)
        line = self.take(before) * (1.0 - part) + self.take(after) * part
        stays = np.zeros(len(self), dtype=bool)
        stays |= at_start if limit_direction == "forward" else stays
        stays |= at_end if limit_direction == "backward" else stays
        chosen = np.where(gaps & ~stays, np.arange(len(self)) + len(self), np.arange(len(self)))
        return self._concat_same_type([self, line]).take(chosen)

    def any(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: it compares."""
        raise compared(self.label, "any")

    def all(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: it compares."""
        raise compared(self.label, "all")

    def _formatter(self, boxed: bool = False) -> Any:
        from ._session import SESSION

        if SESSION.get() is not None:
            raise needs_values(self.label, "str")
        return lambda value: "NaN" if isinstance(value, float) else "<secret>"

    def __repr__(self) -> str:
        return str(self._array())

    def tolist(self) -> List[Any]:
        """The values one by one, each still secret."""
        return list(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise needs_values(self.label, "pickle")

    def _values_for_json(self) -> Any:
        raise needs_values(self.label, "to_json")


def _listed(value: Any) -> Any:
    if isinstance(value, SecretValue) or np.ndim(value) == 0:
        return [value]
    return value


def _column(value: Any) -> Any:
    """One-dimensional arrays as columns."""
    return SecretColumn(value._forms, value.label) if isinstance(value, SecretArray) and value.ndim == 1 else value


class _Columns:
    """Several columns of numbers that pandas has computed with a secret at once: it takes them one by one."""

    dtype = SecretDtype()
    ndim = 2

    def __init__(self, found: SecretArray) -> None:
        self._found = found
        self.shape = found.shape

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: int) -> SecretColumn:
        return _column(self._found[place])


def columns_at_once(found: Any) -> Any:
    """The array, or its rows as columns if pandas computes with all numbers of a table at once."""
    frame: Any = sys._getframe(2)
    for _ in range(10):
        if frame is None:
            break
        if frame.f_code.co_name == "_na_arithmetic_op":
            return _Columns(found)
        frame = frame.f_back
    return found


def _asked_by_pandas() -> bool:
    frame: Any = sys._getframe(2)
    return frame.f_globals.get("__name__", "").startswith("pandas.") and frame.f_code.co_name != "to_numpy"
