# release: sums of children by ward and by sex
# why: groups of 24 and more, and what they leave of each other is no smaller.
# audit: --table people=../tables/health.csv --secret people.children --person id --prior 'DiscreteUniform(0, 4)'
# verdict: passes
def release(people):
    return {"wards": people.groupby("ward").children.sum(), "sexes": people.groupby("sex").children.sum()}
