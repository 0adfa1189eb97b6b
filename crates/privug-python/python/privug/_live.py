"""Running an ordinary Python function on random variables."""

from __future__ import annotations

import ast
import gc
import inspect
import itertools
import math
import sys
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

import numpy as np

from . import _discrete, _random, _randomness
from ._definition import Definition
from ._live_arrays import COMPUTING, Arrays, is_ours, still_alive
from ._live_audit import load_imports
from ._observed import is_texts, match, seen_tree
from ._parser import parse
from ._privug import Forms, Random, RandomVector, RawAnalysis, Recorder, Request
from ._publish import Labelled, Tree, flatten, look_into
from ._recording import HERE, Place, Recording, result_name, running
from ._refused import parameters_hint, program_refusal, type_refusal
from ._rewritten import rewritten
from ._rehearsal import Point, Rehearsal, difference
from ._session import on_secrets
from ._traces import Traces, traced
from ._worlds import MAX_RUNS, Worlds, too_many

LANGUAGE: Dict[str, Any] = {
    "Normal": _random.Normal,
    "MultivariateNormal": _random.MultivariateNormal,
    "Bernoulli": _discrete.Bernoulli,
    "Categorical": _discrete.Categorical,
    "DiscreteUniform": _discrete.DiscreteUniform,
    "Binomial": _discrete.Binomial,
    "np": np,
    "numpy": np,
    "math": math,
}
"""What expressions given beside a function may mention without importing it."""

KEPT = (
    "the function stores random variables outside its result (in a global variable, a closure, an attribute or an "
    "argument); if they are published from there, this analysis does not detect it"
)

ROUNDED = (
    "what the function rounds, or shows in a text, is judged as if published unrounded, which on average reveals at least "
    "as much"
)

NOT_TO_ITS_END = (
    "privug runs a function once for each combination of the discrete values that it asks for, and this is one of them; if "
    "`condition` excludes it, pass the program as a file or as source='...', where what is excluded is not run"
)

MAX_REHEARSED = 32
"""Of so many runs that were told other values of choices, each is compared with numbers."""

Expression = Tuple[str, str, str, Place]
"""Its role, its text, the path of the output it is about, and where it is."""


