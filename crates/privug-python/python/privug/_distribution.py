"""What is known about the secrets at one time."""

from __future__ import annotations

import ast
from typing import Any, List, Optional, Union

import numpy as np

from . import _privug
from ._parser import parse
from ._privug import Request
from ._random import number_text


class Distribution:
    """A (joint) normal distribution of the secrets; arrays have one element for each of them."""

    def __init__(
        self, names: List[str], mean: np.ndarray, variance: np.ndarray, covariance: Optional[np.ndarray]
    ) -> None:
        self.names = names
        """The secrets."""
        self.mean = mean
        """Means."""
        self.var = variance
        """Variances."""
        self._covariance = covariance

    def __len__(self) -> int:
        return len(self.names)

    @property
    def std(self) -> np.ndarray:
        """Standard deviations."""
        return np.sqrt(self.var)

    @property
    def cov(self) -> np.ndarray:
        """The matrix of covariances; refused for more secrets than it was computed for (1000)."""
        if self._covariance is None:
            raise ValueError(f"there are {len(self)} secrets; covariances are computed for at most 1000")
        return self._covariance

    def __getitem__(self, secret: Union[int, str]) -> Distribution:
        """The distribution of one secret, by its position or name."""
        if isinstance(secret, str):
            if secret not in self.names:
                raise KeyError(f"{secret!r} is not a secret; the secrets are {', '.join(self.names[:10])}")
            secret = self.names.index(secret)
        place = range(len(self))[secret]
        part = slice(place, place + 1)
        return Distribution([self.names[place]], self.mean[part], self.var[part], self.var[part].reshape(1, 1))

    def _each(self, function: Any, x: Any) -> Any:
        x = np.asarray(x, dtype=float)
        shape = x.shape + (len(self),)
        full = np.ascontiguousarray(np.broadcast_to(x[..., None], shape)).ravel()
        mean = np.ascontiguousarray(np.broadcast_to(self.mean, shape)).ravel()
        variance = np.ascontiguousarray(np.broadcast_to(self.var, shape)).ravel()
        values = function(full, mean, variance).reshape(shape)
        if len(self) == 1:
            values = values[..., 0]
        return float(values) if values.ndim == 0 else values

    def pdf(self, x: Any) -> Any:
        """Densities at `x`; of several secrets, each in its place of the last axis."""
        return self._each(_privug.density, x)

    def cdf(self, x: Any) -> Any:
        """Probabilities of values up to `x`."""
        return self._each(_privug.cumulative, x)

    def quantile(self, p: Any) -> Any:
        """The value below which the secret lies with probability `p`."""
        return self._each(_privug.quantile, p)

    def interval(self, level: float = 0.95) -> np.ndarray:
        """The shortest interval that holds the secret with this probability: two ends for each secret."""
        if not 0.0 < level < 1.0:
            raise ValueError(f"P707: the level {level} is not between 0 and 1")
        tail = (1.0 - level) / 2.0
        low = np.atleast_1d(self.quantile(tail))
        # By symmetry: 1 - tail would be rounded.
        ends = np.stack([low, 2.0 * self.mean - low], axis=-1)
        return ends[0] if len(self) == 1 else ends

    def sample(self, n: int, seed: Any = None) -> np.ndarray:
        """`n` draws: an array of n numbers, or n rows for several secrets. The same seed gives the same draws."""
        generator = np.random.default_rng(seed)
        if len(self) == 1:
            return self.mean[0] + self.std[0] * generator.standard_normal(n)
        return generator.multivariate_normal(self.mean, self.cov, size=n, method="eigh", check_valid="ignore")

    def prob(self, event: str) -> float:
        """The probability of an event such as `"490_000 < x < 510_000"` or `"ages[0] > ages[1]"`.

        With one secret, any single name stands for it.
        """
        tree = parse(event.strip(), mode="eval").body
        used: List[int] = []
        tree = _Renamer(self.names, used).visit(tree)
        used = sorted(set(used))
        if len(used) == 1:
            place = used[0]
            mean, variance = number_text(self.mean[place]), number_text(self.var[place])
            body = f"    secret_{place} = Normal({mean}, {variance})\n"
        elif used:
            rows = [[number_text(self.cov[i, j]) for j in used] for i in used]
            means = ", ".join(number_text(self.mean[place]) for place in used)
            matrix = ", ".join("[" + ", ".join(row) + "]" for row in rows)
            names = ", ".join(f"secret_{place}" for place in used)
            body = f"    {names} = MultivariateNormal([{means}], [{matrix}])\n"
        else:
            raise ValueError(f"P701: {event!r} mentions no secret; the secrets are {', '.join(self.names[:10])}")
        program = f"from privug import Normal, MultivariateNormal\n\n\ndef event():\n{body}    return secret_{used[0]}\n"
        question = f"P({ast.unparse(tree)})"
        import json

        document = json.loads(Request("<event>", program, queries=[question]).analyze().to_json())
        return float(document["queries"][0]["after"])

    def to_scipy(self) -> Any:
        """The same as a frozen distribution of scipy: `norm`, or `multivariate_normal` for several secrets."""
        from scipy import stats

        if len(self) == 1:
            return stats.norm(loc=float(self.mean[0]), scale=float(self.std[0]))
        return stats.multivariate_normal(mean=self.mean, cov=self.cov, allow_singular=True)

    def to_pandas(self) -> Any:
        """A table of means, standard deviations and variances, one row for each secret."""
        import pandas

        return pandas.DataFrame({"mean": self.mean, "std": self.std, "var": self.var}, index=self.names)

    def __repr__(self) -> str:
        shown = [
            f"{name} ~ Normal(mean={mean:.6g}, std={np.sqrt(var):.6g})"
            for name, mean, var in list(zip(self.names, self.mean, self.var))[:10]
        ]
        more = [f"and {len(self) - 10} more"] if len(self) > 10 else []
        return "\n".join(shown + more)


class _Renamer(ast.NodeTransformer):
    """Lets the secrets of an event be plain names."""

    def __init__(self, names: List[str], used: List[int]) -> None:
        self.places = {_plain(name): place for place, name in enumerate(names)}
        self.only = len(names) == 1
        self.used = used

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr):
            place = self.places.get(ast.unparse(node))
            if place is None and self.only and isinstance(node, ast.Name) and node.id != "abs":
                place = 0
            if place is not None:
                self.used.append(place)
                return ast.Name(f"secret_{place}", ast.Load())
        return super().visit(node)


def _plain(name: str) -> str:
    try:
        return ast.unparse(parse(name, mode="eval").body)
    except SyntaxError:
        return name
