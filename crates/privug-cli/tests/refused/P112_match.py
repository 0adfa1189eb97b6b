# refused: P112 at 4:14
def main(sex="m"):
    match sex:
        case {"first": first, **others}:
            return Normal(0, 1)
    return Normal(1, 1)
