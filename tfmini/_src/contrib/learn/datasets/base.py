"""Data set helpers: named tuples, CSV tables, downloads."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.formats.downloads import fetch

_ADVICE = "Use scikits.learn.datasets."
_TABLES = Path(__file__).parent / "data"


class Dataset(NamedTuple):
    """Features and labels of a data set.

    data: an array, one row per example.
    target: an array, one element or row per example.
    """

    data: Any
    target: Any


class Datasets(NamedTuple):
    """Training, validation and test parts of a data set."""

    train: Any
    validation: Any
    test: Any


@deprecated(None, "Use tf.data instead.")
def load_csv_with_header(
    filename: str, target_dtype: DTypeLike, features_dtype: DTypeLike, target_column: int = -1
) -> Dataset:
    """Returns the table of a CSV file whose first line contains the numbers of samples and features.

    Args:
      filename: file path.
      target_dtype: NumPy dtype of the labels.
      features_dtype: NumPy dtype of the features.
      target_column: index of the label column.
    """
    return _read_with_header(filename, target_dtype, features_dtype, target_column)


def _read_with_header(
    filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1
) -> Dataset:
    with open(filename, newline="") as file:
        lines = csv.reader(file)
        header = next(lines)
        samples, features = int(header[0]), int(header[1])
        data = np.zeros((samples, features), features_dtype)
        target = np.zeros((samples,), target_dtype)
        for index, row in enumerate(lines):
            target[index] = np.asarray(row.pop(target_column), target_dtype)
            data[index] = np.asarray(row, features_dtype)
    return Dataset(data, target)


@deprecated(None, "Use tf.data instead.")
def load_csv_without_header(
    filename: str,
    target_dtype: np.dtype[Any] | type | str,
    features_dtype: np.dtype[Any] | type | str,
    target_column: int = -1,
) -> Dataset:
    """Returns the table of a CSV file without a header line; arguments as in `load_csv_with_header`."""
    data, target = [], []
    with open(filename, newline="") as file:
        for row in csv.reader(file):
            target.append(row.pop(target_column))
            data.append(np.asarray(row, features_dtype))
    return Dataset(np.array(data), np.array(target).astype(target_dtype))


@deprecated(None, "Use tf.data instead.")
def shrink_csv(filename: str, ratio: int) -> None:
    """Writes every `ratio`-th line of a CSV file, starting with the first, to a sibling: "x.csv" to "x_small.csv"."""
    with (
        open(filename, newline="") as file,
        open(filename.replace(".", "_small."), "w", newline="") as small,
    ):
        csv.writer(small).writerows(row for n, row in enumerate(csv.reader(file)) if n % ratio == 0)


@deprecated(None, _ADVICE)
def load_iris(data_path: str | None = None) -> Dataset:
    """Loads data on 150 irises: lengths and widths of sepals and petals in cm, and one of three species, 0 to 2.

    Args:
      data_path: path of another table, in the format of `load_csv_with_header`.

    Returns:
      A `Dataset`: floats [150, 4] and ints [150].

    Example:
      iris = tf.contrib.learn.datasets.load_iris()
    """
    path = data_path or str(_TABLES / "iris.csv")
    return _read_with_header(path, np.int64, np.float64)


@deprecated(None, _ADVICE)
def load_boston(data_path: str | None = None) -> Dataset:
    """Loads data on 506 Boston districts in 1970: 13 features each, and the median house price in 1,000 dollars.

    Args:
      data_path: path of another table, in the format of `load_csv_with_header`.

    Returns:
      A `Dataset`: floats [506, 13] and floats [506].
    """
    return boston_table(data_path)


def boston_table(data_path: str | None = None) -> Dataset:
    """Returns the data set of `load_boston`, without its deprecation warning."""
    path = data_path or str(_TABLES / "boston_house_prices.csv")
    return _read_with_header(path, np.float64, np.float64)


@deprecated(None, "Please write your own downloading logic.")
def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """Returns the path of `filename` in `work_directory`, downloaded from `source_url` if missing.

    Raises:
      OSError: if the download fails; the message names the location for a manual download.
    """
    return fetch(filename, work_directory, source_url)
