"""How things are shown: widths, decimals, blank lines, sizes of pictures, options of pandas.

None of these is a figure, and each can show a number: `f"{mean:{n}.1f}"` is as wide as there are people. So a run notes them
down, and `_live_structure` compares them with those of runs on other rows.
"""

from __future__ import annotations

import sys
from contextvars import ContextVar
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple

LOOKS: ContextVar[Optional[Set[str]]] = ContextVar("privug_looks", default=None)
"""Where the run under way notes down how it shows things."""

SHAPING = ("ljust", "rjust", "center", "zfill", "expandtabs", "round", "around", "sleep")
"""Functions whose numbers are seen in what they make."""

TEXT = "text "
"""How a look begins that is a text of a public column."""

_PLAIN = (bool, int, float, str, type(None))


def look(what: str) -> None:
    """Notes down how something is shown."""
    looks = LOOKS.get()
    if looks is not None:
        looks.add(what)


def plain(values: Any) -> List[Any]:
    """Those of some arguments that are numbers and texts, also in tuples and lists."""
    found: List[Any] = []
    for each in values:
        if isinstance(each, (tuple, list)) and len(each) <= 20:
            found.append(plain(each))
        elif isinstance(each, _PLAIN):
            found.append(each)
    return found


def look_at_call(name: str, inputs: Any, options: Dict[str, Any]) -> None:
    """Notes down the numbers and texts that a function was given which arranges something."""
    look(f"{name} {plain(inputs)} {plain(part for item in sorted(options.items()) for part in item)}")


def shaped(function: Callable[..., Any], *inputs: Any, **options: Any) -> Any:
    """Calls one of the functions whose numbers are seen in what they make."""
    name = getattr(function, "__name__", "")
    module = getattr(function, "__module__", None) or ""
    is_of_data = function is round or module.startswith("numpy")
    look_at_call(name, inputs[1:] if is_of_data else inputs, options)
    if name == "sleep":
        # Nobody is kept waiting.
        return None
    return function(*inputs, **options)


def look_at_blank(text: str) -> None:
    """Notes down lines and letters that are empty: how many there are can be seen."""
    if not text.strip():
        look(f"blank {text!r}")


def look_at_options() -> None:
    """Notes down how pandas and numpy are told to show tables and arrays."""
    import numpy as np

    look(f"numpy {sorted(np.get_printoptions().items(), key=repr)}")
    kept: Any = getattr(sys.modules.get("pandas._config.config"), "_global_config", None)
    if isinstance(kept, dict):
        look(f"pandas {list(_settings(kept, ''))}")


def _settings(options: Dict[str, Any], path: str) -> Iterator[Tuple[str, Any]]:
    for name, each in options.items():
        if isinstance(each, dict):
            yield from _settings(each, f"{path}{name}.")
        elif isinstance(each, _PLAIN):
            yield f"{path}{name}", each


def look_at_picture(figure: Any) -> None:
    """Notes down how large a picture is, and into how many it is divided."""
    if figure is not None and hasattr(figure, "get_size_inches"):
        look(f"picture {figure.get_size_inches().tolist()} {figure.dpi} {len(figure.axes)}")


class Pictures:
    """The settings of matplotlib, and the pictures of a run."""

    def __init__(self) -> None:
        self._before = self._settings()

    @staticmethod
    def _settings() -> Dict[str, str]:
        matplotlib: Any = sys.modules.get("matplotlib")
        return {} if matplotlib is None else {name: repr(each) for name, each in matplotlib.rcParams.items() if not name.startswith("backend")}

    def end(self, kept: List[int]) -> None:
        """Notes down what was set, and the pictures that are open, but for those that were there before."""
        changed = sorted(set(self._settings().items()) - set(self._before.items()))
        if changed and self._before:
            look(f"settings {changed}")
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        for number in [] if pyplot is None else pyplot.get_fignums():
            if number not in kept:
                look_at_picture(pyplot.figure(number))
