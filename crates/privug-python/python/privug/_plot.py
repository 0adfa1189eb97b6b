"""Pictures of what was known before and is known after, and the compact report of notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, List, Tuple, Union

import numpy as np

if TYPE_CHECKING:
    from ._analysis import Analysis
    from ._distribution import Distribution

# Those of the pictures in the reports: `plot/palette.rs`.
PRIOR_COLOUR = "#d55e00"
POSTERIOR_COLOUR = "#00548a"
_SHOWN = 10
_MOST_TICKS = 20
_MOST_LETTERS = 60
"""What fits along the axis of a picture of the usual size."""


class Picture:
    """An SVG that notebooks show."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _repr_svg_(self) -> str:
        return self.text

    def __str__(self) -> str:
        return self.text


def _secret(analysis: "Analysis", secret: Union[int, str, None]) -> Tuple[str, "Distribution", "Distribution"]:
    chosen = 0 if secret is None else secret
    prior: Any
    posterior: Any
    prior, posterior = analysis.prior[chosen], analysis.posterior[chosen]
    return prior.names[0], prior, posterior


def _grid(prior: "Distribution", posterior: "Distribution") -> np.ndarray:
    """Points close to each other where either density is large."""
    parts = []
    for distribution in (prior, posterior):
        mean, std = distribution.mean[0], distribution.std[0]
        parts.append(mean + std * np.linspace(-4.0, 4.0, 201))
    return np.unique(np.concatenate(parts))


def plot(analysis: "Analysis", secret: Union[int, str, None], ax: Any) -> Any:
    """The axes of matplotlib, or a picture."""
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        return Picture(svg(analysis, secret))
    if analysis._raw.has_choices:
        return _bars(analysis, secret, ax, pyplot)
    name, prior, posterior = _secret(analysis, secret)
    after = "posterior"
    leak = analysis.leakage[name]._entries[0]
    if leak["as_if_published"]:
        # As wide as it will be, around a mean that depends on the values.
        after = "as if published, mean not yet known"
        variance = np.array([leak["posterior_variance"]], dtype=float)
        posterior = type(posterior)([name], posterior.mean, variance, variance.reshape(1, 1))
    if ax is None:
        _, ax = pyplot.subplots()
    x = _grid(prior, posterior)
    for label, colour, known in (("prior", PRIOR_COLOUR, prior), (after, POSTERIOR_COLOUR, posterior)):
        if known.var[0] == 0.0:
            ax.axvline(known.mean[0], color=colour, label=f"{label} (known exactly)")
        else:
            density = known.pdf(x)
            ax.plot(x, density, color=colour, label=label)
            ax.fill_between(x, density, color=colour, alpha=0.15)
    truth = leak.get("truth")
    if truth is not None:
        ax.axvline(truth, color="black", linestyle="--", label="truth")
    ax.set_xlabel(name)
    ax.set_ylabel("density")
    ax.set_ylim(bottom=0.0)
    ax.legend()
    return ax


def _bars(analysis: "Analysis", secret: Union[int, str, None], ax: Any, pyplot: Any) -> Any:
    """Probabilities before and after, beside each other."""
    chosen = 0 if secret is None else secret
    prior: Any
    posterior: Any
    prior, posterior = analysis.prior[chosen], analysis.posterior[chosen]
    before, after = prior.pmf, posterior.pmf
    values = list(before)
    if ax is None:
        _, ax = pyplot.subplots()
    places = np.arange(len(values))
    ax.bar(places - 0.2, [before[value] for value in values], 0.4, color=PRIOR_COLOUR, label="prior")
    if not analysis.leakage[prior.names[0]]["as_if_published"]:
        heights = [after.get(value, 0.0) for value in values]
        ax.bar(places + 0.2, heights, 0.4, color=POSTERIOR_COLOUR, label="posterior")
    _name_ticks(ax, places, [str(value) for value in values])
    ax.set_xlabel(prior.names[0])
    ax.set_ylabel("probability")
    ax.legend()
    return ax


def _name_ticks(ax: Any, places: np.ndarray, labels: List[str]) -> None:
    """Names along the axis that do not run into each other: long ones stand upright, and of very many some are left out."""
    step = -(-len(labels) // _MOST_TICKS)
    shown = labels[::step]
    is_crowded = sum(len(label) + 2 for label in shown) > _MOST_LETTERS
    ax.set_xticks(places[::step])
    ax.set_xticklabels(shown, rotation=90 if is_crowded else 0)


def svg(analysis: "Analysis", secret: Union[int, str, None] = None) -> str:
    """The densities before and after, as the library draws them."""
    if isinstance(secret, str):
        secret = analysis.secrets.index(secret)
    return analysis._raw.to_svg(0 if secret is None else range(len(analysis.secrets))[secret])


def compact(analysis: "Analysis") -> str:
    """A table of the secrets, the main measures, a picture and the notes."""
    if analysis._raw.has_choices:
        report = html.escape(analysis.to_text())
        return f'<div><pre>{report}</pre><div style="max-width: 40em">{svg(analysis)}</div></div>'
    prior, posterior = analysis.prior, analysis.posterior
    rows = []
    for place, name in enumerate(prior.names[:_SHOWN]):
        leak = analysis.leakage[place]
        bits, divergence = leak["mutual_information_bits"], leak["kl_posterior_prior_bits"]
        if leak["as_if_published"]:
            after = f"unknown ± {leak['posterior_variance'] ** 0.5:.6g}, as if published"
        else:
            after = f"{posterior.mean[place]:.6g} ± {posterior.std[place]:.6g}"
        rows.append(
            f"<tr><td><code>{html.escape(name)}</code></td>"
            f"<td>{prior.mean[place]:.6g} ± {prior.std[place]:.6g}</td>"
            f"<td>{after}</td>"
            f"<td>{bits:.4g}</td><td>{'unknown' if divergence is None else format(divergence, '.4g')}</td></tr>"
        )
    if len(prior) > _SHOWN:
        rows.append(f'<tr><td colspan="5">and {len(prior) - _SHOWN} more</td></tr>')
    notes = "".join(f"<li>{html.escape(note)}</li>" for note in analysis.notes)
    program = analysis._parsed["program"]
    return (
        f"<div><p><b>privug</b>: <code>{html.escape(program['function'])}</code></p>"
        "<table><thead><tr><th>secret</th><th>before (mean ± std)</th><th>after (mean ± std)</th>"
        "<th>mutual information (bits)</th><th>KL posterior‖prior (bits)</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
        f'<div style="max-width: 40em">{svg(analysis)}</div>' + (f"<ul>{notes}</ul>" if notes else "") + "</div>"
    )
