"""What is written as JSON is published."""


def dump(obj, fp, indent=None, sort_keys=False, ensure_ascii=True, default=None):
    print(obj)


def dumps(obj, indent=None, sort_keys=False, ensure_ascii=True, default=None, separators=None):
    assert separators is None, "the separators of JSON are the usual ones here"
    pieces = []
    _add(pieces, obj, indent, sort_keys, "" if indent is None else "\n")
    return "".join(pieces)


def _add(pieces, obj, indent, sort_keys, line):
    if isinstance(obj, dict):
        names = sorted(obj) if sort_keys else list(obj)
        _add_all(pieces, "{", [(f"{_name(name)}: ", obj[name]) for name in names], "}", indent, sort_keys, line)
    elif isinstance(obj, (list, tuple)):
        _add_all(pieces, "[", [("", part) for part in obj], "]", indent, sort_keys, line)
    elif isinstance(obj, str):
        pieces.append(_quoted(obj))
    elif obj is None:
        pieces.append("null")
    elif obj is True or obj is False:
        pieces.append("true" if obj else "false")
    else:
        pieces.append(f"{obj}")


def _add_all(pieces, first, parts, last, indent, sort_keys, line):
    inner = line if indent is None else line + " " * indent
    pieces.append(first)
    place = 0
    for before, part in parts:
        if place > 0:
            pieces.append(", " if indent is None else ",")
        pieces.append(inner)
        pieces.append(before)
        _add(pieces, part, indent, sort_keys, inner)
        place = place + 1
    if len(parts) > 0:
        pieces.append(line)
    pieces.append(last)


def _name(name):
    assert isinstance(name, (str, int)) and name is not True and name is not False, "the names of JSON are texts and integers here"
    return _quoted(str(name))


def _quoted(text):
    for letter in text:
        assert " " <= letter <= "~", "texts of ASCII letters are written as JSON here"
    escaped = text.replace("\\", "\\\\").replace("\"", "\\\"")
    return f"\"{escaped}\""
