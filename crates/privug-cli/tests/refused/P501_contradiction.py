# refused: P501 at 7:5
def main():
    women = Normal(40, 25)
    men = Normal(40, 25)
    condition(women, 43)
    condition(men, 38)
    condition((women + men) / 2, 41)
    return women
