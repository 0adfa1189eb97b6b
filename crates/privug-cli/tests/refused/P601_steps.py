# refused: P601 at 5:14
# run: --max-steps 1000
def main():
    n = 0
    for i in range(1_000_000):
        n = n + i
    return Normal(n, 1)
