"""What a function under audit leaves behind in the program: in variables, in modules, in the environment.

All runs on all rows have to leave the same, whatever the secrets are. A cache that the first run fills is harmless.
"""

from __future__ import annotations

import os
import sys
import types
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._fingerprint import Fingerprint

Left = List[Tuple[str, str]]
"""Names of what can be changed, with texts that are equal where nothing was."""

_UNNAMED = ("arguments", "defaults", "attributes", "self")
_HARMLESS = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def left_by(function: Any, names: Any) -> Left:
    """What a function could have changed; `names` are the variables of its module."""
    found = Fingerprint().of_function(function, ())
    plain = getattr(function, "__func__", function)
    found.append(("attributes", repr([getattr(plain, each, None) for each in ("__doc__", "__name__", "__qualname__")])))
    # Those that it does not name may be reached as well, and are told apart by where they are.
    found += [(name, str(id(value))) for name, value in list(names.items()) if not name.startswith("__")]
    main = sys.modules.get("__main__")
    if main is not None and vars(main) is not names:
        found += [(f"__main__.{name}", str(id(value))) for name, value in list(vars(main).items()) if not name.startswith("_")]
    found.append(("numpy's print options", repr(np.get_printoptions())))
    found.append(("the environment", repr(sorted(os.environ.items()))))
    found.append(("the working directory", _folder()))
    return found


def difference(runs: List[Left]) -> Optional[str]:
    """The first name of which two runs left something else; an empty text where it has none."""
    for other in runs[1:]:
        if other != runs[0]:
            changed = [name for name, _ in set(runs[0]) ^ set(other)]
            shown = next((name for name in changed if name not in _UNNAMED), "")
            return shown
    return None


class Modules:
    """The variables of all modules that are loaded, by how many there are: a new one is behind the others."""

    def __init__(self) -> None:
        self._counts: Dict[str, int] = {name: len(vars(module)) for name, module in _loaded()}

    def added(self) -> Optional[str]:
        """A variable that was put into a module since then and holds data."""
        for name, module in _loaded():
            count = self._counts.get(name)
            if count is None or len(vars(module)) <= count:
                continue
            for key, value in list(vars(module).items())[count:]:
                if not key.startswith("_") and not isinstance(value, _HARMLESS) and not callable(value):
                    return f"{name}.{key}"
        return None


def _loaded() -> List[Tuple[str, Any]]:
    # Others than modules may stand there, with attributes that are made when they are asked for.
    return [(name, each) for name, each in list(sys.modules.items()) if type(each) is types.ModuleType]


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""
