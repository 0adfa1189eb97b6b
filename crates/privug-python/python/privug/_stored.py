"""Results that were pickled: what the compiled part said of them, kept as texts and arrays."""

from __future__ import annotations

import html
import json
from typing import Any, Dict, List

_COMMAND, _DATE = "privug-command-of-a-stored-result", "privug-date-of-a-stored-result"
MAX_PICTURES = 100
"""Of how many secrets the pictures are kept."""


class _Page:
    """A page that is told later when and how it was made."""

    _html: str

    def to_html(self, command: str, date: str) -> str:
        """The page."""
        return self._html.replace(_COMMAND, _escaped(command)).replace(_DATE, _escaped(date))


def _escaped(text: str) -> str:
    """As the compiled part writes it."""
    return html.escape(text).replace("&#x27;", "&#39;")


class StoredAnalysis(_Page):
    """An analysis."""

    def __init__(self, raw: Any) -> None:
        for name in ("secrets", "has_choices", "meets_requirements", "variable_count"):
            setattr(self, name, getattr(raw, name))
        for name in ("prior_mean", "prior_variance", "prior_covariance"):
            setattr(self, name, getattr(raw, name))
        for name in ("posterior_mean", "posterior_variance", "posterior_covariance"):
            setattr(self, name, getattr(raw, name))
        self._json: str = raw.to_json()
        self._text: Dict[bool, str] = {coloured: raw.to_text(coloured) for coloured in (True, False)}
        self._html = raw.to_html(_COMMAND, _DATE)
        self._svg: List[str] = [raw.to_svg(place) for place in range(min(len(raw.secrets), MAX_PICTURES))]

    def to_json(self) -> str:
        """The document."""
        return self._json

    def to_text(self, coloured: bool) -> str:
        """The report."""
        return self._text[coloured]

    def to_svg(self, secret: int = 0) -> str:
        """The picture of a secret."""
        if secret >= len(self._svg):
            raise ValueError(f"a stored analysis has plots of its first {MAX_PICTURES} secrets only: analyse it again")
        return self._svg[secret]


class StoredAudit(_Page):
    """An audit."""

    def __init__(self, raw: Any) -> None:
        self.verdict: str = raw.verdict
        self._json: Dict[bool, str] = {True: raw.to_json(True), False: raw.to_json(False)}
        self._text: Dict[bool, str] = {}
        for coloured in (True, False):
            self._text[coloured] = raw.to_text(len(json.loads(self._json[False])["people"]), coloured)
        self._svg = raw.to_svg()
        self._html = raw.to_html(_COMMAND, _DATE)
        self._people: Any = dict(raw.people())
        self._disclosed_by: Any = raw.disclosed_by()

    def to_json(self, all_people: bool) -> str:
        """The document."""
        return self._json[all_people]

    def to_text(self, top: int, coloured: bool) -> str:
        """The report."""
        return self._text[coloured]

    def to_svg(self) -> str:
        """The picture."""
        return self._svg

    def people(self) -> Any:
        """Everybody, by columns."""
        return dict(self._people)

    def disclosed_by(self) -> Any:
        """Who is disclosed by which figures."""
        return self._disclosed_by
