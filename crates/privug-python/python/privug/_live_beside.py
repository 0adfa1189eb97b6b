"""What a table is published with: headings, captions, formats, the functions that make them, and the names of files.

Whoever writes a table decides by these what stands beside and instead of its cells. So they are published like the cells.
"""

from __future__ import annotations

import os
import types
from typing import Any, Callable, Dict, Iterator, List, Optional

from ._live_looks import look, look_at_call
from ._live_release import Said, cells
from ._live_text import SecretText
from ._secret import SecretValue, is_secret, needs_values

SELECTING = ("columns", "con", "engine", "target", "dtype")
"""Options of writers that choose among what is published anyway."""

_LOOKS = ("hide", "highlight", "background", "text_gradient", "bar", "apply", "map", "clear", "concat")
"""How those begin that say which cells are shown, and in which colours."""

_TEXTS = ("set_", "format", "relabel")
"""How the methods of pandas' Styler begin that put texts beside cells, or in their place."""


def beside(publishing: Any, values: Any) -> None:
    """Publishes the texts among the options of a call; its other options must be the same in every run."""
    for value in values:
        for each in _leaves(value):
            if isinstance(each, (SecretText, str)):
                publishing.publish(each, publishing.place("option"))
            elif is_secret(each):
                raise needs_values(each.label if hasattr(each, "label") else str(publishing.run.tables.columns[0]), "an option")
            else:
                look(f"option {each!r}")
                publishing.cells.said.append(Said(len(publishing.cells), publishing.line(), repr(each), False))


def _leaves(value: Any, depth: int = 0) -> Iterator[Any]:
    """Texts, numbers and secrets in an option; what is made of anything else is no data."""
    if isinstance(value, (list, tuple, set, frozenset)) and depth < 5:
        for each in value:
            yield from _leaves(each, depth + 1)
    elif isinstance(value, dict) and depth < 5:
        for key, each in value.items():
            yield from _leaves(key, depth + 1)
            yield from _leaves(each, depth + 1)
    elif type(value).__module__.startswith("pandas") and hasattr(value, "_constructor"):
        yield from (cell.value for cell in cells(value, "option"))
    elif isinstance(value, (str, int, float, SecretText)) or is_secret(value):
        yield value


def named(publishing: Any, path: Any) -> None:
    """The name of a file that is written: it must not depend on secrets."""
    if isinstance(path, SecretText) or is_secret(path):
        hint = "use public file names"
        message = f"a file name contains the secret (`{', '.join(map(str, publishing.run.tables.columns))}`)"
        raise publishing.run.refuse("P309", message, hint, publishing.line())
    if isinstance(path, (str, os.PathLike)):
        publishing.cells.said.append(Said(len(publishing.cells), publishing.line(), os.fspath(path), False))
        publishing.cells.label(os.fspath(path))


def _is_own(publishing: Any, function: Any) -> bool:
    """Whether a function is the script's, and could show something else than what it is given."""
    plain = getattr(function, "func", function)
    plain = getattr(plain, "__func__", plain)
    return isinstance(plain, types.FunctionType) and not plain.__module__.partition(".")[0] in ("pandas", "matplotlib", "numpy")


PROBES = (0.0, 1.0, 1234.5)
"""At what a function that writes the labels of an axis is tried."""


def probe(publishing: Any, functions: Any) -> None:
    """Calls functions of the script that make labels of numbers: what they say must be the same in every run."""
    for given in functions:
        function = getattr(given, "func", given)
        if shown_by(given, publishing.run.path) is not None or _is_of(type(given), publishing.run.path):
            raise _decides(publishing, type(given).__name__)
        if not _is_own(publishing, function):
            continue
        for value in PROBES:
            count = function.__code__.co_argcount - len(function.__defaults__ or ())
            said = function(*(value, 0)[: max(count, 1)])
            if isinstance(said, SecretText) or is_secret(said):
                raise _decides(publishing, function.__name__)
            publishing.cells.said.append(Said(len(publishing.cells), publishing.line(), repr(said), False))


def _is_of(kind: Any, path: str) -> bool:
    """Whether a class is written in the script."""
    return any(getattr(getattr(each, "__code__", None), "co_filename", None) == path for base in kind.__mro__ for each in vars(base).values())


