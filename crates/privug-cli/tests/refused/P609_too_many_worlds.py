# refused: P609 at 5:12
def main():
    latitude = DiscreteUniform(0, 10**7)
    longitude = DiscreteUniform(0, 10**7)
    return latitude * longitude
