"""The law of one number: values with probabilities, and pieces of normal distributions with weights."""

from __future__ import annotations

import ast
import math
from statistics import NormalDist
from typing import Any, Callable, Dict, Hashable, List, NamedTuple, Tuple

import numpy as np

from ._parser import code_of


class Piece(NamedTuple):
    """A normal distribution between two ends."""

    weight: float
    mean: float
    std: float
    low: float
    high: float

    def z(self, x: float) -> float:
        return (x - self.mean) / self.std

    def between(self, low: float, high: float) -> float:
        """The probability of an interval, given that the number is of this piece."""
        low, high = max(low, self.low), min(high, self.high)
        if not low < high:
            return 0.0
        whole = _mass(self.z(self.low), self.z(self.high))
        if whole == 0.0:
            raise ValueError("a piece of a normal distribution is too far out in its tail: ask with query='P(…)'")
        return min(_mass(self.z(low), self.z(high)) / whole, 1.0)

    def density(self, x: float) -> float:
        if not self.low <= x <= self.high:
            return 0.0
        whole = self.between(self.low, self.high) and _mass(self.z(self.low), self.z(self.high))
        return math.exp(-0.5 * self.z(x) ** 2) / (math.sqrt(2 * math.pi) * self.std * whole)

    def draw(self, share: float) -> float:
        """The number below which so much of the piece lies."""
        low, high = self.z(self.low), self.z(self.high)
        # In the lower tail, where probabilities have all their digits.
        is_mirrored = low > 0
        if is_mirrored:
            low, high, share = -high, -low, 1.0 - share
        self.between(self.low, self.high)
        below, above = _below(low), _below(high)
        p = min(max(below + share * (above - below), math.ulp(0.0)), 1.0 - 2.0**-53)
        z = min(max(NormalDist().inv_cdf(p), low), high)
        return self.mean + self.std * (-z if is_mirrored else z)


def _below(z: float) -> float:
    """Φ(z)"""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def _mass(low: float, high: float) -> float:
    """Φ(high) − Φ(low), on the side on which neither is near 1."""
    if low > 0:
        low, high = -high, -low
    return _below(high) - _below(low) if high <= 0 else 1.0 - _below(low) - _below(-high)


