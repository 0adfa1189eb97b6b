"""The verbs: analyze, check, sweep, calibrate, compare."""

from __future__ import annotations

import json
import operator
import os
from itertools import product
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _live
from ._analysis import Analysis, _number, _numbers
from ._observed import checked, observations_of, truths_of
from ._privug import RawAnalysis, Request, calibrate_with, measures
from ._random import _holds_prior, given, value_text
from ._refused import program_refusal, type_refusal, value_refusal

Program = Union[str, "os.PathLike[str]", Callable[..., Any]]

_LIMITS = ("max_steps", "max_variables", "max_elements", "max_depth", "max_bits", "max_work")


def _texts(value: Any) -> List[str]:
    if value is None:
        return []
    texts = [value] if isinstance(value, str) else list(value) if isinstance(value, (list, tuple)) else None
    if texts is None or not all(isinstance(text, str) for text in texts):
        raise type_refusal("P014", f"{value!r} is given where a string or a list of strings is needed", "write 'ages[0]'")
    return texts


def _requirements(value: Any) -> List[Any]:
    """Requirements: strings, or tuples of a measure, a comparison and a number."""
    if value is None or isinstance(value, str):
        return _texts(value)
    is_one = isinstance(value, tuple) and len(value) == 3 and not isinstance(value[2], str)
    found: List[Any] = []
    for each in [value] if is_one else list(value):
        if isinstance(each, tuple) and len(each) == 3:
            measure, comparison, limit = each
            found.append((measure, comparison, float(checked(limit, f"the limit of {measure}"))))
        else:
            found += _texts([each])
    return found


def _options(options: Dict[str, Any]) -> Dict[str, Any]:
    """The options of an analysis as the compiled part takes them."""
    tolerance = options.pop("tolerance", None)
    level = options.pop("level", None)
    texts: Dict[str, Any] = {
        "secrets": _texts(options.pop("secret", None)),
        "observations": options.pop("observe", None),
        "truths": truths_of(options.pop("truth", None)),
        "queries": _texts(options.pop("query", None)),
        "requirements": _requirements(options.pop("require", None)),
        "tolerance": (
            tolerance if tolerance is None or isinstance(tolerance, str) else float(checked(tolerance, "the tolerance"))
        ),
        "level": None if level is None else float(checked(level, "the level")),
        "exact": bool(options.pop("exact", False)),
        "gain": options.pop("gain", None),
    }
    for name in _LIMITS:
        limit = options.pop(name, None)
        texts[name] = None if limit is None else checked_limit(name, limit)
    return texts


def checked_limit(name: str, limit: Any) -> int:
    """A budget: a whole number."""
    if isinstance(limit, bool) or not hasattr(limit, "__index__") or operator.index(limit) < 0:
        raise type_refusal("P408", f"{name}={limit!r} is not a whole number", "give the number of them")
    return operator.index(limit)


def _bindings(
    settings: Mapping[str, Any], priors: Mapping[str, Any], parameters: Mapping[str, Any]
) -> List[Tuple[bool, str, Any]]:
    """What parameters are bound to: whether it is a prior, the name, and the number or the expression."""
    bindings = [(False, name, given(value)) for name, value in settings.items()]
    for name, value in list(priors.items()) + list(parameters.items()):
        if isinstance(value, str):
            bindings.append((True, name, value))
        else:
            is_prior = name in priors or _holds_prior(value)
            bindings.append((is_prior, name, value_text(value) if is_prior else given(value)))
    return bindings


def _split(program: str) -> Tuple[str, Optional[str]]:
    """`FILE.py:function`; a colon that belongs to the path of an existing file is left alone."""
    path, colon, name = program.rpartition(":")
    if colon and name.isidentifier() and not os.path.exists(program):
        return path, name
    return program, None


