"""Data sets by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.learn.datasets import base, mnist, synthetic

DATASETS: dict[str, Callable[[], Any]] = {
    "iris": base.load_iris,
    "boston": base.load_boston,
    "mnist": mnist.load_mnist,
}
SYNTHETIC: dict[str, Callable[..., base.Dataset]] = {
    "circles": synthetic.circles,
    "spirals": synthetic.spirals,
}


@deprecated(None, "Please use tf.data.")
def load_dataset(name: str, size: str = "small", test_with_fake_data: bool = False) -> Any:
    """A data set by name: iris, boston or mnist.

    Args:
      name: its name.
      size: is of a data set of texts in TensorFlow, which tfmini lacks.
      test_with_fake_data: the same.

    Raises:
      ValueError: for another name.
    """
    if name not in DATASETS:
        raise ValueError(f"Name of dataset is not found: {name}")
    return DATASETS[name]()


@deprecated(None, "Please use tf.data.")
def make_dataset(
    name: str,
    n_samples: int = 100,
    noise: float | None = None,
    seed: int = 42,
    *args: Any,
    **kwargs: Any,
) -> base.Dataset:
    """Points made by `synthetic.circles` or `synthetic.spirals`.

    Args:
      name: "circles" or "spirals".
      n_samples: number of points.
      noise: standard deviation of the added noise.
      seed: seed of numpy's generator.
      *args: further arguments of that function.
      **kwargs: the same.

    Raises:
      ValueError: for another name.
    """
    if name not in SYNTHETIC:
        raise ValueError(f"Synthetic dataset not found or not implemeted: {name}")
    return SYNTHETIC[name](n_samples, noise, seed, *args, **kwargs)
