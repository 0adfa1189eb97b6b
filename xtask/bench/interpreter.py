"""Runs `main` of a program of the language in CPython and tells what it costs; distributions are not drawn.
Usage: interpreter.py PROGRAM ROUNDS"""

import json
import sys
import time

text = open(sys.argv[1]).read()
names = {"Normal": lambda *_: None}
exec(compile(text, sys.argv[1], "exec"), names)
best = float("inf")
for _ in range(2):
    start = time.process_time()
    names["main"]()
    best = min(best, time.process_time() - start)
version = sys.version.split()[0]
print(json.dumps({"seconds": best, "rounds": int(sys.argv[2]), "version": version}))
