# release: the mean of a department, with and without its head
# why: n times the first less n-1 times the second is what the head earns.
# analyze: --prior 'x=Normal(50, std=10, size=12)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return {"all": sum(x) / 12, "without the head": sum(x[1:]) / 11}
