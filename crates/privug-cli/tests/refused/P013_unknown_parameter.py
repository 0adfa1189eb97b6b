# refused: P013 at 1:5 in --prior
# run: --prior 'age=[Normal(35, 4)]'
def mean(ages):
    return sum(ages) / len(ages)
