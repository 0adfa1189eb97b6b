"""Distributions and evidence, as programs write them."""

from __future__ import annotations

import math
import operator
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._privug import Random, RandomVector, not_gaussian
from ._recording import CURRENT, Recording, caller, current
from ._refused import type_refusal, value_refusal

MAX_SIZE = 50_000_000

_SPREADS = {
    "variance": False,
    "var": False,
    "std": True,
    "sigma": True,
    "sd": True,
    "scale": True,
}
_MEANS = ("mean", "mu", "loc")


class Prior:
    """What an attacker believes about an input, before it is bound to a parameter."""

    def create(self, recording: Recording) -> Union[Random, RandomVector]:
        """Makes random variables of it."""
        raise NotImplementedError

    def source(self) -> str:
        """The prior as an expression of the language."""
        raise NotImplementedError

    def draw(self, add_noise: Callable[[Any, Any, Optional[int]], Any]) -> Any:
        """A value that it might have; `add_noise` takes a mean, a scale and a size."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.source()

    def _refuse(self, *_: object) -> Any:
        raise TypeError(
            "this is a prior, not yet a random variable: give it to a parameter of the function that privug.analyze "
            "runs, and compute with it there"
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __neg__ = __float__ = __int__ = __len__ = __getitem__ = __iter__ = __matmul__ = __rmatmul__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __array_ufunc__ = None


class NormalPrior(Prior):
    """One or several independent Gaussian variables."""

    def __init__(self, mean: Any, spread: Any, is_std_dev: bool, size: Optional[int]) -> None:
        self.mean = mean
        self.spread = spread
        self.is_std_dev = is_std_dev
        self.size = size

    def create(self, recording: Recording) -> Union[Random, RandomVector]:
        return recording.recorder.normal(self.mean, self.spread, self.is_std_dev, self.size)

    def draw(self, add_noise: Callable[[Any, Any, Optional[int]], Any]) -> Any:
        spread = np.abs(np.asarray(self.spread, dtype=float))
        return add_noise(self.mean, spread if self.is_std_dev else np.sqrt(spread), self.size)

    def source(self) -> str:
        keyword = "std=" if self.is_std_dev else ""
        vectors = [np.ndim(self.mean), np.ndim(self.spread)]
        if not any(vectors):
            size = "" if self.size is None else f", size={self.size}"
            return f"Normal({number_text(self.mean)}, {keyword}{number_text(self.spread)}{size})"
        shape = np.broadcast(np.asarray(self.mean, dtype=object), np.asarray(self.spread, dtype=object)).shape
        means = np.broadcast_to(np.asarray(self.mean, dtype=object), shape).tolist()
        spreads = np.broadcast_to(np.asarray(self.spread, dtype=object), shape).tolist()
        pairs = ", ".join(f"Normal({number_text(m)}, {keyword}{number_text(s)})" for m, s in zip(means, spreads))
        return f"np.array([{pairs}])"


class MultivariateNormalPrior(Prior):
    """Several dependent Gaussian variables."""

    def __init__(self, mean: Any, covariance: Any) -> None:
        self.mean = mean
        self.covariance = covariance

    def create(self, recording: Recording) -> RandomVector:
        return recording.recorder.multivariate_normal(self.mean, self.covariance)

    def draw(self, add_noise: Callable[[Any, Any, Optional[int]], Any]) -> Any:
        # How the noise is correlated does not matter to what a function computes.
        return add_noise(self.mean, np.sqrt(np.abs(np.diag(np.asarray(self.covariance, dtype=float)))), None)

    def source(self) -> str:
        mean = value_text(np.asarray(self.mean).tolist())
        covariance = value_text(np.asarray(self.covariance).tolist())
        return f"MultivariateNormal({mean}, {covariance})"


def number_text(value: Any) -> str:
    """A number as a literal of the language."""
    if isinstance(value, (bool, np.bool_)):
        return "True" if value else "False"
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, int):
        return repr(int(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise value_refusal("P416", f"{value} is used where a number is required", "give finite numbers")
        return repr(float(value))
    ratio = getattr(value, "as_integer_ratio", None)
    if ratio is not None:
        numerator, denominator = ratio()
        return f"({numerator}/{denominator})"
    kind = type(value).__name__
    raise type_refusal("P901", f"{value!r} is of type {kind}, not a number", "give a number")


def given(value: Any) -> Any:
    """A number or a list of numbers as it is; anything else as an expression of the language."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        number_text(value)  # refuses what is not finite
        return float(value)
    if isinstance(value, bool) or (isinstance(value, int) and -(2**63) <= value < 2**63):
        return value
    if type(value) is list:
        elements = [given(element) for element in value]
        return value_text(value) if any(isinstance(element, str) for element in elements) else elements
    return value_text(value)


