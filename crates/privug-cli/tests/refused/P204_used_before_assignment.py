# refused: P204 at 5:12
def main(n=0):
    if n > 0:
        x = Normal(0, 1)
    return x
