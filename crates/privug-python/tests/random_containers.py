"""Random programs that change lists, sets and dictionaries in some worlds, and go through them with Python's tools."""

from __future__ import annotations

import random
from typing import List


class Containers:
    """Writes one program: a few choices, a list, a set and a dictionary that they change, and a number at the end."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: List[str] = []
        self.draws = self.random.randint(2, 4)
        self.integers = ["n"]
        self.booleans: List[str] = []

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def say(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def value(self) -> str:
        return self.pick(*[name for name in self.integers if name != "n"], "0", "1", "2", "3")

    def draw(self, depth: int) -> None:
        self.draws -= 1
        if self.random.random() < 0.5:
            name = f"b{self.draws}"
            self.say(depth, f"{name} = Bernoulli({self.pick('0.5', '0.25', '2 / 3')})")
            self.booleans.append(name)
        else:
            name = f"i{self.draws}"
            self.say(depth, f"{name} = {self.pick('DiscreteUniform(0, 2)', 'DiscreteUniform(1, 3)', 'Categorical([0.2, 0.8])')}")
            self.integers.append(name)

    def event(self) -> str:
        options = [
            f"{self.value()} {self.pick('<', '==', '>', '!=')} {self.value()}",
            f"{self.value()} in xs",
            f"{self.value()} in s",
            f"{self.value()} not in s",
            "len(xs) > 2",
            "xs",
            "s",
            f"{self.value()} in d",
            f"s {self.pick('<=', '==', '>=', '<')} {{0, 1, {self.value()}}}",
            f"any(v == {self.value()} for v in xs)",
            f"all(v != {self.value()} for v in ys)",
        ]
        return self.pick(*options, *self.booleans, *self.booleans)

    def change(self, depth: int) -> None:
        v, w = self.value(), self.value()
        guarded = [
            ("if xs:", "n += xs.pop()"),
            ("if xs:", "n += xs.pop(0)"),
            (f"if len(xs) > ({v}):", f"n += xs.pop({v})"),
            (f"if {v} in xs:", f"xs.remove({v})"),
            (f"if {v} in xs:", f"n += xs.index({v})"),
            ("if len(xs) > 1:", "del xs[1]"),
            (f"if {v} in s:", f"s.remove({v})"),
            (f"if {v} in d:", f"del d[{v}]"),
            ("if len(xs) > 1:", "first, *rest = xs\n" + "    " * (depth + 1) + "n += first + len(rest)"),
            (f"if (m := len(xs) + {v}) > 2:", "n += m"),
        ]
        plain = [
            f"xs.insert({self.pick('0', '1', '-1', v)}, {w})",
            f"xs.append({v})",
            "xs.reverse()",
            f"xs.sort(key=lambda v: {self.pick('-v', 'v % 2', '(v % 2, -v)')})",
            f"xs = sorted(xs, key=lambda v: {self.pick('-v', 'abs(v - 1)')}, reverse={self.pick('True', 'False')})",
            "ys = xs",
            "xs = list(ys)",
            "xs += ys[:1]",
            "xs.clear()",
            f"s.add({v})",
            f"s.discard({v})",
            f"s |= {{{v}, 1}}",
            f"s -= {{{v}}}",
            f"s &= {{0, 1, {v}}}",
            f"s ^= {{{v}}}",
            "t = s",
            "t = set(s)",
            f"t = s | {{{v}}}",
            f"n += d.pop({v}, {w})",
            f"d[{v}] = {w}",
            f"counts[{v}] += {self.pick('1', '2')}",
            f"groups[{v}].append({w})",
        ]
        if self.random.random() < 0.35:
            head, body = self.random.choice(guarded)
            self.say(depth, head)
            self.say(depth + 1, body)
        else:
            self.say(depth, self.random.choice(plain))

    def statement(self, depth: int) -> None:
        roll = self.random.random()
        if self.draws > 0 and roll < 0.2 and depth == 1:
            self.draw(depth)
        elif roll < 0.45 and depth < 3:
            self.say(depth, f"if {self.event()}:")
            for _ in range(self.random.randint(1, 2)):
                self.statement(depth + 1)
            if self.random.random() < 0.3:
                self.say(depth, "else:")
                self.statement(depth + 1)
        elif roll < 0.53 and depth < 3:
            head = self.pick("for v in list(xs):", "for v in sorted(s):", "for v, w in zip(xs, list(ys)):", "for v in chain(ys[:2], [4]):")
            self.say(depth, head)
            self.say(depth + 1, self.pick("n += v", f"if v == {self.value()}:\n" + "    " * (depth + 2) + "n += 1", "s.discard(v)"))
        elif roll < 0.56 and depth == 1:
            self.say(depth, "while xs and n < 9:")
            self.say(depth + 1, f"n += xs.pop({self.pick('', '0')}) + 1")
        elif roll < 0.62:
            self.say(depth, f"condition({self.pick('n < 30', 'len(xs) < 9', f'{self.value()} not in s', 'len(s) > 0')})")
        else:
            self.change(depth)

    def result(self) -> str:
        v = self.value()
        parts = [
            "len(xs)",
            "sum(xs)",
            "len(s)",
            f"({v} in s)",
            "(s == t)",
            "(s <= t)",
            "len(s & t)",
            "len(s ^ t)",
            "sum(s)",
            "sum(d.values())",
            "len(d)",
            "n",
            "n",
            f"xs.count({v})",
            f"next((v for v in xs if v > {v}), -1)",
            "reduce(lambda a, b: (2 * a + b) % 7, xs, 1)",
            "sum(list(accumulate(xs, max)))",
            "sum(a == b for a, b in combinations(xs, 2))",
            "sum(a * b for a, b in product(sorted(s), [1, 2]))",
            "sum(k * v for k, v in enumerate(sorted(s)))",
            f"divmod(n, 3)[{self.pick('0', '1')}]",
            "len(ys)",
            "sum(counts.values())",
            f"counts[{v}]",
            f"len(groups[{v}])",
            "Counter(xs).most_common(1)[0][0] if xs else -2",
            "max(xs, key=lambda v: (v % 3, v)) if xs else -3",
            "len(set(xs))",
            "sum(map(lambda v: v * v, filter(lambda v: v > 0, xs)))",
        ]
        return " + 10 * (".join([self.pick(*parts), self.pick(*parts)]) + ")"

    def program(self) -> str:
        self.say(0, "from privug import *")
        self.say(0, "from collections import Counter, defaultdict")
        self.say(0, "from functools import reduce")
        self.say(0, "from itertools import accumulate, chain, combinations, product")
        self.say(0, "def f():")
        self.say(1, "n = 0")
        for _ in range(self.draws - 1):
            self.draw(1)
        self.say(1, f"xs = [{self.value()}, 1, {self.value()}]")
        self.say(1, "ys = xs")
        self.say(1, f"s = {{{self.value()}, {self.value()}}}")
        self.say(1, "t = s")
        self.say(1, f"d = {{0: 1, 1: {self.value()}, 2: 5}}")
        self.say(1, "counts = defaultdict(int)")
        self.say(1, "groups = defaultdict(list)")
        for _ in range(self.random.randint(2, 7)):
            self.statement(1)
        self.say(1, f"return {self.result()}")
        return "\n".join(self.lines) + "\n"
