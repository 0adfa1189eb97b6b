# release: three quarters of a person's year, and the year of a group of which the others are public
# why: group less others is the person's year; less three quarters it is the fourth.
# analyze: --prior 'q=Normal(12, std=3, size=4)' --prior 'others=[48, 50]' --secret 'q[3]' --require
#   'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(q, others):
    return {"quarters": [q[0], q[1], q[2]], "year of the group": sum(q) + sum(others)}
