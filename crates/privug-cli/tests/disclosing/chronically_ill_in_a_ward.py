# release: how many have HIV or asthma in a ward, after one is replaced by the other; everybody of the ward has
# why: 17 of 17 people have one of two diseases, so that it is known about each of them.
# audit: --table people=../tables/wealth.csv --person id --secret people.disease
#   --prior 'Categorical(disease.value_counts(normalize=True))' --sensitive 'disease in ["HIV", "asthma"]'
# verdict: fails class_disclosure
def release(people):
    kinds = people.disease.replace({"HIV": "asthma"})
    return {"C4": (kinds[people.ward == "C4"] == "asthma").sum()}
