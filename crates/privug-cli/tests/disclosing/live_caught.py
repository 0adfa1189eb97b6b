# release: a text of one person's value if that can be had, else a total
# why: an error that the function catches is an error: with real values the text is published. From source it is seen as it is.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: refused
def release(x):
    try:
        return {"head": f"{float(x[0]):.1f}"}
    except TypeError:
        return {"total": x[1] + x[2]}
