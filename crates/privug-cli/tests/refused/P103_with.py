# refused: P103 at 4:5
def main():
    x = Normal(0, 1)
    with open("incomes.csv") as file:
        x = x + 1
    return x
