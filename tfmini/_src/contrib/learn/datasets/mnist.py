"""MNIST handwritten digits, read from the four published files.

The format of the files (idx) is described at http://yann.lecun.com/exdb/mnist/.
"""

from __future__ import annotations

import gzip
import zlib
from typing import IO, Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.learn.datasets.base import Datasets
from tfmini._src.formats.downloads import fetch
from tfmini._src.graph.seeds import get_seed

DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"

_ADVICE = "Please use alternatives such as official/mnist/dataset.py from tensorflow/models."
_IMAGES, _LABELS = 2051, 2049  # magic numbers of image and label files
_SIZE = 28 * 28
_FILES = {
    "train-images-idx3-ubyte.gz": "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    "train-labels-idx1-ubyte.gz": "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    "t10k-images-idx3-ubyte.gz": "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    "t10k-labels-idx1-ubyte.gz": "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
}


def _content(
    file: Any, magic: int, item_type: str, dimensions: int
) -> tuple[tuple[int, ...], np.ndarray]:
    """Returns the sizes in an idx file's header, and the following bytes."""
    name = getattr(file, "name", "the file")
    try:
        content = gzip.GzipFile(fileobj=file).read()
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(
            f"{name} is not a complete gzip file of MNIST {item_type}s: {error}"
        ) from error
    header = 4 * (1 + dimensions)
    if len(content) < header:
        raise ValueError(f"{name} is truncated in its header: {len(content)} of {header} bytes")
    actual, *sizes = np.frombuffer(content, ">u4", 1 + dimensions).tolist()
    if actual != magic:
        raise ValueError(f"Invalid magic number {actual} in MNIST {item_type} file: {name}")
    expected = int(np.prod(sizes, dtype=object))
    if len(content) - header < expected:
        raise ValueError(
            f"{name} holds {len(content) - header} bytes, but its header specifies {expected}"
        )
    return tuple(sizes), np.frombuffer(content, np.uint8, expected, header)


@deprecated(None, "Please use tf.data to implement this functionality.")
def extract_images(f: IO[bytes]) -> np.ndarray:
    """Reads the images in a file: uint8 [images, rows, columns, 1].

    Args:
      f: file object of the gzip-compressed file.

    Raises:
      ValueError: for any other format; the message names the file.
    """
    return _images(f)


def _images(f: Any) -> np.ndarray:
    print("Extracting", f.name)
    sizes, pixels = _content(f, _IMAGES, "image", 3)
    return pixels.reshape(*sizes, 1)


@deprecated(None, "Please use tf.one_hot on tensors.")
def dense_to_one_hot(labels_dense: np.ndarray, num_classes: int) -> np.ndarray:
    """Returns the labels as one-hot rows: float64 [labels, num_classes]."""
    return _one_hot(labels_dense, num_classes)


def _one_hot(labels: np.ndarray, classes: int) -> np.ndarray:
    return np.eye(classes)[labels.ravel()]


@deprecated(None, "Please use tf.data to implement this functionality.")
def extract_labels(f: IO[bytes], one_hot: bool = False, num_classes: int = 10) -> np.ndarray:
    """Reads the labels in a file: uint8 [labels], or float64 [labels, num_classes] with `one_hot`.

    Args:
      f: file object of the gzip-compressed file.

    Raises:
      ValueError: for any other format; the message names the file.
    """
    return _labels(f, one_hot, num_classes)


def _labels(f: Any, one_hot: bool, classes: int = 10) -> np.ndarray:
    print("Extracting", f.name)
    _, labels = _content(f, _LABELS, "label", 1)
    return _one_hot(labels, classes) if one_hot else labels


