# refused: P412 at 4:14
def main():
    x = Normal(0, 1)
    for y in x:
        pass
    return x