class _Capture:
    """Notes down a function's variables and the line of its `return` as it ends."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.variables: Dict[str, Any] = {}
        self.line: Optional[int] = None

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        # The outermost call of a recursion ends last.
        if event == "return" and frame.f_code is self.code:
            self.variables = dict(frame.f_locals)
            self.line = frame.f_lineno


def _names(text: str) -> List[str]:
    tree = parse(text.strip(), mode="eval")
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _compute(text: str, role: str, *scopes: Mapping[str, Any]) -> Any:
    namespace: Dict[str, Any] = {}
    for scope in scopes:
        namespace.update(scope)
    try:
        return eval(compile(text.strip(), f"<{role}>", "eval"), namespace)
    except NameError as error:
        raise NameError(f"P201: {error} (in the {role} {text.strip()!r})") from None
    except SyntaxError as error:
        message = f"P004: {error.msg} (in the {role} {text.strip()!r}); write a number or an expression of Python, without a unit"
        raise SyntaxError(message) from None


def _arguments(
    function: Callable[..., Any],
    name: str,
    settings: Mapping[str, Any],
    priors: Mapping[str, Any],
    parameters: Mapping[str, Any],
    recording: Recording,
    scope: Mapping[str, Any],
) -> Tuple[inspect.BoundArguments, List[Any]]:
    """The arguments of a call, and those among them that have nothing random in them."""
    signature = inspect.signature(function)
    given: Dict[str, Any] = {key: _fresh(value) for key, value in settings.items()}
    plain = list(given.values())
    for key, value in list(priors.items()) + list(parameters.items()):
        if key in given:
            raise TypeError(f"P017: {key!r} is bound twice")
        if key in priors and isinstance(value, str):
            value = _compute(value, "prior", LANGUAGE, scope, given)
        fresh = _fresh(value)
        given[key] = _random.adopt(fresh, recording)
        if key not in priors and given[key] is fresh:
            plain.append(fresh)
    known = signature.parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values())
    for key in given:
        if key not in known and not takes_any:
            raise type_refusal("P013", f"{name} has no parameter {key!r}", parameters_hint(key, list(known)))
    bound = signature.bind_partial()
    for key, parameter in known.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            extra = {other: value for other, value in given.items() if other not in known}
            if extra:
                bound.arguments[key] = extra
        elif key in given:
            bound.arguments[key] = given[key]
        elif parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL:
            raise TypeError(
                f"P012: the parameter {key!r} of {name} has no value; give it one, such as "
                f"analyze({name}, {key}=privug.Normal(0, 1))"
            )
    given_names = list(bound.arguments)
    bound.apply_defaults()
    for key, value in bound.arguments.items():
        if key not in given_names:
            bound.arguments[key] = _fresh(value)
            plain.append(bound.arguments[key])
    return bound, plain


def _fresh(value: Any) -> Any:
    return value if _random._holds_prior(value) else _randomness.fresh(value)


class _Analysis:
    """A function, what it is given, and what is asked about it."""

    def __init__(
        self,
        function: Callable[..., Any],
        settings: Mapping[str, Any],
        priors: Mapping[str, Any],
        parameters: Mapping[str, Any],
        expressions: List[Expression],
        first_free: int,
        is_gate: bool,
    ) -> None:
        self.function = function
        self.given = (settings, priors, parameters)
        self.expressions = expressions
        self.first_free = first_free
        self.is_gate = is_gate
        """Whether there are requirements: then what is not known is refused."""
        self.definition = Definition(function)
        self.on_arrays = False
        """Whether random vectors are given as arrays that numpy and pandas compute with."""
        self.since = 0
        """The secret arrays made from this one on are those of the runs on them."""
        self.why: Optional[BaseException] = None
        """Why they are."""

    def record_first(self) -> List["_Run"]:
        """Runs the function on random variables; where these are refused, on arrays of them."""
        try:
            return self.record()
        except Exception as error:
            is_known, code = is_ours(error)
            if is_known and code not in COMPUTING:
                raise
            self.on_arrays, self.why, self.since = True, error, Forms.next_birth()
            try:
                return self.record()
            except Exception as other:
                # The second way knows more of numpy and pandas, and why it does not know the rest.
                is_better, its = is_ours(other)
                if is_better and (not is_known or code == "P203" or (code == "P309" and its != "P309")):
                    raise
                raise error from None

    def record(self) -> List[_Run]:
        """Runs the function on random variables, once for each combination of discrete values that it asks for."""
        runs = [self.record_in(Worlds())]
        while True:
            following = runs[-1].worlds.next()
            if following is None:
                self.check_traces(runs)
                return runs
            if len(runs) + runs[-1].worlds.left() > MAX_RUNS:
                raise too_many(MAX_RUNS)
            told, shared = following
            run = self.record_in(Worlds(told), runs[0].recording)
            run.shared = shared
            before = runs[-1]
            asked, earlier = ([len(each.values) for each in run.worlds.asked[: len(told)]] for run in (run, before))
            alike = run.recording.recorder.begins_alike(before.recording.recorder, shared)
            if asked != earlier or not alike:
                message = "the function behaves differently when it runs again: it depends on earlier runs, or on the time"
                raise self.refuse(run.recording, "P902", message, _randomness.INSTEAD)
            runs.append(run)

    def check_traces(self, runs: List[_Run]) -> None:
        """What runs leave behind must not tell what they were told."""
        if len(runs) == 1:
            return
        hint = "remove it, or pass the program as a file or as source='...', which is not run"
        written = next((run for run in runs if run.traces.written is not None), None)
        if written is not None:
            message = "the function inspects random values, and writes to a file or starts something that may reveal them"
            raise self.refuse(written.recording, "P309", message, hint)
        for run in runs:
            if run.traces.unknown is not None:
                message = f"the function inspects random values, and `{run.traces.unknown}` is too large to be compared after each run"
                raise self.refuse(run.recording, "P309", message, hint)
            if not run.traces.same(runs[0].traces):
                message = "what the function prints or stores outside its result depends on random values"
                raise self.refuse(run.recording, "P309", message, hint)

    def refuse(self, recording: Recording, code: str, message: str, hint: str, where: Optional[Place] = None) -> Exception:
        """The error for something that the function does."""
        _, line, text = recording.line_of(where or self.definition.place(recording))
        return program_refusal(code, self.definition.shown_path, message, hint, line, text)

    def record_in(self, worlds: Worlds, first: Optional[Recording] = None) -> _Run:
        """One run, which is told values of choices."""
        definition = self.definition
        run = _Run(Recording(definition.path, definition.text, self.first_free), worlds)
        if first is not None:
            # Places in all runs are in the same texts.
            run.recording.texts = first.texts
            run.recording.program = first.program
        with running(run.recording):
            try:
                self.record_as(run)
            except Exception as error:
                if worlds.asked and not is_ours(error)[0] and hasattr(error, "add_note"):
                    error.add_note(NOT_TO_ITS_END)
                raise
        return run

    def record_as(self, run: _Run) -> None:
        definition, recording = self.definition, run.recording
        try:
            if definition.node is not None:
                recording.recorder.place(*definition.place(recording))
            bound, run.plain = self.bind(recording)
            inputs: Dict[str, Any] = dict(bound.arguments)
            arrays = Arrays(recording)
            if self.on_arrays:
                arrays.arguments(bound.arguments)
            later = False
            for index, (role, text, _, _) in enumerate(self.expressions):
                if role in ("value", "std"):
                    run.values[index] = _compute(text, "observation", LANGUAGE)
                # What is about the inputs alone is looked up before the function can change them.
                elif all(name in inputs or name not in definition.variables for name in _names(text)):
                    run.values[index] = _compute(text, role, LANGUAGE, definition.globals, inputs)
                else:
                    later = True
            is_watched = later or len(definition.returns) > 1
            with _randomness.Entropy(recording), traced(run.traces, self.function, run.plain):
                if self.on_arrays:
                    result, capture = self.call_on_arrays(bound, is_watched)
                    # Without a secret, the result is what is asked about.
                    is_published = any(role == "secret" for role, _, _, _ in self.expressions)
                    run.result = arrays.published(result) if is_published else arrays.random(result)
                    run.units, run.texts = arrays.units, arrays.texts
                else:
                    result, capture = _call(self.function, bound, definition.code, is_watched)
                    run.result = look_into(result)
            run.line = capture.line
            for index, (role, text, _, _) in enumerate(self.expressions):
                if index not in run.values:
                    value = _compute(text, role, LANGUAGE, definition.globals, capture.variables)
                    run.values[index] = arrays.random(value) if self.on_arrays else value
            variables = [leaf for leaf, _, _ in flatten(run.result) if isinstance(leaf, (Random, RandomVector))]
            recording.recorder.keep(variables)
        finally:
            recording.running = False
            recording.recorder.close()

    def call_on_arrays(self, bound: inspect.BoundArguments, is_watched: bool) -> Tuple[Any, _Capture]:
        """A call with arrays, while numpy and pandas are told what they are."""
        definition = self.definition
        load_imports(definition.node)
        with on_secrets(definition.path, definition.globals) as session:
            with rewritten(self.function, definition.path, definition.text, definition.globals) as running_instead:
                result = _call(self.function, bound, running_instead(definition.code), is_watched)
        if session.refusal is not None:
            # A library caught the error and went on without the value.
            raise session.refusal[0]
        return result

    def rehearse(self, point: Point, worlds: Worlds) -> Tuple[Rehearsal, Tree]:
        """Runs the function on numbers, with the values that choices had in a run."""
        definition = self.definition
        rehearsal = Rehearsal(definition.path, definition.text, self.first_free, point, worlds)
        with running(rehearsal):
            bound, _ = self.bind(rehearsal)
            return rehearsal, look_into(self.function(*bound.args, **bound.kwargs))

    def bind(self, recording: Recording) -> Tuple[inspect.BoundArguments, List[Any]]:
        return _arguments(self.function, self.definition.name, *self.given, recording, self.definition.globals)


class _Run:
    """What a run on random variables gave."""

    def __init__(self, recording: Recording, worlds: Worlds) -> None:
        self.recording = recording
        self.worlds = recording.worlds = worlds
        self.shared = 0
        """How many of its first steps are those of the run before it."""
        self.values: Dict[int, Any] = {}
        """The values of the expressions."""
        self.result: Tree = None
        self.line: Optional[int] = None
        """Where it was returned."""
        self.units: Dict[str, Any] = {}
        """To multiples of what outputs are rounded, by their paths."""
        self.texts: Dict[str, Any] = {}
        """The outputs that are texts, by their paths."""
        self.traces = Traces()
        """What it printed, wrote and kept."""
        self.plain: List[Any] = []
        """The arguments that had nothing random in them; their caller sees what the function does to them."""


def analyze(
    function: Callable[..., Any],
    options: Dict[str, Any],
    settings: Mapping[str, Any],
    priors: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> RawAnalysis:
    """Runs a function on random variables and analyses what it did."""
    observe = options["observations"]
    as_texts = observe is not None and is_texts(observe)
    texts = ([observe] if isinstance(observe, str) else list(observe)) if as_texts else []
    definition = Definition(function)
    request = Request(definition.shown_path, definition.text, definition.name, **{**options, "observations": texts})
    expressions, first_free = request.questions()
    analysis = _Analysis(
        function, settings, priors, parameters, expressions, first_free, bool(options["requirements"])
    )
    before = _randomness.Dice()
    runs = analysis.record_first()
    between = _randomness.Dice()
    first = runs[0]
    results = [definition.result(run.recording, run.line) for run in runs]
    if any(names != results[0][0] for names, _ in results):
        results = [("return", place) for _, place in results]
    found = [_found(expressions, run, *result) for run, result in zip(runs, results)]
    seen: List[Any] = []
    for index, (role, _, path, where) in enumerate(expressions):
        if role == "value":
            seen.append((path, first.values[index], where, None))
        elif role == "std":
            seen[-1] = (*seen[-1][:3], (first.values[index], where))
    if observe is not None and not as_texts:
        if found[0].published is None:
            hint = "name what the attacker wants to know, such as secret='ages[0]'"
            message = "an observation is given, but no secret"
            raise program_refusal("P019", definition.shown_path, message, hint)
        for path, _, value, std in match(first.result, seen_tree(observe), _observed_number):
            seen.append((path, value, HERE, None if std is None else (std, HERE)))
    if seen and (first.units or first.texts):
        message = "a rounded value is observed, and the posterior given it is not Gaussian"
        hint = "return it unrounded, and observe it with the standard deviation that rounding adds, such as '44±0.3'"
        raise analysis.refuse(first.recording, "P306", message, hint)
    try:
        notes = _check(analysis, runs, before, between)
    except Exception as error:
        # Numbers do not do what arrays did, so what was refused in the first place stays refused.
        raise analysis.why or error from None
    others = [
        (run.recording.recorder, run.shared, each.secrets, each.published, each.quantities)
        for run, each in zip(runs[1:], found[1:])
    ]
    return request.analyze_recording(
        first.recording.recorder, found[0].secrets, found[0].published, seen, found[0].quantities,
        first.recording.added_texts(), notes, others,
    )  # fmt: skip


class _Found(NamedTuple):
    """What a run says about what was asked."""

    secrets: List[Any]
    published: Optional[Any]
    quantities: List[Tuple[Any, Place]]


def _found(expressions: List[Expression], run: _Run, names: Any, place: Place) -> _Found:
    _refuse_swallowed(run.recording)
    secrets: List[Any] = []
    quantities: List[Tuple[Any, Place]] = []
    for index, (role, text, _, where) in enumerate(expressions):
        value = run.values[index]
        if role == "secret":
            tree = parse(text.strip(), mode="eval").body
            secrets.append((_parts(run, look_into(value), result_name(tree, text.strip())), where))
        elif role == "query":
            quantities.append((value, where))
    result = (_parts(run, run.result, names), place)
    return _Found(secrets or [result], result if secrets else None, quantities)


def _parts(run: _Run, tree: Tree, names: Any) -> List[Any]:
    """The parts of a value; where choices were asked for, each element of an array is the value of one."""
    return flatten(_spelled_out(tree) if run.worlds.asked else tree, names)


def _spelled_out(tree: Tree) -> Tree:
    if isinstance(tree, np.ndarray):
        return [_spelled_out(part) for part in tree.tolist()]
    if isinstance(tree, Labelled):
        return Labelled((key, _spelled_out(part)) for key, part in tree.items())
    if isinstance(tree, list):
        return [_spelled_out(part) for part in tree]
    return tree


def _observed_number(text: str) -> Any:
    return _compute(text, "observation", LANGUAGE)


def _refuse_swallowed(recording: Recording) -> None:
    """An error about a random variable that was caught: with numbers there would have been none."""
    if recording.refusal is None:
        return
    error, path, line = recording.refusal
    message = f"{error}, and this error was caught, so the function continued without the value"
    swallowed = type(error)(f"{message} (line {line} of {path})")
    for name in ("code", "hint"):
        setattr(swallowed, name, getattr(error, name, ""))
    raise swallowed


def _check(
    analysis: _Analysis, runs: List[_Run], before: _randomness.Dice, between: _randomness.Dice
) -> List[Tuple[str, Place]]:
    """Runs the function again: the same must be recorded, and numbers must give what was recorded."""
    definition, recording = analysis.definition, runs[0].recording

    def refuse(code: str, message: str, hint: str, where: Place) -> Exception:
        return analysis.refuse(recording, code, message, hint, where)

    here = definition.place(recording)
    drawn = before.changed(between)
    has_seed = all(run.recording.entropy is not None for run in runs)
    for _ in range(1 if has_seed else _randomness.MORE_RUNS):
        try:
            again = analysis.record()
        except Exception as error:
            message = f"the function fails when it runs a second time ({type(error).__name__}: {error})"
            hint = "its behaviour must not depend on earlier runs"
            raise refuse("P902", message, hint, here) from error
        if drawn is not None and between.changed(_randomness.Dice()) is not None:
            message = f"the function draws from the generator of `{drawn}`, which the analysis would treat as a constant"
            raise refuse("P902", message, _randomness.INSTEAD, here)
        if any(each.recording.entropy for each in runs + again):
            message = "the function draws from a generator without a seed, which the analysis would treat as a constant"
            raise refuse("P902", message, _randomness.INSTEAD, here)
        for run, other in zip(runs, again):
            where = run.recording.recorder.first_difference(other.recording.recorder)
            if where is not None or not _randomness.same(run.result, other.result) or len(runs) != len(again):
                message = (
                    "two runs of the function differ: it depends on random numbers, the time, or earlier runs"
                )
                raise refuse("P902", message, _randomness.INSTEAD, where or here)
        recorder, plain = again[-1].recording.recorder, again[-1].plain
        del again, other
    notes: List[Tuple[str, Place]] = []
    if any(run.units or run.texts for run in runs):
        if len(runs) > 1:
            message = "the function rounds a value that depends on choices, and where it rounds may reveal them"
            raise refuse("P306", message, "return it unrounded", here)
        notes.append((ROUNDED, here))
    if _still_alive(recorder) or (analysis.on_arrays and still_alive(analysis.since)):
        if analysis.is_gate:
            hint = "return them, or keep them in local variables"
            raise refuse("P901", KEPT, hint, here)
        notes.append((KEPT, here))
    del plain
    for run, point in itertools.product(runs[:: math.ceil(len(runs) / MAX_REHEARSED)], Point):
        try:
            rehearsal, numbers = analysis.rehearse(point, run.worlds)
        except Exception as error:
            message = f"with numbers in place of random variables the function fails ({type(error).__name__}: {error})"
            raise refuse("P903", message, "make it accept numbers and arrays of numbers", here) from error
        differs = difference(run.recording.recorder, run.result, rehearsal, numbers, run.units, run.texts)
        if differs is None:
            continue
        message = f"with numbers in place of random variables, {differs}: the function distinguishes the two"
        hint = (
            "do not inspect types, and name columns instead of selecting numeric ones (numeric_only, select_dtypes, describe)"
        )
        raise refuse("P903", message, hint, here)
    if drawn is not None or _randomness.makes_generator(definition.code, definition.globals):
        notes.append((_randomness.SEEDED, here))
    return notes


def _still_alive(recorder: Recorder) -> bool:
    """Whether somebody holds a random variable of a run that is over and whose result is forgotten."""
    if recorder.alive():
        # Objects that hold each other.
        gc.collect()
    return recorder.alive() > 0


def _call(
    function: Callable[..., Any], bound: inspect.BoundArguments, code: Optional[CodeType], watched: bool
) -> Tuple[Any, _Capture]:
    capture = _Capture(code if code is not None else _call.__code__)
    if not watched or code is None:
        return function(*bound.args, **bound.kwargs), capture
    before = sys.getprofile()
    sys.setprofile(capture)
    try:
        return function(*bound.args, **bound.kwargs), capture
    finally:
        sys.setprofile(before)
