"""Secret values and arrays: affine forms over the secrets of a table, with the operators of numbers and numpy.

Everything here is exact or refused: what is not affine in the secrets raises where it is done, names the operation and the
column, and says what could be done instead.
"""

from __future__ import annotations

import math
import operator
import os
import sys
from typing import Any, List, Optional, Tuple

import numpy as np

from ._privug import Forms, not_gaussian

_LIBRARIES = tuple(os.sep + name + os.sep for name in ("pandas", "numpy", "statsmodels", "sklearn", "scipy", "patsy", "privug"))
_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
LINEAR = "sums, means, differences and multiples by public numbers can be published"


_INSIDE = ("new_method", "comparison_op", "comp_method_OBJECT_ARRAY", "array_ufunc", "arithmetic_op", "comparison", "maybe_extract_name")
"""What pandas calls its own steps."""

_WRAPPERS = ("axis_nan_policy_wrapper", "inner_f", "wrapped", "wrapper", "inner", "func", "array_function")
_WRAPPED = ("hypotest_fun_in", "function", "f", "func", "fun", "method")
"""What decorators call the functions that they put in the place of others, and these others."""

_OPERATORS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_DUNDERS = {f"__{name}__": sign for name, sign in _OPERATORS.items()}


def _is_of_library(path: str) -> bool:
    """Whether a file is ours or one of the libraries, wherever they are installed: an analyst's folder may be called `pandas` too."""
    _, found, rest = path.rpartition("-packages" + os.sep)
    return path.startswith(_OWN) or (bool(found) and (os.sep + rest).startswith(_LIBRARIES))


def operation(otherwise: str) -> str:
    """What the analyst wrote: the operator, or the function of the library that stands next to their own code."""
    frame: Any = sys._getframe(1)
    name, sign = _OPERATORS.get(otherwise, otherwise), ""
    while frame is not None:
        path, called = frame.f_code.co_filename, frame.f_code.co_name
        if not _is_of_library(path) and not path.startswith("<"):
            return sign or name
        if called in _DUNDERS:
            sign = _DUNDERS[called]
        elif os.sep + "privug" + os.sep in path:
            original = frame.f_locals.get("original") if path.endswith("_live_published.py") else None
            if original is not None and hasattr(original, "__name__"):
                name, sign = original.__name__, ""
        elif called in _WRAPPERS:
            names = (getattr(frame.f_locals.get(each), "__name__", "") for each in _WRAPPED)
            name, sign = next((each for each in names if each and not each.startswith(("_", "<"))), name), ""
        elif called == "__init__":
            name, sign = type(frame.f_locals.get("self")).__name__, ""
        elif not called.startswith(("_", "<")) and called not in _INSIDE:
            name, sign = called, ""
        frame = frame.f_back
    return _OPERATORS.get(otherwise, otherwise)


def refused(code: str, label: str, what: str, otherwise: str, hint: str = LINEAR) -> BaseException:
    """The error for something that is not affine; `what` says it with `{}` for the operation."""
    return not_gaussian(code, f"{what.format(operation(otherwise))} (the secret is `{label}`)", hint)


def not_linear(label: str, name: str) -> BaseException:
    """The error for a function that is not linear in the secret."""
    return refused("P306", label, "`{}` is not linear in the secret", name)


def not_known(label: str, name: str) -> BaseException:
    """The error for a function of which nobody has said whether it is linear."""
    return refused("P306", label, "`{}` is not known to be linear in the secret", name)


def needs_values(label: str, name: str) -> BaseException:
    """The error for something that would turn secrets into numbers or texts."""
    return refused("P309", label, "`{}` needs the secret values themselves", name)


def decides(label: str, name: str) -> BaseException:
    """The error for rows chosen, ordered or counted by the secret."""
    hint = "select, order and group rows by public columns"
    return refused("P802", label, "`{}` selects, orders or counts rows by the secret", name, hint)


def compared(label: str, name: str) -> BaseException:
    """The error for a comparison, also one that a function makes which is not linear."""
    if operation(name) in ("clip", "abs", "clip_lower", "clip_upper"):
        return not_linear(label, name)
    return refused("P304", label, "`{}`: the secret is compared, and the outcome would be secret too", name, "compare public columns")


def joined(one: str, other: str) -> str:
    """What something is called that depends on two secrets."""
    return one if other in one.split(", ") or not other else f"{one}, {other}" if one else other


