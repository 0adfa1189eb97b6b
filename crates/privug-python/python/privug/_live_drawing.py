"""What a script draws with matplotlib or pandas is published: nothing is drawn while it is audited."""

from __future__ import annotations

import dis
import functools
import sys
from typing import Any, Callable, List, Set

from ._live_beside import beside, named, probe
from ._live_looks import look_at_call, look_at_picture
from ._live_release import Said
from ._live_text import SecretText
from ._secret import decides, not_linear, secret

ORIGINAL = (
    "subplots", "add_subplot", "add_axes", "add_gridspec", "subfigures", "twinx", "twiny", "inset_axes", "secondary_xaxis",
    "secondary_yaxis", "gca", "sca", "clear", "cla", "clf", "tight_layout", "set_layout_engine", "draw", "delaxes", "grid",
    "tick_params", "invert_xaxis", "invert_yaxis", "margins", "set_visible", "set_size_inches", "set_dpi", "axis", "set_axis_off",
    "set_axis_on", "ticklabel_format", "autofmt_xdate", "subplots_adjust", "set_xscale", "set_yscale", "label_outer", "set_aspect",
    "set_facecolor", "colorbar",
)  # fmt: skip
"""Methods that arrange a picture and put no data into it."""

ARTISTS = ("add_patch", "add_artist", "add_collection", "add_line", "add_image", "add_table", "add_container")
"""Methods that take something that was drawn by hand."""

STYLE = (
    "color", "colors", "c", "cmap", "alpha", "linewidth", "lw", "linestyle", "ls", "marker", "markersize", "ms", "edgecolor", "ec",
    "facecolor", "fc", "zorder", "align", "fontsize", "fontweight", "size", "ha", "va", "rotation", "rot", "figsize", "capsize",
    "legend", "ax", "kind", "grid", "hatch", "fmt", "transform", "xycoords", "textcoords", "arrowprops", "bbox", "weight",
    "horizontalalignment", "verticalalignment", "dpi", "startangle", "autopct", "shadow", "loc", "frameon", "ncol", "ncols", "width",
    "stacked", "subplots", "layout", "sharex", "sharey", "logx", "logy", "secondary_y", "pad", "padding", "fontdict", "fontfamily",
    "style", "handles", "where", "drawstyle", "orientation", "bbox_to_anchor", "colormap", "use_index", "interpolation", "aspect",
)  # fmt: skip
"""Options that say how something looks; what they hold is published all the same where it is a table, an array or a secret."""

_PLAIN = (bool, int, float, str, tuple, dict)

COUNTING = ("hist", "hist2d", "hexbin", "ecdf")
SPREADING = ("boxplot", "violinplot", "box", "kde", "density")
"""Plots that count or order the values that they are given."""


SHEETS = (
    "add_format", "add_worksheet", "create_sheet", "set_column", "set_row", "freeze_panes", "autofilter", "conditional_format",
    "set_zoom", "hide_gridlines", "set_paper", "set_landscape", "merge_cells", "close", "save",
)  # fmt: skip
"""Methods of workbooks and sheets that put no data into them."""


