"""Sums and means of secrets in bins of public values: `np.histogram(weights=)`, `scipy.stats.binned_statistic`."""

from __future__ import annotations

import sys
from typing import Any, Callable, Dict, Tuple

import numpy as np

from ._secret import binary, decides, not_linear, secret
from ._secret_array import by_matrix, public
from ._secret_linear import label_of, plain

Replace = Callable[[Any, str, Any], None]
HISTOGRAMS = ("histogram", "histogram2d", "histogramdd")


def histogram(function: Any, inputs: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    """A histogram of public values in which secrets are added up; its edges are public."""
    name = f"np.{function.__name__}"
    weights = secret(public(options.get("weights")))
    others = [*inputs, *(each for key, each in options.items() if key != "weights")]
    if weights is None or label_of([part for each in others for part in (each if isinstance(each, (list, tuple)) else [each])]):
        raise decides(label_of([*others, options.get("weights")]), name)
    if options.get("density"):
        raise not_linear(weights.label, f"{name}(density=True)")
    counting = plain(function)
    edges = counting(*inputs, **{**options, "weights": np.zeros(weights.shape)})[1:]
    return (by_matrix(lambda each: counting(*inputs, **{**options, "weights": each})[0], weights, exact=True), *edges)


def hooks(replace: Replace) -> None:
    """Lets scipy put secrets into bins."""
    statistics: Any = sys.modules.get("scipy.stats")
    for name in ("binned_statistic", "binned_statistic_2d", "binned_statistic_dd") if statistics is not None else ():
        replace(statistics, name, _binned(getattr(statistics, name)))


def _binned(original: Any) -> Any:
    """The number of coordinates before the values differs from one to the other."""
    place = 2 if original.__name__.endswith("2d") else 1

    def binned_statistic(*inputs: Any, **options: Any) -> Any:
        given: Dict[Any, Any] = {**dict(enumerate(inputs)), **options}
        key = "values" if "values" in options else place
        value = secret(public(given.get(key)))
        if value is None and not label_of([each for each in given.values() if each is not None]):
            return original(*inputs, **options)
        statistic = options.get("statistic", inputs[place + 1] if len(inputs) > place + 1 else "mean")
        if value is None or label_of([each for at, each in given.items() if at != key]):
            raise decides(label_of(list(given.values())), original.__name__)
        if statistic not in ("mean", "sum"):
            raise not_linear(value.label, f"{original.__name__}(statistic={statistic!r})")

        def called(values: np.ndarray, kind: str) -> Any:
            arguments = {**given, key: values, "statistic": kind}
            positional = [arguments[at] for at in range(min(len(inputs), place + 1))]
            later = dict(zip(("bins", "range", "expand_binnumbers"), inputs[place + 2 :]))
            named = {at: each for at, each in arguments.items() if isinstance(at, str)}
            return original(*positional, **{**later, **named})

        found = called(np.zeros(value.shape), "sum")
        total = by_matrix(lambda each: called(each, "sum").statistic, value, exact=True)
        if statistic == "mean":
            counts = called(np.ones(value.shape), "sum").statistic
            total = binary("true_divide", total, np.where(counts > 0, counts, np.nan))
        return found._replace(statistic=total) if hasattr(found, "_replace") else type(found)(total, *found[1:])

    return binned_statistic
