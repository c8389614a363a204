"""Conversion of data frames to arrays."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated

_NUMBERS = {
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "bool"),
}


def _is_frame(data: Any) -> bool:
    return type(data).__name__ == "DataFrame" and hasattr(data, "columns")


@deprecated(None, "Please access pandas data directly.")
def extract_pandas_data(data: Any) -> Any:
    """Converts a numeric data frame to a float array; returns anything else unchanged.

    Args:
      data: a DataFrame.

    Raises:
      ValueError: if a column is not numeric.
    """
    if not _is_frame(data):
        return data
    wrong = [name for name in data if data[name].dtype.name not in _NUMBERS]
    if wrong:
        columns = ", ".join(f"'{name}' type='{data[name].dtype.name}'" for name in wrong)
        raise ValueError(
            f"Data types for extracting pandas data must be int, float, or bool. Found: {columns}"
        )
    return data.values.astype("float")


@deprecated(None, "Please access pandas data directly.")
def extract_pandas_matrix(data: Any) -> Any:
    """Converts a data frame to an array; returns anything else unchanged.

    Args:
      data: a DataFrame.
    """
    return data.values if _is_frame(data) else data


@deprecated(None, "Please access pandas data directly.")
def extract_pandas_labels(labels: Any) -> Any:
    """Converts a single-column data frame to an array; returns anything else unchanged.

    Args:
      labels: a DataFrame.

    Raises:
      ValueError: if there are several columns, or the column is not numeric.
    """
    if not _is_frame(labels):
        return labels
    if len(labels.columns) > 1:
        raise ValueError("Only one column for labels is allowed.")
    wrong = [name for name in labels if labels[name].dtype.name not in _NUMBERS]
    if wrong:
        columns = ", ".join(f"'{name}' type={labels[name].dtype.name}" for name in wrong)
        raise ValueError(
            f"Data types for extracting labels must be int, float, or bool. Found: {columns}"
        )
    return labels.values
