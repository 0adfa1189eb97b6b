# release: a harmless total, and which of two people made a comparison fail
# why: what a comparison with a secret does decides what is published.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    try:
        rich = bool(x[0] > 50)
    except Exception:
        rich = None
    return {"total": x[1] + x[2], "rich": rich}
