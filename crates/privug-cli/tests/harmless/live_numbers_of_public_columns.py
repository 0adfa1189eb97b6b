# release: a mean of forty, and the maxima of the numbers of a public table
# why: the table is known beforehand.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: passes
import pandas as pd


def release(x):
    public = pd.DataFrame({"town": ["a", "b"], "people": [20, 30]})
    return {"mean": sum(x) / len(x), "largest": public.max(numeric_only=True)}
