"""`tf.keras.datasets.fashion_mnist`: 70,000 images of clothing."""

import gzip as _gzip
import os as _os
from typing import Any

import numpy as _np

from tfmini._src.models.keras.datasets import dataset_files as _reading
from tfmini._src.models.keras.utils.get_file import get_file as _get_file


def load_data() -> Any:
    """Loads 60,000 training and 10,000 test images of clothing in 10 classes.

    Returns:
      (x_train, y_train), (x_test, y_test): images uint8 [images, 28, 28] and labels uint8 [images].

    Raises:
      OSError: if a file is missing and cannot be downloaded; the message names the expected path.
    """
    return _load_split("train"), _load_split("t10k")


def _load_split(name: str) -> Any:
    labels = _read_idx(f"{name}-labels-idx1-ubyte.gz", 8)
    images = _read_idx(f"{name}-images-idx3-ubyte.gz", 16)
    return images.reshape(len(labels), 28, 28), labels


def _read_idx(name: str, header: int) -> Any:
    directory = _os.path.join("datasets", "fashion-mnist")
    path = _get_file(name, origin=_reading.ORIGIN + name, cache_subdir=directory)
    with _gzip.open(path, "rb") as file:
        return _np.frombuffer(file.read(), _np.uint8, offset=header)
