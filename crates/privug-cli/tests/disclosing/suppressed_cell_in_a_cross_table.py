# release: mean salaries by department and sex with margins, without the cells of single people
# why: margins times their public counts give the suppressed cells back.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --suppress 'table[laboratory, male]' --rule minimum_frequency.fail=2
# verdict: fails
def release(staff):
    return {"table": staff.pivot_table(values="salary", index="department", columns="sex", aggfunc="mean", margins=True)}
