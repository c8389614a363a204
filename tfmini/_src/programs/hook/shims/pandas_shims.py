"""Members removed from pandas frames and series: `ix`, `append`, `get_value`, moving windows, object text."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd

np = np  # programs used numpy as `pandas.np`


def make_text_objects() -> None:
    """Gives text columns the dtype object, as before pandas 3: programs distinguish columns by it."""
    if "infer_string" in dir(getattr(pd.options, "future", None)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pandas 4 will remove the option
            pd.set_option("future.infer_string", False)


class IxIndexer:
    """Indexer `frame.ix[...]`: by label, or by position if the labels are not integers."""

    def __init__(self, frame: Any):
        self._frame = frame

    def __getitem__(self, key: Any) -> Any:
        return self._frame.loc[self._labels(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._frame.loc[self._labels(key)] = value

    def _labels(self, key: Any) -> Any:
        axes = self._frame.axes
        if isinstance(key, tuple) and len(axes) == len(key):
            return tuple(_labels(axis, part) for axis, part in zip(axes, key))
        return _labels(axes[0], key)


def _labels(axis: Any, part: Any) -> Any:
    if pd.api.types.is_integer_dtype(axis.dtype) or not _is_of_numbers(part):
        return part
    return axis[part]


def _is_of_numbers(part: Any) -> bool:
    if isinstance(part, slice):
        bounds = [bound for bound in (part.start, part.stop) if bound is not None]
        return bool(bounds) and all(isinstance(bound, (int, np.integer)) for bound in bounds)
    return pd.api.types.is_integer_dtype(np.asarray(part).dtype)


def ix(frame: Any) -> IxIndexer:
    """Returns the indexer of a frame or series by label or position."""
    return IxIndexer(frame)


def append(
    frame: Any,
    other: Any,
    ignore_index: bool = False,
    verify_integrity: bool = False,
    sort: bool = False,
) -> Any:
    """Concatenates the rows of both; a dict or series becomes one row."""
    frames = list(other) if isinstance(other, (list, tuple)) else [other]
    if isinstance(frame, pd.DataFrame):
        frames = [_as_data_frame(row) for row in frames]
    settings = {"ignore_index": ignore_index, "verify_integrity": verify_integrity, "sort": sort}
    joined = pd.concat([part for part in (frame, *frames) if len(part)] or [frame], **settings)
    return joined if joined.ndim == 1 else _order_columns(joined, frame, sort)


def _as_data_frame(row: Any) -> Any:
    if isinstance(row, pd.DataFrame):
        return row
    name = getattr(row, "name", None)
    return pd.DataFrame([dict(row)], index=[0 if name is None else name])


def _order_columns(joined: Any, frame: Any, sort: bool) -> Any:
    """Orders the columns, starting with the first frame's."""
    if sort:
        return joined
    first = [name for name in frame.columns if name in joined]
    return joined[[*first, *(name for name in joined.columns if name not in first)]]


def as_matrix(frame: Any, columns: Any = None) -> Any:
    """Returns the values as an array."""
    return frame.to_numpy() if columns is None else frame[columns].to_numpy()


def get_value(frame: Any, *where: Any, takeable: bool = False) -> Any:
    """Returns a single value, by labels or, if `takeable`, by positions."""
    key = where[0] if len(where) == 1 else where
    return frame.iat[key] if takeable else frame.at[key]


def set_value(frame: Any, *where: Any, takeable: bool = False) -> Any:
    """Returns the frame with one value replaced."""
    *key, value = where
    indexer = frame.iat if takeable else frame.at
    indexer[key[0] if len(key) == 1 else tuple(key)] = value
    return frame


def sort(
    frame: Any, columns: Any = None, axis: int = 0, ascending: Any = True, **words: Any
) -> Any:
    """Sorts a frame by the values of these columns, or by index."""
    if columns is None:
        return frame.sort_index(axis=axis, ascending=ascending, **words)
    return frame.sort_values(columns, axis=axis, ascending=ascending, **words)


def lookup(frame: Any, row_labels: Any, col_labels: Any) -> Any:
    """Returns the values at label pairs."""
    pairs = zip(row_labels, col_labels, strict=True)
    return np.array([frame.at[row, column] for row, column in pairs])


def mad(frame: Any, axis: int = 0) -> Any:
    """Returns the mean absolute deviation."""
    if frame.ndim == 1:
        return (frame - frame.mean()).abs().mean()
    return frame.sub(frame.mean(axis=axis), axis=1 - axis).abs().mean(axis=axis)


def ravel(series: Any, order: str = "C") -> Any:
    """Returns the values as an array."""
    return series.to_numpy()


def nonzero(series: Any) -> Any:
    """Returns the indices of the nonzero values."""
    return series.to_numpy().nonzero()


def from_csv(path: Any, header: Any = 0, sep: str = ",", index_col: Any = 0, **words: Any) -> Any:
    """Reads a frame from a CSV file whose first column is the index."""
    return pd.read_csv(path, header=header, sep=sep, index_col=index_col, **words)


def from_items(items: Any) -> Any:
    """Creates a frame from pairs of name and column."""
    return pd.DataFrame(dict(items))


def _moving(name: str) -> Any:
    def moving(arg: Any, window: int, min_periods: int | None = None, **words: Any) -> Any:
        """Returns a statistic per window of `arg`, a series or a frame."""
        center = words.pop("center", False)
        windows = pd.Series(arg) if not hasattr(arg, "rolling") else arg
        windows = windows.rolling(window, min_periods=min_periods, center=center)
        return getattr(windows, name)(**words)

    moving.__name__ = f"rolling_{name}"
    return moving


rolling_max, rolling_mean, rolling_median, rolling_min, rolling_std, rolling_sum, rolling_var = map(
    _moving, ("max", "mean", "median", "min", "std", "sum", "var")
)


def ewma(arg: Any, com: float | None = None, span: float | None = None, **words: Any) -> Any:
    """Returns the exponentially weighted moving average."""
    return arg.ewm(com=com, span=span, **words).mean()


def value_counts(values: Any, *args: Any, **words: Any) -> Any:
    """Returns the number of occurrences of each value."""
    return pd.Series(values).value_counts(*args, **words)
