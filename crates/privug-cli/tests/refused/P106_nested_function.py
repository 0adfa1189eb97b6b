# refused: P106 at 4:9
def main():
    scale = 1
    def inner(x):
        return scale * x
    scale = 2
    return inner(Normal(0, 1))
