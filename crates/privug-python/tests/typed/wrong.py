"""A file with mistakes: both type checkers must find each of them, and nothing else."""

import pandas as pd

import privug

people = pd.DataFrame({"income": [1.0]})
found = privug.audit("release.py", people=people, secret=3, prior="Normal(0, 1)")  # mistake
number: int = found.verdict  # mistake
found.with_noise(noise=[3])  # mistake
found.verdicts  # mistake
privug.Ledger(3, people=people, secret="people.income", prior="Normal(0, 1)")  # mistake
privug.Ledger("ledger.json", people=people)  # mistake
book = privug.Ledger("ledger.json", people=people, secret="people.income", prior="Normal(0, 1)")
book.publish(3, people)  # mistake
privug.analyze("release.py", exact="yes")  # mistake
text: str = found.to_dict()  # mistake
