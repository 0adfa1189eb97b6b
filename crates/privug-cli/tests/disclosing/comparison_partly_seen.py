# release: who of two has more than 50; of the first one it has been seen
# why: what has been seen tells about the first person, though the rest does not.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
#   --observe 'return[0]=True'
# cli, source: fails
# live: fails
def release(x):
    return [x[0] > 50, x[1] > 50]
