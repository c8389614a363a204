"""Endless batches of images, in order or reshuffled after each epoch."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator as _Iterating
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base.locks import make_lock
from tfmini._src.models.keras.preprocessing.image.pillow_conversion import array_to_img
from tfmini._src.models.keras.utils.sequence_enqueuer import Sequence
from tfmini._src.nn.layers.backend.config import floatx, image_data_format

if TYPE_CHECKING:
    from tfmini._src.models.keras.preprocessing.image.image_data_generator import ImageDataGenerator


class Iterator(Sequence):
    """Base class of iterators over image batches; subclasses define `_get_batches_of_transformed_samples(indices)`.

    Args:
      n: number of images.
      batch_size: number of images per batch.
      shuffle: whether to shuffle each epoch.
      seed: seed of numpy's generator, incremented with each batch.
    """

    white_list_formats = ("png", "jpg", "jpeg", "bmp", "ppm", "tif", "tiff")

    def __init__(self, n: int, batch_size: int, shuffle: bool, seed: int):
        self.n = n
        self.batch_size = batch_size
        self.seed = seed
        self.shuffle = shuffle
        self.batch_index = 0
        self.total_batches_seen = 0
        self.lock = make_lock()
        self.index_array: Any = None
        self.index_generator = self._flow_index()

    def _set_index_array(self) -> None:
        self.index_array = np.random.permutation(self.n) if self.shuffle else np.arange(self.n)

    def _seed_batch(self) -> None:
        if self.seed is not None:
            np.random.seed(self.seed + self.total_batches_seen)

    def __getitem__(self, idx: int) -> Any:
        """Returns the batch at `idx` in the epoch.

        Raises:
          ValueError: if `idx` is out of range.
        """
        if idx >= len(self):
            raise ValueError(
                f"Asked to retrieve element {idx}, but the Sequence has length {len(self)}"
            )
        self._seed_batch()
        self.total_batches_seen += 1
        if self.index_array is None:
            self._set_index_array()
        first = self.batch_size * idx
        return self._get_batches_of_transformed_samples(
            self.index_array[first : first + self.batch_size]
        )

    def __len__(self) -> int:
        return (self.n + self.batch_size - 1) // self.batch_size

    def on_epoch_end(self) -> None:
        """Reshuffles if requested."""
        self._set_index_array()

    def reset(self) -> None:
        """Restarts at the first batch."""
        self.batch_index = 0

    def _flow_index(self) -> _Iterating[Any]:
        self.reset()
        while True:
            self._seed_batch()
            if self.batch_index == 0:
                self._set_index_array()
            first = self.batch_index * self.batch_size % self.n if self.n else 0
            self.batch_index = self.batch_index + 1 if self.n > first + self.batch_size else 0
            self.total_batches_seen += 1
            yield self.index_array[first : first + self.batch_size]

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self.next()

    def next(self) -> Any:
        """Returns the next batch; restarts after the last."""
        with self.lock:
            indices = next(self.index_generator)
        return self._get_batches_of_transformed_samples(indices)

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        raise NotImplementedError

    def _save_batch(self, pictures: np.ndarray, indices: Any, largest: int) -> None:
        """Saves the images of a batch to `save_to_dir`, if set."""
        directory: Any = getattr(self, "save_to_dir", None)
        if not directory:
            return
        for picture, index in zip(pictures, indices):
            name = f"{self.save_prefix}_{index}_{np.random.randint(largest)}.{self.save_format}"  # type: ignore[attr-defined]
            image = array_to_img(picture, self.data_format, scale=True)  # type: ignore[attr-defined]
            image.save(os.path.join(directory, name))


class NumpyArrayIterator(Iterator):
    """Batches of an image array.

    Args:
      x: images of rank 4, or a pair of images and further arrays to pass through.
      y: targets, or None.
      image_data_generator: the transforming `ImageDataGenerator`.
      batch_size, shuffle, seed: as in `Iterator`.
      sample_weight: image weights.
      data_format: "channels_last" or "channels_first".
      save_to_dir: directory for saving batches, for inspection.
      save_prefix, save_format: name prefix and format of the files.
      subset: "training" or "validation", if the generator has a `validation_split`.
      dtype: dtype of batches.

    Raises:
      ValueError: for different lengths, images not of rank 4, or another subset.
    """

    def __init__(
        self,
        x: Any,
        y: Any,
        image_data_generator: ImageDataGenerator,
        batch_size: int = 32,
        shuffle: bool = False,
        sample_weight: Any = None,
        seed: Any = None,
        data_format: str | None = None,
        save_to_dir: str | None = None,
        save_prefix: str = "",
        save_format: str = "png",
        subset: str | None = None,
        dtype: Any = None,
    ):
        self.dtype = dtype or floatx()
        self.data_format = data_format or image_data_format()
        misc: list[Any] = []
        if isinstance(x, (tuple, list)):
            x, extra = x[:2]
            misc = [np.asarray(o) for o in (extra if isinstance(extra, list) else [extra])]
        for other in misc:
            if len(x) != len(other):
                raise ValueError(
                    "All of the arrays in `x` should have the same length. Found a pair with: len(x[0]) = "
                    f"{len(x)}, len(x[?]) = {len(other)}"
                )
        for array, name, label in (
            (y, "y", "y` (labels)"),
            (sample_weight, "sample_weight", "sample_weight`"),
        ):
            if array is not None and len(x) != len(array):
                raise ValueError(
                    f"`x` (images tensor) and `{label} should have the same length. Found: x.shape = "
                    f"{np.asarray(x).shape}, {name}.shape = {np.asarray(array).shape}"
                )
        if subset is not None:
            if subset not in ("training", "validation"):
                raise ValueError(
                    "Invalid subset name:", subset, '; expected "training" or "validation".'
                )
            end = int(len(x) * image_data_generator._validation_split)
            if y is not None and not np.array_equal(np.unique(y[:end]), np.unique(y[end:])):
                raise ValueError(
                    "Training and validation subsets have different number of classes after the split. If your numpy "
                    "arrays are sorted by the label, you might want to shuffle them."
                )
            part = slice(end) if subset == "validation" else slice(end, None)
            x, misc, y = x[part], [m[part] for m in misc], None if y is None else y[part]
        self.x = np.asarray(x, dtype=self.dtype)
        self.x_misc = misc
        if self.x.ndim != 4:
            raise ValueError(
                "Input data in `NumpyArrayIterator` should have rank 4. You passed an array with shape",
                self.x.shape,
            )
        axis = 3 if self.data_format == "channels_last" else 1
        if self.x.shape[axis] not in (1, 3, 4):
            warnings.warn(
                f'NumpyArrayIterator is set to use the data format convention "{self.data_format}" (channels on axis '
                f"{axis}), i.e. expected either 1, 3, or 4 channels on axis {axis}. However, it was passed an array "
                f"with shape {self.x.shape} ({self.x.shape[axis]} channels).",
                stacklevel=3,
            )
        self.y = None if y is None else np.asarray(y)
        self.sample_weight = None if sample_weight is None else np.asarray(sample_weight)
        self.image_data_generator = image_data_generator
        self.save_to_dir = save_to_dir
        self.save_prefix = save_prefix
        self.save_format = save_format
        super().__init__(len(self.x), batch_size, shuffle, seed)

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        generator = self.image_data_generator
        batch = np.zeros((len(index_array), *self.x.shape[1:]), dtype=self.dtype)
        for position, index in enumerate(index_array):
            picture = self.x[index]
            transform_parameters = generator.get_random_transform(picture.shape)
            distorted = generator.apply_transform(picture.astype(self.dtype), transform_parameters)
            batch[position] = generator.standardize(distorted)
        self._save_batch(batch, index_array, 10_000)
        inputs = [batch, *(m[index_array] for m in self.x_misc)] if self.x_misc else batch
        if self.y is None:
            return inputs
        weights = () if self.sample_weight is None else (self.sample_weight[index_array],)
        return (inputs, self.y[index_array], *weights)
