# refused: P112 at 3:11
def main(sex="m"):
    match sex:
        case "m":
            return Normal(0, 1)
    return Normal(1, 1)
