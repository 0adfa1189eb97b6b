"""What can be done with records."""


class _Record:
    # Every record has this function, which is written for it.
    def _replace(self):
        return self


def replace(obj, **changes):
    return obj._replace(**changes)
