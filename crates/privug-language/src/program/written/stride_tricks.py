"""Windows over arrays."""

import numpy as np


def sliding_window_view(x, window_shape):
    assert isinstance(window_shape, int), "windows over an array of one dimension are known"
    values = np.asarray(x)
    assert values.ndim == 1, "windows over an array of one dimension are known"
    assert 0 < window_shape <= len(values), "a window has at least one value, and no more than there are"
    return np.stack([values[start : start + window_shape] for start in range(len(values) - window_shape + 1)])
