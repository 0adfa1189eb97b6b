"""What stands between the figures of published texts: labels, and numbers of people.

`f"{region} (n={len(rows)}): {rows.income.mean():.0f}"` shows a label, a count and a figure. Which rows the count is of, the figure
beside it tells; whether that is so, and whether the rest is a label like those of tables, is tested as for these: the function
runs on parts of the table, where labels are the same or gone, and counts are those of fewer rows.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._live_text import Pieces

_DIGITS = re.compile(r"(?<![\d.,_])\d+(?![\d_]|[.,]\d)")

SMALL = 10
"""A number of fewer people may be the same on parts of the table, or gone with its text."""

MAX_MATCHES = 1_000_000
"""So many texts are compared with templates in one run; where there are more, nothing is known about them."""


class Between:
    """The parts of one text that are no figures and stand in no program."""

    def __init__(self, cell: Any, pieces: List[str], marks: Tuple[str, str], rest: List[str], behind: List[np.ndarray]) -> None:
        """`behind` are the rows that the numbers in it may be numbers of, and `rest` the pieces that the program does not have."""
        self.cell = cell
        self.rest = rest
        self.counts: List[Tuple[int, List[np.ndarray]]] = []
        """The numbers in it that may be counts, and of which rows."""
        self._groups: List[int] = []
        number, self._next = Pieces(pieces, marks).number(), 1
        shown = [self._pattern(piece.strip(), behind if piece in rest else []) for piece in pieces]
        # Each number has groups of its own: those before it move the others.
        pattern = ""
        for at, (one, groups) in enumerate(shown):
            pattern += (number if at else "") + one
            self._groups += [group + 2 * at for group in groups]
        self.pattern = pattern
        self._regex = re.compile(pattern)
        left = [digits for piece in rest for digits in re.findall(r"\d+", piece)]
        for count, _ in self.counts:
            left.remove(str(count))
        self.has_numbers = bool(left)
        self.has_small = any(int(digits) < SMALL for digits in left)

    def _pattern(self, piece: str, behind: List[np.ndarray]) -> Tuple[str, List[int]]:
        pattern, end, groups = "", 0, []
        for found in _DIGITS.finditer(piece):
            rows = [each for each in behind if int(each.sum()) == int(found.group())]
            if rows and found.group() == str(int(found.group())):
                # A number in a column has fewer blanks before it the more digits it has; how wide the column is, `_live_structure` compares.
                before = piece[end : found.start()]
                blanks = len(before) - len(before.rstrip(" "))
                pattern += re.escape(before[: len(before) - blanks] if blanks > 1 else before) + (r" *(\d+)" if blanks > 1 else r"(\d+)")
                end = found.end()
                self.counts.append((int(found.group()), rows))
                groups.append(self._next)
                self._next += 1
        return pattern + re.escape(piece[end:]), groups

    def match(self, text: str) -> Optional[List[int]]:
        """The counts in a text of the same kind."""
        found = self._regex.fullmatch(text.strip())
        return None if found is None else [int(found.group(group)) for group in self._groups]


class Betweens:
    """All of them, and what runs on other rows tell."""

    def __init__(self, texts: List[Between], real: List[Any]) -> None:
        self.texts = texts
        self.has_numbers = any(each.counts or each.has_numbers for each in texts)
        self.is_known = True
        """Whether the texts are the same on other rows, but for figures and counts, or gone."""
        self._public = {cell.value for cell in real if isinstance(cell.value, str)}

    def test(self, published: List[Any], part: np.ndarray, times: int = 1) -> None:
        """Compares with what is published of some rows, or of all of them several times."""
        found = self._found(published, times > 1) if self.is_known else None
        if found is None:
            self.is_known = False
            return
        for at, text in enumerate(self.texts):
            shown = found.get(at)
            if times > 1 and shown is None:
                self.is_known = False
            counts = shown or [0] * len(text.counts)
            fitting = [[rows for rows in each if int((rows & part).sum()) * times == count] for count, (_, each) in zip(counts, text.counts)]
            text.counts = [(number, rows) for (number, _), rows in zip(text.counts, fitting)]

    def not_repeated(self) -> None:
        """Where people cannot be in the table several times, a small number may be one of them."""
        self.is_known = self.is_known and not any(each.has_small for each in self.texts)

    def _found(self, published: List[Any], more: bool) -> Optional[Dict[int, List[int]]]:
        """Which text each of them is, and its counts; `more` where texts about groups that were left out as small may be there."""
        shown = [cell.value for cell in published if isinstance(cell.value, str)]
        if len(shown) * len(self.texts) > MAX_MATCHES:
            return None
        alike: Dict[str, List[int]] = {}
        for at, text in enumerate(self.texts):
            alike.setdefault(text.pattern, []).append(at)
        matching: Dict[str, List[List[int]]] = {}
        for each in shown:
            matches = {pattern: self.texts[places[0]].match(each) for pattern, places in alike.items()}
            fitting = [(pattern, counts) for pattern, counts in matches.items() if counts is not None]
            if not fitting and (more or each in self._public):
                continue
            if len(fitting) != 1:
                # It is a text that was not there, or it is not known which of them it is.
                return None
            matching.setdefault(fitting[0][0], []).append(fitting[0][1])
        found: Dict[int, List[int]] = {}
        for pattern, several in matching.items():
            # Texts that are told apart by where they are only, such as `f"{band}: {mean:.0f}"` for both sexes.
            places = alike[pattern]
            if len(several) > len(places) or (len(several) < len(places) and any(self.texts[at].counts for at in places)):
                return None
            found.update(zip(places, several))
        return found
