"""What a script draws with matplotlib or pandas is published: nothing is drawn while it is audited."""

from __future__ import annotations

import sys
from typing import Any, Callable, List

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

COUNTING = ("hist", "hist2d", "hexbin", "ecdf")
SPREADING = ("boxplot", "violinplot", "box", "kde", "density")
"""Plots that count or order the values that they are given."""


class Drawing:
    """What a plot returns: it can be labelled, and nothing can be read off it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Drawing()

    def __call__(self, *inputs: Any, **options: Any) -> "Drawing":
        return Drawing()

    def __iter__(self) -> Any:
        return iter((Drawing(), Drawing()))

    def __getitem__(self, place: Any) -> "Drawing":
        return Drawing()

    def __format__(self, specification: str) -> str:
        # What is at a bar was published with it.
        return ""

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __neg__ = __call__


def hooks(replace: Callable[[Any, str, Any], None], publishing: Any) -> None:
    """Lets the axes and figures of matplotlib, where it is loaded, publish what they are given."""
    axes, figure = sys.modules.get("matplotlib.axes"), sys.modules.get("matplotlib.figure")
    if axes is None or figure is None:
        return
    for kind in (axes.Axes, figure.Figure):
        for name in dir(kind):
            if not name.startswith(("_", "get", "has", "can", "is", "in_", "stale", "sub", "draw")) and name not in ORIGINAL:
                if callable(getattr(kind, name)) and not isinstance(getattr(kind, name), type):
                    replace(kind, name, lambda original, name=name: _drawer(original, name, publishing))
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    for name in ("show", "savefig", "pause") if pyplot is not None else ():
        replace(pyplot, name, lambda original: lambda *inputs, **options: None)


def _drawer(original: Callable[..., Any], name: str, publishing: Any) -> Callable[..., Any]:
    def draw(self: Any, *inputs: Any, **options: Any) -> Any:
        if not _is_asked_for(sys._getframe(1), name):
            return original(self, *inputs, **options)
        if name == "savefig":
            return None
        if name in ARTISTS:
            message = f"`{name}`: what was drawn by hand is not looked into"
            raise publishing.run.refuse("P205", message, "draw it with a method of the axes, such as `bar`", publishing.line())
        check_kind(name, [*inputs, *options.values()])
        publishing.publish(drawn(inputs, options), f"plot, line {publishing.line()}")
        return Drawing()

    return draw


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


def drawn(inputs: Any, options: Any) -> List[Any]:
    """The data among the arguments of a plot."""
    from matplotlib.artist import Artist

    found = [each for each in inputs if not callable(each)]
    for name, each in options.items():
        # A number among the options of the style is a width or a size.
        is_plain = each is None or type(each) in (bool, int, float, str, tuple, dict)
        if not (name in STYLE and is_plain) and not callable(each):
            found.append(each)
    return [each for each in found if not _is_artist(each, Artist)]


def _is_artist(value: Any, artist: type) -> bool:
    if isinstance(value, (list, tuple)) and len(value):
        return all(_is_artist(each, artist) for each in value)
    return isinstance(value, (artist, Drawing))


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

