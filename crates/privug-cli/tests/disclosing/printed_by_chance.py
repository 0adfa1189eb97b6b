# release: whether somebody else has more than 50; if the first person has, a remark is printed
# why: whether there is a remark tells whether the value is above 50.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused P30
def release(x):
    if x[0] > 50:
        print("a large one")
    return x[1] > 50
