"""How audits are drawn and shown in notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from ._plot import POSTERIOR_COLOUR, Picture

if TYPE_CHECKING:
    from ._audit import Audit

_SHOWN = 10
_COLOURS = {"pass": "#2e7d32", "review": "#b26a00", "fail": "#c62828"}


def plot(audit: "Audit", ax: Any) -> Any:
    """The axes of matplotlib, or a picture."""
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        return Picture(audit.to_svg())
    people = audit._parsed["summary"]["people"]
    removed = people["uncertainty_removed"]
    step = removed["step_percent"]
    if ax is None:
        _, ax = pyplot.subplots()
    starts = [step * place for place in range(len(removed["counts"]))]
    ax.bar(starts, removed["counts"], width=step, align="edge", color=POSTERIOR_COLOUR, edgecolor="white")
    if people["fully_disclosed"]:
        ax.bar([100.0], [people["fully_disclosed"]], width=step, align="edge", color="black", label="fully disclosed")
        ax.legend()
    ax.set_xlim(0.0, 100.0 + (step if people["fully_disclosed"] else 0.0))
    ax.set_xlabel("reduction of the attacker's standard deviation (%)")
    ax.set_ylabel("people")
    return ax


def compact(audit: "Audit") -> str:
    """The verdict, the reasons, the worst figures, a picture and the notes."""
    document = audit._parsed
    people, figures = document["summary"]["people"], document["figures"]
    order = {"fail": 0, "review": 1, "pass": 2}
    worst = sorted(figures, key=lambda figure: (order[figure["verdict"]], -figure["discloses"]))[:_SHOWN]

    def row(*cells: Any) -> str:
        return "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in cells) + "</tr>"

    def number(value: Any) -> str:
        return "" if value is None else f"{value:,.6g}" if isinstance(value, (int, float)) else str(value)

    reasons = "".join(row(one["verdict"], one["rule"], one["message"]) for one in document["reasons"])
    listed = "".join(
        row(
            figure["name"], number(figure["published"]), "?" if figure["contributors"] is None else figure["contributors"],
            figure["status"], figure["verdict"], " ".join(rule["rule"] for rule in figure["rules"]),
        )
        for figure in worst
    )  # fmt: skip
    more = f'<tr><td colspan="6">and {len(figures) - _SHOWN} more</td></tr>' if len(figures) > _SHOWN else ""
    notes = "".join(f"<li>{html.escape(note)}</li>" for note in document["notes"])
    colour = _COLOURS[document["verdict"]]
    return (
        f'<div><p><b>privug</b>: <code>{html.escape(document["program"]["path"])}</code> '
        f'<b style="color: {colour}">{document["verdict"]}</b>, {people["count"]} people, {len(figures)} figures, '
        f'{people["fully_disclosed"]} fully disclosed</p>'
        + (f"<table><tbody>{reasons}</tbody></table>" if reasons else "")
        + "<table><thead><tr><th>figure</th><th>published</th><th>people</th><th>status</th><th>verdict</th><th>rules</th>"
        f"</tr></thead><tbody>{listed}{more}</tbody></table>"
        f'<div style="max-width: 40em">{audit.to_svg()}</div>' + (f"<ul>{notes}</ul>" if notes else "") + "</div>"
    )
