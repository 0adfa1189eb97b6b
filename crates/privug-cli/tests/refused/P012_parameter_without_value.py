# refused: P012 at 2:10
def mean(ages):
    return sum(ages) / len(ages)
