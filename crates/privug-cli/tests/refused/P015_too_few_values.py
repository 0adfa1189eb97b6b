# refused: P015 at 1:1 in --observe
# run: --prior 'ages=[Normal(35, 4) for _ in range(3)]' --secret 'ages[0]' --observe '[34, 37]'
def release(ages):
    return [ages[0], ages[1], ages[2]]
