"""Stands for values that are not linear in the secret: they may be computed, and are refused when they are used."""

from __future__ import annotations

import sys
from typing import Any

from ._secret import LINEAR, refused


class NotSaid:
    """One value; whatever is done with it is refused."""

    def __init__(self, what: str, label: str, hint: str = LINEAR) -> None:
        self.__dict__["_what"] = (what, label, hint, _line())

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        what, label, hint, line = self.__dict__["_what"]
        error: Any = refused("P306", label, f"{what} not linear in the secret", what, hint)
        # Where nothing of the function is running any more, as it has returned it.
        error.line = line
        raise error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # Libraries ask objects what they are.
            raise AttributeError(name)
        return self._refuse()

    def __copy__(self) -> "NotSaid":
        return self

    def __deepcopy__(self, memo: Any) -> "NotSaid":
        return self

    __setattr__ = __float__ = __int__ = __index__ = __complex__ = __bool__ = __str__ = __repr__ = __format__ = _refuse  # type: ignore
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = _refuse
    __pow__ = __rpow__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __abs__ = __round__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __reduce_ex__ = __array_ufunc__ = _refuse  # type: ignore


class NotSaidArray(NotSaid):
    """An array of such values."""

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        return super()._refuse()

    __getitem__ = __iter__ = __len__ = __array__ = __contains__ = __array_function__ = _refuse


def _line() -> int:
    """The line of the function under audit that is running."""
    from ._session import SESSION

    session, frame = SESSION.get(), sys._getframe(1)
    while session is not None and frame is not None:
        if frame.f_code.co_filename == session.program.path:
            return frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return 0