def _read(path: str) -> str:
    """A program's text; what is not one is refused as on the command line."""
    with open(path, "rb") as file:
        content = file.read()
    if b"\0" in content:
        message = f"{path} is not a text file: it contains NUL bytes"
        raise program_refusal("P003", path, message, "check the path")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + content[: error.start].count(b"\n")
        message = f"{path} is not UTF-8 text: line {line} contains an invalid byte"
        raise program_refusal("P002", path, message, "save the file as UTF-8") from None


def _request(
    program: Optional[Program], source: Optional[str], function: Optional[str], options: Dict[str, Any], **bound: Any
) -> Request:
    path = "<source>"
    if program is not None:
        path = os.fspath(program)  # type: ignore[arg-type]
        if source is None:
            path, named = _split(path)
            function = named if function is None else function
            source = _read(path)
    if source is None:
        raise TypeError("analyze needs a file, a function, or source text as source=...")
    texts = {**options, "observations": observations_of(options["observations"])[0]}
    return Request(path, source, function, bindings=_bindings(**bound), **texts)


def analyze(
    program: Optional[Program] = None,
    *,
    source: Optional[str] = None,
    function: Optional[str] = None,
    prior: Optional[Mapping[str, Any]] = None,
    set: Optional[Mapping[str, Any]] = None,
    secret: Union[str, Sequence[str], None] = None,
    observe: Any = None,
    truth: Any = None,
    query: Union[str, Sequence[str], None] = None,
    require: Union[str, Sequence[str], None] = None,
    exact: bool = False,
    tolerance: Union[str, float, None] = None,
    level: Optional[float] = None,
    gain: Optional[str] = None,
    max_steps: Optional[int] = None,
    max_variables: Optional[int] = None,
    max_elements: Optional[int] = None,
    max_depth: Optional[int] = None,
    max_bits: Optional[int] = None,
    max_work: Optional[int] = None,
    **parameters: Any,
) -> Analysis:
    """Computes what an attacker knows before and after seeing what a program publishes.

    `program` is an ordinary Python function, which is run on random variables, or a file (`"case1.py"`,
    `"case1.py:function"`) or source text (`source=`), which is analysed without being run.

    Parameters of the program are passed by name, as priors (`privug.Normal(35, std=2, size=100)`) or plain values;
    a parameter whose name is also an option goes into `prior=` or `set=`. For files and source text, strings are
    expressions: `ages="[Normal(35, 4) for _ in range(100)]"`.

    With `secret`, what the program returns is published, and `observe` is its observed value: a number, a string such as
    `"44±0.1"` (or `privug.noisy(44, std=0.1)`), a list of all values, or a dictionary, Series or DataFrame by label.
    Without it, what the program returns is the secret.

    `gain` is what a guess of a discrete secret is worth, an expression in `guess` and `secret`.

    A function runs six times: twice on random variables, which must record the same operations, and four times on numbers,
    which must give the values that the random variables stand for. A function with discrete choices is run for each
    combination of the values that it asks for.

    Parameters
    ----------
    program, source, function
        The function, or the path of a file, or source text; and the name of its function, if it has several.
    prior, set
        Priors and values of parameters whose names are also options.
    secret, observe, truth
        What the attacker wants to know, what was published, and the real value.
    query, require
        Questions such as `"P(x > 40)"`, and limits such as `"mutual_information_bits <= 0.1"`.
    exact
        Compute in exact rational arithmetic.
    tolerance, level, gain
        How close a guess must be to count as right, the level of credible intervals, and what a guess is worth.
    max_steps, max_variables, ...
        Budgets; see docs/limits.md.

    Returns
    -------
    Analysis
        with `.prior`, `.posterior` and `.leakage`.

    Examples
    --------
    >>> import privug
    >>> def average(ages):
    ...     return sum(ages) / len(ages)
    >>> found = privug.analyze(average, ages=privug.Normal(35, std=2, size=100), observe="35.2±0.1", secret="ages[0]")
    >>> round(float(found.posterior.mean[0]), 9), round(float(found.posterior.var[0]), 9)
    (35.16, 3.968)
    """
    options = _options(
        dict(
            secret=secret, observe=observe, truth=truth, query=query, require=require, exact=exact, tolerance=tolerance,
            level=level, gain=gain, max_steps=max_steps, max_variables=max_variables, max_elements=max_elements,
            max_depth=max_depth, max_bits=max_bits, max_work=max_work,
        )
    )  # fmt: skip
    settings, priors = set or {}, prior or {}
    if callable(program):
        if source is not None or function is not None:
            raise TypeError("source= and function= apply to files and source text, not to a function")
        return Analysis(_live.analyze(program, options, settings, priors, parameters))
    bound = dict(settings=settings, priors=priors, parameters=parameters)
    _, are_all = observations_of(options["observations"])
    found = Analysis(_request(program, source, function, options, **bound).analyze())
    if are_all and found.outputs:
        message = f"{len(found.observations)} values are observed, and `{found.outputs[0]['name']}` has none"
        raise value_refusal("P410", message, "observe all outputs, or pass a dictionary of the observed ones")
    return found


