"""What can be done with records."""


class _Record:
    # Every record has this function, which is written for it.
    def _replace(self):
        return self

    def _asdict(self):
        return {}


def replace(obj, **changes):
    return obj._replace(**changes)


def asdict(obj):
    return {name: _plain(value) for name, value in obj._asdict().items()}


def _plain(value):
    # Containers are copied, at any depth. A record inside a record stays one, which is refused where it is used as a dictionary.
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, tuple):
        return tuple([_plain(part) for part in value])
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return value
