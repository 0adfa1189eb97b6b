# release: a word that one person's value picks
# why: the word tells the value to within ten.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    words = ["low", "middle", "high"]
    return words[int(x[0] / 50)]
