# refused: P404 at 4:12
def main():
    incomes = {"ann": Normal(0, 1)}
    return incomes["bob"]
