# refused: P402 at 4:12
# run: --prior 'ages=[]'
def mean(ages):
    return sum(ages) / len(ages)
