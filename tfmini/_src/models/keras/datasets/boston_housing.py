"""`tf.keras.datasets.boston_housing`: 506 Boston districts and their house prices."""

from typing import Any

import numpy as _np

from tfmini._src.models.keras.datasets import dataset_files as _reading

_HASH = "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5"


def load_data(path: str = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> Any:
    """Loads the districts, split into training and test data.

    Args:
      path: file name in ~/.keras/datasets, or an absolute path.
      test_split: fraction of examples used for testing.
      seed: seed of numpy's generator for shuffling.

    Returns:
      (x_train, y_train), (x_test, y_test): features float64 [districts, 13] and prices float64 [districts].

    Raises:
      OSError: if the file is missing and cannot be downloaded; the message names the expected path.
    """
    assert 0 <= test_split < 1
    x, y = _reading.arrays(_reading.fetch(path, _HASH, "boston_housing.npz"), "x", "y")
    _np.random.seed(seed)
    order = _np.arange(len(x))
    _np.random.shuffle(order)
    first, last = _np.split(order, [int(len(x) * (1 - test_split))])
    return (x[first], y[first]), (x[last], y[last])
