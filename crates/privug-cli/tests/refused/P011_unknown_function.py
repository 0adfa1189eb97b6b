# refused: P011 at 1:26 in PROGRAM
# run: :frist
def first():
    return Normal(0, 1)
