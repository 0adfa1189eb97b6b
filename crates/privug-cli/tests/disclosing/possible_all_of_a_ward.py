# release: the part of a ward's patients who are ill
# why: a mean of 1 of something that is 0 or 1 tells that each of the 20 patients is ill, whatever is believed of them.
# audit: --table patients=../tables/wards.csv --secret patients.ill --prior 'Normal(mean=0.5, std=0.5)'
#   --support 'ill in {0, 1}' --rule same_value=off --rule discrete_secret=off --rule near_truth=off --rule p_percent=off
#   --rule dominance=off --rule relative_std=off
# verdict: fails interval_percent
def release(patients):
    return patients.groupby("ward").ill.mean()
