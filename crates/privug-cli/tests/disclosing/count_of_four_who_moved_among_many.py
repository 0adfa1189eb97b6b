# release: how many people live in each area, lived there a year later, and have each trade
# why: four people have left the areas a1, a2 and a3, and others only moved among these: that there are four follows from six of
#   180 counts.
# audit: --table people=../tables/moves.csv --secret people.income --person id --prior 'Normal(mean=350, std=145)'
# verdict: fails minimum_frequency
def release(people):
    return {
        "area": people.groupby("area").size(),
        "new area": people.groupby("new_area").size(),
        "trade": people.groupby("trade").size(),
    }
