# release: how many are ill in each pair of three wards, and in one ward, which is suppressed
# why: half of (A and B) + (B and C) - (A and C) is the suppressed count of 3; no single subtraction tells it.
# audit: --table people=../tables/ill.csv --secret people.ill --prior 'Bernoulli(0.3)' --suppress B
#   --rule small_count.fail=5
# verdict: fails recoverable
def release(people):
    return {
        "A and B": people.ill[people.ward != "C"].sum(),
        "A and C": people.ill[people.ward != "B"].sum(),
        "B and C": people.ill[people.ward != "A"].sum(),
        "B": people.ill[people.ward == "B"].sum(),
    }
