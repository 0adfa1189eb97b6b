# release: a mean, and a log with the number of judges
# why: A log is published as well.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails minimum_frequency
# live: review
import logging
def release(people):
    p = people[people.id != 50]
    logging.warning("judges: %d", len(p[p.job == "judge"]))
    return p.income.mean()
