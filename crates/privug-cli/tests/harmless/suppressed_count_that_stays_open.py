# release: how many are ill in two pairs of three wards, and in one ward, which is suppressed
# why: two sums leave three numbers open.
# audit: --table people=../tables/ill.csv --secret people.ill --prior 'Bernoulli(0.3)' --suppress B
#   --rule small_count.fail=5
# verdict: passes
def release(people):
    return {
        "A and B": people.ill[people.ward != "C"].sum(),
        "B and C": people.ill[people.ward != "A"].sum(),
        "B": people.ill[people.ward == "B"].sum(),
    }
