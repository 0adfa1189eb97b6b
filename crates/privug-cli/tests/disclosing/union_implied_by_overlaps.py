# release: the incomes of north and of men, of everybody but the women outside the north, and of one man of the
#   north left out
# why: north + men - (north or men) is the men of the north; without one of them that is the difference of two totals.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    north = people.region == "north"
    men = people.sex == "male"
    return {
        "north": people[north].income.sum(),
        "men": people[men].income.sum(),
        "north or men": people[north | men].income.sum(),
        "men of the north but one": people[north & men & (people.id != 40)].income.sum(),
    }
