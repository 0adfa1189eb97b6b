"""How many people have which disease, by ward and by age: frequency tables of a category that nobody should learn."""

import pandas as pd


def release(people):
    return {
        "by ward": pd.crosstab(people.ward, people.disease, margins=True),
        "by ward and age": people.groupby(["ward", "age_band", "disease"]).size(),
        "ill": (people.disease != "none").groupby(people.sex).mean(),
    }
