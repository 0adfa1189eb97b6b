"""The paper's algorithm: a mean vector and a dense covariance matrix that grow with each statement, and the Schur
complement for `condition`. Usage: paper_dense.py sum|condition N"""

import json
import sys
import time

import numpy as np


class Gaussian:
    """The joint distribution of all variables so far."""

    def __init__(self):
        self.mean = np.zeros(0)
        self.covariance = np.zeros((0, 0))

    def grow(self, mean, column, variance):
        """Adds a variable: its mean, its covariances with the others and its variance."""
        size = len(self.mean)
        covariance = np.empty((size + 1, size + 1))
        covariance[:size, :size] = self.covariance
        covariance[:size, size] = covariance[size, :size] = column
        covariance[size, size] = variance
        self.mean, self.covariance = np.append(self.mean, mean), covariance
        return size

    def normal(self, mean, variance):
        """P-Asg-Ind"""
        return self.grow(mean, 0.0, variance)

    def add(self, total, term):
        """P-Sum, the result replacing `total`: the sum's covariances are the sums of both rows."""
        row = self.covariance[total] + self.covariance[term]
        variance = row[total] + row[term]
        self.mean[total] += self.mean[term]
        self.covariance[total] = self.covariance[:, total] = row
        self.covariance[total, total] = variance

    def divide(self, variable, number):
        """P-Op-MD"""
        self.mean[variable] /= number
        self.covariance[variable] /= number
        self.covariance[:, variable] /= number

    def condition(self, variable, value):
        """P-Cond: the observed variable is removed."""
        rest = np.delete(np.arange(len(self.mean)), variable)
        column = self.covariance[rest, variable]
        gain = column / self.covariance[variable, variable]
        self.mean = self.mean[rest] + gain * (value - self.mean[variable])
        self.covariance = self.covariance[np.ix_(rest, rest)] - np.outer(gain, column)


def answer(kind, n):
    world = Gaussian()
    total = world.normal(0.0, 0.0)
    people = [world.normal(30 + i % 40, 1 + i % 9) for i in range(n)]
    for person in people:
        world.add(total, person)
    result = total
    if kind == "condition":
        world.divide(total, n)
        world.condition(total, 50.0)
        result = people[0] - 1
    return {"mean": world.mean[result], "variance": world.covariance[result, result]}


def main(kind, n):
    """What is over in no time is done a few times, and the middle is told, as on the other side."""
    begin, times = time.perf_counter(), []
    while len(times) < 9 and (not times or time.perf_counter() - begin <= 0.05):
        start = time.perf_counter()
        found = answer(kind, n)
        times.append(time.perf_counter() - start)
    print(json.dumps({"seconds": sorted(times)[len(times) // 2], **found}))


main(sys.argv[1], int(sys.argv[2]))
