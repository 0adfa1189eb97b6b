# table: Treatment, secret: re78
import sys

import pandas as pd


def main() -> int:
    data = pd.read_csv("Treatment.csv")
    print(data.groupby("treat")["re78"].mean())
    print("done", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
