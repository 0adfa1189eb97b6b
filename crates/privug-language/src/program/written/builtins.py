"""What Python has without an import, and the language has not by itself."""


def iter(values):
    return reversed(list(values)[::-1])


def bin(number):
    return ("-0b" if number < 0 else "0b") + f"{abs(number):b}"


def oct(number):
    return ("-0o" if number < 0 else "0o") + f"{abs(number):o}"


def hex(number):
    return ("-0x" if number < 0 else "0x") + f"{abs(number):x}"


class _File:
    def __init__(self):
        self.closed = False

    def write(self, text):
        print(text)

    def writelines(self, lines):
        for line in lines:
            print(line)

    def close(self):
        self.closed = True


def open(file, mode="r", encoding=None, newline=None):
    assert mode.startswith("w") or mode.startswith("a") or mode.startswith("x"), "only what is written to a file is followed; tables are read with `pd.read_csv`"
    return _File()


def _max(values, default=None, key=None):
    found = list(values)
    if len(found) == 0:
        return default
    return max(found) if key is None else max(found, key=key)


def _min(values, default=None, key=None):
    found = list(values)
    if len(found) == 0:
        return default
    return min(found) if key is None else min(found, key=key)


def _zip(*sequences, strict=False):
    lists = [list(sequence) for sequence in sequences]
    if strict and len(set([len(items) for items in lists])) > 1:
        raise ValueError("zip() arguments have different lengths")
    return zip(*lists)


def _fromkeys(iterable, value=None):
    found = {}
    for key in iterable:
        found[key] = value
    return found


def _method_subtract(counter, counts):
    if isinstance(counts, dict):
        for key, count in counts.items():
            counter[key] = counter[key] - count
    else:
        for key in counts:
            counter[key] = counter[key] - 1


def _method_total(counter):
    return sum(counter.values())


def _method_popleft(queue):
    return queue.pop(0)


def _method_appendleft(queue, x):
    queue.insert(0, x)


def _method_rotate(queue, n=1):
    if len(queue) > 0:
        for _ in range(n % len(queue)):
            queue.insert(0, queue.pop())


def _method_extendleft(queue, values):
    for value in values:
        queue.insert(0, value)


def _known(text):
    # Which characters beyond these are letters is in Python's tables.
    assert isinstance(text, str), "only strings have this method"
    for character in text:
        assert ord(character) < 128, "only characters of ASCII are supported here"
    return text


def _consists(text, lowest, highest):
    found = len(text) > 0
    for character in text:
        if not lowest <= character <= highest:
            found = False
    return found


def _method_isalpha(text):
    return _consists(_known(text).lower(), "a", "z")


def _method_isalnum(text):
    found = len(_known(text)) > 0
    for character in text.lower():
        if not ("a" <= character <= "z" or "0" <= character <= "9"):
            found = False
    return found


def _method_isupper(text):
    return _known(text) == text.upper() and text != text.lower()


def _method_islower(text):
    return _known(text) == text.lower() and text != text.upper()


def _method_capitalize(text):
    return _known(text)[:1].upper() + text[1:].lower()


def _method_lstrip(text):
    assert isinstance(text, str), "only strings have this method"
    return (text + ".").strip()[:-1]


def _method_rstrip(text):
    assert isinstance(text, str), "only strings have this method"
    return ("." + text).strip()[1:]


def _method_removeprefix(text, prefix):
    assert isinstance(text, str), "only strings have this method"
    return text[len(prefix):] if text.startswith(prefix) else text


def _method_removesuffix(text, suffix):
    assert isinstance(text, str), "only strings have this method"
    return text[: len(text) - len(suffix)] if len(suffix) > 0 and text.endswith(suffix) else text


def _method_rjust(text, width, fillchar=" "):
    assert isinstance(text, str), "only strings have this method"
    return fillchar * max(0, width - len(text)) + text


def _method_ljust(text, width, fillchar=" "):
    assert isinstance(text, str), "only strings have this method"
    return text + fillchar * max(0, width - len(text))


def _method_partition(text, sep):
    assert isinstance(text, str), "only strings have this method"
    place = text.find(sep)
    if place < 0:
        return (text, "", "")
    return (text[:place], sep, text[place + len(sep):])


# What Python does with objects in a list by the functions that they have.


def _added(values, start):
    total = start
    for value in values:
        total = total + value
    return total


def _arranged(values, reverse):
    # The same order as that of any other stable way of sorting.
    found = list(values)
    if reverse:
        found = found[::-1]
    for last in range(len(found) - 1, 0, -1):
        for place in range(last):
            if found[place + 1] < found[place]:
                found[place], found[place + 1] = found[place + 1], found[place]
    return found[::-1] if reverse else found


def _smallest(values):
    found = list(values)
    assert len(found) > 0, "`min` of nothing"
    least = found[0]
    for value in found[1:]:
        if value < least:
            least = value
    return least


def _largest(values):
    found = list(values)
    assert len(found) > 0, "`max` of nothing"
    most = found[0]
    for value in found[1:]:
        if value > most:
            most = value
    return most


def _precedes(left, right):
    for mine, others in zip(left, right):
        if not mine == others:
            return mine < others
    return len(left) < len(right)
