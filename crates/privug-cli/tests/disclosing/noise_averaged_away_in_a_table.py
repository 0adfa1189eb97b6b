# release: the same value 400 times, each time with noise of its own
# why: the average of the 400 has a twentieth of the noise: 1/2 log2(1 + 400) is 4.3 bits.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --noise 'normal(std=12_000)' --rule minimum_frequency=off --rule dominance=off --rule p_percent=off
# verdict: fails relative_std
def release(staff):
    return [staff[staff.department == "laboratory"].salary.sum() for _ in range(100)]
