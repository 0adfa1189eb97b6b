# refused: P901 at 9:5
# run: --prior 'x=Normal(35, 4, size=2)' --secret 'x[0]'
SEEN = []


def release(x):
    SEEN.append(x[0])
    total = x[0] + x[1]
    return total
