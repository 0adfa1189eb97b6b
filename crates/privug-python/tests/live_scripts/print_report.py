# table: Salaries, secret: salary
import pandas as pd


def main():
    df = pd.read_csv("data/Salaries.csv")
    print("Salaries by rank")
    print("=" * 20)
    for rank, group in df.groupby("rank"):
        print(f"{rank:<10} {group['salary'].mean():>12,.2f}")
    overall = df["salary"].mean()
    print(f"Overall: {overall:,.0f}")


if __name__ == "__main__":
    main()
