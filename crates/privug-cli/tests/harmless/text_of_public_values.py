# release: means under names that are made of public numbers
# why: the numbers of groups are public.
# analyze: --prior 'x=Normal(50, std=10, size=60)' --secret 'x[7]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
def release(x):
    return {f"group {group:02d}": sum(x[20 * group : 20 * group + 20]) / 20 for group in range(3)}
