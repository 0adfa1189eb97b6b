"""What outputs were seen to be: values are matched by labels, and what does not fit is refused."""

from __future__ import annotations

import ast
import math
import re
from typing import Any, Callable, List, Mapping, Optional, Tuple

import numpy as np

from ._parser import parse
from ._privug import Random, RandomVector
from ._publish import Constant, Labelled, Tree, label, look_into, step
from ._random import given, number_text
from ._refused import type_refusal, value_refusal

Seen = Tuple[str, Any, Any, Any]
"""The path of an output, the output, the value it was seen to have, and the standard deviation of noise or None."""

_NOISE = "write '50±1' or privug.noisy(50, std=1) for a value observed with noise"


class Noisy:
    """A value that was seen through independent Gaussian noise."""

    def __init__(self, value: Any, std: float) -> None:
        self.value = value
        self.std = checked(std, "the standard deviation")
        if self.std < 0:
            raise value_refusal("P401", f"the standard deviation {std!r} is negative", "give a positive number")

    def __repr__(self) -> str:
        return f"noisy({self.value!r}, std={self.std!r})"


def noisy(value: Any, *, std: float) -> Noisy:
    """A value of `observe=` (a number, list, dictionary or table) that was seen through noise of this deviation.

    Parameters
    ----------
    value
        What was seen.
    std
        The standard deviation of the noise.

    Examples
    --------
    >>> import privug
    >>> found = privug.analyze(lambda x: x, x=privug.Normal(0, std=1), secret="x", observe=privug.noisy(2, std=1))
    >>> float(found.posterior.mean[0])
    1.0
    """
    return Noisy(value, std)