def numbers(value: Any) -> Optional[np.ndarray]:
    """Public numbers as doubles; None if it is something else."""
    array = np.asarray(value)
    if array.dtype.kind in "biuf":
        return array.astype(float)
    if array.dtype.kind == "O" and all(_is_number(each) for each in array.ravel()):
        return np.array([np.nan if _is_gap(each) else float(each) for each in array.ravel()]).reshape(array.shape)
    return None


def _is_gap(value: Any) -> bool:
    pandas: Any = sys.modules.get("pandas")
    return value is None or (pandas is not None and value is pandas.NA)


def _is_number(value: Any) -> bool:
    import numbers as abstract
    from decimal import Decimal

    return _is_gap(value) or isinstance(value, (abstract.Real, Decimal, np.bool_))


class _Operators:
    """Python's operators, for a value and for arrays alike."""

    __slots__ = ()
    _forms: Forms
    label: str
    shape: Tuple[int, ...]

    def __add__(self, other: Any) -> Any:
        return binary("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return binary("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return binary("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return binary("subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return binary("multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        if isinstance(other, np.matrix):
            # Of numpy's matrices, `*` is the product of matrices.
            return np.asarray(other) @ self
        return binary("multiply", other, self)

    def __truediv__(self, other: Any) -> Any:
        return binary("true_divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return binary("true_divide", other, self)

    def __pow__(self, other: Any) -> Any:
        return binary("power", self, other)

    def __rpow__(self, other: Any) -> Any:
        return binary("power", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return binary("floor_divide", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return binary("floor_divide", other, self)

    def __mod__(self, other: Any) -> Any:
        return binary("remainder", self, other)

    def __rmod__(self, other: Any) -> Any:
        return binary("remainder", other, self)

    def __neg__(self) -> Any:
        return binary("multiply", self, -1.0)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        own = self.fixed()
        if own is not None:
            return abs(own)
        raise not_linear(self.label, "abs")

    def __round__(self, digits: Optional[int] = None) -> Any:
        return self.round(0 if digits is None else digits)

    def round(self, decimals: int = 0) -> Any:
        """The same rounded; what is published of it is judged as if it were not."""
        return self._like(self._forms.rounded_to(10.0 ** -int(decimals)))

    def _like(self, forms: Forms) -> Any:
        raise NotImplementedError

    def fixed(self) -> Any:
        """The numbers, where nothing is left of the secrets; None where they depend on them."""
        if self._forms.depends().any():
            return None
        found = self._forms.at(np.zeros(0)).reshape(self.shape)
        return found if self.shape else found.item()

    def _compare(self, other: Any, name: str) -> Any:
        own, others = self.fixed(), other.fixed() if isinstance(other, _Operators) else other
        if own is None or others is None or is_secret(others):
            raise compared(self.label or getattr(other, "label", ""), name)
        return getattr(operator, name)(own, others)

    def __eq__(self, other: Any) -> Any:
        return self._compare(other, "eq")

    def __ne__(self, other: Any) -> Any:
        return self._compare(other, "ne")

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, "lt")

    def __le__(self, other: Any) -> Any:
        return self._compare(other, "le")

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, "gt")

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, "ge")

    def __bool__(self) -> bool:
        own = self.fixed()
        if own is not None:
            return bool(own)
        raise refused("P305", self.label, "`{}`: the program branches on the secret", "bool", "branch on public values")

    def __float__(self) -> float:
        own = self.fixed()
        if own is not None:
            return float(own)
        raise needs_values(self.label, "float")

    def __int__(self) -> int:
        return math.trunc(self._known("int"))

    __trunc__ = __int__

    def __floor__(self) -> int:
        return math.floor(self._known("floor"))

    def __ceil__(self) -> int:
        return math.ceil(self._known("ceil"))

    def __index__(self) -> int:
        raise needs_values(self.label, "int")

    def _known(self, name: str) -> float:
        """The number, where nothing is left of the secrets."""
        own = self.fixed()
        if own is None:
            raise needs_values(self.label, name)
        return float(own)

    def __complex__(self) -> complex:
        raise needs_values(self.label, "complex")

    def __str__(self) -> str:
        from ._session import SESSION

        own = self.fixed()
        if own is not None:
            return str(own)
        if SESSION.get() is not None:
            raise needs_values(self.label, "str")
        return f"<{'secret' if self.shape == () else 'secrets'} {self.label}>"

    def __repr__(self) -> str:
        return self.__str__()

    def __format__(self, specification: str) -> str:
        from ._session import published_text

        return published_text(self, specification)


class SecretValue(_Operators):
    """One value that depends on secrets."""

    __slots__ = ("_forms", "label")
    shape: Tuple[int, ...] = ()
    ndim = 0
    size = 1
    __array_priority__ = 1000

    def __init__(self, forms: Forms, label: str) -> None:
        self._forms = forms
        self.label = label

    def _like(self, forms: Forms) -> "SecretValue":
        return SecretValue(forms, self.label)

    def __hash__(self) -> int:
        raise refused("P304", self.label, "`{}`: the secret is used as a key or in a set, where it is compared", "hash", "use public keys")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        from ._secret_numpy import array_ufunc

        return array_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        from ._secret_numpy import array_function

        return array_function(function, inputs, options)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return objects(self, dtype)

    def item(self) -> "SecretValue":
        """Itself, as for numpy's numbers."""
        return self

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        """An array with this one element."""
        from ._secret_array import SecretArray

        return SecretArray(self._forms, (1,), self.label).reshape(*shape, order=order)

    def ravel(self, order: str = "C") -> Any:
        """An array of one dimension with this element."""
        return self.reshape(1)

    flatten = ravel

    def astype(self, dtype: Any) -> Any:
        """The same as a float."""
        if np.dtype(dtype).kind == "f":
            return self
        raise needs_values(self.label, f"astype({np.dtype(dtype)})")

    def __copy__(self) -> "SecretValue":
        return self

    def __deepcopy__(self, memo: Any) -> "SecretValue":
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise needs_values(self.label, "pickle")



def is_secret(value: Any) -> bool:
    """Whether it is a secret value, array or column; pandas' Series of secrets are columns too."""
    return isinstance(value, _Operators) or _column(value) is not None


def _column(value: Any) -> Any:
    from ._secret_array import SecretArray

    array: Any = getattr(value, "array", None) if type(value).__module__.startswith("pandas") else value
    forms = getattr(array, "_forms", None)
    return SecretArray(forms, (len(forms),), array.label) if isinstance(forms, Forms) and not isinstance(array, _Operators) else None


def secret(value: Any) -> Any:
    """The value as a secret value or array; None if nothing in it is secret."""
    if isinstance(value, _Operators):
        return value
    column = _column(value)
    if column is not None:
        return column
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.dtype.kind == "O"):
        return of_objects(value)
    pandas: Any = sys.modules.get("pandas")
    if pandas is not None and isinstance(value, (pandas.Series, pandas.DataFrame, pandas.Index)):
        if isinstance(value, pandas.DataFrame):
            found = [secret(value.iloc[:, place]) for place in range(value.shape[1])]
            if all(each is None for each in found):
                return None
            return of_objects([value.iloc[:, place].astype(object).tolist() for place in range(value.shape[1])]).T
        return of_objects(value.to_numpy()) if value.dtype == object else None
    return None


def of_objects(values: Any) -> Any:
    """Lists and arrays of objects with secrets among them as one array."""
    from ._secret_array import SecretArray

    found: List[Any] = []
    shape = _collect(values, found)
    if not any(isinstance(each, SecretValue) for each in found):
        return None
    label = ""
    parts: List[Forms] = []
    for each in found:
        if isinstance(each, SecretValue):
            label = joined(label, each.label)
            parts.append(each._forms)
        elif _is_number(each):
            parts.append(Forms.of_numbers(np.array([np.nan if _is_gap(each) else float(each)])))
        else:
            return None
    if shape is None:
        raise ValueError("the parts of the list differ in length")
    return SecretArray(Forms.concat(parts), shape, label)


def _collect(values: Any, found: List[Any]) -> Any:
    """All leaves of nested lists and arrays, and their shape; None if they are ragged."""
    own: Any = values if isinstance(values, _Operators) and values.shape else _column(values)
    if own is not None:
        found.extend(own.flatten_values())
        return own.shape
    if isinstance(values, np.ndarray):
        found.extend(values.ravel().tolist())
        return values.shape
    if not isinstance(values, (list, tuple)):
        found.append(values)
        return ()
    shapes = [_collect(each, found) for each in values]
    if not shapes:
        return (0,)
    return None if any(shape is None or shape != shapes[0] for shape in shapes) else (len(shapes), *shapes[0])


def objects(value: Any, dtype: Any = None) -> np.ndarray:
    """An array of objects, one for each element; numbers it cannot be."""
    if dtype is not None and np.dtype(dtype) != object:
        raise needs_values(value.label, f"array of {np.dtype(dtype)}")
    made = np.empty(value.shape, dtype=object)
    if value.shape == ():
        # `made[()] = value` would ask for an array again, without end.
        made = made.reshape(1)
        made[0] = value
        made = made.reshape(())
    else:
        made.ravel()[:] = value.flatten_values() if made.flags.c_contiguous else made
    return made


def binary(name: str, left: Any, right: Any) -> Any:
    """`left` and `right` added, subtracted, multiplied or divided, element by element."""
    for one in (left, right):
        if type(one).__module__.startswith("pandas") and hasattr(one, "_constructor"):
            return NotImplemented
    one, other = secret(left), secret(right)
    label = joined(one.label if one is not None else "", other.label if other is not None else "")
    plain = numbers(right if other is None else left) if one is None or other is None else None
    if (one is None or other is None) and plain is None:
        return NotImplemented
    if one is not None and other is not None:
        return _both(name, one, other, label)
    found = _with_numbers(name, one, other, plain, label)
    if found.ndim == 2 and (one if one is not None else other).shape == () and "pandas" in sys.modules:
        from ._secret_pandas import columns_at_once

        return columns_at_once(found)
    return found


def _numbers_of(value: Any) -> Optional[np.ndarray]:
    fixed = value.fixed()
    return None if fixed is None else np.asarray(fixed)


def _both(name: str, one: Any, other: Any, label: str) -> Any:
    if name not in ("add", "subtract"):
        fixed = _numbers_of(other)
        if fixed is not None:
            return _with_numbers(name, one, None, fixed, label)
        fixed = _numbers_of(one)
        if fixed is not None:
            return _with_numbers(name, None, other, fixed, label)
    if name not in ("add", "subtract"):
        raise _not_affine(name, label)
    shape = np.broadcast_shapes(one.shape, other.shape)
    left, right = _spread(one, shape), _spread(other, shape)
    return made(left.plus_forms(right, 1.0 if name == "add" else -1.0), shape, label)


def _with_numbers(name: str, one: Any, other: Any, plain: Any, label: str) -> Any:
    random = one if one is not None else other
    shape = np.broadcast_shapes(random.shape, plain.shape)
    forms = _spread(random, shape)
    flat = np.ascontiguousarray(np.broadcast_to(plain, shape)).reshape(-1) if plain.shape != () else plain.reshape(1)
    if name == "multiply":
        return made(forms.times(flat), shape, label)
    if name == "true_divide" and one is not None:
        return made(forms.over(flat), shape, label)
    if name == "add":
        return made(forms.plus(flat), shape, label)
    if name == "subtract":
        return made(forms.plus(-flat) if one is not None else forms.times(np.array([-1.0])).plus(flat), shape, label)
    if name == "power" and one is not None and np.all(plain == 1):
        return made(forms, shape, label)
    fixed = _numbers_of(random)
    if fixed is not None:
        # Nothing is left of the secrets: numbers among numbers.
        return getattr(np, name)(*((fixed, plain) if one is not None else (plain, fixed)))
    raise _not_affine(name, label)


def _not_affine(name: str, label: str) -> BaseException:
    if name == "multiply":
        hint = "multiply the secret by public numbers"
        return refused("P301", label, "a product of secrets is not linear", name, hint)
    if name == "true_divide":
        hint = "divide by public numbers, or publish numerator and denominator separately"
        return refused("P302", label, "dividing by a secret is not linear", name, hint)
    if name in ("power", "float_power"):
        return refused("P303", label, "a power of a secret is not linear", name)
    return refused("P310", label, "`//` or `%` of a secret is not linear", name, "use `/`, and round the published result")


def _spread(value: Any, shape: Tuple[int, ...]) -> Forms:
    if value.shape == shape:
        return value._forms
    places = np.arange(len(value._forms)).reshape(value.shape)
    return value._forms.take(np.ascontiguousarray(np.broadcast_to(places, shape)).reshape(-1))


def made(forms: Forms, shape: Tuple[int, ...], label: str) -> Any:
    """A value where the shape is empty, and an array where it is not."""
    from ._secret_array import SecretArray

    return SecretValue(forms, label) if shape == () else SecretArray(forms, shape, label)


