"""Functions of numpy.linalg that are made of others."""

import math

import numpy as np


def matrix_power(a, n):
    matrix = np.asarray(a)
    assert matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1], "the power of a square matrix is known"
    assert isinstance(n, int) and n >= 0, "a power of at least 0 is known; invert the matrix first"
    power = np.eye(matrix.shape[0])
    for step in range(n):
        power = power @ matrix
    return power


def cholesky(a):
    matrix = np.asarray(a, dtype="float")
    assert matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1], "the factor of a square matrix is known"
    count = matrix.shape[0]
    # numpy looks at the lower half only.
    factor = [[0.0 for column in range(count)] for row in range(count)]
    for row in range(count):
        for column in range(row + 1):
            rest = matrix[row, column] - sum([factor[row][k] * factor[column][k] for k in range(column)])
            if row == column:
                assert rest > 0, "the matrix is not positive definite"
                factor[row][row] = math.sqrt(rest)
            else:
                factor[row][column] = rest / factor[column][column]
    return np.array(factor)


def qr(a, mode="reduced"):
    matrix = np.asarray(a, dtype="float")
    assert matrix.ndim == 2 and matrix.shape[0] >= matrix.shape[1], "a matrix with at least as many rows as columns is known"
    assert mode == "reduced", "the reduced form of a factorisation is known"
    rows, columns = matrix.shape
    upper = matrix.copy()
    turned = np.eye(rows)
    for column in range(columns):
        below = upper[column:, column]
        length = math.sqrt(sum([value * value for value in below]))
        # Reflections as LAPACK makes them, so that the signs are numpy's.
        if column < rows - 1 and length > 0:
            first = below[0]
            end = -length if first >= 0 else length
            way = below.copy()
            way[0] = first - end
            size = np.dot(way, way)
            if size > 0:
                upper[column:, column:] = upper[column:, column:] - np.outer(way, way @ upper[column:, column:]) * (2 / size)
                turned[:, column:] = turned[:, column:] - np.outer(turned[:, column:] @ way, way) * (2 / size)
    kept = np.array([[upper[row, column] if column >= row else 0.0 for column in range(columns)] for row in range(columns)])
    return turned[:, :columns], kept
