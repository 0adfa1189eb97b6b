# release: turnover by region and branch with its margins, all cells of two branches in two regions suppressed
# why: the margins give the sum of the two suppressed cells of the east, of which firm 2 knows its own 380: firm 1 has at most
#   620, and really 600.
# audit: --table firms=../tables/suppressed.csv --secret firms.turnover --person firm --prior 'Normal(mean=200, std=300)'
#   --support 'turnover >= 0' --suppress 'cells[east, steel]' --suppress 'cells[east, glass]' --suppress 'cells[west, steel]'
#   --suppress 'cells[west, glass]' --rule minimum_frequency=off --rule dominance=off --rule p_percent=off
#   --rule relative_std=off --rule near_truth=off --rule full_disclosure=off --rule recoverable=off
# verdict: fails interval_percent
def release(firms):
    return {
        "cells": firms.groupby(["region", "branch"]).turnover.sum(),
        "regions": firms.groupby("region").turnover.sum(),
        "branches": firms.groupby("branch").turnover.sum(),
    }
