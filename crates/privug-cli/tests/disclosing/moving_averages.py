# release: the averages over every three neighbours of a list, and the average of the first two
# why: the first window less the first two gives the third person; the others follow one by one.
# analyze: --prior 'x=Normal(50, std=10, size=8)' --secret 'x[2]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    windows = [(x[i] + x[i + 1] + x[i + 2]) / 3 for i in range(6)]
    return {"windows": windows, "first two": (x[0] + x[1]) / 2}