class Drawing:
    """A plot, or a sheet of a workbook: what it is given is published, and nothing can be read off it."""

    def __init__(self, publishing: Any, name: str = "") -> None:
        self.__dict__.update(_publishing=publishing, _name=name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Drawing(self._publishing, name)

    def __call__(self, *inputs: Any, **options: Any) -> "Drawing":
        name = self._name
        if name in SHEETS:
            beside(self._publishing, [*inputs, *options.values()])
        probe(self._publishing, [each for each in (*inputs, *options.values()) if _makes_labels(each)])
        if name not in ORIGINAL + SHEETS and not name.startswith("get"):
            check_kind(name, [*inputs, *options.values()])
            self._publishing.publish(drawn(inputs, options, self._publishing.literals(name)), self._publishing.place("plot"))
        return Drawing(self._publishing)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("value", "text") or isinstance(value, SecretText) or secret(value) is not None:
            self._publishing.publish(value, self._publishing.place("sheet"))

    def __setitem__(self, place: Any, value: Any) -> None:
        self._publishing.publish(value, self._publishing.place("sheet"))

    def __getitem__(self, place: Any) -> "Drawing":
        return Drawing(self._publishing)

    def __iter__(self) -> Any:
        return iter([Drawing(self._publishing) for _ in range(_wanted(sys._getframe(1)))])

    def __format__(self, specification: str) -> str:
        # What is at a bar was published with it.
        return ""

    def _same(self, other: Any = None) -> "Drawing":
        if secret(other) is not None:
            raise not_linear(secret(other).label, "arithmetic with a plot")
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __neg__ = _same


def _wanted(frame: Any) -> int:
    """Into how many names a plot is taken apart, as `line, = ax.plot(x, y)` does; two where it is looked through."""
    code = frame.f_code.co_code
    name, most = dis.opname[code[frame.f_lasti]], code[frame.f_lasti + 1]
    return most if name.startswith("UNPACK_SEQUENCE") else most & 0xFF if name == "UNPACK_EX" else 2


def hooks(replace: Callable[[Any, str, Any], None], publishing: Any) -> None:
    """Lets the axes and figures of matplotlib, where it is loaded, publish what they are given."""
    axes, figure = sys.modules.get("matplotlib.axes"), sys.modules.get("matplotlib.figure")
    if axes is None or figure is None:
        return
    for kind in (axes.Axes, figure.Figure):
        for name in _drawing(kind):
            replace(kind, name, lambda original, name=name: _drawer(original, name, publishing))
        for name in ORIGINAL:
            replace(kind, name, lambda original, name=name: _arranger(original, name))
    axis: Any = sys.modules.get("matplotlib.axis")
    for name in ("set_major_formatter", "set_minor_formatter"):
        replace(axis.Axis, name, lambda original: _labeller(original, publishing))
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    # `sci` remembers a picture for a colour bar.
    for name in ("show", "pause", "sci") if pyplot is not None else ():
        replace(pyplot, name, lambda original: lambda *inputs, **options: None)
    if pyplot is not None:
        replace(pyplot, "savefig", lambda original: lambda *inputs, **options: _saved(publishing, inputs, options))


@functools.lru_cache(None)
def _drawing(kind: Any) -> List[str]:
    """The methods of a class that put something into a picture."""
    names = (name for name in dir(kind) if not name.startswith(("_", "get", "has", "can", "is", "in_", "stale", "sub", "draw")))
    return [name for name in names if name not in ORIGINAL and callable(getattr(kind, name)) and not isinstance(getattr(kind, name), type)]


def _saved(publishing: Any, inputs: Any, options: Any) -> None:
    """A picture is not written; its name and what it says about itself are published with it."""
    named(publishing, options.get("fname", inputs[0] if inputs else None))
    look_at_call("savefig", inputs[1:], {name: each for name, each in options.items() if name != "fname"})
    beside(publishing, [options.get("metadata")])


def open_figures() -> List[int]:
    """The numbers of pyplot's figures."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    return [] if pyplot is None else list(pyplot.get_fignums())


def close_figures(kept: List[int]) -> None:
    """Forgets the figures that a script made."""
    for number in open_figures():
        if number not in kept:
            sys.modules["matplotlib.pyplot"].close(number)


def _arranger(original: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A method that arranges a picture: what it is told can be seen in it."""

    @functools.wraps(original)
    def arrange(self: Any, *inputs: Any, **options: Any) -> Any:
        if _is_asked_for(sys._getframe(1), name):
            look_at_call(name, inputs, options)
        return original(self, *inputs, **options)

    return arrange


def _drawer(original: Callable[..., Any], name: str, publishing: Any) -> Callable[..., Any]:
    def draw(self: Any, *inputs: Any, **options: Any) -> Any:
        if not _is_asked_for(sys._getframe(1), name):
            return original(self, *inputs, **options)
        if name == "savefig":
            look_at_picture(self)
            return _saved(publishing, inputs, options)
        if name in ARTISTS:
            secrets = ", ".join(map(str, publishing.run.tables.columns))
            message = f"`{name}`: custom artists are not inspected, and could show the secret (`{secrets}`)"
            raise publishing.run.refuse("P205", message, "draw it with a method of the axes, such as `bar`", publishing.line())
        check_kind(name, [*inputs, *options.values()])
        probe(publishing, [each for each in (*inputs, *options.values()) if _makes_labels(each)])
        publishing.count(name, publishing.line())
        look_at_call(name, (), {key: each for key, each in options.items() if key in STYLE})
        looks = sorted((key, repr(each)) for key, each in options.items() if key in STYLE and type(each) in _PLAIN)
        publishing.cells.said.append(Said(len(publishing.cells), publishing.line(), f"{name} {looks}", False))
        publishing.publish(drawn(inputs, options, publishing.literals(name)), publishing.place("plot"))
        return Drawing(publishing)

    return draw


def _makes_labels(value: Any) -> bool:
    """Whether it is a function, or a formatter of matplotlib's."""
    ticker: Any = sys.modules.get("matplotlib.ticker")
    is_formatter = ticker is not None and isinstance(value, ticker.Formatter)
    return is_formatter or (callable(value) and not isinstance(value, (Drawing, type)))


def _labeller(original: Callable[..., Any], publishing: Any) -> Callable[..., Any]:
    def set_formatter(self: Any, formatter: Any) -> Any:
        if sys._getframe(1).f_code.co_filename == publishing.run.path:
            beside(publishing, [formatter] if isinstance(formatter, str) else [])
            probe(publishing, [formatter] if _makes_labels(formatter) else [])
            return None
        return original(self, formatter)

    return set_formatter


def _is_asked_for(caller: Any, name: str) -> bool:
    """Whether the script draws, by itself, through pyplot or through pandas, and not matplotlib for its own ends."""
    module, function = caller.f_globals.get("__name__", ""), caller.f_code.co_name
    if module.startswith("pandas."):
        return not name.startswith("set_")
    if module == "matplotlib.pyplot":
        return name in (function, f"set_{function}", f"set_{function}labels", function.replace("fig", ""))
    return not module.startswith("matplotlib.")


def check_kind(kind: Any, values: List[Any]) -> None:
    """Refuses plots that count or order secrets."""
    label = next((secret(each).label for each in values if secret(each) is not None), None)
    if label is not None and kind in COUNTING:
        raise decides(label, kind)
    if label is not None and kind in SPREADING:
        raise not_linear(label, kind)


def drawn(inputs: Any, options: Any, literals: Set[Any]) -> List[Any]:
    """The data among the arguments of a plot; `literals` are the places and names of those that stand in the script."""
    found = [each for place, each in enumerate(inputs) if not callable(each) and place not in literals]
    for name, each in options.items():
        # A number among the options of the style is a width or a size.
        is_plain = type(each) in _PLAIN
        if each is not None and not (name in STYLE and is_plain) and not callable(each) and name not in literals:
            found.append(each)
    return [each for each in found if not _is_artist(each)]


def _is_artist(value: Any) -> bool:
    if isinstance(value, (list, tuple)) and len(value):
        return all(map(_is_artist, value))
    artists: Any = sys.modules.get("matplotlib.artist")
    return isinstance(value, Drawing) or (artists is not None and isinstance(value, artists.Artist))


def plotted(parent: Any, inputs: Any, options: Any) -> Any:
    """The columns that `df.plot(x=…, y=…)` draws."""
    kind = options.get("kind", inputs[0] if inputs and isinstance(inputs[0], str) else "line")
    named = [options.get(name) for name in ("x", "y", "by", "column")]
    columns = [each for name in named if name is not None for each in (name if isinstance(name, list) else [name])]
    if parent.ndim == 2 and columns and all(type(each) in (str, int) and each in parent.columns for each in columns):
        parent = parent[list(dict.fromkeys(columns))] if options.get("y") is not None else parent
    values = [parent] if parent.ndim == 1 else [parent.iloc[:, place] for place in range(parent.shape[1])]
    if kind in COUNTING + SPREADING:
        check_kind(kind, values)
    return parent

