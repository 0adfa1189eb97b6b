"""How pictures are drawn, which is not followed."""


def use(backend, force=True):
    return None
