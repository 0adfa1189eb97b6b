# refused: P102 at 6:16
def main():
    x = Normal(0, 1)
    try:
        x = x + 1
    except x[0]:
        x = x + 2
    return x
