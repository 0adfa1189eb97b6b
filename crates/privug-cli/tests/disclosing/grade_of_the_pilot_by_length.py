# release: how many pilots have the best grade
# why: There is one pilot.
# audit: --table people=../tables/residents.csv --secret people.grade --person id --prior
#   'Categorical(people.grade.value_counts(normalize=True))'
# verdict: refused P802
def release(people):
    return len(people[people.grade == "A"].query("job == 'pilot'"))
