# release: names and values in pairs, by zip
# why: the pairs hold everybody's value.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return {"total": x[1] + x[2], "pairs": zip(["a", "b", "c", "d"], x)}
