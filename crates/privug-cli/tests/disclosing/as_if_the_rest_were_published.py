# release: two totals, of which only the first has been seen
# why: the second will be published as well, and their difference is the person.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --observe 'return["all"]=200' --require
#   'posterior_std >= 8'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --observe 'return["all"]=200' --require
#   'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return {"all": sum(x), "others": sum(x[1:])}
