# table: Salaries, secret: salary, refused: P309 at 4
def release(df):
    text = "%.0f" % df["salary"].mean()
    return len(text)