def check(
    program: Optional[Program] = None, *, source: Optional[str] = None, function: Optional[str] = None, **options: Any
) -> List[Dict[str, Any]]:
    """The errors in a file or text, as a list of dictionaries; an empty one if there are none.

    Parameters
    ----------
    program, source, function
        The file, or the text, and which function of it.
    options
        Those of `analyze`, and the parameters of the program.

    Examples
    --------
    >>> import privug
    >>> [each["code"] for each in privug.check(source="def f(x):\\n    return 2 * x\\n", x=privug.Normal(0, 1))]
    []
    >>> [each["code"] for each in privug.check(source="def f(x):\\n    return x * x\\n", x=privug.Normal(0, 1))]
    ['P301']
    """
    if callable(program):
        raise TypeError("only files and source text can be checked")
    bound = dict(settings=options.pop("set", None) or {}, priors=options.pop("prior", None) or {})
    texts = _options(options)
    request = _request(program, source, function, texts, parameters=options, **bound)
    return json.loads(request.check())["diagnostics"]


def _table(columns: Dict[str, np.ndarray]) -> Any:
    """A DataFrame where pandas is there, else a dictionary of arrays."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


def _grid(name: str, values: Any, steps: int, log: bool) -> List[float]:
    is_pair = isinstance(values, tuple) and len(values) == 2
    if isinstance(values, (str, tuple)) and not is_pair or not np.iterable(values):
        hint = f"write its ends, as in {{{name!r}: (0.05, 5)}}, or a list of values"
        raise type_refusal("P708", f"{values!r} is not a range of {name!r}", hint)
    if not is_pair:
        return [float(value) for value in values]
    low, high = map(float, values)
    spaced = np.geomspace(low, high, steps) if log else np.linspace(low, high, steps)
    return [low, *map(float, spaced[1:-1]), high]


def sweep(
    program: Optional[Program] = None,
    over: Optional[Mapping[str, Any]] = None,
    *,
    measure: Union[str, Sequence[str]] = "mutual_information_bits",
    steps: int = 20,
    log: bool = False,
    source: Optional[str] = None,
    function: Optional[str] = None,
    **options: Any,
) -> Any:
    """Runs an analysis for many values of parameters and tabulates measures.

    `over` gives the values of one or several parameters: a pair `(from, to)`, of which `steps` values are taken (evenly on
    a logarithmic scale with `log=True`), or a list of values. A measure is a name from the JSON or a question such as
    `"P(x > 3)"`. The other options are those of `analyze`. The result is a pandas DataFrame if pandas is installed,
    otherwise a dictionary of arrays.

    Parameters
    ----------
    program, source, function
        As for `analyze`.
    over
        The parameters and their ranges or values.
    measure
        What is tabulated.
    steps, log
        How many values there are between two ends, and whether they are even on a logarithmic scale.

    Examples
    --------
    >>> import privug
    >>> def noisy(x, std):
    ...     return x + privug.Normal(0, std=std)
    >>> table = privug.sweep(noisy, {"std": [1.0, 2.0]}, x=privug.Normal(0, std=1), secret="x")
    >>> [round(bits, 4) for bits in table["mutual_information_bits"]]
    [0.5, 0.161]
    """
    if not over:
        raise TypeError("sweep needs the parameters and their ranges, such as {'epsilon': (0.05, 5)}")
    wanted = _texts(measure)
    ranges = all(isinstance(values, tuple) and len(values) == 2 for values in over.values())
    if ranges and not callable(program):
        bound = dict(settings=options.pop("set", None) or {}, priors=options.pop("prior", None) or {})
        texts = _options(options)
        request = _request(program, source, function, texts, parameters=options, **bound)
        axes = [(name, float(values[0]), float(values[1])) for name, values in over.items()]
        names, columns, rows = request.sweep(axes, steps, log, wanted)
        table = np.array([[*parameters, *values] for parameters, values in rows])
        return _table({name: table[:, place] for place, name in enumerate([*names, *columns])})
    known = {name for name, _, _ in measures()}
    unknown = [name for name in wanted if "(" not in name and name not in known]
    if unknown:
        raise ValueError(f"P703: there is no measure {unknown[0]!r}")
    options["query"] = [name for name in wanted if "(" in name]
    found: Dict[str, List[float]] = {name: [] for name in over}
    for point in product(*(_grid(name, values, steps, log) for name, values in over.items())):
        settings = {**(options.get("set") or {}), **dict(zip(over, point))}
        given = {**options, "set": settings}
        if not callable(program):
            given.update(source=source, function=function)
        analysis = analyze(program, **given)
        for name, value in zip(over, point):
            found[name].append(value)
        answers = iter(analysis.queries.values())
        for name in wanted:
            if "(" in name:
                found.setdefault(name, []).append(_measured(name, next(answers)["after"]))
                continue
            for leak in analysis._parsed["leakage"]:
                column = name if len(analysis.secrets) == 1 else f"{name} of {leak['secret']}"
                found.setdefault(column, []).append(_measured(name, _number(leak.get(name, float("nan")))))
    return _table({name: np.array(values) for name, values in found.items()})


def _measured(name: str, value: Any) -> float:
    """A measure at a point of a sweep; None says that it depends on values that nobody has seen yet."""
    if value is None:
        message = f"`{name}` depends on the published values, which were not all observed"
        hint = "observe them, or use a measure that does not depend on them, such as mutual_information_bits"
        raise program_refusal("P711", "measure", message, hint)
    return float(value)


class Calibration:
    """The value of a parameter that just meets the requirements."""

    def __init__(self, document: Dict[str, Any], analysis: Analysis) -> None:
        self._document = document
        self._numbers = _numbers(document)
        self.analysis = analysis
        """The analysis at that value."""

    @property
    def value(self) -> Optional[float]:
        """The value; `None` if the requirements hold nowhere in the range."""
        return self._numbers["value"]

    @property
    def outcome(self) -> str:
        """`found`, `holds_at_end` or `holds_nowhere`."""
        return self._document["outcome"]

    @property
    def fails_at(self) -> Optional[float]:
        """The nearest value for which the requirements fail."""
        return self._numbers["fails_at"]

    def to_dict(self) -> Dict[str, Any]:
        """The document `privug.calibration/1`."""
        return dict(self._document)

    def __repr__(self) -> str:
        name = self._document["parameter"]
        return f"Calibration({name}={self.value!r}, outcome={self.outcome!r}, fails_at={self.fails_at!r})"


def calibrate(
    program: Optional[Program] = None,
    parameter: str = "epsilon",
    over: Tuple[float, float] = (0.01, 10.0),
    *,
    require: Union[str, Sequence[str]],
    smallest: bool = False,
    linear: bool = False,
    source: Optional[str] = None,
    function: Optional[str] = None,
    **options: Any,
) -> Calibration:
    """Finds the largest (or smallest) value of a parameter in a range for which the requirements hold.

    The search is on a logarithmic scale if both ends are positive and `linear` is false. The other options are those of
    `analyze`.

    Parameters
    ----------
    program, source, function
        As for `analyze`.
    parameter, over
        The parameter to search over, and the ends of its range.
    require
        The requirements, such as `"mutual_information_bits <= 0.1"`.
    smallest
        Find the smallest value instead of the largest.
    linear
        Search on a linear scale.

    Examples
    --------
    >>> import privug
    >>> def noisy(x, std):
    ...     return x + privug.Normal(0, std=std)
    >>> found = privug.calibrate(noisy, "std", (0.1, 10), smallest=True, x=privug.Normal(0, std=1), secret="x",
    ...                          require="mutual_information_bits <= 0.5")
    >>> round(found.value, 6)
    1.0
    """
    low, high = float(over[0]), float(over[1])
    logarithmic = not linear and low > 0.0 and high > 0.0
    if callable(program):

        def run(value: float) -> RawAnalysis:
            settings = {**(options.get("set") or {}), parameter: value}
            return analyze(program, **{**options, "set": settings, "require": require})._raw

        document, raw = calibrate_with(parameter, low, high, logarithmic, smallest, run)
    else:
        bound = dict(settings=options.pop("set", None) or {}, priors=options.pop("prior", None) or {})
        texts = _options({**{name: options.pop(name, None) for name in _OPTION_NAMES}, "require": require})
        request = _request(program, source, function, texts, parameters=options, **bound)
        document, raw = request.calibrate(parameter, low, high, logarithmic, smallest)
    return Calibration(json.loads(document), Analysis(raw))


_OPTION_NAMES = ("secret", "observe", "truth", "query", "tolerance", "level", "exact", *_LIMITS)

_COMPARED = ("mutual_information_bits", "kl_posterior_prior_bits", "posterior_mean", "posterior_std", "fully_disclosed")


def compare(*analyses: Analysis, measure: Union[str, Sequence[str]] = _COMPARED, **named: Analysis) -> Any:
    """Puts analyses side by side: one row for each analysis and secret, one column for each measure.

    The result is a pandas DataFrame if pandas is installed, otherwise a dictionary of arrays. Of a measure of which only bounds
    are known, the upper one is shown; the lower one is in a column of its own, whose name ends in `_low`.

    Parameters
    ----------
    analyses, named
        The analyses; those passed by name are labelled with it.
    measure
        The measures to show.

    Examples
    --------
    >>> import privug
    >>> def total(x, y):
    ...     return x + y
    >>> def first(x, y):
    ...     return x + 0 * y
    >>> options = dict(x=privug.Normal(0, 1), y=privug.Normal(0, 3), secret="x")
    >>> table = privug.compare(total=privug.analyze(total, observe=1, **options), first=privug.analyze(first, observe=1, **options))
    >>> [bool(each) for each in table["fully_disclosed"]]
    [False, True]
    """
    all_analyses = {**{f"analysis {place + 1}": each for place, each in enumerate(analyses)}, **named}
    columns: Dict[str, List[Any]] = {"analysis": [], "secret": []}
    wanted = _texts(measure)
    for name, analysis in all_analyses.items():
        for leak in analysis._parsed["leakage"]:
            columns["analysis"].append(name)
            columns["secret"].append(leak["secret"])
            for each in wanted:
                if each not in leak:
                    raise KeyError(f"P703: there is no measure {each!r} of {leak['secret']} in {name}")
                value = _number(leak[each])
                columns.setdefault(each, []).append(value)
                bracket = leak.get("methods", {}).get(each)
                columns.setdefault(f"{each}_low", []).append(value if bracket is None else _number(bracket["low"]))
    for each in wanted:
        # Bounds as narrow as rounding say nothing that the numbers themselves do not.
        ends = list(zip(columns.get(f"{each}_low", []), columns.get(each, [])))
        if all(f"{low:.6g}" == f"{high:.6g}" for low, high in ends if isinstance(high, float)):
            columns.pop(f"{each}_low", None)
    return _table({name: np.array(values) for name, values in columns.items()})
