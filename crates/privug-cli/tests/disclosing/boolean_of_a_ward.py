# release: the part of each ward that is sick, which is all of one, with a Gaussian prior
# why: sick is yes or no: a mean of 1 tells that everybody is.
# audit: --table people=../tables/wealth.csv --person id --secret people.sick
#   --prior 'Normal(mean=0.3, std=0.45)'
# verdict: fails interval_percent
def release(people):
    return people.groupby("ward").sick.mean()
