# table: Salaries, secret: salary, refused: P309 at 7
import pandas as pd


def release(df):
    text = f"{df['salary'].mean():.0f}"
    return {"text": text, "digits": len(text)}
