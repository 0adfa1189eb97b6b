# refused: P105 at 4:9
def main():
    k = 1
    f = lambda x: k * x
    k = 2
    return f(Normal(0, 1))
