# table: Salaries, secret: salary, refused: P309 at 4
def release(df):
    text = f"{df['salary'].mean():.0f}"
    return 1 if text == "100000" else 0
