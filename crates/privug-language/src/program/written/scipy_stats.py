"""The linear part of scipy's statistics."""

import numpy as np


class LinregressResult:
    def __init__(self, slope, intercept):
        self.slope = slope
        self.intercept = intercept


def linregress(x, y):
    known = np.asarray(x)
    response = np.asarray(y)
    away = known - known.mean()
    slope = (away * response).sum() / (away * away).sum()
    return LinregressResult(slope, response.mean() - slope * known.mean())
