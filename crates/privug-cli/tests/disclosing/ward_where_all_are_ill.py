# release: the share of ill people in a ward of 20 where all are ill
# why: a share of 1 says of everybody in the ward that they are ill.
# audit: --table patients=../tables/patients.csv --secret patients.ill --person id --prior 'Normal(mean=0.4, std=0.5)'
# verdict: fails
def release(patients):
    return patients[patients.ward == "D"].ill.mean()
