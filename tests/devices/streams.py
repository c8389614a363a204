"""Streams recorded by record_streams.py with TensorFlow and drawn again by test_philox.py."""

import numpy as np

LONG = 70001  # numbers in a long draw: more than are generated at a time
RANGES = ((0, 7), (-(2**31), 2**31 - 1), (-5, 2**40), (-(2**63), 2**63 - 1))
SIZES = (0, 1, 2, 5, 100, 3000)
ALPHAS = np.array([0.1, 0.5, 1.0, 1.5, 10.0, 200.0])
RATES = np.array([0.0, 0.1, 1.0, 9.99, 10.0, 10.5, 30.0, 1000.0, 1e6])


def _logits():
    """Rows with infinities, a NaN, and values whose exponentials overflow or underflow."""
    rows = np.random.RandomState(0).randn(12, 7) * 2
    rows[3, 2], rows[4, 1], rows[5, :], rows[6, 3] = np.inf, -np.inf, -np.inf, np.nan
    rows[7] += 80
    rows[8] += 1000
    rows[9] -= 2000
    return rows


LOGITS = _logits()


def ends(runs):
    """[runs, numbers]: the first and last 40 numbers of runs with more than 4000."""
    if runs.ndim > 1 and runs.shape[1] > 4000:
        return np.concatenate([runs[:, :40], runs[:, -40:]], axis=1)
    return runs
