# release: the total, and everybody's share of it
# why: share times total is the person.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    total = sum(x)
    return {"total": total, "shares": [one / total for one in x]}
