# table: Salaries, secret: salary, refused: P309 at 3
def release(df):
    return "%d" % df["salary"].mean()
