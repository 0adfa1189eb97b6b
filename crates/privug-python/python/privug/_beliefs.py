"""What is known about discrete secrets and mixtures at one time."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Dict, Hashable, List, Union

import numpy as np

from ._laws import Law
from ._parser import code_of, parse

_ALLOWED = {"abs": abs, "len": len, "max": max, "min": min, "round": round, "sum": sum, "True": True, "False": False}


def _value(value: Any) -> Hashable:
    """Lists are tuples, so that they can be keys; integers that nothing tells apart are a range."""
    if isinstance(value, dict):
        return range(value["from"], value["to"] + 1)
    return tuple(_value(each) for each in value) if isinstance(value, list) else value


class Belief:
    """The distributions of the secrets, one by one: values and their probabilities, or mixtures of normal distributions.

    With one secret, a property is that of the secret; with several it is a dictionary or an array by secret.
    """

    def __init__(self, entries: List[Dict[str, Any]], when: str, means: List[Any], variances: List[Any]) -> None:
        self._entries = entries
        self._when = when
        self._means = means
        self._variances = variances

    @property
    def names(self) -> List[str]:
        """The secrets."""
        return [entry["secret"] for entry in self._entries]

    @property
    def kind(self) -> Any:
        """`"discrete"`, `"normal"` or `"mixture"`."""
        return self._each(lambda entry: entry["kind"])

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, secret: Union[int, str]) -> Belief:
        """The distribution of one secret, by its position or name."""
        if isinstance(secret, str):
            if secret not in self.names:
                raise KeyError(f"{secret!r} is not a secret; the secrets are {', '.join(self.names[:10])}")
            secret = self.names.index(secret)
        place = range(len(self))[secret]
        part = slice(place, place + 1)
        return Belief(self._entries[part], self._when, self._means[part], self._variances[part])

    def _each(self, function: Any) -> Any:
        values = [function(entry) for entry in self._entries]
        return values[0] if len(values) == 1 else dict(zip(self.names, values))

    def _is_discrete(self, entry: Dict[str, Any]) -> bool:
        return all("probability" in part for part in entry[self._when])

    def _table(self, entry: Dict[str, Any], key: str) -> Dict[Hashable, Any]:
        if not self._is_discrete(entry):
            raise ValueError(f"{entry['secret']} is a mixture, which has a density: `components` are its parts")
        return {_value(part["value"]): part[key] for part in entry[self._when]}

    @property
    def pmf(self) -> Any:
        """The probability of each value, as a dictionary in the order of the values."""
        return self._each(lambda entry: self._table(entry, "probability"))

    @property
    def exact(self) -> Any:
        """The same as `fractions.Fraction`, with `exact=True`."""
        if any("exact" not in part for entry in self._entries for part in entry[self._when]):
            raise ValueError("probabilities are exact with exact=True")
        fractions = lambda entry: {value: Fraction(text) for value, text in self._table(entry, "exact").items()}  # noqa: E731
        return self._each(fractions)

    @property
    def components(self) -> Any:
        """The parts of a mixture: weight, mean, variance, and `above`/`up_to` where they are cut off."""
        return self._each(lambda entry: [dict(part) for part in entry[self._when]])

    @property
    def mean(self) -> np.ndarray:
        """Means; NaN where a secret is not a number."""
        return np.array([math.nan if mean is None else mean for mean in self._means], dtype=float)

    @property
    def var(self) -> np.ndarray:
        """Variances; NaN where a secret is not a number."""
        return np.array([math.nan if variance is None else variance for variance in self._variances], dtype=float)

    @property
    def std(self) -> np.ndarray:
        """Standard deviations."""
        return np.sqrt(self.var)

    def _law(self, entry: Dict[str, Any]) -> Law:
        return Law(entry["secret"], entry[self._when], _value)

    def _of_numbers(self, method: str, x: Any) -> Any:
        """A function of numbers, for each secret along the last axis if there are several."""
        x = np.asarray(x, dtype=float)
        of_each = [getattr(self._law(entry), method) for entry in self._entries]
        values = np.array([[function(float(each)) for function in of_each] for each in x.ravel()]).reshape(x.shape + (len(self),))
        if len(self) == 1:
            values = values[..., 0]
        return float(values) if values.ndim == 0 else values

    def cdf(self, x: Any) -> Any:
        """The probability of values up to `x`, of secrets that are numbers."""
        return self._of_numbers("cdf", x)

    def pdf(self, x: Any) -> Any:
        """The density at `x`; an error where single values have a probability."""
        return self._of_numbers("pdf", x)

    def quantile(self, p: Any) -> Any:
        """The smallest number with at least the probability `p` up to it."""
        return self._of_numbers("quantile", p)

    def interval(self, level: float = 0.95) -> np.ndarray:
        """The interval that leaves out as much below as above: two ends for each secret."""
        if not 0.0 < level < 1.0:
            raise ValueError(f"P707: the level {level} is not between 0 and 1")
        ends = np.stack([np.atleast_1d(self.quantile((1.0 - level) / 2.0)), np.atleast_1d(self.quantile((1.0 + level) / 2.0))], axis=-1)
        return ends[0] if len(self) == 1 else ends

    def prob(self, event: str) -> float:
        """The probability of an event about one secret, such as `"x > 3"`, `"2 < x <= 5"` or `"vote == 'yes'"`.

        With one secret, any single name stands for it. Events about several secrets are asked for with `query=`.
        """
        import ast

        tree = parse(event.strip(), mode="eval")
        texts = {ast.unparse(parse(name, mode="eval").body): name for name in self.names}
        found = {texts[ast.unparse(node)] for node in ast.walk(tree) if isinstance(node, ast.expr) and ast.unparse(node) in texts}
        if not found and len(self) == 1:
            found = set(self.names)
        if len(found) != 1:
            raise ValueError(f"P701: {event!r} must be about one of {', '.join(self.names[:10])}; ask others with query=")
        name = found.pop()
        text = ast.unparse(parse(name, mode="eval").body)
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(_ALLOWED)

        class Renamed(ast.NodeTransformer):
            def visit(self, node: ast.AST) -> Any:
                is_secret = isinstance(node, ast.expr) and ast.unparse(node) == text
                is_only_name = isinstance(node, ast.Name) and node.id in names and len(names) == 1
                if is_secret or is_only_name:
                    return ast.copy_location(ast.Name("secret_value", ast.Load()), node)
                return super().visit(node)

        renamed = ast.fix_missing_locations(Renamed().visit(tree))
        one = self[name]
        if not one._is_discrete(one._entries[0]):
            return one._law(one._entries[0]).prob(renamed.body)
        code = code_of(renamed, "<event>", "eval")
        happens = lambda value: eval(code, {"__builtins__": {}}, {**_ALLOWED, "secret_value": value})  # noqa: E731
        table = self[name].pmf
        if any(isinstance(value, range) for value in table):
            raise ValueError(f"{name} has ranges of indistinguishable values; use query='P(…)'")
        return math.fsum(p for value, p in table.items() if happens(value))

    def sample(self, n: int, seed: Any = None) -> Any:
        """`n` draws of each secret, as lists. The same seed gives the same draws."""
        generator = np.random.default_rng(seed)

        def draw(entry: Dict[str, Any]) -> List[Any]:
            if not self._is_discrete(entry):
                return self._law(entry).sample(generator, n)
            table = self._table(entry, "probability")
            values, weights = list(table), np.array(list(table.values()), dtype=float)
            drawn = [values[place] for place in generator.choice(len(values), size=n, p=weights / weights.sum())]
            within = lambda value: value[int(generator.integers(len(value)))] if isinstance(value, range) else value  # noqa: E731
            return [within(value) for value in drawn]

        return self._each(draw)

    def to_pandas(self) -> Any:
        """A table of values and probabilities, or of the parts of mixtures."""
        import pandas

        rows = [{"secret": entry["secret"], **part} for entry in self._entries for part in entry[self._when]]
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        lines = []
        for entry in self._entries[:10]:
            parts = entry[self._when]
            if self._is_discrete(entry):
                shown = ", ".join(f"{_value(part['value'])!r}: {part['probability']:.6g}" for part in parts[:10])
            else:
                shown = ", ".join(
                    f"{part['weight']:.6g} × Normal(mean={part['mean']:.6g}, std={math.sqrt(part['variance']):.6g})"
                    for part in parts[:10]
                )
            lines.append(f"{entry['secret']} ~ {{{shown}{', …' if len(parts) > 10 else ''}}}")
        if len(self) > 10:
            lines.append(f"and {len(self) - 10} more")
        return "\n".join(lines)
