# release: how many people are ill, as an integer of Python, and in texts
# why: `int` of a count is the count.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
# verdict: passes
def release(people):
    return {"ill": int(people.ill.sum()), "people": int(len(people)), "again": str(people.ill.sum()), "shown": f"{people.ill.sum():d}"}
