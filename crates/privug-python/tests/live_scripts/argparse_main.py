# table: Salaries, secret: salary
import argparse
import logging
import os

import pandas as pd

log = logging.getLogger(__name__)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input", default="data/Salaries.csv")
    parser.add_argument("--output", default="out")
    return parser.parse_args([])


def main():
    args = parse()
    df = pd.read_csv(args.input, sep=",", encoding="utf-8")
    log.info("read %d rows", len(df))
    os.makedirs(args.output, exist_ok=True)
    result = df.groupby(["sex", "rank"], sort=False)["salary"].mean().reset_index()
    result.to_csv(os.path.join(args.output, "means.csv"), index=False, float_format="%.1f")


if __name__ == "__main__":
    main()
