# release: the mean wage of each year over twenty men
# why: twenty different men in each figure.
# audit: --table men=../tables/panel.csv --secret men.wage --person nr --prior 'Normal(mean=430, std=100)'
# verdict: passes
def release(men):
    return men.groupby("year").wage.mean()