class Law:
    """What is known of one number: the probabilities of some values, and pieces that have a density."""

    def __init__(self, name: str, parts: List[Dict[str, Any]], value: Callable[[Any], Hashable]) -> None:
        self.atoms: List[Tuple[Any, float]] = []
        self.pieces: List[Piece] = []
        for part in parts:
            if "probability" in part:
                key = value(part["value"])
                if not isinstance(key, (bool, int, float, range)):
                    raise ValueError(f"{name} is not a number: {key!r} is one of its values; `pmf` has their probabilities")
                self.atoms.append((key, part["probability"]))
            elif part["variance"] == 0.0:
                self.atoms.append((part["mean"], part["weight"]))
            else:
                low, high = part.get("above", -math.inf), part.get("up_to", math.inf)
                self.pieces.append(Piece(part["weight"], part["mean"], math.sqrt(part["variance"]), low, high))
        self.name = name
        self.atoms.sort(key=lambda atom: atom[0][0] if isinstance(atom[0], range) else atom[0])

    def cdf(self, x: float) -> float:
        """P(number ≤ x)"""
        if math.isnan(x):
            return math.nan
        atoms = [p * _share(value, x) for value, p in self.atoms]
        return min(math.fsum(atoms + [piece.weight * piece.between(-math.inf, x) for piece in self.pieces]), 1.0)

    def pdf(self, x: float) -> float:
        if self.atoms:
            raise ValueError(f"{self.name} has single values with a probability, and so no density: `cdf` has both")
        return math.fsum(piece.weight * piece.density(x) for piece in self.pieces)

    def quantile(self, p: float) -> float:
        """The smallest number with at least this probability up to it."""
        if math.isnan(p) or not 0.0 <= p <= 1.0:
            return math.nan
        if not self.pieces:
            return self._of_values(p)
        if p == 0.0 or p == 1.0:
            ends = [piece[3 if p == 0.0 else 4] for piece in self.pieces] + [float(_end(v, p)) for v, _ in self.atoms]
            return min(ends) if p == 0.0 else max(ends)
        spread = max(piece.std for piece in self.pieces)
        near = [min(max(piece.mean, piece.low), piece.high) for piece in self.pieces] + [float(_end(v, p)) for v, _ in self.atoms]
        low, high = min(near) - 40.0 * spread - 1.0, max(near) + 40.0 * spread + 1.0
        for _ in range(200):
            middle = low + (high - low) / 2.0
            if not low < middle < high:
                break
            low, high = (middle, high) if self.cdf(middle) < p else (low, middle)
        return high

    def _of_values(self, p: float) -> float:
        total = 0.0
        for value, probability in self.atoms:
            before, total = total, total + probability
            # What differs from it by the rounding of a sum only reaches it.
            if total >= p * (1.0 - 1e-14) and probability > 0.0:
                if isinstance(value, range):
                    return float(value[min(max(math.ceil((p - before) / probability * len(value)) - 1, 0), len(value) - 1)])
                return float(value)
        return float(_end(self.atoms[-1][0], 1.0))

    def prob(self, tree: ast.expr) -> float:
        """The probability of an event, in which `secret_value` is compared with numbers."""
        happens = _condition(tree)
        ends = sorted(set(_thresholds(tree)))
        middles = [ends[0] - 1.0, *((a + b) / 2 for a, b in zip(ends, ends[1:])), ends[-1] + 1.0] if ends else [0.0]
        total = []
        for middle, low, high in zip(middles, [-math.inf, *ends], [*ends, math.inf]):
            if happens(middle):
                total += [piece.weight * piece.between(low, high) for piece in self.pieces]
        return math.fsum(total + [p for value, p in self.atoms if happens(value)])

    def sample(self, generator: np.random.Generator, n: int) -> List[Any]:
        weights = np.array([p for _, p in self.atoms] + [piece.weight for piece in self.pieces], dtype=float)
        chosen = generator.choice(len(weights), size=n, p=weights / weights.sum())
        shares = generator.random(n)

        def one(place: int, share: float) -> Any:
            if place >= len(self.atoms):
                return self.pieces[place - len(self.atoms)].draw(share)
            value = self.atoms[place][0]
            return value[int(share * len(value))] if isinstance(value, range) else value

        return [one(int(place), float(share)) for place, share in zip(chosen, shares)]


def _end(value: Any, p: float) -> Any:
    return (value[-1] if p > 0.0 else value[0]) if isinstance(value, range) else value


def _share(value: Any, x: float) -> float:
    """How much of a value lies up to a number."""
    if not isinstance(value, range):
        return float(value <= x)
    if x < value[0]:
        return 0.0
    return 1.0 if x >= value[-1] else (math.floor(x) - value[0] + 1) / len(value)


def _is_secret(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "secret_value"


def _mentions(node: ast.AST) -> bool:
    return any(_is_secret(each) for each in ast.walk(node))


def _thresholds(tree: ast.expr) -> List[float]:
    """The numbers that the secret is compared with."""
    if isinstance(tree, ast.BoolOp):
        return [end for value in tree.values for end in _thresholds(value)]
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return _thresholds(tree.operand)
    if not _mentions(tree):
        return []
    orders = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
    if not isinstance(tree, ast.Compare) or not all(isinstance(op, orders) for op in tree.ops):
        raise ValueError("P701: of a number with a density, events compare it with numbers; ask others with query='P(…)'")
    ends = []
    for operand in [tree.left, *tree.comparators]:
        if _is_secret(operand):
            continue
        if _mentions(operand):
            raise ValueError("P701: an event compares the number itself with numbers; ask others with query='P(…)'")
        code = code_of(ast.fix_missing_locations(ast.Expression(operand)), "<event>", "eval")
        try:
            ends.append(float(eval(code, {"__builtins__": {}}, {})))
        except (NameError, TypeError, ValueError, ArithmeticError) as error:
            raise ValueError(f"P701: {ast.unparse(operand)!r} is not a number: {error}") from None
    return ends


def _condition(tree: ast.expr) -> Callable[[Any], Any]:
    code = code_of(ast.fix_missing_locations(ast.Expression(tree)), "<event>", "eval")
    return lambda value: eval(code, {"__builtins__": {}}, {"abs": abs, "secret_value": value})
