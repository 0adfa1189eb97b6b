"""What an analysis found."""

from __future__ import annotations

import difflib
import json
from datetime import datetime, timezone
from typing import Any, Dict, Iterator, List, Optional, Union

import numpy as np

from . import _plot
from ._beliefs import Belief
from ._distribution import Distribution
from ._privug import RawAnalysis, measures
from ._stored import StoredAnalysis


def _number(value: Any) -> Any:
    """JSON has no number for infinity."""
    return float(value) if isinstance(value, str) and value in ("inf", "-inf", "nan") else value


_TEXTS = ("secret", "output", "name", "query", "requirement", "text", "measure", "function", "path", "notes")


def _numbers(document: Any, key: str = "") -> Any:
    """A part of the document with numbers for what JSON has no numbers for; names stay as they are."""
    if isinstance(document, dict):
        return {each: _numbers(value, each) for each, value in document.items()}
    if isinstance(document, list):
        return [_numbers(value, key) for value in document]
    return document if key in _TEXTS else _number(document)


class Leakage:
    """How much was learned: every measure by its name in the JSON, as attribute or item.

    With one secret, a measure is a number; with several it is an array. `leakage["ages[0]"]` and `leakage[0]` are the
    measures of one secret.
    """

    def __init__(self, entries: List[Dict[str, Any]]) -> None:
        self._entries = entries

    def __getitem__(self, key: Union[str, int]) -> Any:
        if isinstance(key, int):
            return Leakage([self._entries[key]])
        found = [entry for entry in self._entries if entry["secret"] == key]
        if found:
            return Leakage(found)
        if self._entries and key in self._entries[0]:
            values = [_number(entry[key]) for entry in self._entries]
            if len(values) == 1:
                return values[0]
            return np.array(values) if all(isinstance(value, (int, float)) for value in values) else values
        near = difflib.get_close_matches(str(key), list(self), 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the measures are {', '.join(self)}"
        raise KeyError(f"there is no measure or secret {key!r}; {hint}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries[0] if self._entries else ())

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: object) -> bool:
        return any(key == entry["secret"] or key in entry for entry in self._entries)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self]

    def to_pandas(self) -> Any:
        """A table: one row for each secret, one column for each measure."""
        import pandas

        plain = [
            {name: _number(value) for name, value in entry.items() if not isinstance(value, (list, dict))}
            for entry in self._entries
        ]
        return pandas.DataFrame(plain).set_index("secret")

    def __repr__(self) -> str:
        lines = []
        for entry in self._entries[:10]:
            lines.append(entry["secret"])
            for name, value in entry.items():
                if isinstance(_number(value), (bool, int, float)):
                    lines.append(f"  {name:<40} {value}")
        if len(self._entries) > 10:
            lines.append(f"and {len(self._entries) - 10} more secrets")
        return "\n".join(lines)


