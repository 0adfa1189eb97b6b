# release: the total of a town and of five occupations in it
# why: What is left of the total is that of a pilot and two judges.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails differencing
# live: fails
def release(people):
    t = people[people.town == "Bo"].groupby("job").income.sum()
    return {"all": people[people.town == "Bo"].income.sum(), "known": t.loc[["clerk", "nurse", "teacher", "driver", "smith"]]}
