"""Options of a script: it is audited with the defaults, because what somebody types is not known."""


class Namespace:
    def __init__(self, values):
        self._values = values


class _Group:
    def __init__(self, parser):
        self._parser = parser

    def add_argument(self, *names, **options):
        self._parser.add_argument(*names, **options)


class ArgumentParser:
    def __init__(self, **options):
        self._defaults = {}
        self._required = []

    def add_argument(self, *names, **options):
        action = options.get("action", "store")
        assert action in ("store", "store_true", "store_false"), "options that hold a value, or are true or false, are known"
        long = [name for name in names if name.startswith("--")]
        first = long[0] if len(long) > 0 else names[0]
        shown = first
        while shown.startswith("-"):
            shown = shown[1:]
        name = options.get("dest", shown.replace("-", "_"))
        if options.get("required", False) or (not first.startswith("-") and "default" not in options):
            self._required.append(name)
        default = options.get("default", action == "store_false" if action != "store" else None)
        if isinstance(default, str) and "type" in options:
            default = options["type"](default)
        self._defaults[name] = default

    def add_argument_group(self, *title, **options):
        return _Group(self)

    def set_defaults(self, **values):
        self._defaults.update(values)

    def parse_args(self, args=None, namespace=None):
        assert args is None or len(args) == 0, "what is typed is not known: the options have their defaults here"
        assert len(self._required) == 0, f"an option without a default is given when the script is run: {self._required}"
        return Namespace(self._defaults)

    def parse_known_args(self, args=None, namespace=None):
        return self.parse_args(args, namespace), []
