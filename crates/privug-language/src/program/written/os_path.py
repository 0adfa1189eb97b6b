"""Paths are texts."""


def join(path, *parts):
    found = path
    for part in parts:
        found = found + "/" + part
    return found