class DataSet:
    """Batches of images and labels, reshuffled after each epoch.

    Args:
      images: uint8 [images, rows, columns, 1].
      labels: [images] or [images, classes].
      fake_data: whether batches are ones and zeros, regardless of the images.
      one_hot: whether fake labels are one-hot rows.
      dtype: tf.float32 (pixels in [0, 1]) or tf.uint8 (in [0, 255]).
      reshape: whether to reshape images to [images, rows * columns].
      seed: shuffling seed of NumPy's generator; by default derived from the graph's seed.

    Raises:
      TypeError: for any other dtype.
    """

    images: Any = read_only("All images, in the latest shuffled order.")
    labels: Any = read_only("All labels, in the same order.")
    num_examples: int = read_only("The number of images.")
    epochs_completed: int = read_only("The number of completed passes over all images.")

    @deprecated(None, _ADVICE)
    def __init__(
        self,
        images: Any,
        labels: Any,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: DTypeLike = dtypes.float32,
        reshape: bool = True,
        seed: int | None = None,
    ):
        graph_seed, op_seed = get_seed(seed)
        np.random.seed(graph_seed if seed is None else op_seed)
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        if fake_data:
            self._num_examples = 10000
            self.one_hot = one_hot
        else:
            assert images.shape[0] == labels.shape[0], (
                f"images.shape: {images.shape} labels.shape: {labels.shape}"
            )
            self._num_examples = images.shape[0]
            if reshape:
                assert images.shape[3] == 1
                images = images.reshape(images.shape[0], images.shape[1] * images.shape[2])
            if dtype == dtypes.float32:
                images = np.multiply(images.astype(np.float32), np.float32(1.0 / 255.0))
        self._images = images
        self._labels = labels
        self._epochs_completed = 0
        self._index_in_epoch = 0

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> Any:
        """Returns the next `batch_size` images and their labels.

        A batch may start with the end of an epoch and continue with the next one.
        """
        if fake_data:
            label = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * _SIZE for _ in range(batch_size)], [label for _ in range(batch_size)]
        start = self._index_in_epoch
        if self._epochs_completed == 0 and start == 0 and shuffle:
            self._shuffle()
        if start + batch_size <= self._num_examples:
            self._index_in_epoch = start + batch_size
            part = slice(start, self._index_in_epoch)
            return self._images[part], self._labels[part]
        self._epochs_completed += 1
        remainder = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        self._index_in_epoch = batch_size - (self._num_examples - start)
        new = self._images[: self._index_in_epoch], self._labels[: self._index_in_epoch]
        return tuple(np.concatenate(pair, axis=0) for pair in zip(remainder, new))

    def _shuffle(self) -> None:
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]


@deprecated(None, _ADVICE)
def read_data_sets(
    train_dir: str,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: Any = dtypes.float32,
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str = DEFAULT_SOURCE_URL,
) -> Datasets:
    """Reads MNIST from the four files in `train_dir`, downloading missing files.

    Args:
      train_dir: the directory.
      validation_size: number of training images, taken from the start, used for validation.
      source_url: URL of the files.
      fake_data, one_hot, dtype, reshape, seed: as in `DataSet`.

    Returns:
      The parts train, validation and test, each a `DataSet`.

    Raises:
      OSError: if a file is missing and cannot be downloaded; the message names its location.
      ValueError: if a file is not an MNIST file, or there are fewer images than `validation_size`.

    Example:
      mnist = input_data.read_data_sets("MNIST_data", one_hot=True)
      images, labels = mnist.train.next_batch(100)
    """
    options = {"dtype": dtype, "reshape": reshape, "seed": seed}
    if fake_data:

        def fake() -> DataSet:
            return DataSet([], [], fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed)

        return Datasets(train=fake(), validation=fake(), test=fake())
    source_url = source_url or DEFAULT_SOURCE_URL
    arrays = []
    for name, checksum in _FILES.items():
        known_checksum = checksum if source_url == DEFAULT_SOURCE_URL else None
        path = fetch(name, train_dir, source_url + name, known_checksum)
        with open(path, "rb") as file:
            arrays.append(_images(file) if "images" in name else _labels(file, one_hot))
    images, labels, test_images, test_labels = arrays
    if not 0 <= validation_size <= len(images):
        raise ValueError(
            f"Validation size should be between 0 and {len(images)}. Received: {validation_size}."
        )
    return Datasets(
        train=DataSet(images[validation_size:], labels[validation_size:], **options),
        validation=DataSet(images[:validation_size], labels[:validation_size], **options),
        test=DataSet(test_images, test_labels, **options),
    )


@deprecated(None, _ADVICE)
def load_mnist(train_dir: str = "MNIST-data") -> Datasets:
    """Calls `read_data_sets` with default arguments."""
    return read_data_sets(train_dir)
