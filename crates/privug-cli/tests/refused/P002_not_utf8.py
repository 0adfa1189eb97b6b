# refused: P002 at 1:1
def main():
    name = "André"
    return Normal(0, 1)
