# refused: P207 at 5:19
def main():
    xs = [Normal(0, 1) for _ in range(3)]
    for i in range(3):
        condition(f"xs[{i}]", i)
    return xs[0]
