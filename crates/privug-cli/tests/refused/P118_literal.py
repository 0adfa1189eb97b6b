# refused: P118 at 5:9
# refused: P118 at 6:9
# refused: P118 at 7:9
def main():
    a = 1j
    b = b"bytes"
    c = ...
    return Normal(0, 1)
