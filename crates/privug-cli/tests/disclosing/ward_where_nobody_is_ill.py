# release: the number of ill people by ward; in one ward it is 0
# why: a total of 0 says of everybody in the ward that they are not ill.
# audit: --table patients=../tables/patients.csv --secret patients.ill --person id --prior 'Normal(mean=0.4, std=0.5)'
# verdict: fails
def release(patients):
    return {"E": patients[patients.ward == "E"].ill.sum()}