def value_text(value: Any) -> str:
    """A number, text, list, array or dictionary as an expression of the language."""
    if value is None:
        return "None"
    if isinstance(value, Prior):
        return value.source()
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{value_text(k)}: {value_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple):
        inner = ", ".join(value_text(element) for element in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if hasattr(value, "__array__") and np.ndim(value) > 0:
        return array_text(np.asarray(value))
    if isinstance(value, (list, range)):
        return "[" + ", ".join(value_text(element) for element in value) + "]"
    return number_text(value)


_ARRAY_TYPES = {"b": "bool", "i": "int", "u": "int", "f": "float"}


def array_text(array: np.ndarray) -> str:
    """An array as an expression of the language, with its type and shape."""
    if array.dtype.kind == "O":
        return f"np.array({value_text(array.tolist())})"
    if array.dtype.kind == "U":
        return f"np.array({value_text(array.tolist())})" if array.size else "np.array([])"
    kind = _ARRAY_TYPES.get(array.dtype.kind)
    if kind is None:
        raise TypeError(f"an array of {array.dtype} cannot be given to a program; convert it to numbers or strings")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("P416: an array holds a number that is not finite")
    if array.size == 0:
        return f"np.zeros({value_text(tuple(array.shape))}, {kind!r})"
    return f"np.array({value_text(array.tolist())}, {kind!r})"


def _spread(function: str, given: Dict[str, Any]) -> Tuple[Any, bool]:
    """The one variance or standard deviation among the arguments."""
    unknown = [name for name in given if name not in _SPREADS]
    if unknown:
        raise TypeError(f"P205: {function} has no parameter {unknown[0]!r}")
    found = [(value, _SPREADS[name]) for name, value in given.items() if value is not None]
    if len(found) > 1:
        raise TypeError(f"P414: {function} is given a variance and a standard deviation; remove one of them")
    if not found:
        raise TypeError(
            f"P414: {function} needs a variance; give the variance as second argument, or the standard deviation as "
            "std=..."
        )
    return found[0]


def _mean(function: str, mean: Any, given: Dict[str, Any]) -> Any:
    found = [given.pop(name) for name in _MEANS[1:] if name in given]
    if mean is not None:
        found.append(mean)
    if len(found) != 1:
        raise TypeError(f"P205: {function} needs exactly one mean")
    return found[0]


def _recording_for(*values: Any) -> Optional[Recording]:
    recording = CURRENT.get()
    if recording is None:
        for value in values:
            if isinstance(value, (Random, RandomVector)):
                raise RuntimeError("a random variable is used outside the analysis it belongs to")
    return recording


def checked_size(size: Any) -> int:
    """How many variables: a whole number, within what an analysis may have."""
    if isinstance(size, (bool, np.bool_)) or not hasattr(size, "__index__"):
        raise type_refusal("P408", f"the size {size!r} is not a whole number", "give an integer, such as size=100")
    size = operator.index(size)
    if size < 0:
        raise value_refusal("P408", f"the size {size} is negative", "give the number of variables")
    if size > MAX_SIZE:
        message = f"a vector of {size:.2g} random variables is more than an analysis may have ({MAX_SIZE:.0e})"
        raise value_refusal("P602", message, "group identical people, or analyse a subset")
    return size


def _check_labels(mean: Any, spread: Any) -> None:
    """Two columns of a table go together row by row, so their labels must be the same."""
    indexes: List[Any] = [getattr(each, "index", None) for each in (mean, spread)]
    if all(hasattr(index, "equals") for index in indexes) and not indexes[0].equals(indexes[1]):
        message = "the means and the spreads have different labels"
        raise value_refusal("P410", message, "bring them into one order, such as with std.reindex(mean.index)")


def Normal(
    mean: Any = None,
    variance: Any = None,
    *,
    std: Any = None,
    size: Optional[int] = None,
    **others: Any,
) -> Any:
    """A Gaussian variable; the second positional argument is the **variance**.

    `mu`/`loc`, `var` and `sigma`/`sd`/`scale` are other names of the mean, the variance and the standard deviation.
    With `size=n`, or with arrays (or pandas Series) of means or variances, it is a vector of independent variables.

    Inside a function that `privug.analyze` runs this makes random variables, whose mean may itself be random.
    Elsewhere it describes a prior, to be bound to a parameter of such a function.

    Parameters
    ----------
    mean
        The mean.
    variance, std
        The variance, or the standard deviation.
    size
        With it, an array of so many independent variables.

    Examples
    --------
    >>> import privug
    >>> privug.Normal(35, std=2, size=100)
    Normal(35, std=2, size=100)
    """
    mean = _mean("Normal", mean, others)
    spread, is_std_dev = _spread("Normal", {"variance": variance, "std": std, **others})
    if isinstance(size, (Random, RandomVector)):
        raise not_gaussian("P307", "the size is random", "sizes must be numbers known beforehand")
    _check_labels(mean, spread)
    if size is not None:
        size = checked_size(size)
    prior = NormalPrior(mean, spread, is_std_dev, size)
    recording = _recording_for(mean, spread)
    if recording is None:
        return prior
    recording.locate(caller())
    return recording.create(prior)


def MultivariateNormal(mean: Any = None, covariance: Any = None, **others: Any) -> Any:
    """A vector of dependent Gaussian variables, from a list of means and a matrix of covariances.

    Parameters
    ----------
    mean
        A list of means.
    covariance
        A matrix: as many rows and columns as there are means.

    Examples
    --------
    >>> import privug
    >>> prior = privug.MultivariateNormal([0, 0], [[1, 0.5], [0.5, 1]])
    >>> found = privug.analyze(lambda x: x[0], x=prior, secret="x[1]", observe=2)
    >>> float(found.posterior.mean[0]), float(found.posterior.var[0])
    (1.0, 0.75)
    """
    mean = _mean("MultivariateNormal", mean, others)
    given = [others.pop(name) for name in ("cov", "covariance_matrix") if name in others]
    if covariance is not None:
        given.append(covariance)
    if len(given) != 1 or others:
        raise TypeError("P205: MultivariateNormal takes a list of means and a matrix of covariances")
    prior = MultivariateNormalPrior(mean, given[0])
    recording = _recording_for(mean)
    if recording is None:
        return prior
    recording.locate(caller())
    return recording.create(prior)


def _named(variable: Any, frame: Any) -> Any:
    """`condition("average", …)`: the text is an expression of the calling function."""
    if not isinstance(variable, str):
        return variable
    try:
        return eval(compile(variable.strip(), "<name>", "eval"), frame.f_globals, frame.f_locals)
    except (NameError, SyntaxError, KeyError, IndexError) as error:
        raise NameError(f"P201: {variable!r} does not name a variable here: {error}") from None


def _see(function: str, variable: Any, value: Any, spread: Any, is_std_dev: bool) -> None:
    recording = current(function)
    frame = caller(3)
    name = recording.subject(frame, function)
    # A text that is not written down in the call is what a choice is in this run.
    if isinstance(variable, str) and (name[:1] in ("'", '"') or not recording.worlds.have_told):
        name = variable.strip()
        variable = _named(variable, frame)
    if isinstance(value, (Random, RandomVector)):
        # Two random values are seen to be equal.
        recording.see(name, variable, value, spread, is_std_dev)
    elif spread is None and _is_known(variable) and recording.worlds.asked:
        recording.see_event(name, bool(variable == value))
    else:
        _seen_apart(recording, name, variable, value, spread, is_std_dev)


def _seen_apart(recording: Recording, name: str, variable: Any, value: Any, spread: Any, is_std_dev: bool) -> None:
    """Labelled columns, dictionaries and tables are matched by their labels; the rest goes as it is."""
    from ._observed import match, seen_tree
    from ._publish import Labelled, look_into

    if not recording.running:
        return
    output = look_into(variable)
    if isinstance(output, Labelled):
        for path, inner, number, _ in match(output, seen_tree(value), float):
            recording.see(name + path, inner, number, spread, is_std_dev)
        return
    if isinstance(output, (list, RandomVector)):
        seen = seen_tree(value)
        match(output, seen, float)
        value = list(seen)
    recording.see(name, output, value, spread, is_std_dev)


_NOTHING = object()


def _is_known(variable: Any) -> bool:
    """Whether a value is that of a choice in this run."""
    return isinstance(variable, (bool, int, float, str, np.bool_, np.number))


def condition(variable: Any, value: Any = _NOTHING) -> None:
    """Says that a random value (or the one named by a string) was seen to have exactly this value.

    `condition(event)` says that an event was seen to happen.

    Parameters
    ----------
    variable
        The variable, or a string that names it.
    value
        What it was seen to be.

    Examples
    --------
    >>> import privug
    >>> def program():
    ...     x, y = privug.Normal(0, 1), privug.Normal(0, 1)
    ...     privug.condition(x + y, 2)
    ...     return x
    >>> float(privug.analyze(program).posterior.mean[0])
    1.0
    """
    if value is not _NOTHING:
        return _see("condition", variable, value, None, False)
    recording = current("condition")
    name = recording.subject(caller(), "condition")
    if isinstance(variable, (Random, RandomVector)):
        message = f"`{name}` is a Gaussian variable: its observed value is missing"
        raise type_refusal("P502", message, "`condition(x, value)`")
    if not isinstance(variable, (bool, np.bool_)):
        message = f"`{name}` is of type {type(variable).__name__}, not an event"
        raise type_refusal("P502", message, "`condition(event)` takes a boolean; `condition(x, value)` an observed value")
    recording.see_event(name, bool(variable))
    return None


def observe(variable: Any, value: Any, *, variance: Any = None, std: Any = None, **others: Any) -> None:
    """Says that a random variable was seen through independent Gaussian noise to have this value.

    Parameters
    ----------
    variable
        The variable, or a string that names it.
    value
        What was seen.
    variance, std
        The variance or the standard deviation of the noise.

    Examples
    --------
    >>> import privug
    >>> def program():
    ...     x = privug.Normal(0, 1)
    ...     privug.observe(x, 2, std=1)
    ...     return x
    >>> float(privug.analyze(program).posterior.mean[0])
    1.0
    """
    spread, is_std_dev = _spread("observe", {"variance": variance, "std": std, **others})
    _see("observe", variable, value, spread, is_std_dev)


def gaussian_mechanism(
    variable: Any, *, sensitivity: Any, epsilon: Any, delta: Any, calibration: str = "analytic"
) -> Random:
    """The variable with the noise of the Gaussian mechanism of differential privacy added.

    Parameters
    ----------
    variable
        What is published with noise.
    sensitivity
        By how much one person can change it at most.
    epsilon, delta
        The guarantee of differential privacy.
    calibration
        `"analytic"`, or `"classic"` for the older formula, which needs ε < 1.

    Examples
    --------
    >>> import privug
    >>> def release(x):
    ...     return privug.gaussian_mechanism(x, sensitivity=1, epsilon=0.5, delta=0.01)
    >>> found = privug.analyze(release, x=privug.Normal(0, std=1), secret="x")
    >>> found.leakage.mutual_information_bits < 0.1
    True
    """
    recording = current("gaussian_mechanism")
    frame = caller()
    name = recording.subject(frame, "gaussian_mechanism")
    if isinstance(variable, RandomVector):
        raise TypeError("P407: gaussian_mechanism takes one random variable at a time")
    return recording.gaussian_mechanism(
        name, _named(variable, frame), sensitivity, epsilon, delta, calibration
    )


def adopt(value: Any, recording: Recording) -> Any:
    """Makes random variables of all priors in a value."""
    if isinstance(value, Prior):
        return recording.create(value)
    if isinstance(value, Mapping) and any(_holds_prior(element) for element in value.values()):
        return {key: adopt(element, recording) for key, element in value.items()}
    if isinstance(value, (list, tuple)) and any(_holds_prior(element) for element in value):
        adopted: List[Any] = [adopt(element, recording) for element in value]
        return tuple(adopted) if isinstance(value, tuple) else adopted
    if isinstance(value, np.ndarray) and value.dtype == object:
        return np.array([adopt(element, recording) for element in value.tolist()], dtype=object)
    return value


def _holds_prior(value: Any) -> bool:
    if isinstance(value, Prior):
        return True
    if isinstance(value, Mapping):
        return any(_holds_prior(element) for element in value.values())
    return isinstance(value, Sequence) and not isinstance(value, str) and any(map(_holds_prior, value))
