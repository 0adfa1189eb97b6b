"""Warnings change no figure."""


def filterwarnings(action, message="", category=None, module="", lineno=0, append=False):
    return None


def simplefilter(action, category=None, lineno=0, append=False):
    return None
