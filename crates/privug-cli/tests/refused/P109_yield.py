# refused: P109 at 7:12
def rows(n):
    for i in range(n):
        yield Normal(i, 1)

def main():
    kept = rows(3)
    return sum(kept)
