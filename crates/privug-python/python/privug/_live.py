"""Running an ordinary Python function on random variables."""

from __future__ import annotations

import ast
import gc
import inspect
import math
import sys
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _random, _randomness
from ._definition import Definition
from ._observed import is_texts, match, seen_tree
from ._privug import Random, RandomVector, RawAnalysis, Recorder, Request
from ._publish import Tree, flatten, look_into
from ._recording import HERE, Place, Recording, result_name, running
from ._refused import program_refusal
from ._rehearsal import Point, Rehearsal, difference

LANGUAGE: Dict[str, Any] = {
    "Normal": _random.Normal,
    "MultivariateNormal": _random.MultivariateNormal,
    "np": np,
    "numpy": np,
    "math": math,
}
"""What expressions given beside a function may mention without importing it."""

KEPT = (
    "the function keeps random variables outside of what it returns (in a global variable, a closure, an attribute or an "
    "argument); if they are published from there, this analysis does not know"
)

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
    tree = ast.parse(text.strip(), mode="eval")
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _compute(text: str, role: str, *scopes: Mapping[str, Any]) -> Any:
    namespace: Dict[str, Any] = {}
    for scope in scopes:
        namespace.update(scope)
    try:
        return eval(compile(text.strip(), f"<{role}>", "eval"), namespace)
    except NameError as error:
        raise NameError(f"P201: {error} (in the {role} {text.strip()!r})") from None


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
            its = ", ".join(known) or "none"
            raise TypeError(f"P013: {name} has no parameter {key!r}; its parameters are {its}")
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

    def record(self) -> _Run:
        """Runs the function on random variables."""
        definition = self.definition
        run = _Run(Recording(definition.path, definition.text, self.first_free))
        with running(run.recording):
            self.record_as(run)
        return run

    def record_as(self, run: _Run) -> None:
        definition, recording = self.definition, run.recording
        try:
            if definition.node is not None:
                recording.recorder.place(*definition.place(recording))
            bound, run.plain = self.bind(recording)
            inputs: Dict[str, Any] = dict(bound.arguments)
            later = False
            for index, (role, text, _, _) in enumerate(self.expressions):
                if role in ("value", "std"):
                    run.values[index] = _compute(text, "observation", LANGUAGE)
                # What is about the inputs alone is looked up before the function can change them.
                elif all(name in inputs or name not in definition.variables for name in _names(text)):
                    run.values[index] = _compute(text, role, LANGUAGE, definition.globals, inputs)
                else:
                    later = True
            with _randomness.Entropy(recording):
                result, capture = _call(self.function, bound, definition, later or len(definition.returns) > 1)
                run.result = look_into(result)
            run.line = capture.line
            for index, (role, text, _, _) in enumerate(self.expressions):
                if index not in run.values:
                    run.values[index] = _compute(text, role, LANGUAGE, definition.globals, capture.variables)
            variables = [leaf for leaf, _, _ in flatten(run.result) if isinstance(leaf, (Random, RandomVector))]
            recording.recorder.keep(variables)
        finally:
            recording.running = False
            recording.recorder.close()

    def rehearse(self, point: Point) -> Tuple[Rehearsal, Tree]:
        """Runs the function on numbers."""
        definition = self.definition
        rehearsal = Rehearsal(definition.path, definition.text, self.first_free, point)
        with running(rehearsal):
            bound, _ = self.bind(rehearsal)
            return rehearsal, look_into(self.function(*bound.args, **bound.kwargs))

    def bind(self, recording: Recording) -> Tuple[inspect.BoundArguments, List[Any]]:
        return _arguments(self.function, self.definition.name, *self.given, recording, self.definition.globals)


