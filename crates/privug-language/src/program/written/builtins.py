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


def _method_popitem(dictionary, last=True):
    assert isinstance(dictionary, dict), "only dictionaries have this method"
    keys = list(dictionary)
    if len(keys) == 0:
        raise KeyError("popitem(): dictionary is empty")
    key = keys[-1] if last else keys[0]
    return (key, dictionary.pop(key))


def _method_move_to_end(dictionary, key, last=True):
    assert last, "a key is moved to the end only"
    dictionary[key] = dictionary.pop(key)


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
    # Which characters beyond these are letters, with one capital and one small form, is in Python's tables.
    assert isinstance(text, str), "only strings have this method"
    for character in text:
        code = ord(character)
        is_known = code < 128 or 192 <= code < 384 and code not in (215, 223, 247, 304, 305, 312, 329, 383)
        assert is_known, "only letters of Western and Central Europe are supported here"
    return text


def _is_letter(character):
    return "a" <= character <= "z" or ord(character) >= 192


def _method_isalpha(text):
    return len(_known(text)) > 0 and all([_is_letter(character) for character in text.lower()])


def _method_isalnum(text):
    found = len(_known(text)) > 0
    for character in text.lower():
        if not (_is_letter(character) or "0" <= character <= "9"):
            found = False
    return found


def _method_isupper(text):
    return _known(text) == text.upper() and text != text.lower()


def _method_islower(text):
    return _known(text) == text.lower() and text != text.upper()


def _method_capitalize(text):
    return _known(text)[:1].upper() + text[1:].lower()


def _method_lstrip(text, chars=None):
    assert isinstance(text, str), "only strings have this method"
    if chars is None:
        return (text + ".").strip()[:-1]
    place = 0
    while place < len(text) and text[place] in chars:
        place += 1
    return text[place:]


def _method_rstrip(text, chars=None):
    assert isinstance(text, str), "only strings have this method"
    if chars is None:
        return ("." + text).strip()[1:]
    place = len(text)
    while place > 0 and text[place - 1] in chars:
        place -= 1
    return text[:place]


def _method_center(text, width, fillchar=" "):
    assert isinstance(text, str), "only strings have this method"
    missing = max(0, width - len(text))
    left = missing // 2 + (1 if missing % 2 == 1 and width % 2 == 1 else 0)
    return fillchar * left + text + fillchar * (missing - left)


def _method_swapcase(text):
    return "".join([one.lower() if one == one.upper() else one.upper() for one in _known(text)])


def _method_casefold(text):
    return _known(text).lower()


def _method_istitle(text):
    return _known(text) == text.title() and text.lower() != text.upper()


def _method_isspace(text):
    return len(_known(text)) > 0 and text.strip() == ""


def _method_isdecimal(text):
    return _known(text).isdigit()


def _method_isnumeric(text):
    return _known(text).isdigit()


def _method_rfind(text, sub, start=0, end=None):
    assert isinstance(text, str), "only strings have this method"
    first = start if start >= 0 else max(0, len(text) + start)
    last = len(text) if end is None else min(len(text), end if end >= 0 else max(0, len(text) + end))
    if first > last:
        return -1
    place = text[first:last][::-1].find(sub[::-1])
    return -1 if place < 0 else last - place - len(sub)


def _method_rpartition(text, sep):
    assert isinstance(text, str), "only strings have this method"
    if sep == "":
        raise ValueError("empty separator")
    place = _method_rfind(text, sep)
    if place < 0:
        return ("", "", text)
    return (text[:place], sep, text[place + len(sep):])


def _method_rsplit(text, sep=None, maxsplit=-1):
    assert isinstance(text, str), "only strings have this method"
    if maxsplit < 0:
        return text.split(sep)
    assert sep is not None, "from the right, so many parts are split at a separator"
    if sep == "":
        raise ValueError("empty separator")
    found = []
    while len(found) < maxsplit and sep in text:
        place = _method_rfind(text, sep)
        found.append(text[place + len(sep):])
        text = text[:place]
    found.append(text)
    return found[::-1]


def _method_splitlines(text, keepends=False):
    found = []
    start = 0
    place = 0
    while place < len(_known(text)):
        end = place + 1
        if text[place] == "\r" and text[end:end + 1] == "\n":
            end += 1
        if text[place] in "\n\r\x0b\x0c\x1c\x1d\x1e":
            found.append(text[start:end] if keepends else text[start:place])
            start = end
        place = end
    if start < len(text):
        found.append(text[start:])
    return found


def _method_expandtabs(text, tabsize=8):
    assert isinstance(text, str), "only strings have this method"
    found = ""
    column = 0
    for one in text:
        if one == "\t":
            missing = tabsize - column % tabsize if tabsize > 0 else 0
            found += " " * missing
            column += missing
        else:
            found += one
            column = 0 if one in "\n\r" else column + 1
    return found


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


def _gathered(ask):
    found = []
    is_over = False
    while not is_over:
        try:
            found.append(ask())
        except StopIteration:
            is_over = True
    return found


def _precedes(left, right):
    for mine, others in zip(left, right):
        if not mine == others:
            return mine < others
    return len(left) < len(right)
