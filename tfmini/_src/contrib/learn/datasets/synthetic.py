"""Two-dimensional points in classes that are not linearly separable: concentric circles, spirals."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.learn.datasets.base import Dataset

_ADVICE = "Consider using synthetic datasets from scikits.learn."
_TURN = 2 * np.pi


@deprecated(None, _ADVICE)
def circles(
    n_samples: int = 100,
    noise: float | None = None,
    seed: int | None = None,
    factor: float = 0.8,
    n_classes: int = 2,
    *args: Any,
    **kwargs: Any,
) -> Dataset:
    """Returns points on concentric circles around the origin, one circle per class, in random order.

    Args:
      n_samples: number of points.
      noise: standard deviation of the added noise.
      seed: seed of NumPy's generator.
      factor: ratio of each radius to the next larger one.
      n_classes: number of circles.

    Returns:
      A `Dataset`: floats [n_samples, 2] and circle indices.
    """
    if seed is not None:
        np.random.seed(seed)
    per_class, extras = divmod(n_samples, n_classes)
    angles = np.linspace(0, _TURN, per_class)
    x, y = [np.cos(angles)], [np.sin(angles)]
    for _ in range(n_classes - 1):  # multiplied successively, to match TensorFlow's values
        x.append(x[-1] * factor)
        y.append(y[-1] * factor)
    x.append(np.cos(np.random.rand(extras) * _TURN))
    y.append(np.sin(np.random.rand(extras) * _TURN))
    return _shuffle_points(x, y, per_class, n_classes, noise)


@deprecated(None, _ADVICE)
def spirals(
    n_samples: int = 100,
    noise: float | None = None,
    seed: int | None = None,
    mode: str = "archimedes",
    n_loops: int = 2,
    *args: Any,
    **kwargs: Any,
) -> Dataset:
    """Returns points on two spirals, in random order.

    Args:
      n_samples, noise, seed: as in `circles`.
      mode: "archimedes" for equally spaced arms, "bernoulli" for growing, "fermat" for shrinking distances.
      n_loops: number of turns.
      *args: ignored.
      **kwargs: `exp_scale`, growth rate of "bernoulli"; 0.1 by default.

    Returns:
      A `Dataset`: floats [n_samples, 2] and spiral indices, 0 or 1.

    Raises:
      ValueError: for any other mode.
    """
    if mode not in _RADII:
        raise ValueError(f"Cannot generate spiral with mode {mode}")
    if seed is not None:
        np.random.seed(seed)
    per_spiral, extras = divmod(n_samples, 2)
    angles = np.linspace(0, n_loops * _TURN, per_spiral)
    parts = [_spiral(mode, angles, offset, kwargs) for offset in (0, np.pi)]
    if extras:
        parts.append(_spiral(mode, np.random.rand(extras) * _TURN, 0.0, kwargs))
    x, y = zip(*parts)
    return _shuffle_points(x, y, per_spiral, 2, noise)


def _shuffle_points(x: Any, y: Any, per_class: int, n_classes: int, noise: float | None) -> Dataset:
    """Returns points in random order with their classes; surplus points belong to class 0."""
    points = np.stack([np.concatenate(x), np.concatenate(y)], axis=1)
    classes = np.repeat(np.arange(n_classes, dtype=np.int32), per_class)
    classes = np.concatenate([classes, np.zeros(len(points) - len(classes), np.int32)])
    order = np.random.permutation(len(points))
    if noise is not None:
        points = points + np.random.normal(scale=noise, size=points.shape)
    return Dataset(data=points[order], target=classes[order])


def _bernoulli(angles: Any, exp_scale: float = 0.1) -> Any:
    return np.exp(exp_scale * angles)


_RADII: dict[str, Any] = {
    "archimedes": lambda angles, **_: angles,
    "bernoulli": _bernoulli,
    "fermat": lambda angles, **_: np.sqrt(angles),
}


def _spiral(mode: str, angles: Any, offset: float, options: dict[str, Any]) -> Any:
    """Returns the coordinates of a spiral's points, scaled to [-1, 1]."""
    radius = _RADII[mode](angles, **options)
    x, y = radius * np.cos(angles + offset), radius * np.sin(angles + offset)
    return x / np.max(np.abs(x)), y / np.max(np.abs(y))
