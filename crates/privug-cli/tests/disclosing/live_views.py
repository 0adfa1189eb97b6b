# release: the values of a dictionary
# why: they are everybody's values.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    table = {"a": x[0], "b": x[1]}
    return {"total": x[2] + x[3], "values": table.values()}
