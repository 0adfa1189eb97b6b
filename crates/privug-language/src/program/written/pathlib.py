"""Names of files; nothing is looked up."""


def _text(part):
    return part if isinstance(part, str) else part._path


def _joined(parts):
    path = ""
    for part in parts:
        text = _text(part)
        if text.startswith("/") or path == "" or path == ".":
            path = text
        elif text != "" and text != ".":
            path = path + text if path.endswith("/") else f"{path}/{text}"
    while len(path) > 1 and path.endswith("/"):
        path = path[:-1]
    return path if path != "" else "."


class Path:
    def __init__(self, *parts):
        self._path = _joined(parts)

    def __truediv__(self, other):
        return Path(self, other)

    def __str__(self):
        return self._path

    def joinpath(self, *parts):
        return Path(self, *parts)

    def resolve(self, strict=False):
        return self

    def absolute(self):
        return self

    def expanduser(self):
        return self

    def as_posix(self):
        return self._path

    def mkdir(self, mode=511, parents=False, exist_ok=False):
        return None

    def with_suffix(self, suffix):
        return Path(self.parent, self.stem + suffix)

    def with_name(self, name):
        return Path(self.parent, name)

    def open(self, mode="r", encoding=None, newline=None):
        return open(self, mode, encoding, newline)

    def write_text(self, data, encoding=None):
        print(data)

    @property
    def name(self):
        return self._path.split("/")[-1]

    @property
    def stem(self):
        parts = self.name.split(".")
        return self.name if len(parts) == 1 or parts[0] == "" else ".".join(parts[:-1])

    @property
    def suffix(self):
        parts = self.name.split(".")
        return "" if len(parts) == 1 or parts[0] == "" else f".{parts[-1]}"

    @property
    def parent(self):
        parts = self._path.split("/")
        return Path(".") if len(parts) == 1 else Path("/".join(parts[:-1]))

    @classmethod
    def cwd(cls):
        return Path(".")

    @classmethod
    def home(cls):
        return Path("~")