class _Run:
    """What a run on random variables gave."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.values: Dict[int, Any] = {}
        """The values of the expressions."""
        self.result: Tree = None
        self.line: Optional[int] = None
        """Where it was returned."""
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
    run = analysis.record()
    between = _randomness.Dice()
    _refuse_swallowed(run.recording)
    secrets: List[Any] = []
    seen: List[Any] = []
    quantities: List[Tuple[Any, Place]] = []
    for index, (role, text, path, where) in enumerate(expressions):
        value = run.values[index]
        if role == "secret":
            tree = ast.parse(text.strip(), mode="eval").body
            secrets.append((flatten(look_into(value), result_name(tree, text.strip())), where))
        elif role == "value":
            seen.append((path, value, where, None))
        elif role == "std":
            seen[-1] = (*seen[-1][:3], (value, where))
        elif role == "query":
            quantities.append((value, where))
    if observe is not None and not as_texts:
        if not secrets:
            hint = "name what the attacker wants to know, such as secret='ages[0]'"
            message = "an observation is given, but no secret"
            raise program_refusal("P019", definition.shown_path, message, hint)
        for path, _, value, std in match(run.result, seen_tree(observe), _observed_number):
            seen.append((path, value, HERE, None if std is None else (std, HERE)))
    names, place = definition.result(run.recording, run.line)
    result = (flatten(run.result, names), place)
    published = result if secrets else None
    notes = _check(analysis, run, before, between)
    return request.analyze_recording(
        run.recording.recorder, secrets or [result], published, seen, quantities, run.recording.added_texts(), notes
    )


def _observed_number(text: str) -> Any:
    return _compute(text, "observation", LANGUAGE)


def _refuse_swallowed(recording: Recording) -> None:
    """An error about a random variable that was caught: with numbers there would have been none."""
    if recording.refusal is None:
        return
    error, path, line = recording.refusal
    message = f"{error}, and this error was caught, so that the function went on without the value"
    swallowed = type(error)(f"{message} (line {line} of {path})")
    for name in ("code", "hint"):
        setattr(swallowed, name, getattr(error, name, ""))
    raise swallowed


def _check(
    analysis: _Analysis, run: _Run, before: _randomness.Dice, between: _randomness.Dice
) -> List[Tuple[str, Place]]:
    """Runs the function again: the same must be recorded, and numbers must give what was recorded."""
    definition, recording = analysis.definition, run.recording
    path = definition.shown_path

    def refuse(code: str, message: str, hint: str, where: Place) -> Exception:
        _, line, text = recording.line_of(where)
        return program_refusal(code, path, message, hint, line, text)

    here = definition.place(recording)
    drawn = before.changed(between)
    for _ in range(1 if recording.entropy is not None else _randomness.MORE_RUNS):
        try:
            again = analysis.record()
        except Exception as error:
            message = f"the function fails when it runs a second time ({type(error).__name__}: {error})"
            hint = "what it does must not depend on what it did before"
            raise refuse("P902", message, hint, here) from error
        if drawn is not None and between.changed(_randomness.Dice()) is not None:
            message = f"the function draws from the generator of `{drawn}`, which the analysis would take for a constant"
            raise refuse("P902", message, _randomness.INSTEAD, here)
        if recording.entropy or again.recording.entropy:
            message = "the function draws from a generator without a seed, which the analysis would take for a constant"
            raise refuse("P902", message, _randomness.INSTEAD, here)
        where = recording.recorder.first_difference(again.recording.recorder)
        if where is not None or not _randomness.same(run.result, again.result):
            message = "two runs of the function do different things: it uses random numbers, the time, or what it did before"
            raise refuse("P902", message, _randomness.INSTEAD, where or here)
        recorder, plain = again.recording.recorder, again.plain
        del again
    notes: List[Tuple[str, Place]] = []
    if _still_alive(recorder):
        if analysis.is_gate:
            hint = "return them, or keep them in variables of the function"
            raise refuse("P901", KEPT, hint, here)
        notes.append((KEPT, here))
    del plain
    for point in Point:
        try:
            rehearsal, numbers = analysis.rehearse(point)
        except Exception as error:
            message = f"with numbers in place of random variables the function fails ({type(error).__name__}: {error})"
            raise refuse("P903", message, "let it take numbers and arrays of them", here) from error
        differs = difference(recording.recorder, run.result, rehearsal, numbers)
        if differs is None:
            continue
        message = f"with numbers in place of random variables, {differs}: the function tells the two apart"
        hint = (
            "look at no types, and name columns instead of selecting those of numbers (numeric_only, select_dtypes, describe)"
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
    function: Callable[..., Any], bound: inspect.BoundArguments, definition: Definition, watched: bool
) -> Tuple[Any, _Capture]:
    code = definition.code
    capture = _Capture(code if code is not None else _call.__code__)
    if not watched or code is None:
        return function(*bound.args, **bound.kwargs), capture
    before = sys.getprofile()
    sys.setprofile(capture)
    try:
        return function(*bound.args, **bound.kwargs), capture
    finally:
        sys.setprofile(before)
