"""`tf.keras.datasets.mnist`: 70,000 handwritten digits."""

from typing import Any

from tfmini._src.models.keras.datasets import dataset_files as _reading

_HASH = "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1"


def load_data(path: str = "mnist.npz") -> Any:
    """Loads 60,000 training and 10,000 test digits.

    Args:
      path: file name in ~/.keras/datasets, or an absolute path.

    Returns:
      (x_train, y_train), (x_test, y_test): images uint8 [digits, 28, 28] and labels uint8 [digits].

    Raises:
      OSError: if the file is missing and cannot be downloaded; the message names the expected path.
    """
    path = _reading.fetch(path, _HASH, "mnist.npz")
    x, y, x_test, y_test = _reading.arrays(path, "x_train", "y_train", "x_test", "y_test")
    return (x, y), (x_test, y_test)