def checked(value: Any, what: str) -> Any:
    """A finite number; everything else is refused."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (Random, RandomVector)):
        raise type_refusal("P503", f"{what} is random", "give the number that was published")
    if isinstance(value, Constant):
        raise value_refusal("P416", f"{what} is {value}", "omit what was not observed, and give finite numbers")
    if isinstance(value, (bool, np.bool_)) or isinstance(value, str) or not hasattr(value, "__float__"):
        kind = "None" if value is None else f"of type {type(value).__name__}"
        raise type_refusal("P503", f"{what} is {kind}, not a number", "give the number that was published")
    if not math.isfinite(float(value)):
        raise value_refusal("P416", f"{what} is {value}", "omit what was not observed, and give finite numbers")
    return value.item() if isinstance(value, np.generic) else value


def is_texts(observe: Any) -> bool:
    """Whether observations are written as on the command line."""
    if isinstance(observe, str):
        return True
    texts = isinstance(observe, list) and bool(observe) and all(isinstance(each, str) for each in observe)
    return texts and (len(observe) == 1 or all(re.match(r"\s*return\b", each) for each in observe))


def seen_tree(observe: Any) -> Tree:
    """The parts of what was seen; labels that occur twice are refused."""
    for axis in ("index", "columns"):
        labels = getattr(observe, axis, None)
        if labels is not None and not callable(labels) and not getattr(labels, "is_unique", True):
            twice = labels[labels.duplicated()][0]
            raise value_refusal("P018", f"the label {twice!r} is observed twice", "keep one of the observations")
    return look_into(observe, leaves=(Noisy,))


def match(output: Tree, seen: Tree, compute: Callable[[str], Any], path: str = "", std: Any = None) -> List[Seen]:
    """Which outputs were seen to have which values."""
    if isinstance(seen, Noisy):
        if std is not None:
            raise type_refusal("P014", f"`return{path}` is observed with noise twice", _NOISE)
        return match(output, seen_tree(seen.value), compute, path, seen.std)
    if _is_plain(output) and (type(seen) is str or isinstance(seen, (bool, np.bool_))) and std is None:
        return [(path, output, bool(seen) if isinstance(seen, np.bool_) else seen, None)]
    if type(seen) is str and not isinstance(output, (Labelled, list, RandomVector, np.ndarray)):
        return [_read(output, seen, compute, path, std)]
    if isinstance(seen, Labelled):
        return _match_labels(output, seen, compute, path, std)
    if isinstance(output, Labelled):
        message = f"the outputs in `return{path}` have labels ({_listed(output)}), but the observation has none"
        raise type_refusal("P015", message, "give a dictionary or a pandas Series with these labels")
    if isinstance(output, (list, RandomVector, np.ndarray)):
        if not isinstance(seen, (list, np.ndarray)):
            message = f"`return{path}` has {len(output)} values, and one is observed"
            raise type_refusal("P015", message, "give a list, or a dictionary by position")
        if len(seen) != len(output):
            message = f"{len(seen)} values are observed for `return{path}`, which has {len(output)}"
            hint = "observe all of them, or pass a dictionary of the observed ones, such as {0: 3.5}"
            raise value_refusal("P410", message, hint)
        if isinstance(output, RandomVector) and isinstance(seen, np.ndarray) and seen.ndim == 1 and seen.dtype.kind in "iuf":
            return [(path, output, seen, std)]
        parts = [match(a, b, compute, f"{path}[{place}]", std) for place, (a, b) in enumerate(zip(output, seen))]
        return [each for part in parts for each in part]
    if isinstance(seen, (list, np.ndarray)):
        message = f"`return{path}` is one value, and {len(seen)} are observed"
        raise type_refusal("P015", message, _NOISE)
    return [(path, output, checked(seen, f"the observed value of `return{path}`"), std)]


def _is_plain(output: Tree) -> bool:
    """Whether an output is a truth value or a text: that of a choice, in one of the runs."""
    return isinstance(output, (bool, np.bool_)) or type(output) is str


def _match_labels(output: Tree, seen: Labelled, compute: Callable[[str], Any], path: str, std: Any) -> List[Seen]:
    found: List[Seen] = []
    for key, value in seen.items():
        inner, place = _part(output, key, path)
        found += match(inner, value, compute, place, std)
    return found


def _part(output: Tree, key: Any, path: str) -> Tuple[Tree, str]:
    """The output with a label, or with a path such as `return[0]['men']`."""
    if isinstance(output, Labelled) and key in output:
        return output[key], path + step(key)
    is_position = isinstance(key, int) and not isinstance(key, bool)
    if isinstance(output, (list, RandomVector, np.ndarray)) and is_position and 0 <= key < len(output):
        return output[key], f"{path}[{key}]"
    steps = list(key) if isinstance(key, tuple) else _steps(key) if path == "" else None
    if steps is None or not isinstance(output, (Labelled, list, RandomVector, np.ndarray)) and steps:
        if not isinstance(output, (Labelled, list, RandomVector, np.ndarray)):
            hint = "give the value itself"
        else:
            hint = f"the labels are {_listed(output)}"
        raise value_refusal("P015", f"there is no output `return{path}{step(key)}`", hint)
    for each in steps:
        output, path = _part(output, label(each), path or "")
    return output, path


def _steps(key: Any) -> Optional[List[Any]]:
    """The labels in a path such as `return[0]['men']` or `[0]`."""
    if not isinstance(key, str) or not re.match(r"\s*(return\s*(\[|$)|\[)", key):
        return None
    text = re.sub(r"^\s*(return)?", "_", key, count=1)
    try:
        node: Any = parse(text, mode="eval").body
        steps: List[Any] = []
        while isinstance(node, ast.Subscript):
            steps.insert(0, ast.literal_eval(node.slice))
            node = node.value
    except (SyntaxError, ValueError):
        return None
    return steps if isinstance(node, ast.Name) else None


def _listed(output: Tree) -> str:
    if not isinstance(output, Labelled):
        return f"0 to {len(output) - 1}" if len(output) else "none"
    shown = [repr(key) for key in list(output)[:5]]
    return ", ".join(shown) + (", …" if len(output) > 5 else "")


def _read(output: Tree, text: str, compute: Callable[[str], Any], path: str, std: Any) -> Seen:
    """`44` or `44±0.1`."""
    value, sign, noise = text.replace("+-", "±").partition("±")
    if sign and std is not None:
        raise type_refusal("P014", f"`return{path}` is observed with noise twice", _NOISE)
    what = f"the observed value of `return{path}`"
    number = checked(compute(value), what)
    return path, output, number, checked(compute(noise), f"the noise of `return{path}`") if sign else std


def observations_of(observe: Any) -> Tuple[List[Any], bool]:
    """Observations for a program that is not run, as typed or (path, value, std), and whether they must be all outputs."""
    if observe is None:
        return [], False
    if is_texts(observe):
        return ([observe] if isinstance(observe, str) else list(observe)), False
    found: List[Any] = []
    tree = seen_tree(observe)
    _write(tree, "", found)
    return found, isinstance(tree, list) and not _all_numbers(tree)


def _all_numbers(tree: Tree) -> bool:
    if isinstance(tree, list):
        return all(map(_all_numbers, tree))
    return not isinstance(tree, (Labelled, Noisy)) and type(tree) is not str


def _write(tree: Tree, path: str, found: List[Any], std: Any = None) -> None:
    if isinstance(tree, Noisy):
        _write(seen_tree(tree.value), path, found, tree.std)
    elif isinstance(tree, Labelled):
        for key, part in tree.items():
            steps = _steps(key) if path == "" else None
            inner = path + step(label(key)) if steps is None else "".join(step(label(each)) for each in steps)
            _write(part, inner, found, std)
    elif isinstance(tree, list) and not _all_numbers(tree):
        if path:
            hint = "name each of them in a dictionary"
            raise type_refusal("P014", f"the list for `return{path}` holds more than numbers", hint)
        for place, part in enumerate(tree):
            _write(part, f"[{place}]", found, std)
    elif type(tree) is str:
        noise = "" if std is None else f"±{number_text(std)}"
        found.append(f"return{path}={tree}{noise}")
    else:
        found.append((path, _value(tree, path), None if std is None else given(std)))


def _value(tree: Tree, path: str) -> Any:
    if isinstance(tree, (list, np.ndarray)):
        return [_value(part, f"{path}[{place}]") for place, part in enumerate(tree)]
    if isinstance(tree, (bool, np.bool_)):
        # Random booleans are seen to be true or false.
        return bool(tree)
    return given(checked(tree, f"the observed value of `return{path}`"))


def truths_of(truth: Any) -> List[Any]:
    """The true values of secrets, as typed or (secret, value)."""
    if truth is None:
        return []
    if isinstance(truth, str):
        return [truth]
    if hasattr(truth, "to_dict"):
        truth = truth.to_dict()
    if isinstance(truth, Mapping):
        return [_truth(secret, value, f"the truth of {secret}") for secret, value in truth.items()]
    if isinstance(truth, (list, tuple, np.ndarray)):
        return [_truth(None, value, "the truth") for value in truth]
    return [_truth(None, truth, "the truth")]


def _truth(secret: Optional[str], value: Any, what: str) -> Any:
    if isinstance(value, str):
        return value if secret is None else f"{secret}={value}"
    return (secret, given(checked(value, what)))
