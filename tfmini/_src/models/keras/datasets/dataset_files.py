"""Dataset files: downloads, safe unpickling, and CIFAR batches."""

from __future__ import annotations

import os
import pickle
import zipfile
from typing import Any

import numpy as np
from numpy.lib import format as npy

from tfmini._src.models.keras.utils.get_file import get_file
from tfmini._src.nn.layers.backend.config import image_data_format

ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"


def _latin1(text: str, encoding: str) -> bytes:
    """Returns the bytes that a pickle stores as text."""
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"bytes encoded as {encoding}")
    return text.encode("latin1")


_ARRAYS = np.array([0]).__reduce__()[0]  # reconstructs an empty array in a pickle
_SCALARS = np.float64(0).__reduce__()[0]
_ALLOWED_GLOBALS = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("_codecs", "encode"): _latin1,
    **{(f"numpy.{core}.multiarray", "_reconstruct"): _ARRAYS for core in ("core", "_core")},
    **{(f"numpy.{core}.multiarray", "scalar"): _SCALARS for core in ("core", "_core")},
}


class _Unpickler(pickle.Unpickler):
    """Unpickler restricted to numbers, text, lists, dicts and arrays."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED_GLOBALS:
            raise pickle.UnpicklingError(f"a dataset must not contain {module}.{name}")
        return _ALLOWED_GLOBALS[module, name]


def arrays(path: str, *names: str) -> list[np.ndarray]:
    """Returns the arrays of an .npz file, including object arrays that contain lists."""
    try:
        with zipfile.ZipFile(path) as archive:
            return [_array(archive, name) for name in names]
    except (zipfile.BadZipFile, KeyError, pickle.UnpicklingError, EOFError) as error:
        raise ValueError(f"{path} is not a file of arrays {', '.join(names)}: {error}") from error


def _array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    with archive.open(f"{name}.npy") as file:
        version = npy.read_magic(file)
        header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = header(file)
        if dtype.hasobject:
            return _Unpickler(file, encoding="latin1").load().reshape(shape)
    with archive.open(f"{name}.npy") as file:
        return npy.read_array(file, allow_pickle=False)


def cifar_batch(path: str, labels: str) -> tuple[np.ndarray, np.ndarray]:
    """Returns images uint8 [images, 3, 32, 32] and labels int64 [images, 1] from a CIFAR file."""
    try:
        with open(path, "rb") as file:
            content = _Unpickler(file, encoding="bytes").load()
        images = np.asarray(content[b"data"], np.uint8).reshape(-1, 3, 32, 32)
        classes = np.asarray(content[labels.encode()], np.int64).reshape(-1, 1)
    except (pickle.UnpicklingError, EOFError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is not a CIFAR batch: {error}") from error
    return images, classes


def cifar(directory: str, train: list[str], test: str, labels: str) -> Any:
    """Returns the training and test data of a CIFAR directory, in the configured image data format."""
    batches = [cifar_batch(os.path.join(directory, name), labels) for name in train]
    tested = cifar_batch(os.path.join(directory, test), labels)
    images, classes = (np.concatenate(both) for both in zip(*batches))
    if image_data_format() == "channels_last":
        return (
            (images.transpose(0, 2, 3, 1), classes),
            (tested[0].transpose(0, 2, 3, 1), tested[1]),
        )
    return (images, classes), tested


def fetch(name: str, file_hash: str | None, at_origin: str | None = None) -> str:
    """Returns the path of a dataset file, downloaded if missing; `name` is the local, `at_origin` the remote name."""
    return get_file(name, origin=ORIGIN + (at_origin or name), file_hash=file_hash)
