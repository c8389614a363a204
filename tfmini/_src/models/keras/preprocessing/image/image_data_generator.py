"""Augmentation and standardization of images."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.numpy import scipy
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.preprocessing.image.dataframe_iterator import DataFrameIterator
from tfmini._src.models.keras.preprocessing.image.directory_iterator import DirectoryIterator
from tfmini._src.models.keras.preprocessing.image.numpy_array_iterator import NumpyArrayIterator
from tfmini._src.models.keras.preprocessing.image.transforms import (
    apply_affine_transform,
    apply_brightness_shift,
    apply_channel_shift,
    flip_axis,
)
from tfmini._src.nn.layers.backend.config import floatx, image_data_format

_AFFINE = ("theta", "tx", "ty", "shear")


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=4)


class ImageDataGenerator:
    """Generates batches of standardized images, augmented using numpy's random generator.

    Args:
      featurewise_center, featurewise_std_normalization: whether to standardize channels by the dataset's mean
        and standard deviation, computed by `fit`.
      samplewise_center, samplewise_std_normalization: whether to standardize each image.
      zca_whitening: whether to decorrelate pixels, with components computed by `fit`.
      zca_epsilon: constant added to the variances of components.
      rotation_range: maximum rotation in degrees.
      width_shift_range, height_shift_range: maximum shift: a fraction below 1, pixels, or a list of choices.
      brightness_range: (minimum, maximum) factor.
      shear_range: maximum shear in degrees.
      zoom_range: (minimum, maximum), or a number r for (1 - r, 1 + r).
      channel_shift_range: maximum shift of values.
      fill_mode, cval: as in `apply_affine_transform`.
      horizontal_flip, vertical_flip: whether to flip half of the images.
      rescale: factor for all values.
      preprocessing_function: function of augmented images, applied before standardization.
      data_format: "channels_last" or "channels_first".
      validation_split: size of the "validation" subset as a fraction.
      dtype: dtype of batches.

    Raises:
      ValueError: for invalid data formats, splits or ranges.

    Example:
      generator = tf.keras.preprocessing.image.ImageDataGenerator(rotation_range=20, horizontal_flip=True)
      model.fit_generator(generator.flow(x, y, batch_size=32))
    """

    def __init__(
        self,
        featurewise_center: bool = False,
        samplewise_center: bool = False,
        featurewise_std_normalization: bool = False,
        samplewise_std_normalization: bool = False,
        zca_whitening: bool = False,
        zca_epsilon: float = 1e-6,
        rotation_range: float = 0,
        width_shift_range: float | Sequence[float] = 0.0,
        height_shift_range: float | Sequence[float] = 0.0,
        brightness_range: Sequence[float] | None = None,
        shear_range: float = 0.0,
        zoom_range: float | Sequence[float] = 0.0,
        channel_shift_range: float = 0.0,
        fill_mode: str = "nearest",
        cval: float = 0.0,
        horizontal_flip: bool = False,
        vertical_flip: bool = False,
        rescale: float | None = None,
        preprocessing_function: Callable[..., Any] | None = None,
        data_format: str | None = None,
        validation_split: float = 0.0,
        dtype: Any = None,
    ):
        self.featurewise_center = featurewise_center
        self.samplewise_center = samplewise_center
        self.featurewise_std_normalization = featurewise_std_normalization
        self.samplewise_std_normalization = samplewise_std_normalization
        self.zca_whitening = zca_whitening
        self.zca_epsilon = zca_epsilon
        self.rotation_range = rotation_range
        self.width_shift_range = width_shift_range
        self.height_shift_range = height_shift_range
        self.brightness_range = brightness_range
        self.shear_range = shear_range
        self.channel_shift_range = channel_shift_range
        self.fill_mode = fill_mode
        self.cval = cval
        self.horizontal_flip = horizontal_flip
        self.vertical_flip = vertical_flip
        self.rescale = rescale
        self.preprocessing_function = preprocessing_function
        self.dtype = dtype or floatx()
        self.interpolation_order = 1
        self.data_format = data_format or image_data_format()
        if self.data_format not in ("channels_last", "channels_first"):
            raise ValueError(
                '`data_format` should be `"channels_last"` (channel after row and column) or `"channels_first"` '
                f"(channel before row and column). Received: {data_format}"
            )
        axes = (1, 2, 3) if self.data_format == "channels_first" else (3, 1, 2)
        self.channel_axis, self.row_axis, self.col_axis = axes
        if validation_split and not 0 < validation_split < 1:
            raise ValueError(
                f"`validation_split` must be strictly between 0 and 1.  Received: {validation_split}"
            )
        self._validation_split = validation_split
        self.mean: Any = None
        self.std: Any = None
        self.principal_components: Any = None
        number_types = (float, int)
        if isinstance(zoom_range, number_types):
            zoom_range = (1 - zoom_range, 1 + zoom_range)
        if len(zoom_range) != 2 or not all(isinstance(zoom, number_types) for zoom in zoom_range):
            raise ValueError(
                f"`zoom_range` should be a float or a tuple or list of two floats. Received: {zoom_range}"
            )
        self.zoom_range = list(zoom_range)
        self._resolve_conflicts()
        pair = isinstance(brightness_range, (tuple, list)) and len(brightness_range) == 2
        if brightness_range is not None and not pair:
            raise ValueError(
                f"`brightness_range should be tuple or list of two floats. Received: {brightness_range}"
            )

    def _resolve_conflicts(self) -> None:
        """Resolves conflicting settings, with warnings."""
        off_center = [
            normalization
            for normalization in ("featurewise", "samplewise")
            if getattr(self, f"{normalization}_std_normalization")
            and not getattr(self, f"{normalization}_center")
        ]
        if self.zca_whitening:
            if not self.featurewise_center:
                self.featurewise_center = True
                _warn(
                    "This ImageDataGenerator specifies `zca_whitening`, which overrides setting of "
                    "`featurewise_center`."
                )
            if self.featurewise_std_normalization:
                self.featurewise_std_normalization = False
                _warn(
                    "This ImageDataGenerator specifies `zca_whitening` which overrides setting "
                    "of`featurewise_std_normalization`."
                )
        for normalization in off_center:
            setattr(self, f"{normalization}_center", True)
            _warn(
                f"This ImageDataGenerator specifies `{normalization}_std_normalization`, which overrides setting of "
                f"`{normalization}_center`."
            )

    def flow(
        self,
        x: TensorLike,
        y: TensorLike | None = None,
        batch_size: int = 32,
        shuffle: bool = True,
        sample_weight: TensorLike | None = None,
        seed: int | None = None,
        save_to_dir: str | None = None,
        save_prefix: str = "",
        save_format: str = "png",
        subset: str | None = None,
    ) -> NumpyArrayIterator:
        """Generates batches from an array; arguments are as in `NumpyArrayIterator`."""
        return NumpyArrayIterator(
            x,
            y,
            self,
            batch_size,
            shuffle,
            sample_weight,
            seed,
            self.data_format,
            save_to_dir,
            save_prefix,
            save_format,
            subset,
            self.dtype,
        )

    @arguments_of(DirectoryIterator, "image_data_generator", "data_format", "dtype")
    def flow_from_directory(self, **kwargs: Any) -> DirectoryIterator:
        """Generates batches of the images in a directory; arguments are as in `DirectoryIterator`."""
        options: dict[str, Any] = {"data_format": self.data_format, "dtype": self.dtype}
        return DirectoryIterator(image_data_generator=self, **kwargs, **options)

    def flow_from_dataframe(
        self,
        dataframe: Any,
        directory: str | None = None,
        x_col: str = "filename",
        y_col: str | Sequence[str] = "class",
        weight_col: str | None = None,
        target_size: Sequence[int] = (256, 256),
        color_mode: str = "rgb",
        classes: Sequence[str] | None = None,
        class_mode: str = "categorical",
        batch_size: int = 32,
        shuffle: bool = True,
        seed: int | None = None,
        save_to_dir: str | None = None,
        save_prefix: str = "",
        save_format: str = "png",
        subset: str | None = None,
        interpolation: str = "nearest",
        validate_filenames: bool = True,
        **kwargs: Any,
    ) -> DataFrameIterator:
        """Generates batches of images listed in a DataFrame.

        Args:
          dataframe: a `pandas.DataFrame`.
          directory: directory of the images; None for full paths.
          x_col, y_col, weight_col: names of the columns of files, targets and weights; `y_col` is a list for
            "multi_output".
          classes: classes to include, by default all.
          class_mode: kind of targets: "binary", "categorical", "sparse", "raw", "multi_output", "input", or None.
          validate_filenames: whether to skip missing files, with a warning.
          **kwargs: `has_ext`, `sort`, `drop_duplicates`: deprecated, with a warning.
          target_size ... interpolation: as in `DirectoryIterator`.

        Raises:
          ValueError: for another mode, or "binary" without exactly two classes.
          TypeError: for unsupported column types or other arguments.
        """
        old = {
            "has_ext": "filenames in the dataframe have to match the exact filenames in disk.",
            "sort": "batches will be created in thesame order than the filenames provided if shuffleis set to False.",
            "drop_duplicates": (
                "you can drop duplicates by using the pandas.DataFrame.drop_duplicates method."
            ),
        }
        if unknown := set(kwargs).difference(old):
            raise TypeError(f"Unrecognized keyword arguments: {', '.join(sorted(unknown))}")
        for name in kwargs:
            warnings.warn(f"{name} is deprecated, {old[name]}", DeprecationWarning, stacklevel=2)
        if class_mode == "other":
            warnings.warn(
                '`class_mode` "other" is deprecated, please use `class_mode` "raw".',
                DeprecationWarning,
                stacklevel=2,
            )
            class_mode = "raw"
        return DataFrameIterator(
            dataframe,
            directory,
            self,
            x_col,
            y_col,
            weight_col,
            classes,
            class_mode,
            validate_filenames,
            batch_size,
            shuffle,
            seed,
            self.dtype,
            target_size=target_size,
            color_mode=color_mode,
            data_format=self.data_format,
            save_to_dir=save_to_dir,
            save_prefix=save_prefix,
            save_format=save_format,
            subset=subset,
            interpolation=interpolation,
        )

    def _is_fitted(self, value: Any, name: str) -> bool:
        """Whether `fit` has computed a value; warns otherwise."""
        if value is None:
            _warn(
                f"This ImageDataGenerator specifies `{name}`, but it hasn't been fit on any training data. Fit it "
                "first by calling `.fit(numpy_data)`."
            )
        return value is not None

    def standardize(self, x: np.ndarray) -> Any:
        """Standardizes an image, in place if possible."""
        if self.preprocessing_function:
            x = self.preprocessing_function(x)
        if self.rescale:
            x *= self.rescale
        if self.samplewise_center:
            x -= np.mean(x, keepdims=True)
        if self.samplewise_std_normalization:
            x /= np.std(x, keepdims=True) + 1e-6
        if self.featurewise_center and self._is_fitted(self.mean, "featurewise_center"):
            x -= self.mean
        name = "featurewise_std_normalization"
        if self.featurewise_std_normalization and self._is_fitted(self.std, name):
            x /= self.std + 1e-6
        if self.zca_whitening and self._is_fitted(self.principal_components, "zca_whitening"):
            flat = np.reshape(x, (-1, np.prod(x.shape[-3:])))
            x = np.reshape(np.dot(flat, self.principal_components), x.shape)
        return x

    @staticmethod
    def _random_shift(limits: Any, size: int) -> Any:
        """Returns a random shift along an axis, in pixels."""
        if not (np.size(limits) if np.ndim(limits) else limits):
            return 0
        try:
            pixels = np.random.choice(limits)
            pixels = pixels * np.random.choice([-1, 1])
        except ValueError:  # a fraction, not a list of choices
            pixels = np.random.uniform(-limits, limits)
        return pixels * size if np.max(limits) < 1 else pixels

    def get_random_transform(
        self, img_shape: Sequence[int], seed: int | None = None
    ) -> dict[str, Any]:
        """Draws the parameters of a random transform.

        Args:
          img_shape: shape of the image.
          seed: seed of numpy's generator.

        Returns:
          A dict for `apply_transform`.
        """
        if seed is not None:
            np.random.seed(seed)
        uniform = np.random.uniform
        transform: dict[str, Any] = dict.fromkeys(_AFFINE, 0)
        if self.rotation_range:
            transform["theta"] = uniform(-self.rotation_range, self.rotation_range)
        transform["tx"] = self._random_shift(self.height_shift_range, img_shape[self.row_axis - 1])
        transform["ty"] = self._random_shift(self.width_shift_range, img_shape[self.col_axis - 1])
        if self.shear_range:
            transform["shear"] = uniform(-self.shear_range, self.shear_range)
        min_zoom, largest = self.zoom_range
        still = min_zoom == 1 and largest == 1
        transform["zx"], transform["zy"] = (1, 1) if still else uniform(min_zoom, largest, 2)
        transform["flip_horizontal"] = (np.random.random() < 0.5) * self.horizontal_flip
        transform["flip_vertical"] = (np.random.random() < 0.5) * self.vertical_flip
        transform["channel_shift_intensity"] = transform["brightness"] = None
        if self.channel_shift_range != 0:
            limit = self.channel_shift_range
            transform["channel_shift_intensity"] = uniform(-limit, limit)
        if self.brightness_range is not None:
            transform["brightness"] = uniform(self.brightness_range[0], self.brightness_range[1])
        return transform

    def apply_transform(self, x: TensorLike, transform_parameters: dict[str, Any]) -> Any:
        """Applies a transform to an image.

        Args:
          x: an array of rank 3.
          transform_parameters: a dict of optional entries "theta", "tx", "ty", "shear", "zx", "zy",
            "flip_horizontal", "flip_vertical", "channel_shift_intensity" and "brightness".
        """
        rows, columns, channels = self.row_axis - 1, self.col_axis - 1, self.channel_axis - 1
        get_parameter = transform_parameters.get
        x = apply_affine_transform(
            x,
            **{name: get_parameter(name, 0) for name in _AFFINE},
            zx=get_parameter("zx", 1),
            zy=get_parameter("zy", 1),
            row_axis=rows,
            col_axis=columns,
            channel_axis=channels,
            fill_mode=self.fill_mode,
            cval=self.cval,
            order=self.interpolation_order,
        )
        if (intensity := get_parameter("channel_shift_intensity")) is not None:
            x = apply_channel_shift(x, intensity, channels)
        if get_parameter("flip_horizontal", False):
            x = flip_axis(x, columns)
        if get_parameter("flip_vertical", False):
            x = flip_axis(x, rows)
        if (brightness := get_parameter("brightness")) is not None:
            x = apply_brightness_shift(x, brightness)
        return x

    def random_transform(self, x: np.ndarray, seed: int | None = None) -> Any:
        """Applies a random transform to an image; `seed` seeds numpy's generator."""
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    def fit(self, x: Any, augment: bool = False, rounds: int = 1, seed: Any = None) -> None:
        """Computes the means, standard deviations and principal components of a dataset for the featurewise settings.

        Args:
          x: images, as an array of rank 4.
          augment: whether to use augmented images.
          rounds: number of augmentations per image.
          seed: seed of numpy's generator.

        Raises:
          ValueError: for another rank.
        """
        x = np.array(x, dtype=self.dtype)
        if x.ndim != 4:
            raise ValueError(
                f"Input to `.fit()` should have rank 4. Got array with shape: {x.shape}"
            )
        axis = self.channel_axis
        if x.shape[axis] not in (1, 3, 4):
            warnings.warn(
                f'Expected input to be images (as Numpy array) following the data format convention "'
                f'{self.data_format}" (channels on axis {axis}), i.e. expected either 1, 3 or 4 channels on axis '
                f"{axis}. However, it was passed an array with shape {x.shape} ({x.shape[axis]} channels).",
                stacklevel=2,
            )
        if seed is not None:
            np.random.seed(seed)
        if self.rescale:
            x *= self.rescale
        if augment:
            distorted = [self.random_transform(x[i]) for _ in range(rounds) for i in range(len(x))]
            x = np.array(distorted, dtype=self.dtype)
        reduced_axes = (0, self.row_axis, self.col_axis)
        if self.featurewise_center:
            self.mean = np.mean(x, axis=reduced_axes, keepdims=True)[0]
            x -= self.mean
        if self.featurewise_std_normalization:
            self.std = np.std(x, axis=reduced_axes, keepdims=True)[0]
            x /= self.std + 1e-6
        if self.zca_whitening:
            flat = np.reshape(x, (len(x), -1))
            u, s, _ = scipy.linalg.svd(np.dot(flat.T, flat) / len(flat))
            self.principal_components = (u / np.sqrt(s[np.newaxis] + self.zca_epsilon)).dot(u.T)
