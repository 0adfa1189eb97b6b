"""An independent way to the answer: CPython runs the program once for each combination of choices, in fractions.

Nothing of privug is used here. Choices are answered one after the other along every path (a path is replayed from its
beginning), Gaussian variables are linear forms over their sources, and what was seen is conditioned on by hand.
"""

from __future__ import annotations

import ast
import math
from collections import defaultdict
from fractions import Fraction
from typing import Any, Callable, Dict, List, Optional, Tuple

MAX_WORLDS = 6000


class TooManyWorlds(Exception):
    """The program has more worlds than are enumerated here."""


class Excluded(Exception):
    """What was seen cannot happen in this world."""


class Gaussian:
    """A linear form over independent sources with variances."""

    def __init__(self, terms: Dict[int, Fraction], constant: Fraction) -> None:
        self.terms = {source: factor for source, factor in terms.items() if factor}
        self.constant = Fraction(constant)

    def _plus(self, other: Any, sign: int) -> "Gaussian":
        if isinstance(other, Gaussian):
            terms = defaultdict(Fraction, self.terms)
            for source, factor in other.terms.items():
                terms[source] += sign * factor
            return Gaussian(terms, self.constant + sign * other.constant)
        return Gaussian(self.terms, self.constant + sign * Fraction(other))

    def __add__(self, other: Any) -> "Gaussian":
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Gaussian":
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> "Gaussian":
        return (self * -1) + other

    def __mul__(self, factor: Any) -> "Gaussian":
        factor = Fraction(factor)
        return Gaussian({source: f * factor for source, f in self.terms.items()}, self.constant * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> "Gaussian":
        return self * (1 / Fraction(divisor))

    def __neg__(self) -> "Gaussian":
        return self * -1

    # Which side of a number it lies on is asked of the world: nobody cares about the number itself.

    def __gt__(self, other: Any) -> bool:
        return CURRENT[-1].is_above(self - other)

    def __lt__(self, other: Any) -> bool:
        return CURRENT[-1].is_above((self - other) * -1)

    __ge__, __le__ = __gt__, __lt__


# The world that is being run.
CURRENT: List["World"] = []


class World:
    """One run of the program along a path of answers."""

    def __init__(self, path: List[int], conditions: bool) -> None:
        self.path = path
        self.conditions = conditions
        self.used = 0
        self.counts: List[int] = []
        self.probability = Fraction(1)
        self.variances: List[Fraction] = []
        self.seen: List[Tuple[Gaussian, Fraction]] = []
        # Sources that were compared lie above the first and up to the second.
        self.bounds: Dict[int, Tuple[float, float]] = {}

    def is_above(self, form: Gaussian) -> bool:
        """Whether a form over one source is above 0; both sides are worlds where neither is known yet."""
        if not form.terms:
            return form.constant > 0
        ((source, factor),) = form.terms.items()
        threshold = float(-form.constant / factor)
        low, high = self.bounds.get(source, (-math.inf, math.inf))
        if threshold <= low or threshold >= high:
            is_high = threshold <= low
        else:
            is_high = self.choose([(False, Fraction(1)), (True, Fraction(1))])
            self.bounds[source] = (threshold, high) if is_high else (low, threshold)
        return is_high == (factor > 0)

    def sides(self) -> float:
        """The probability that all sources lie where they were found to."""
        product = 1.0
        for source, (low, high) in self.bounds.items():
            product *= between(low, high, float(self.variances[source]))
        return product

    def choose(self, answers: List[Tuple[Any, Fraction]]) -> Any:
        answers = [(value, p) for value, p in answers if p]
        if len(answers) == 1:
            return answers[0][0]
        if self.used == len(self.path):
            self.path.append(0)
        value, p = answers[self.path[self.used]]
        self.counts.append(len(answers))
        self.used += 1
        self.probability *= p
        return value

    # The language of privug.

    def bernoulli(self, p: Any) -> Any:
        p = probability(p)
        return self.choose([(False, 1 - p), (True, p)])

    def categorical(self, given: Any) -> Any:
        pairs = list(given.items()) if isinstance(given, dict) else list(enumerate(given))
        total = sum(probability(p) for _, p in pairs)
        if abs(total - 1) > Fraction(1, 10**9):
            raise ValueError("the probabilities do not add up")
        return self.choose([(value, Fraction(p) / total) for value, p in pairs])

    def discrete_uniform(self, lower: int, upper: int) -> Any:
        if upper < lower:
            raise ValueError("an empty range")
        return self.choose([(value, Fraction(1, upper - lower + 1)) for value in range(lower, upper + 1)])

    def binomial(self, n: int, p: Any) -> Any:
        p = probability(p)
        return self.choose([(k, math.comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1)])

    def normal(self, mean: Any, variance: Any) -> Any:
        variance = Fraction(variance)
        if variance < 0:
            raise ValueError("a negative variance")
        if variance == 0:
            return mean if isinstance(mean, Gaussian) else Gaussian({}, Fraction(mean))
        self.variances.append(variance)
        return Gaussian({len(self.variances) - 1: Fraction(1)}, Fraction(0)) + mean

    def condition(self, value: Any, *seen: Any) -> None:
        if not self.conditions:
            return
        if not seen:
            if not value:
                raise Excluded
            return
        if isinstance(value, Gaussian) or isinstance(seen[0], Gaussian):
            self.seen.append((Gaussian({}, Fraction(0)) + value - seen[0], Fraction(0)))
        elif value != seen[0]:
            raise Excluded


def between(low: float, high: float, variance: float) -> float:
    """The probability of an interval under a centred normal distribution, without cancellation far from its centre."""
    a, b = low / math.sqrt(2 * variance), high / math.sqrt(2 * variance)
    if a < 0 < b:
        return (math.erf(b) - math.erf(a)) / 2
    return (math.erfc(a) - math.erfc(b)) / 2 if a >= 0 else (math.erfc(-b) - math.erfc(-a)) / 2


def probability(p: Any) -> Fraction:
    p = Fraction(p)
    if not 0 <= p <= 1:
        raise ValueError("not a probability")
    return p


class _Exactly(ast.NodeTransformer):
    """Decimals are fractions, and a quotient of integers is one."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, float):
            return ast.copy_location(_call("Fraction", ast.Constant(repr(node.value))), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return ast.copy_location(_call("_divided", node.left, node.right), node)
        return node


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(func=ast.Name(name, ast.Load()), args=list(arguments), keywords=[])


def _divided(a: Any, b: Any) -> Any:
    return a / Fraction(b)


def compiled(source: str) -> Any:
    tree = ast.fix_missing_locations(_Exactly().visit(ast.parse(source)))
    is_privug = lambda part: isinstance(part, ast.ImportFrom) and part.module == "privug"  # noqa: E731
    tree.body = [part for part in tree.body if not is_privug(part)]
    return compile(tree, "<program>", "exec")


def worlds_of(source: str, function: str, conditions: bool) -> List[Tuple[World, Any, Optional[Exception]]]:
    """Every world: its run, what it returned, and what it raised."""
    code = compiled(source)
    path: List[int] = []
    worlds = []
    while True:
        world = World(path, conditions)
        names: Dict[str, Any] = {
            "Fraction": Fraction,
            "_divided": _divided,
            "Bernoulli": world.bernoulli,
            "Categorical": world.categorical,
            "DiscreteUniform": world.discrete_uniform,
            "Binomial": world.binomial,
            "Normal": world.normal,
            "condition": world.condition,
        }
        value, raised = None, None
        CURRENT.append(world)
        try:
            exec(code, names)
            value = names[function]()
        except Exception as error:  # noqa: BLE001: what a program raises is part of the answer
            raised = error
        CURRENT.pop()
        worlds.append((world, value, raised))
        if len(worlds) > MAX_WORLDS:
            raise TooManyWorlds
        path = path[: world.used]
        while path and path[-1] + 1 == world.counts[len(path) - 1]:
            path.pop()
        if not path:
            return worlds
        path[-1] += 1


class Belief:
    """What is known of one value: probabilities of values, or weights of normal distributions (numbers: variance 0)."""

    def __init__(self) -> None:
        self.values: Dict[Any, Any] = defaultdict(Fraction)
        self.normals: Dict[Tuple[Fraction, Fraction], Any] = defaultdict(Fraction)
        # Pieces of normal distributions: mean, variance, above, up to.
        self.pieces: Dict[Tuple[float, float, float, float], float] = defaultdict(float)

    def add(self, value: Any, weight: Any) -> None:
        self.values[frozen(value)] += weight

    def is_mixture(self) -> bool:
        return bool(self.normals)


def frozen(value: Any) -> Any:
    return tuple(frozen(part) for part in value) if isinstance(value, (list, tuple)) else value


def conditioned(world: World, value: Any) -> Optional[Tuple[int, Fraction, Fraction, Any]]:
    """How many values of a continuum were seen, the quadratic form and the determinant of their density, and the value
    given them; nothing if they cannot have been seen."""
    forms = [(dict(form.terms), form.constant - observed) for form, observed in world.seen]
    # Gram-Schmidt over the rationals: each form, less what the earlier ones say about it.
    known: List[Tuple[Dict[int, Fraction], Fraction, Fraction]] = []

    def inner(a: Dict[int, Fraction], b: Dict[int, Fraction]) -> Fraction:
        return sum((a[s] * b[s] * world.variances[s] for s in a if s in b), Fraction(0))

    def reduced(terms: Dict[int, Fraction], constant: Fraction) -> Tuple[Dict[int, Fraction], Fraction]:
        for direction, offset, length in known:
            factor = inner(terms, direction) / length
            terms = {s: terms.get(s, Fraction(0)) - factor * direction.get(s, Fraction(0)) for s in {*terms, *direction}}
            constant -= factor * offset
        return {s: f for s, f in terms.items() if f}, constant

    quadratic, determinant = Fraction(0), Fraction(1)
    for terms, constant in forms:
        terms, constant = reduced(terms, constant)
        length = inner(terms, terms)
        if not length:
            if constant:
                return None
            continue
        known.append((terms, constant, length))
        quadratic += constant * constant / length
        determinant *= length
    if isinstance(value, Gaussian):
        rest, mean = reduced(dict(value.terms), value.constant)
        # The form without its reduced part is known: the offsets took its expected value along.
        value = (mean, inner(rest, rest))
    return len(known), quadratic, determinant, value


def posterior(source: str, function: str = "f") -> Optional[Belief]:
    """What is known of the returned value; nothing if no world is left. Raises what a possible world raises."""
    found = []
    pieces: Dict[int, Optional[Piece]] = {}
    for world, value, raised in worlds_of(source, function, True):
        if isinstance(raised, Excluded):
            continue
        if raised is not None:
            raise raised
        if world.bounds and world.seen:
            raise TooManyWorlds
        given = conditioned(world, value)
        if given is not None:
            pieces[id(world)] = pieces_of(world, value)
            found.append((world, *given))
    if not found:
        return None
    fewest = min(seen for _, seen, _, _, _ in found)
    found = [entry for entry in found if entry[1] == fewest]
    # Densities: as fractions where all of them are equal, as doubles relative to the largest otherwise.
    logs = {(q, d): -0.5 * (float(q) + log_of(d)) for _, _, q, d, _ in found}
    largest = max(logs.values())
    exact = len(logs) == 1 and not any(entry[0].bounds for entry in found)
    belief = Belief()
    total: Any = Fraction(0)
    for world, _, q, d, value in found:
        weight = world.probability if exact else float(world.probability) * math.exp(logs[q, d] - largest)
        if world.bounds:
            weight *= world.sides()
        total += weight
        tell(belief, value, weight, pieces[id(world)])
    for table in (belief.values, belief.normals, belief.pieces):
        for key in table:
            table[key] /= total
    return belief


Piece = Tuple[float, float, float, float]


def pieces_of(world: World, form: Any) -> Optional[Piece]:
    """The piece of a normal distribution that a form over a source with bounds is; nothing if it is no such form."""
    if not isinstance(form, Gaussian) or len(form.terms) != 1:
        return None
    ((source, factor),) = form.terms.items()
    if source not in world.bounds:
        return None
    ends = sorted(float(factor) * end + float(form.constant) for end in world.bounds[source])
    return (float(form.constant), float(factor * factor * world.variances[source]), ends[0], ends[1])


def log_of(ratio: Fraction) -> float:
    return math.log(ratio.numerator) - math.log(ratio.denominator)


def tell(belief: Belief, value: Any, weight: Any, piece: Optional[Piece] = None) -> None:
    if piece is not None:
        belief.pieces[piece] += float(weight)
    elif isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], Fraction) and isinstance(value[1], Fraction):
        belief.normals[value] += weight
    else:
        belief.add(value, weight)


def prior(source: str, function: str = "f") -> Belief:
    """The same before anything is seen, of the worlds in which the program comes to its end."""
    belief = Belief()
    total: Any = Fraction(0)
    for world, value, raised in worlds_of(source, function, False):
        if raised is None:
            piece = pieces_of(world, value)
            if isinstance(value, Gaussian):
                value = (value.constant, sum((f * f * world.variances[s] for s, f in value.terms.items()), Fraction(0)))
            weight = float(world.probability) * world.sides() if world.bounds else world.probability
            total += weight
            tell(belief, value, weight, piece)
    for table in (belief.values, belief.normals, belief.pieces):
        for key in table:
            table[key] /= total
    return belief


Analysed = Callable[[str, bool], Tuple[int, Dict[str, Any]]]


def disagreement(source: str, analysed: Analysed) -> Optional[str]:
    """What privug says otherwise than CPython, in exact arithmetic and in doubles; nothing if they agree."""
    try:
        expected = posterior(source)
    except TooManyWorlds:
        return None
    except Exception as error:  # noqa: BLE001: a world that is possible raises it
        status, document = analysed(source, True)
        return f"CPython raises {error!r}, privug answers" if status == 0 else None
    for exact in (True, False):
        status, document = analysed(source, exact)
        if expected is None:
            codes = [diagnostic["code"] for diagnostic in document.get("diagnostics", [])]
            if codes != ["P501"] and not (codes == ["P016"] and is_constant(prior(source))):
                return f"a contradiction, but privug says {codes or 'an answer'}"
            continue
        if status != 0:
            codes = [diagnostic["code"] for diagnostic in document["diagnostics"]]
            if codes == ["P016"] and is_constant(prior(source)):
                continue
            return f"refused: {document['diagnostics']}; expected {show(expected)}"
        for name, belief in (("posterior", expected), ("prior", prior(source))):
            told = [distribution[name] for distribution in document.get("distributions", [])]
            if not told:
                # Nothing was chosen at random: one normal distribution.
                mean, variance = document[name]["mean"][0], document[name]["variance"][0]
                told = [[{"weight": 1.0, "mean": mean, "variance": variance}]]
            parts = parts_as_told(told, belief, prior(source))
            if len(told) != len(parts):
                return f"{len(told)} secrets; expected {show(belief)}, got {told}"
            for got, part in zip(told, parts):
                # Where densities enter, or a distribution is cut off, numbers are certified and not said as ratios.
                is_certified = any(law in source for law in ("Normal(", "Poisson(", "Geometric("))
                is_said = not is_certified or all("exact" in entry for entry in got)
                wrong = differs(got, part, exact and is_said)
                if wrong:
                    arithmetic = "exact" if exact else "doubles"
                    return f"{name} ({arithmetic}): {wrong}; expected {show(part)}, got {got}"
    return None


def live_disagreement(source: str, document: Dict[str, Any]) -> Optional[str]:
    """What a function that was run says otherwise than CPython, in doubles; nothing if they agree."""
    expected = posterior(source)
    if expected is None:
        return "a contradiction, but there is an answer"
    told = [distribution["posterior"] for distribution in document.get("distributions", [])]
    parts = parts_as_told(told, expected, prior(source))
    if len(told) != len(parts):
        return f"{len(told)} secrets; expected {show(expected)}, got {told}"
    wrong = [differs(got, part, False) for got, part in zip(told, parts)]
    return next((found for found in wrong if found), None)


def is_constant(belief: Belief) -> bool:
    return len(belief.values) + len(belief.normals) == 1 and not belief.pieces


def parts_as_told(told: List[Any], belief: Belief, before: Belief) -> List[Belief]:
    """The belief as it is told: a list in one piece, or element by element, which is how lists are told that every way
    returns; elements that are constants are left out."""
    is_list = any(isinstance(value, tuple) for value in belief.values)
    in_one_piece = len(told) == 1 and all(isinstance(entry.get("value"), list) for entry in told[0])
    if in_one_piece or not is_list and len(told) == 1:
        return [belief]
    parts = elements(belief, before)
    # Or of which only all worlds together show that they are constants.
    return parts if len(parts) == len(told) else elements(belief, None)


def elements(belief: Belief, before: Optional[Belief]) -> List[Belief]:
    """What is known of each element of a list, apart from those that are the same in all worlds."""
    parts = []
    for place in range(len(next(iter(belief.values)))):
        if before is None or len({value[place] for value in before.values}) > 1:
            part = Belief()
            for value, weight in belief.values.items():
                part.values[value[place]] += weight
            parts.append(part)
    return parts


def show(belief: Belief) -> str:
    return str({str(k): str(v) for k, v in {**belief.values, **belief.normals, **belief.pieces}.items()})


def near(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b)) or abs(a - b) < 1e-300


def differs(told: List[Dict[str, Any]], belief: Belief, exact: bool) -> Optional[str]:
    if belief.pieces:
        return pieces_differ(told, belief)
    if belief.is_mixture():
        parts = [(float(m), float(v), float(w)) for (m, v), w in belief.normals.items()]
        parts += [(float(value), 0.0, float(w)) for value, w in belief.values.items()]
        got = [(part["mean"], part["variance"], part["weight"]) for part in told]
        for mean, variance, weight in parts:
            # Parts that differ by rounding only are one.
            same = [p for p in got if near_part(p, mean, variance)]
            also = [p for p in parts if near_part(p, mean, variance)]
            if not near(sum(p[2] for p in same), sum(p[2] for p in also)):
                return f"the part {mean}, {variance} has weight {weight}"
        return None if near(sum(p[2] for p in got), 1.0) else "the weights do not add up"
    got: Dict[Any, Any] = defaultdict(Fraction)
    for entry in told:
        if "value" not in entry:
            return "a mixture"
        value = frozen(entry["value"])
        got[value] += Fraction(entry["exact"]) if exact and "exact" in entry else entry["probability"]
    wanted = {value: p for value, p in belief.values.items() if p}
    if all(isinstance(p, Fraction) for p in wanted.values()) and exact:
        if len(got) == len(wanted) and all(close_key(got, value) == p for value, p in wanted.items()):
            return None
        return "the probabilities differ"
    if len(got) != len(wanted):
        return "there are other values"
    for value, p in wanted.items():
        found = close_key(got, value)
        if found is None or not near(float(found), float(p)):
            return f"{value} has probability {found}"
    return None


def pieces_differ(told: List[Dict[str, Any]], belief: Belief) -> Optional[str]:
    """Compares pieces of normal distributions by the probability of every interval that one of them ends at."""

    def number(end: Any) -> float:
        return float(end) if isinstance(end, (int, float)) else math.inf if end == "inf" else -math.inf

    got = [
        (part["weight"], part["mean"], part["variance"], number(part.get("above", "-inf")), number(part.get("up_to", "inf")))
        for part in told
    ]
    wanted = [(weight, *piece) for piece, weight in belief.pieces.items()]
    wanted += [(float(w), float(m), float(v), -math.inf, math.inf) for (m, v), w in belief.normals.items()]
    ends = sorted({end for part in got + wanted for end in part[3:]})

    def mass(parts: List[Any], low: float, high: float) -> float:
        total = 0.0
        for weight, mean, variance, above, up_to in parts:
            a, b = max(low, above), min(high, up_to)
            if a < b:
                share = between(a - mean, b - mean, variance) / between(above - mean, up_to - mean, variance)
                total += weight * share
        return total

    for low, high in zip(ends, ends[1:]):
        a, b = mass(got, low, high), mass(wanted, low, high)
        if abs(a - b) > 1e-12 * max(a, b) + 1e-15:
            return f"between {low} and {high}: {a}, not {b}"
    return None


def close_key(table: Dict[Any, Any], value: Any) -> Any:
    if value in table:
        return table[value]
    if value is None:
        return table.get("None")
    if isinstance(value, Fraction):
        return table.get(float(value))
    if isinstance(value, tuple):
        return table.get(tuple(float(part) if isinstance(part, Fraction) else part for part in value))
    return None


def near_part(part: Tuple[float, float, float], mean: float, variance: float) -> bool:
    scale = max(abs(mean), abs(part[0]), math.sqrt(max(variance, part[1])), 1.0)
    return abs(part[0] - mean) <= 1e-9 * scale and abs(part[1] - variance) <= 1e-9 * max(scale * scale, 1e-9)
