# refused: P417 at 3:21
def main():
    ill = Bernoulli(1.5)
    return ill
