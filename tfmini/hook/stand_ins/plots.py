"""What matplotlib has dropped: normal densities, and `hold`, which has been on for good since 3.0."""

from __future__ import annotations

from typing import Any

import numpy as np


def normpdf(x: Any, *args: float) -> Any:
    """The density at `x` of the normal distribution with the mean and the standard deviation of `args`."""
    mean, deviation = args
    return np.exp(-0.5 * ((x - mean) / deviation) ** 2) / (np.sqrt(2 * np.pi) * deviation)


def bivariate_normal(
    X: Any,
    Y: Any,
    sigmax: float = 1.0,
    sigmay: float = 1.0,
    mux: float = 0.0,
    muy: float = 0.0,
    sigmaxy: float = 0.0,
) -> Any:
    """The density of two normal variables with these deviations, means and covariance."""
    x, y = (X - mux) / sigmax, (Y - muy) / sigmay
    rho = sigmaxy / (sigmax * sigmay)
    rest = 1 - rho**2
    exponent = (x**2 + y**2 - 2 * rho * x * y) / (2 * rest)
    return np.exp(-exponent) / (2 * np.pi * sigmax * sigmay * np.sqrt(rest))


def hold(b: bool | None = None) -> None:
    """Nothing to do for True: what is drawn stays.

    Raises:
      NotImplementedError: for False; `plt.cla()` before each drawing does it.
    """
    if b is not None and not b:
        raise NotImplementedError(
            "plt.hold(False) is gone from matplotlib; call plt.cla() before each plot"
        )


def ishold() -> bool:
    """True."""
    return True