def shown_by(value: Any, path: str) -> Optional[Any]:
    """The method of a class of the script that makes the text of its instances; None where Python does."""
    for name in ("__str__", "__repr__", "__format__"):
        method = getattr(type(value), name, None)
        if getattr(getattr(method, "__code__", None), "co_filename", None) == path:
            return method
    return None


def _decides(publishing: Any, name: str) -> BaseException:
    label = ", ".join(map(str, publishing.run.tables.columns))
    message = f"`{name}` of the script decides what is shown, and could show the secret (`{label}`)"
    error: BaseException = publishing.run.refuse("P205", message, "format it where it is published", publishing.line())
    return error


def check_shown(publishing: Any, value: Any, depth: int = 0) -> None:
    """Refuses parts of a value whose classes stand in the script and say themselves how they are shown."""
    if depth > 20 or type(value) in (str, int, float, bool, type(None)):
        return
    if isinstance(value, dict):
        check_shown(publishing, [*value.keys(), *value.values()], depth + 1)
    elif isinstance(value, (list, tuple, set, frozenset)):
        # One of each class is enough.
        one_each = {type(each): each for each in value if not isinstance(each, (list, tuple, dict))}
        nested = [each for each in value if isinstance(each, (list, tuple, dict))]
        for each in (*one_each.values(), *nested):
            check_shown(publishing, each, depth + 1)
    elif type(value).__module__.startswith("pandas") and hasattr(value, "_constructor"):
        columns = [value.iloc[:, place] for place in range(value.shape[1])] if value.ndim == 2 else [] if hasattr(value, "levels") else [value]
        axes = [each for axis in getattr(value, "axes", ()) for each in (axis.levels if hasattr(axis, "levels") else [axis])]
        for each in (*columns, *axes):
            if each.dtype == object:
                check_shown(publishing, each.tolist(), depth + 1)
    elif type(value).__module__ == "numpy" and getattr(getattr(value, "dtype", None), "kind", "") == "O":
        check_shown(publishing, value.ravel().tolist(), depth + 1)
    if shown_by(value, publishing.run.path) is not None:
        raise _decides(publishing, type(value).__name__)


def check_handlers(publishing: Any, logger: Any) -> None:
    """Refuses loggers whose messages are made by classes of the script."""
    while logger is not None:
        for handler in logger.handlers:
            for each in (handler, handler.formatter, *handler.filters, *logger.filters):
                if each is not None and (_is_of(type(each), publishing.run.path) or _is_own(publishing, each)):
                    raise _decides(publishing, type(each).__name__)
        logger = logger.parent if logger.propagate else None