class Analysis:
    """What an attacker knew before and knows after seeing the published outputs, and how much that is.

    Examples
    --------
    >>> import privug
    >>> found = privug.analyze(lambda x: x, x=privug.Normal(0, std=1), secret="x", observe="2±1")
    >>> float(found.prior.mean[0]), float(found.posterior.mean[0]), round(found.leakage.mutual_information_bits, 3)
    (0.0, 1.0, 0.5)
    """

    def __init__(self, raw: RawAnalysis) -> None:
        self._raw: Any = raw
        self._document: Optional[Dict[str, Any]] = None

    def to_dict(self) -> Dict[str, Any]:
        """The document that the command line prints with `--json` (schema `privug.analysis/1`)."""
        return json.loads(self._raw.to_json())

    @property
    def _parsed(self) -> Dict[str, Any]:
        if self._document is None:
            self._document = self.to_dict()
        return self._document

    @property
    def secrets(self) -> List[str]:
        """The names of the secrets."""
        return self._raw.secrets

    def _belief(self, when: str) -> Belief:
        known = _numbers(self._parsed[when])
        # Values may be texts of any kind; everything else about them is a number.
        read = lambda part: {name: each if name in ("value", "exact") else _number(each) for name, each in part.items()}  # noqa: E731
        entries = [{**entry, when: [read(part) for part in entry[when]]} for entry in self._parsed["distributions"]]
        return Belief(entries, when, known["mean"], known["variance"])

    @property
    def prior(self) -> Union[Distribution, Belief]:
        """What the attacker knew before: a normal distribution, or the beliefs about discrete secrets and mixtures."""
        raw = self._raw
        if self._raw.has_choices:
            return self._belief("prior")
        return Distribution(raw.secrets, raw.prior_mean, raw.prior_variance, raw.prior_covariance)

    @property
    def posterior(self) -> Union[Distribution, Belief]:
        """What the attacker knows after: a normal distribution, or the beliefs about discrete secrets and mixtures."""
        raw = self._raw
        if self._raw.has_choices:
            return self._belief("posterior")
        return Distribution(raw.secrets, raw.posterior_mean, raw.posterior_variance, raw.posterior_covariance)

    @property
    def leakage(self) -> Leakage:
        """How much was learned."""
        return Leakage(_numbers(self._parsed["leakage"]))

    @property
    def joint_leakage(self) -> Optional[Dict[str, Any]]:
        """How much was learned about all secrets together, if there are several."""
        return _numbers(self._parsed.get("joint_leakage"))

    @property
    def observations(self) -> List[Dict[str, Any]]:
        """What was seen."""
        return _numbers(self._parsed["observations"])

    @property
    def outputs(self) -> List[Dict[str, Any]]:
        """What will be published and has not been seen."""
        return _numbers(self._parsed["outputs"])

    @property
    def notes(self) -> List[str]:
        """What to be careful about."""
        return self._parsed["notes"]

    @property
    def queries(self) -> Dict[str, Dict[str, Any]]:
        """The answers to the questions, before and after, and how they were obtained.

        A certified answer has its bounds in `before_bounds` and `after_bounds`.
        """
        answers = _numbers(self._parsed["queries"])
        return {answer.pop("query"): answer for answer in answers}

    @property
    def requirements(self) -> List[Dict[str, Any]]:
        """The requirements, met or not."""
        return _numbers(self._parsed["requirements"])

    @property
    def meets_requirements(self) -> bool:
        """Whether every requirement is met."""
        return self._raw.meets_requirements

    @property
    def mechanisms(self) -> List[Dict[str, Any]]:
        """The privacy mechanisms that the program applied."""
        return _numbers(self._parsed["mechanisms"])

    @property
    def exact(self) -> Optional[Dict[str, Any]]:
        """The exact numbers as texts such as `13/3`, with `exact=True`."""
        return self._parsed.get("exact")

    @property
    def log_evidence_nats(self) -> float:
        """The logarithm of the density of what was seen."""
        return _number(self._parsed["log_evidence_nats"])

    def to_text(self, coloured: bool = False) -> str:
        """The report that the command line prints."""
        return self._raw.to_text(coloured)

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")

    def plot(self, secret: Union[int, str, None] = None, ax: Any = None) -> Any:
        """Draws the prior and the posterior of a secret (the first, if not said): matplotlib's axes where matplotlib
        is installed, and a picture (SVG) that notebooks show where it is not."""
        return _plot.plot(self, secret, ax)

    def to_svg(self, secret: Union[int, str, None] = None) -> str:
        """The picture of the prior and the posterior of a secret."""
        return _plot.svg(self, secret)

    def to_html(self) -> str:
        """The report as a self-contained HTML page."""
        program = self._parsed["program"]
        date = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
        return self._raw.to_html(f"privug.analyze({program['path']!r})  # {program['function']}, in Python", date)

    def _repr_html_(self) -> str:
        return _plot.compact(self)

    def __copy__(self) -> "Analysis":
        return self

    def __deepcopy__(self, memo: Any) -> "Analysis":
        # Nothing in it ever changes.
        return self

    def __getstate__(self) -> Dict[str, Any]:
        return {"raw": self._raw if isinstance(self._raw, StoredAnalysis) else StoredAnalysis(self._raw)}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._raw, self._document = state["raw"], None

    def to_arviz(self, draws: int = 1000, chains: int = 4, seed: Optional[int] = 0) -> Any:
        """Draws from the prior and the posterior as ArviZ's InferenceData, so that its plots and diagnostics work.

        Parameters
        ----------
        draws
            How many draws each chain has. They are independent, so that its diagnostics find nothing.
        chains
            How many chains there are.
        seed
            The same seed gives the same draws; `None` gives others each time.

        Examples
        --------
        >>> import privug
        >>> found = privug.analyze(lambda x: x + 1, x=privug.Normal(0, 1), secret="x", observe="1±1")
        >>> found.to_arviz(draws=500)["posterior"]["x"].shape
        (4, 500)
        """
        import arviz

        if self._raw.has_choices:
            raise ValueError("ArviZ draws are available for Gaussian secrets; use `posterior.sample` for discrete ones")
        seeds = np.random.SeedSequence(seed).spawn(2)

        def draw(distribution: Any, place: int) -> Dict[str, np.ndarray]:
            drawn = distribution.sample(chains * draws, seeds[place]).reshape(chains, draws, len(distribution))
            return {name: drawn[:, :, column] for column, name in enumerate(distribution.names)}

        groups = {"posterior": draw(self.posterior, 1), "prior": draw(self.prior, 0)}
        from_dict: Any = arviz.from_dict
        try:
            return from_dict(**groups)
        except TypeError:
            # ArviZ 1.0 takes all groups in one dictionary.
            return from_dict(groups)


def measure_names() -> List[str]:
    """The names of all measures.

    Examples
    --------
    >>> import privug
    >>> "mutual_information_bits" in privug.measure_names()
    True
    """
    return [name for name, _, _ in measures()]
