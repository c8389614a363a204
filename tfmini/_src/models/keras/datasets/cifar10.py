"""`tf.keras.datasets.cifar10`: 60,000 small images in 10 classes."""

from typing import Any

from tfmini._src.models.keras.datasets import dataset_files as _reading
from tfmini._src.models.keras.utils.get_file import get_file as _get_file

_ORIGIN = "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz"
_HASH = "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce"


def load_data() -> Any:
    """Loads 50,000 training and 10,000 test images.

    Returns:
      (x_train, y_train), (x_test, y_test): images uint8 [images, 32, 32, 3], or [images, 3, 32, 32] if the image data
      format is "channels_first", and labels uint8 [images, 1].

    Raises:
      OSError: if the file is missing and cannot be downloaded; the message names the expected path.
    """
    directory = _get_file("cifar-10-batches-py", origin=_ORIGIN, untar=True, file_hash=_HASH)
    train = [f"data_batch_{i}" for i in range(1, 6)]
    parts = _reading.cifar(directory, train, "test_batch", "labels")
    return tuple((images, labels.astype("uint8")) for images, labels in parts)
