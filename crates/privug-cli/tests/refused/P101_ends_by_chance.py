# refused: P101 at 4:11
def main():
    tosses = 0
    while Bernoulli(0.5):
        tosses += 1
    return tosses
