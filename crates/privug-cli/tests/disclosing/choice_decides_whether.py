# release: one person's value, if another one's is above 50
# why: every second time the value itself is published.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    published = 0
    if x[1] > 50:
        published = x[0]
    return published
