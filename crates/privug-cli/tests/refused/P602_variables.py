# refused: P602 at 4:16
# run: --max-variables 10
def main():
    return sum(Normal(0, 1, size=100))
