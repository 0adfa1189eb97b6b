# table: Salaries, secret: salary, refused: P306 at 4
def release(df):
    means = df.groupby("rank")["salary"].mean()
    return means.round(-3) - means
