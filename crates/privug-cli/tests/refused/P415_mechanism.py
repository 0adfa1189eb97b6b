# refused: P415 at 4:9
def main():
    x = Normal(0, 1)
    y = gaussian_mechanism(x, sensitivity=1, epsilon=2, delta=0.01, calibration="classic")
    return x
