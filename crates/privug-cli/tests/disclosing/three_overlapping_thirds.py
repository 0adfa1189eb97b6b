# release: totals of three sets, of which every two share all but one person
# why: the sum of two less the third is what two of the left-out people have together less a third; with the total,
#   all.
# analyze: --prior 'x=Normal(50, std=10, size=30)' --secret 'x[1]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    total = sum(x)
    return {"all": total, "without": [total - x[0] - x[1], total - x[1] - x[2], total - x[0] - x[2]]}
