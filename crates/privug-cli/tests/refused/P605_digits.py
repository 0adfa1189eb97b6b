# refused: P605 at 4:9
# run: --max-bits 1000
def main():
    n = 10**1000
    return Normal(0, 1)
