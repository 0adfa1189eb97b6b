# release: the hours of everybody together, and the mean of everybody but one
# why: hours are whole numbers, and subtracting leaves those of one person.
# audit: --table people=../tables/people.csv --secret people.hours --person name --prior 'DiscreteUniform(0, 80)'
# verdict: fails full_disclosure
def release(people):
    return {"all": people.hours.sum(), "others": people[people.id > 1].hours.mean()}
