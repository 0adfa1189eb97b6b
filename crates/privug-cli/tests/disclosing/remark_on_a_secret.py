# release: a remark that depends on one person's value
# why: it tells whether the value is above 50: one bit.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: fails
def release(x):
    if x[0] > 50:
        return {"remark": "large", "people": 4}
    return {"remark": "small", "people": 4}
