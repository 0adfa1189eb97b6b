# release: mean salaries by department, one of which has a single member
# why: the mean of one person is that person.
# analyze: --prior 'x=Normal(50, std=10, size=12)' --secret 'x[11]' --require 'posterior_std >= 5'
# cli, source, live: fails
def release(x):
    return {"sales": sum(x[:11]) / 11, "laboratory": sum(x[11:]) / 1}
