"""Folders hold no figures."""


def makedirs(name, mode=511, exist_ok=False):
    return None


def mkdir(path, mode=511):
    return None
