"""Random programs with choices, as Python source: branches, early exits, loops, containers, events and mixtures."""

from __future__ import annotations

import random
from typing import Dict, List

from random_containers import Containers

PROBABILITIES = ["0.5", "0.3", "1 / 3", "0.125", "0.9", "2 / 7"]


class Writer:
    """Writes one program. Variables have kinds: `i` integers, `b` booleans, `l` lists, `d` dictionaries, `g` Gaussians."""

    def __init__(self, seed: int, gaussian: bool) -> None:
        self.random = random.Random(seed)
        self.gaussian = gaussian
        self.lines: List[str] = []
        self.scopes: List[Dict[str, List[str]]] = [{"i": [], "b": [], "l": [], "d": [], "g": []}]
        self.made = 0
        self.draws = self.random.randint(3, 7)
        self.in_loop = 0
        self.helper_calls = False
        self.toss_calls = False

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def known(self, kind: str) -> List[str]:
        return self.scopes[-1][kind]

    def say(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def new(self, kind: str) -> str:
        self.made += 1
        name = f"{kind}{self.made}"
        self.known(kind).append(name)
        return name

    # Expressions.

    def integer(self, depth: int = 2) -> str:
        names = self.known("i")
        choices = [str(self.random.randint(-3, 5))]
        if names:
            choices += [self.random.choice(names)] * 4
        if depth > 0:
            a, b = self.integer(depth - 1), self.integer(depth - 1)
            choices += [
                f"({a} + {b})",
                f"({a} - {b})",
                f"{a} * {self.random.randint(-2, 3)}",
                f"({a}) % {self.random.randint(2, 4)}",
                f"({a}) // {self.random.choice([-3, 2, 3])}",
                f"min({a}, {b})",
                f"max({a}, {b}, 1)",
                f"abs({a})",
                f"(({a}) % 3) ** 2",
                f"round(({a}) / 2)",
                f"({a} if {self.boolean(depth - 1)} else {b})",
                f"({self.boolean(depth - 1)}) + ({self.boolean(depth - 1)})",
                f"int({self.boolean(depth - 1)})",
                f"-({a})",
                f"len('ab' if {self.boolean(depth - 1)} else 'c')",
                f"sorted([{a}, {b}, {self.integer(0)}])[1]",
                f"statistics.median([{a}, {b}, 1])",
                f"(({a}) << {self.random.randint(0, 2)})",
                f"(({a}) >> {self.random.randint(0, 2)})",
                f"max([0, 1, 2], key=lambda v: (v + {a}) % 3)",
                f"(lambda v: v + {b})({a})",
            ]
            if self.random.random() < 0.1:
                choices += [f"(({a}) % 4) * (({b}) % 3)"] * 4
            if self.random.random() < 0.04:
                choices += [f"({a}) // ({b})", f"({a}) % ({b})"] * 3
            if self.known("l"):
                xs = self.random.choice(self.known("l"))
                choices += [
                    f"sum({xs})",
                    f"len({xs})",
                    f"len([v for v in {xs} if v > {self.integer(0)}])",
                    f"sum([v * 2 for v in {xs}])",
                    f"sum(1 for v in {xs} if v % 2 == 0)",
                    f"{xs}.count({self.integer(0)})",
                    f"sum({xs}) // max(1, len({xs}))",
                    f"max([0] + {xs})",
                    f"sum({xs}[:({self.integer(0)}) % 3])",
                    f"sum({xs}[-1:])",
                    f"sum(k for k, v in enumerate({xs}) if v > 0)",
                    f"sorted([0] + {xs})[-1]",
                ]
                if self.random.random() < 0.08:
                    choices += [f"{xs}[{self.integer(0)}]", f"min({xs})"] * 3
            choices.append(f"[{a}, {b}, {self.integer(0)}][({self.integer(0)}) % 3]")
            choices.append("{0: " + a + ", 1: " + b + "}[(" + self.integer(0) + ") % 2]")
            if self.known("d"):
                d = self.random.choice(self.known("d"))
                choices += [f"{d}[({a}) % 3]", f"{d}.get({a}, {b})", f"sum({d}.values())", f"len({d})"]
            if self.helper_calls:
                choices += [f"helper({a}, {b})"] * 2
            if self.toss_calls and self.draws > 0:
                self.draws -= 1
                choices += [f"toss(({a}) % 4)"] * 3
        return self.random.choice(choices)

    def boolean(self, depth: int = 2) -> str:
        choices = [f"{self.integer(0)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.integer(0)}"]
        if self.known("b"):
            choices += [self.random.choice(self.known("b"))] * 3
        if depth > 0:
            a, b = self.boolean(depth - 1), self.boolean(depth - 1)
            x, y = self.integer(depth - 1), self.integer(depth - 1)
            choices += [
                f"({a} and {b})",
                f"({a} or {b})",
                f"(not {a})",
                f"({x}) in [{y}, 1, 2]",
                f"({x}) not in (0, {self.integer(0)})",
                f"({x}) {self.pick('<', '<=', '>', '>=', '==', '!=')} ({y})",
                f"0 <= ({x}) < ({y})",
                f"any([{a}, {b}])",
                f"all([{a}, {b}])",
                f"(({a}) == ({b}))",
                f"bool({x})",
            ]
            if self.known("l"):
                xs = self.random.choice(self.known("l"))
                choices += [f"({x}) in {xs}", f"any(v > 1 for v in {xs})", f"all([v != {y} for v in {xs}])"]
        return self.random.choice(choices)

    def chance(self) -> str:
        p = self.random.choice(PROBABILITIES)
        if self.random.random() < 0.3:
            return f"({p} if {self.boolean(1)} else {self.random.choice(PROBABILITIES)})"
        if self.random.random() < 0.15:
            return f"[0.2, 0.5, 1][({self.integer(1)}) % 3]"
        return p

    def normal(self) -> str:
        mean = self.integer(1)
        if self.known("g") and self.random.random() < 0.4:
            mean = f"{self.random.choice(self.known('g'))} + {self.integer(0)}"
        return f"Normal({mean}, {self.pick('1', '4', '0.5', '2.25')})"

    def gaussian_value(self) -> str:
        names = self.known("g")
        if not names:
            return self.normal()
        a, b = self.random.choice(names), self.random.choice(names)
        return self.random.choice(
            [
                f"{a} + {b}",
                f"2 * {a} + {self.integer(1)}",
                f"({a} - {self.integer(0)}) / 2",
                f"({a} if {self.boolean(1)} else {b})",
                f"({a} if {self.boolean(1)} else {self.normal()})",
                self.normal(),
                f"{a} + ({self.boolean(0)})",
                f"sum([{a}, {b}, {self.integer(0)}])",
                f"[{a}, {b}][({self.integer(0)}) % 2]",
            ]
        )

    # Statements.

    def draw(self, depth: int) -> None:
        self.draws -= 1
        p = self.chance()
        if self.random.random() < 0.45:
            self.say(depth, f"{self.new('b')} = Bernoulli({p})")
            return
        drawn = self.random.choice(
            [
                "DiscreteUniform(0, 2)",
                f"DiscreteUniform({self.random.randint(-2, 0)}, {self.random.randint(1, 2)})",
                f"Binomial(2, {p})",
                "Categorical([0.2, 0.3, 0.5])",
                "Categorical({1: 0.25, 5: 0.75})",
                f"Categorical([{p}, 1 - {p}])",
                "Categorical([1 / 3, 1 / 3, 1 / 3])",
            ]
        )
        self.say(depth, f"{self.new('i')} = {drawn}")

    def block(self, depth: int, length: int) -> None:
        """A suite of its own: what it defines first is not defined afterwards."""
        self.scopes.append({kind: list(names) for kind, names in self.scopes[-1].items()})
        before = len(self.lines)
        for _ in range(length):
            self.statement(depth)
        if len(self.lines) == before:
            self.say(depth, "pass")
        self.scopes.pop()

    def statement(self, depth: int) -> None:
        roll = self.random.random()
        if self.draws > 0 and roll < 0.3:
            self.draw(depth)
        elif roll < 0.42:
            kind = self.pick("i", "b", "i")
            value = self.integer() if kind == "i" else self.boolean()
            again = self.known(kind) and self.random.random() < 0.6
            name = self.random.choice(self.known(kind)) if again else None
            self.say(depth, f"{name or self.new_after(kind)} = {value}")
            if name is None:
                self.known(kind).append(f"{kind}{self.made}")
        elif roll < 0.5 and self.known("i"):
            operator = self.pick("+=", "-=", "+=", "*=")
            value = self.integer(1) if operator != "*=" else self.pick("2", "-1", "0")
            self.say(depth, f"{self.random.choice(self.known('i'))} {operator} {value}")
        elif roll < 0.66 and depth < 4:
            self.say(depth, f"if {self.boolean()}:")
            self.block(depth + 1, self.random.randint(1, 2))
            if self.random.random() < 0.3:
                self.say(depth, f"elif {self.boolean()}:")
                self.block(depth + 1, self.random.randint(1, 2))
            if self.random.random() < 0.5:
                self.say(depth, "else:")
                self.block(depth + 1, self.random.randint(1, 2))
        elif roll < 0.68 and depth < 3 and not self.in_loop:
            self.repeat(depth)
        elif roll < 0.70 and depth < 4:
            self.match(depth)
        elif roll < 0.76 and depth < 3 and not self.in_loop:
            self.loop(depth)
        elif roll < 0.82:
            self.container(depth)
        elif roll < 0.86 and depth > 1:
            if self.in_loop and self.random.random() < 0.7:
                self.say(depth, self.pick("break", "continue"))
            else:
                self.say(depth, f"return {self.result(at_end=False)}")
        elif roll < 0.91:
            self.evidence(depth)
        elif roll < 0.94 and depth < 4:
            self.attempt(depth)
        elif self.gaussian:
            value = self.gaussian_value() if self.random.random() < 0.7 else self.normal()
            again = self.known("g") and self.random.random() < 0.3
            name = self.random.choice(self.known("g")) if again else None
            self.say(depth, f"{name or self.new_after('g')} = {value}")
            if name is None:
                self.known("g").append(f"g{self.made}")
        else:
            self.say(depth, "pass")

    def attempt(self, depth: int) -> None:
        """Exceptions of some worlds; those that exclude worlds here must not be caught, so that each handler names its own."""
        self.say(depth, "try:")
        self.block(depth + 1, self.random.randint(0, 1))
        risky = [
            ("ZeroDivisionError", f"{self.integer(1)} // ({self.integer(1)})"),
            ("IndexError", f"[4, 7][{self.integer(1)}]"),
            ("KeyError", "{0: 1, 1: 5}[" + self.integer(1) + "]"),
            ("ValueError", f"[{self.integer(1)}, 2].index({self.integer(1)})"),
            ("ValueError", f"int('1' if {self.boolean(1)} else 'x')"),
        ]
        if self.known("l"):
            risky.append(("IndexError", f"{self.random.choice(self.known('l'))}.pop()"))
        if self.random.random() < 0.4:
            kind = self.pick("ValueError", "KeyError", "AssertionError")
            line = f"assert {self.boolean(1)}" if kind == "AssertionError" else f"raise {kind}"
            if kind != "AssertionError":
                self.say(depth + 1, f"if {self.boolean(1)}:")
            self.say(depth + 1 + (kind != "AssertionError"), line)
        else:
            kind, value = self.random.choice(risky)
            known = self.known("i")
            name = self.random.choice(known) if known and self.random.random() < 0.7 else self.new_after("t")
            self.say(depth + 1, f"{name} = {value}")
        self.block(depth + 1, self.random.randint(0, 1))
        wider = {"ZeroDivisionError": "ArithmeticError", "IndexError": "LookupError", "KeyError": "(KeyError, TypeError)"}
        caught = wider.get(kind, kind) if self.random.random() < 0.3 else kind
        self.say(depth, f"except {caught}:")
        self.block(depth + 1, self.random.randint(1, 2))
        if self.random.random() < 0.3:
            self.say(depth, "else:")
            self.block(depth + 1, 1)

    def new_after(self, kind: str) -> str:
        """A name that is known only after its own definition."""
        self.made += 1
        return f"{kind}{self.made}"

    def loop(self, depth: int) -> None:
        over = [f"range({self.random.randint(1, 3)})", "[2, 0, 1]"]
        if self.known("l"):
            over += [f"list({self.random.choice(self.known('l'))})"] * 2
        if self.known("i"):
            over.append(f"range(({self.integer(1)}) % 3)")
        self.in_loop += 1
        name = self.new_after("i")
        self.say(depth, f"for {name} in {self.random.choice(over)}:")
        self.scopes.append({kind: list(names) for kind, names in self.scopes[-1].items()})
        self.known("i").append(name)
        draws, self.draws = self.draws, min(self.draws, 1)
        self.block(depth + 1, self.random.randint(1, 3))
        self.draws = draws - 1
        self.scopes.pop()
        self.in_loop -= 1
        if self.random.random() < 0.15:
            self.say(depth, "else:")
            self.block(depth + 1, 1)

    def repeat(self, depth: int) -> None:
        """A `while` loop that ends after a few rounds, whatever is chosen."""
        rounds = self.new_after("w")
        self.say(depth, f"{rounds} = 0")
        self.say(depth, f"while {rounds} < {self.random.randint(1, 3)} and ({self.boolean(1)}):")
        self.say(depth + 1, f"{rounds} += 1")
        self.in_loop += 1
        draws, self.draws = self.draws, min(self.draws, 1)
        self.block(depth + 1, self.random.randint(1, 2))
        self.draws = draws - 1
        self.in_loop -= 1
        if self.random.random() < 0.15:
            self.say(depth, "else:")
            self.block(depth + 1, 1)

    def match(self, depth: int) -> None:
        self.say(depth, f"match ({self.integer(1)}) % 4:")
        for case in self.random.sample(["0", "1 | 2", "3", f"2 if {self.boolean(0)}"], 2) + ["_"][: self.random.randint(0, 1)]:
            self.say(depth + 1, f"case {case}:")
            self.block(depth + 2, 1)

    def container(self, depth: int) -> None:
        if not self.known("l") or self.random.random() < 0.3:
            choices = [
                f"[{self.integer(1)}, {self.integer(1)}]",
                f"[v + 1 for v in range(4) if v != {self.integer(0)}]",
                f"[v for v in [{self.integer(0)}, {self.integer(0)}, 3] if {self.boolean(1)}]",
                f"[v if {self.boolean(0)} else 7 for v in range(2)]",
            ]
            if self.known("l"):
                xs = self.random.choice(self.known("l"))
                choices += [
                    f"[v for v in {xs} if v > {self.integer(0)}]",
                    f"{xs} + [{self.integer(1)}]",
                    f"sorted({xs})",
                    f"list(reversed({xs}))",
                    f"{xs}[1:]",
                    f"[a + b for a, b in zip({xs}, {xs})]",
                    f"[k * v for k, v in enumerate({xs})]",
                    f"({xs} if {self.boolean(1)} else [{self.integer(0)}])",
                ]
            value = self.random.choice(choices)
            name = self.new_after("l")
            self.say(depth, f"{name} = {value}")
            self.known("l").append(name)
            return
        if self.random.random() < 0.3:
            if not self.known("d") or self.random.random() < 0.3:
                value = "{0: " + self.integer(1) + ", 1: " + self.integer(1) + ", 2: 4}"
                name = self.new_after("d")
                self.say(depth, f"{name} = {value}")
                self.known("d").append(name)
            else:
                d = self.random.choice(self.known("d"))
                key = self.pick("0", "1", "5", f"({self.integer(1)}) % 4")
                self.say(depth, f"{d}[{key}] {self.pick('=', '=')} {self.integer(1)}")
            return
        xs = self.random.choice(self.known("l"))
        self.say(
            depth,
            self.random.choice(
                [
                    f"{xs}.append({self.integer(1)})",
                    f"{xs}.append({self.integer(1)})",
                    f"{xs}.extend([{self.integer(0)}, 2])",
                    f"{xs} = {xs} + [{self.integer(0)}]",
                    f"{xs} += [{self.integer(0)}]",
                    f"if {xs}:\n" + "    " * (depth + 1) + f"{xs}[({self.integer(1)}) % len({xs})] = {self.integer(1)}",
                    f"if len({xs}) > 1:\n" + "    " * (depth + 1) + f"{xs}[1] += {self.integer(0)}",
                ]
            ),
        )

    def assertion(self, depth: int) -> None:
        event = self.boolean(1)
        self.say(depth, f"condition({event})")
        self.say(depth, f"assert {event}")

    def evidence(self, depth: int) -> None:
        if self.random.random() < 0.1:
            return self.assertion(depth)
        if self.gaussian and self.known("g") and self.random.random() < 0.6:
            value = self.gaussian_value()
            kind = self.random.random()
            if kind < 0.7:
                self.say(depth, f"condition({value}, {self.pick('0.5', '2', '-1', '3.25')})")
            else:
                self.say(depth, f"condition(Normal({value}, 1), {self.integer(0)})")
            return
        self.say(
            depth,
            self.random.choice(
                [
                    f"condition({self.boolean()} or {self.boolean(1)})",
                    f"condition({self.boolean()})",
                    f"condition(({self.integer(1)}) % 2, {self.random.randint(0, 1)})",
                    f"condition({self.integer(1)}, {self.integer(1)})",
                    f"condition({self.boolean(1)}, {self.boolean(1)})",
                ]
            ),
        )

    def result(self, at_end: bool = True) -> str:
        if self.gaussian and self.known("g") and self.random.random() < 0.7:
            return self.gaussian_value()
        roll = self.random.random()
        if roll < 0.15 and not self.gaussian:
            whole = at_end and not any(line.strip().startswith("return") for line in self.lines if line.startswith("        "))
            return f"[{self.integer(1)}, {self.integer(0)}]" if whole and roll < 0.08 else self.boolean(1)
        return self.integer()

    def program(self) -> str:
        self.say(0, "from privug import *")
        self.say(0, "import statistics")
        if self.random.random() < 0.4:
            self.say(0, "def helper(a, b):")
            self.say(1, f"if a {self.pick('>', '==', '<=')} b:")
            self.say(2, "return a")
            self.say(1, "for v in range(2):")
            self.say(2, f"if v {self.pick('==', '!=')} b:")
            self.say(3, "return v + 1")
            self.say(1, "return b - a")
            self.helper_calls = True
        if self.random.random() < 0.3:
            # Draws in some worlds only, and calls itself there.
            self.say(0, "def toss(n):")
            self.say(1, "if n == 0:")
            self.say(2, "return 0")
            self.say(1, f"if Bernoulli({self.pick('0.5', '0.25')}):")
            self.say(2, "return 1 + toss(n // 2)")
            self.say(1, "return n")
            self.toss_calls = True
        self.say(0, "def f():")
        self.say(1, "b0 = Bernoulli(0.5)")
        self.known("b").append("b0")
        for _ in range(self.random.randint(1, 3)):
            self.draw(1)
        if self.gaussian:
            self.say(1, f"{self.new_after('g')} = {self.normal()}")
            self.known("g").append(f"g{self.made}")
        for _ in range(self.random.randint(2, 8)):
            self.statement(1)
        self.say(1, f"return {self.result()}")
        return "\n".join(self.lines) + "\n"


class People:
    """Writes a program about a few people: order statistics and sums of what they are, seen or published."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def probabilities(self, count: int) -> str:
        parts = [self.random.randint(0, 4) for _ in range(count)]
        parts[self.random.randrange(count)] += 1
        return "[" + ", ".join(f"{part} / {sum(parts)}" for part in parts) + "]"

    def statistic(self, count: int) -> str:
        place = self.random.randrange(count)
        return self.random.choice(
            [
                f"sorted(xs)[{place}]",
                f"sorted(xs)[{place - count}]",
                f"sorted(xs, reverse=True)[{place}]",
                "statistics.median(xs)",
                "statistics.median(xs)",
                "statistics.median_low(xs)",
                "statistics.median_high(xs)",
                "max(xs)",
                "min(xs)",
                "max(xs) - min(xs)",
                "sum(xs)",
                "sum(x > 1 for x in xs)",
                "statistics.median(xs[1:])",
                "sum(sorted(xs)[1:-1])",
                "statistics.median([2 * x for x in xs])",
            ]
        )

    def program(self) -> str:
        count, values = self.random.choice([(4, 5), (5, 4), (6, 3), (7, 3), (10, 2), (12, 2), (3, 9)])
        one = self.statistic(count)
        lines = ["from privug import *", "import statistics", "def f():", "    xs = []"]
        if self.random.random() < 0.3:
            lines += [f"    for i in range({count}):", f"        xs.append(DiscreteUniform(0, {values - 1}))"]
        else:
            lines += [f"    xs.append(Categorical({self.probabilities(values)}))" for _ in range(count)]
        if self.random.random() < 0.15:
            lines.append("    xs[0] = xs[1] + xs[2]")
        for _ in range(self.random.randint(1, 2)):
            number = self.random.choice(["0", "1", "2", "1.5", "3", f"xs[{self.random.randrange(count)}]"])
            operator = self.random.choice(["==", "==", "==", "<=", ">", "!="])
            event = f"{one} {operator} {number}"
            if self.random.random() < 0.2:
                event = f"({event}) or {self.statistic(count)} == 1"
            lines.append(f"    condition({event})")
            one = self.statistic(count)
        lines.append("    return " + self.random.choice(["xs", "xs", "xs[0]", "xs[-1]", "[xs[0], xs[2]]", one]))
        return "\n".join(lines) + "\n"


class Thresholds:
    """Writes a program that compares Gaussian variables with numbers and returns what is left of them, or a choice."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self) -> str:
        return str(self.random.choice([-1.5, -1, 0, 0.5, 1, 2, 3.25]))

    def comparison(self) -> str:
        name = self.random.choice(["x", "x", "y", "2 * x + 1", "3 - y"])
        if self.random.random() < 0.2:
            return f"{self.number()} < {name} <= 3"
        return f"{name} {self.random.choice(['<', '<=', '>', '>='])} {self.number()}"

    def event(self) -> str:
        options = [self.comparison(), f"not ({self.comparison()})", "b", f"k {self.random.choice(['>', '=='])} 1"]
        a, b = self.random.choice(options), self.random.choice(options)
        return self.random.choice([a, f"({a} and {b})", f"({a} or {b})"])

    def program(self) -> str:
        lines = ["from privug import *", "def f():", "    b = Bernoulli(0.3)", "    k = DiscreteUniform(0, 2)"]
        lines.append(f"    x = Normal({self.number()}, {self.random.choice(['1', '4', '0.25'])})")
        lines.append("    y = Normal(0, 1)")
        lines.append("    n = 0")
        for _ in range(self.random.randint(1, 3)):
            lines.append(f"    if {self.event()}:")
            lines.append(f"        n = n + {self.random.randint(1, 3)}")
            if self.random.random() < 0.3:
                lines += ["    else:", "        n = 2 * n - k"]
        if self.random.random() < 0.5:
            lines.append(f"    condition({self.event()})")
        if self.random.random() < 0.7:
            lines.append(f"    condition(n {self.random.choice(['>', '<=', '!='])} {self.random.randint(0, 3)})")
        lines.append("    return " + self.random.choice(["x", "x", "y", "n", "n", "b", "k", f"({self.event()})"]))
        return "\n".join(lines) + "\n"


def program(seed: int) -> str:
    """A random program; every third one has Gaussian variables, every sixth is about people, every ninth has thresholds, and
    every seventh changes lists, sets and dictionaries."""
    if seed % 7 == 5:
        return Containers(seed).program()
    if seed % 9 == 4:
        return Thresholds(seed).program()
    if seed % 6 == 1:
        return People(seed).program()
    return Writer(seed, seed % 3 == 0).program()
