"""What is written as JSON is published."""


def dump(obj, fp, indent=None, sort_keys=False, ensure_ascii=True, default=None):
    print(obj)
