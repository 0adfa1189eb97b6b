# release: incomes by area, by the areas of a year later, and by trade, of 3 600 people
# why: twelve people have left the areas a1, a2 and a3 together, and others only moved among these. The totals of the three
#   areas then and now differ by that of the twelve, of which one person has nine tenths, in a combination of six figures.
# audit: --table people=../tables/moves_of_a_giant.csv --secret people.income --person id --prior 'Normal(mean=350, std=700)'
#   --rule near_truth=off
# verdict: fails differencing
def release(people):
    return {
        "area": people.groupby("area").income.sum(),
        "new area": people.groupby("new_area").income.sum(),
        "trade": people.groupby("trade").income.sum(),
    }
