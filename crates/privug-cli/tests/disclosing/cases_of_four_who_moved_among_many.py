# release: how many are ill by area, by the areas of a year later, and by trade, of 3 600 people
# why: four people have left the areas a1, a2 and a3, and others only moved among these: the counts of the three areas then and
#   now differ by how many of the four are ill, in a combination of six of 180 figures.
# audit: --table people=../tables/moves.csv --secret people.ill --person id --prior 'Bernoulli(0.3)'
# verdict: fails differencing
def release(people):
    return {
        "area": people.groupby("area").ill.sum(),
        "new area": people.groupby("new_area").ill.sum(),
        "trade": people.groupby("trade").ill.sum(),
    }
