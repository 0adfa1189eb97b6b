# release: incomes by area, by the areas of a year later, and by trade, of 3 600 people
# why: four people have left the areas a1, a2 and a3, and others only moved among these: the totals of the three areas then and
#   now differ by that of the four, in a combination of six of 180 figures.
# audit: --table people=../tables/moves.csv --secret people.income --person id --prior 'Normal(mean=350, std=145)'
# verdict: fails differencing
# audit: --table people=../tables/moves.csv --secret people.income --grouped --prior 'Normal(mean=350, std=145)'
# verdict: fails differencing
def release(people):
    return {
        "area": people.groupby("area").income.sum(),
        "new area": people.groupby("new_area").income.sum(),
        "trade": people.groupby("trade").income.sum(),
    }
