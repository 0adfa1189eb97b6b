# release: the total of a register this month and next month, when one person has joined it
# why: the totals differ by the newcomer.
# analyze: --prior 'x=Normal(50, std=10, size=31)' --secret 'x[30]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    months = [sum(x[:30]), sum(x[:31])]
    return {"january": months[0] / 30, "february": months[1] / 31}
