# release: the mean over a list in which one person stands twelve times
# why: a list of twelve that is one person has the mean of one person.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    rows = [x[0]] * 12
    return sum(rows) / len(rows)
