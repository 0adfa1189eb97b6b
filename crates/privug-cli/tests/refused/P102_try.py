# refused: P102 at 5:9
def main():
    x = Normal(0, 1)
    for i in range(3):
        try:
            if i == 1:
                break
        finally:
            x = x + 1
    return x
