"""Names removed from matplotlib: normal densities, color maps and styles, and `hold`, which is always on."""

from __future__ import annotations

from typing import Any

import numpy as np
from cycler import cycler
from matplotlib import colormaps, style

_MAPS = {"spectral": "nipy_spectral", "Vega10": "tab10", "Vega20": "tab20"}


def normpdf(x: Any, *args: float) -> Any:
    """Returns the density at `x` of the normal distribution with mean and standard deviation in `args`."""
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
    """Returns the density of a bivariate normal distribution with the given deviations, means and covariance."""
    x, y = (X - mux) / sigmax, (Y - muy) / sigmay
    rho = sigmaxy / (sigmax * sigmay)
    complement = 1 - rho**2
    exponent = (x**2 + y**2 - 2 * rho * x * y) / (2 * complement)
    return np.exp(-exponent) / (2 * np.pi * sigmax * sigmay * np.sqrt(complement))


def tostring_rgb(canvas: Any) -> bytes:
    """Returns the drawn pixels of a canvas, three bytes each."""
    return np.asarray(canvas.buffer_rgba())[..., :3].tobytes()


def hold(b: bool | None = None) -> None:
    """Accepts True only: plots are always added to the axes."""
    if b is not None and not b:
        raise NotImplementedError(
            "plt.hold(False) was removed from matplotlib; call plt.cla() before each plot"
        )


def ishold() -> bool:
    """Always True."""
    return True


def hold_axes(axes: Any, b: bool | None = None) -> None:
    """Same as `hold`, for one Axes."""
    hold(b)


def set_color_cycle(axes: Any, clist: Any) -> None:
    """Sets the color cycle for subsequent lines; if `clist` is None, restores the default one."""
    axes.set_prop_cycle(None if clist is None else cycler(color=clist))


def set_window_title(canvas: Any, title: str) -> None:
    """Sets the title of the figure's window, if any."""
    if canvas.manager is not None:
        canvas.manager.set_window_title(title)


def add_maps() -> None:
    """Registers color maps under their names from before 2.2."""
    for old, new in _MAPS.items():
        if old not in colormaps:
            colormaps.register(colormaps[new], name=old)


def add_styles() -> None:
    """Registers seaborn's styles under their names from before 3.6."""
    library = style.library
    for name in list(library):
        old = name.replace("seaborn-v0_8", "seaborn")
        if old not in library:
            library[old] = library[name]
