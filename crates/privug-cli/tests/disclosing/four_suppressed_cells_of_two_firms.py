# release: turnover by branch and region with margins, four cells suppressed
# why: The four cells make a rectangle of two firms each, and the margins say what each pair of them is.
# audit: --table firms=../tables/branches.csv --secret firms.turnover --person firm --prior 'Normal(mean=170,
#   std=80)' --suppress 't[steel, north]' --suppress 't[steel, south]' --suppress 't[food, north]' --suppress
#   't[food, south]'
# verdict: fails differencing
# live: fails
def release(firms):
    return {"t": firms.pivot_table(index="branch", columns="region", values="turnover", aggfunc="sum", margins=True)}