def encoded(publishing: Any, value: Any, options: Dict[str, Any], depth: int = 0) -> Any:
    """What `json` makes of a value, with the script's own functions for what it does not know."""
    kind, default = options.get("cls"), options.get("default")
    if kind is not None:
        if any(name in vars(base) for base in kind.__mro__ if _is_of(base, publishing.run.path) for name in ("encode", "iterencode")):
            raise _decides(publishing, kind.__name__)
        default = default or kind(default=None).default
    if default is None or depth > 50:
        return value
    if isinstance(value, dict):
        return {key: encoded(publishing, each, options, depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [encoded(publishing, each, options, depth + 1) for each in value]
    if value is None or isinstance(value, (str, int, float, SecretText, SecretValue)):
        return value
    return encoded(publishing, default(value), options, depth + 1)


def formatted(publishing: Any, data: Any, options: Dict[str, Any]) -> Any:
    """The table with what functions of the script show in the place of its cells."""
    import pandas

    every: Optional[Any] = options.get("float_format")
    if every is None:
        every = pandas.get_option("display.float_format")
    single = options.get("formatters")
    columns = [data.iloc[:, place] for place in range(data.shape[1])] if getattr(data, "ndim", 0) == 2 else [data]
    shown: List[Any] = []
    for place, column in enumerate(columns):
        own = None
        if isinstance(single, dict):
            own = single.get(column.name, single.get(place))
        elif isinstance(single, (list, tuple)) and place < len(single):
            own = single[place]
        if own is None and (column.dtype.kind == "f" or hasattr(column.array, "_forms")):
            own = every
        shown.append(_shown(column, own) if own is not None and _is_own(publishing, own) else column)
    if all(one is other for one, other in zip(shown, columns)):
        return data
    if data.ndim == 1:
        return shown[0]
    made = pandas.concat(shown, axis=1)
    made.columns = data.columns
    return made


def _shown(column: Any, function: Callable[[Any], Any]) -> Any:
    import numpy as np
    import pandas

    values = np.empty(len(column), dtype=object)
    for place, each in enumerate(column.array):
        values[place] = function(each)
    return pandas.Series(values, index=column.index, name=column.name, dtype=object)


def of_styler(publishing: Any, styler: Any) -> Any:
    """The table of a Styler, after its functions were called for what they say about the table's cells."""
    found: List[Any] = []
    for way, inputs, options in getattr(styler, "_todo", ()):
        if inputs and _is_own(publishing, inputs[0]):
            beside(publishing, [*inputs[1:], *options.values()])
            _called(styler, way, inputs, options, found)
        else:
            # pandas' own colours tell of the cells that they are in, and of what else they are given.
            beside(publishing, [each for each in (*inputs[1:], *options.values()) if not isinstance(each, str)])
    for each in found:
        beside(publishing, [each])
    return getattr(styler, "_privug_shown", styler.data)


def _called(styler: Any, way: Any, inputs: Any, options: Any, found: List[Any]) -> None:
    import copy

    def noted(*given: Any, **named: Any) -> Any:
        said = inputs[0](*given, **named)
        found.append(said.tolist() if hasattr(said, "tolist") else said)
        return said

    way(copy.deepcopy(styler))(noted, *inputs[1:], **options)


def styler_hooks(replace: Callable[[Any, str, Any], None], publishing: Any, kind: Any) -> None:
    """Publishes the texts that a Styler is given."""
    for name in dir(kind) if kind is not None else ():
        if name.startswith(_TEXTS):
            replace(kind, name, lambda original, name=name: _text_method(original, name, publishing))
        elif name.startswith(_LOOKS):
            replace(kind, name, lambda original, name=name: _noted_method(original, name, publishing))


def _noted_method(original: Any, name: str, publishing: Any) -> Any:
    """What is hidden or coloured by a condition tells of the condition."""

    def method(self: Any, *inputs: Any, **options: Any) -> Any:
        if publishing.is_asked():
            look_at_call(name, inputs, options)
            simple = [each for each in (*inputs, *options.values()) if isinstance(each, (str, int, float, list, tuple))]
            publishing.cells.said.append(Said(len(publishing.cells), publishing.line(), f"{name} {simple!r}", False))
        return original(self, *inputs, **options)

    return method


def _text_method(original: Any, name: str, publishing: Any) -> Any:
    def method(self: Any, *inputs: Any, **options: Any) -> Any:
        if not publishing.is_asked():
            return original(self, *inputs, **options)
        given = [*inputs, *options.values()]
        if name == "format":
            formatter = options.get("formatter", inputs[0] if inputs else None)
            functions = formatter.values() if isinstance(formatter, dict) else [formatter]
            if any(_is_own(publishing, each) for each in functions):
                _format_by(publishing, self, formatter, options.get("subset", inputs[1] if len(inputs) > 1 else None))
                return self
        beside(publishing, [each for each in given if not callable(each)])
        inputs = tuple(map(_without, inputs))
        return original(self, *inputs, **{key: _without(each) for key, each in options.items()})

    return method


def _without(value: Any) -> Any:
    """An option without the texts that were published just now, which pandas does not take."""
    if type(value).__module__.startswith("pandas") and hasattr(value, "map") and hasattr(value, "_constructor"):
        return value.map(_without) if value.ndim == 2 else value
    return "" if isinstance(value, SecretText) else value


def _format_by(publishing: Any, styler: Any, formatter: Any, subset: Any) -> None:
    shown = getattr(styler, "_privug_shown", styler.data).copy()
    if subset is None:
        chosen = list(shown.columns)
    else:
        columns = subset[1] if isinstance(subset, tuple) else subset
        chosen = [columns] if isinstance(columns, str) else list(columns)
    for column in chosen:
        own = formatter.get(column) if isinstance(formatter, dict) else formatter
        if own is not None and _is_own(publishing, own):
            shown[column] = _shown(shown[column], own)
    styler._privug_shown = shown
