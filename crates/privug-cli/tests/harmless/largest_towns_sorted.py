# release: sizes and means of the towns with 20 people or more, the largest first
# why: the order is that of the sizes, which are published.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
def release(people):
    table = people.groupby("town").agg(people=("income", "size"), mean=("income", "mean"))
    return table[table.people >= 20].sort_values("people", ascending=False)
