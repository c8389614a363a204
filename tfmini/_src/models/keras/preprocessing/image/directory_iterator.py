"""Batches of image files in one directory per class."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.models.keras.preprocessing.image.numpy_array_iterator import Iterator
from tfmini._src.models.keras.preprocessing.image.pillow_conversion import (
    img_to_array,
    load_img,
)
from tfmini._src.nn.layers.backend.config import floatx, image_data_format

if TYPE_CHECKING:
    from tfmini._src.base.dtypes import DTypeLike
    from tfmini._src.models.keras.preprocessing.image.image_data_generator import ImageDataGenerator


_CHANNELS = {"rgb": 3, "rgba": 4, "grayscale": 1}


class FileIterator(Iterator):
    """Base class of iterators over image files, which augment images and add targets according to `class_mode`."""

    filepaths: list[str] = read_only("File paths in image order.")

    class_mode: Any = None
    classes: Any
    class_indices: dict[Any, int]
    dtype: Any

    def _read_as(
        self,
        image_data_generator: Any,
        target_size: Any,
        color_mode: str,
        data_format: str,
        save_to_dir: Any,
        save_prefix: str,
        save_format: str,
        subset: Any,
        interpolation: str,
    ) -> None:
        """Sets the image format and the subset of files."""
        self.image_data_generator = image_data_generator
        self.target_size = tuple(target_size)
        if color_mode not in _CHANNELS:
            raise ValueError(
                "Invalid color mode:", color_mode, '; expected "rgb", "rgba", or "grayscale".'
            )
        self.color_mode = color_mode
        self.data_format = data_format
        channels = (_CHANNELS[color_mode],)
        last = data_format == "channels_last"
        self.image_shape = self.target_size + channels if last else channels + self.target_size
        self.save_to_dir = save_to_dir
        self.save_prefix = save_prefix
        self.save_format = save_format
        self.interpolation = interpolation
        self.subset = subset
        self.split: Any = None
        if subset is not None:
            end = image_data_generator._validation_split
            parts = {"validation": (0, end), "training": (end, 1)}
            if subset not in parts:
                raise ValueError(
                    f'Invalid subset name: {subset};expected "training" or "validation"'
                )
            self.split = parts[subset]

    _filepaths: list[str]

    labels: Any = read_only("Targets or classes of all images.", "classes")

    @property
    def sample_weight(self) -> Any:
        """Weights of all images, or None."""
        return None

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        batch = np.zeros((len(index_array), *self.image_shape), dtype=self.dtype)
        for position, index in enumerate(index_array):
            picture = load_img(
                self.filepaths[index],
                color_mode=self.color_mode,
                target_size=self.target_size,
                interpolation=self.interpolation,
            )
            array = np.array(img_to_array(picture, data_format=self.data_format, dtype="float32"))
            picture.close()
            generator = self.image_data_generator
            if generator:
                transform_parameters = generator.get_random_transform(array.shape)
                array = generator.standardize(
                    generator.apply_transform(array, transform_parameters)
                )
            batch[position] = array
        self._save_batch(batch, index_array, 10_000_000)
        targets = self._batch_targets(batch, index_array)
        if targets is None:
            return batch
        if self.sample_weight is None:
            return batch, targets
        return batch, targets, self.sample_weight[index_array]

    def _batch_targets(self, batch: np.ndarray, indices: Any) -> Any:
        """Returns the targets of a batch; None if `class_mode` is None."""
        if self.class_mode == "input":
            return batch.copy()
        if self.class_mode in ("binary", "sparse"):
            return np.array([self.classes[index] for index in indices], dtype=self.dtype)
        if self.class_mode == "categorical":
            targets = np.zeros((len(batch), len(self.class_indices)), dtype=self.dtype)
            for row, index in zip(targets, indices):
                row[self.classes[index]] = 1
            return targets
        if self.class_mode == "multi_output":
            return [output[indices] for output in self.labels]
        return self.labels[indices] if self.class_mode == "raw" else None


def _files(directory: str, extensions: tuple[str, ...], follow_links: bool) -> list[str]:
    """Returns the image files in a directory and its subdirectories, sorted by name."""
    paths = []
    for root, _, names in sorted(os.walk(directory, followlinks=follow_links), key=lambda x: x[0]):
        for name in sorted(names):
            if name.lower().endswith(".tiff"):
                warnings.warn(
                    'Using ".tiff" files with multiple bands will cause distortion. Please verify your output.',
                    stacklevel=4,
                )
            if name.lower().endswith(extensions):
                paths.append(os.path.join(root, name))
    return paths


class DirectoryIterator(FileIterator):
    """Batches of images in a directory with one subdirectory per class.

    Args:
      directory: the directory.
      image_data_generator, batch_size, shuffle, seed, data_format, subset, dtype: as in `NumpyArrayIterator`.
      target_size: (rows, columns) after resizing.
      color_mode: "grayscale", "rgb" or "rgba".
      classes: class directories, by default all, sorted by name.
      class_mode: kind of targets: "categorical", "binary", "sparse", "input", or None for no targets.
      save_to_dir, save_prefix, save_format: directory, name prefix and format for saving batches.
      follow_links: whether to follow links to directories.
      interpolation: interpolation for resizing, as in `load_img`.

    Raises:
      ValueError: for another color mode, class mode or subset.
    """

    allowed_class_modes = ("categorical", "binary", "sparse", "input", None)

    def __init__(
        self,
        directory: str,
        image_data_generator: ImageDataGenerator,
        target_size: Sequence[int] = (256, 256),
        color_mode: str = "rgb",
        classes: Sequence[str] | None = None,
        class_mode: str = "categorical",
        batch_size: int = 32,
        shuffle: bool = True,
        seed: Any = None,
        data_format: str | None = None,
        save_to_dir: str | None = None,
        save_prefix: str = "",
        save_format: str = "png",
        follow_links: bool = False,
        subset: str | None = None,
        interpolation: str = "nearest",
        dtype: DTypeLike | None = None,
    ):
        self._read_as(
            image_data_generator,
            target_size,
            color_mode,
            data_format or image_data_format(),
            save_to_dir,
            save_prefix,
            save_format,
            subset,
            interpolation,
        )
        self.directory = directory = os.fspath(directory)
        if class_mode not in self.allowed_class_modes:
            raise ValueError(
                f"Invalid class_mode: {class_mode}; expected one of: {self.allowed_class_modes}"
            )
        self.class_mode = class_mode
        self.dtype = dtype or floatx()
        names = classes or sorted(
            name for name in os.listdir(directory) if os.path.isdir(os.path.join(directory, name))
        )
        self.num_classes = len(names)
        self.class_indices = {name: i for i, name in enumerate(names)}
        labels: list[int] = []
        self._filepaths = []
        for name, class_index in self.class_indices.items():
            paths = _files(os.path.join(directory, name), self.white_list_formats, follow_links)
            if self.split:
                first, last = (int(part * len(paths)) for part in self.split)
                paths = paths[first:last]
            self._filepaths += paths
            labels += [class_index] * len(paths)
        self.classes = np.array(labels, dtype="int32")
        self.filenames = [os.path.relpath(path, directory) for path in self._filepaths]
        self.samples = len(self._filepaths)
        print(f"Found {self.samples} images belonging to {self.num_classes} classes.")
        super().__init__(self.samples, batch_size, shuffle, seed)
