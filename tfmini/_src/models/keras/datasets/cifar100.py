"""`tf.keras.datasets.cifar100`: 60,000 small images in 100 classes."""

from typing import Any

from tfmini._src.models.keras.datasets import dataset_files as _reading
from tfmini._src.models.keras.utils.get_file import get_file as _get_file

_ORIGIN = "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz"
_HASH = "85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7"


def load_data(label_mode: str = "fine") -> Any:
    """Loads 50,000 training and 10,000 test images.

    Args:
      label_mode: "fine" for 100 classes, "coarse" for 20.

    Returns:
      (x_train, y_train), (x_test, y_test), as in `cifar10`, but with int64 labels.

    Raises:
      ValueError: for another mode.
      OSError: if the file is missing and cannot be downloaded; the message names the expected path.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError('`label_mode` must be one of `"fine"`, `"coarse"`.')
    directory = _get_file("cifar-100-python", origin=_ORIGIN, untar=True, file_hash=_HASH)
    return _reading.cifar(directory, ["train"], "test", f"{label_mode}_labels")
