# release: salaries by department and in total, without the department of one person
# why: the total less all other departments is that person.
# analyze: --prior 'x=Normal(50, std=10, size=21)' --secret 'x[20]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return {"first": sum(x[:10]), "second": sum(x[10:20]), "total": sum(x)}
