"""Batches of images listed in a pandas DataFrame."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.models.keras.preprocessing.image.directory_iterator import FileIterator

_CLASSLESS_MODES = ("input", "multi_output", "raw", None)


class DataFrameIterator(FileIterator):
    """Batches of images in a `pandas.DataFrame`; see `ImageDataGenerator.flow_from_dataframe`."""

    allowed_class_modes = (
        "binary",
        "categorical",
        "input",
        "multi_output",
        "raw",
        "sparse",
        None,
    )

    def __init__(
        self,
        dataframe: Any,
        directory: Any,
        image_data_generator: Any,
        x_col: str,
        y_col: Any,
        weight_col: Any,
        classes: Any,
        class_mode: Any,
        validate_filenames: bool,
        batch_size: int,
        shuffle: bool,
        seed: Any,
        dtype: Any,
        **reading: Any,
    ):
        self._read_as(image_data_generator, **reading)
        self.directory = os.fspath(directory or "")
        self.class_mode = class_mode
        self.dtype = dtype
        frame = dataframe.copy()
        self._check(frame, x_col, y_col, weight_col, classes)
        if validate_filenames:
            frame = self._rows_with_files(frame, x_col)
        has_classes = class_mode not in _CLASSLESS_MODES
        if has_classes:
            frame, names = _filter_classes(frame, y_col, classes)
            self.class_indices = {name: i for i, name in enumerate(names)}
        if self.split:
            first, last = (int(part * len(frame)) for part in self.split)
            frame = frame.iloc[first:last, :]
        if has_classes:
            self.classes = [self._class_index(label) for label in frame[y_col]]
        self.filenames = frame[x_col].tolist()
        self._weights = frame[weight_col].values if weight_col else None
        self._raw_targets: Any = None
        if class_mode == "multi_output":
            self._raw_targets = [np.array(frame[column].tolist()) for column in y_col]
        if class_mode == "raw":
            self._raw_targets = frame[y_col].values
        self.samples = len(self.filenames)
        status = "validated" if validate_filenames else "non-validated"
        end = f" belonging to {len(self.class_indices)} classes." if has_classes else "."
        print(f"Found {self.samples} {status} image filenames{end}")
        self._filepaths = [os.path.join(self.directory, name) for name in self.filenames]
        super().__init__(self.samples, batch_size, shuffle, seed)

    @property
    def labels(self) -> Any:
        """Targets of all images, or their classes."""
        return self.classes if self._raw_targets is None else self._raw_targets

    sample_weight: Any = read_only("Weights of all images, or None.", "_weights")

    def _class_index(self, label: Any) -> Any:
        if isinstance(label, (list, tuple)):
            return [self.class_indices[name] for name in label]
        return self.class_indices[label]

    def _check(self, frame: Any, x_col: str, y_col: Any, weight_col: Any, classes: Any) -> None:
        mode = self.class_mode
        if mode not in self.allowed_class_modes:
            raise ValueError(
                f"Invalid class_mode: {mode}; expected one of: {self.allowed_class_modes}"
            )
        if mode == "multi_output" and not isinstance(y_col, list):
            raise TypeError(
                f'If class_mode="{mode}", y_col must be a list. Received {type(y_col).__name__}.'
            )
        if not all(isinstance(name, str) for name in frame[x_col]):
            raise TypeError(f"All values in column x_col={x_col} must be strings.")
        if mode in ("binary", "sparse") and not all(isinstance(v, str) for v in frame[y_col]):
            raise TypeError(
                f'If class_mode="{mode}", y_col="{y_col}" column values must be strings.'
            )
        if mode == "binary" and classes and len(set(classes)) != 2:
            raise ValueError(
                f'If class_mode="binary" there must be 2 classes. {len(set(classes))} class/es were given.'
            )
        if mode == "binary" and not classes and frame[y_col].nunique() != 2:
            raise ValueError(
                f'If class_mode="binary" there must be 2 classes. Found {frame[y_col].nunique()} classes.'
            )
        types = (str, list, tuple)
        if mode == "categorical" and not all(isinstance(v, types) for v in frame[y_col]):
            raise TypeError(
                f'If class_mode="{mode}", y_col="{y_col}" column values must be type string, list or tuple.'
            )
        if classes and mode in _CLASSLESS_MODES:
            warnings.warn(f'`classes` will be ignored given the class_mode="{mode}"', stacklevel=4)
        if weight_col and not issubclass(frame[weight_col].dtype.type, np.number):
            raise TypeError(f"Column weight_col={weight_col} must be numeric.")

    def _rows_with_files(self, frame: Any, x_col: str) -> Any:
        """Returns the rows with existing image files."""
        paths = [os.path.join(self.directory, name) for name in frame[x_col]]
        extensions = self.white_list_formats
        exists = np.array(
            [p.lower().endswith(extensions) and os.path.isfile(p) for p in paths], bool
        )
        if not exists.all():
            warnings.warn(
                f'Found {(~exists).sum()} invalid image filename(s) in x_col="{x_col}". These filename(s) will be '
                "ignored.",
                stacklevel=4,
            )
        return frame[exists]


def _filter_classes(frame: Any, y_col: str, classes: Any) -> tuple[Any, list]:
    """Returns the rows of the given classes, and the classes in order."""
    list_types = (list, tuple)
    if not classes:
        labels = frame[y_col].dropna()
        lists = (value if isinstance(value, list_types) else [value] for value in labels)
        return frame.dropna(subset=[y_col]), sorted({name for names in lists for name in names})
    requested = set(classes)

    def requested_classes(value: Any) -> Any:
        if isinstance(value, list_types):
            return [name for name in value if name in requested] or None
        return value if value in requested else None

    frame = frame.assign(**{y_col: frame[y_col].apply(requested_classes)})
    return frame.dropna(subset=[y_col]), sorted(requested)
