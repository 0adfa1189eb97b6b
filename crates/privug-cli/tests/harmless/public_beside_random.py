# release: a mean, with a title and a count that are known to everybody
# why: titles and counts are not made from anybody's value.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
def release(x):
    return {"title": f"mean of {len(x)} people", "people": len(x), "mean": sum(x) / len(x)}
