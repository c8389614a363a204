"""Restores old pandas calls: positional arguments, removed keywords, in-place changes of columns.

`df.drop("a", 1)`, `pd.concat(frames, 1)`, `pd.read_csv(path, ";")`: most arguments are keyword-only since pandas 2,
and `index.astype("M8[D]")` is a ValueError.
`df["a"][0] = 1` and `df["a"].fillna(0, inplace=True)` changed the frame, but change a copy since pandas 3.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.programs.hook.warn_once import warn_once
from tfmini._src.programs.runner import single_element_shims
from tfmini._src.programs.runner.numpy_integer_shims import as_value, call_by_name
from tfmini._src.programs.runner.python2 import language_version

_ITEM_NAME, _STORE_NAME = "__tfmini_frame_item__", "__tfmini_frame_stored__"
_IN_PLACE_NAME, _TO_UNITS_NAME = "__tfmini_frame_in_place__", "__tfmini_frame_in_units__"
_COARSE_DTYPE = re.compile(r"(M8|datetime64)\[[YMWDhm]\]")  # dtypes that pandas 2 rejects

# Functions and methods with keyword-only arguments.
RESTORED_CALLS = frozenset(
    "all any bfill clip concat drop drop_duplicates dropna ffill fillna groupby mask pivot read_csv read_excel "
    "read_json read_table reindex set_index size sort_index sort_values to_csv to_excel where".split()
)
# Their former argument orders, if different from the current ones.
_ORDERS = {
    "fillna": ("value", "method", "axis", "inplace", "limit"),
    "pivot": ("index", "columns", "values"),
}
# Keywords by their current names.
_WORDS = {
    "line_terminator": "lineterminator",
    "parse_cols": "usecols",
    "sheetname": "sheet_name",
    "skip_footer": "skipfooter",
}
# Keywords without effect today.
_OBSOLETE_ARGUMENTS = (
    "infer_datetime_format",
    "mangle_dupe_cols",
    "tupleize_cols",
    "warn_bad_lines",
)


class Frames(ast.NodeTransformer):
    """Redirects items, and in-place operations on columns, to the functions below."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or not _is_integer(node.slice):
            return node
        return call_by_name(_ITEM_NAME, [node.value, node.slice], node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        target = node.targets[0]
        column = _frame_and_column(target.value) if isinstance(target, ast.Subscript) else None
        if len(node.targets) > 1 or column is None:
            self.generic_visit(node)
            return node
        assert isinstance(target, ast.Subscript)
        values = [self.visit(v) for v in (node.value, *column, as_value(target.slice))]
        return ast.copy_location(ast.Expr(call_by_name(_STORE_NAME, values, node)), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr == "astype" and node.args:
            dtype = getattr(node.args[0], "value", None)
            if isinstance(dtype, str) and _COARSE_DTYPE.fullmatch(dtype):
                return call_by_name(
                    _TO_UNITS_NAME, [function.value, *node.args], node, node.keywords
                )
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            column = _frame_and_column(call.func.value)
            if column is not None and any(word.arg == "inplace" for word in call.keywords):
                name = ast.Constant(call.func.attr)
                call.func = ast.copy_location(ast.Name(_IN_PLACE_NAME, ast.Load()), call.func)
                call.args[:0] = [*column, name]
        self.generic_visit(node)
        return node


def _is_integer(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) is int


def _frame_and_column(node: ast.expr) -> list[ast.expr] | None:
    """Returns the frame and column name of `frame["name"]` or `frame.name`."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, (ast.Slice, ast.Tuple)):
        return [node.value, node.slice]
    if isinstance(node, ast.Attribute) and node.attr not in ("loc", "iloc", "at", "iat", "ix"):
        return [node.value, ast.Tuple([ast.Constant(node.attr)], ast.Load())]
    return None


def _is_pandas_type(value: Any, name: str) -> bool:
    value_type = type(value)
    return value_type.__name__ == name and value_type.__module__.partition(".")[0] == "pandas"


def item(values: Any, index: int, /) -> Any:
    """Returns `values[index]`; for a series without integer labels, the value at that position."""
    return values.iloc[index] if _is_position(values, index) else values[index]


def _is_position(values: Any, index: Any) -> bool:
    """Whether the index is an integer that is not one of the series' labels."""
    if type(index) is not int or not _is_pandas_type(values, "Series"):
        return False
    if values.index.dtype.kind in "iuf" or index in values.index:
        return False
    warn_once(
        "series",
        "pandas no longer treats a number as a position in a series; it is treated as one here.",
    )
    return True


def _get_part(frame: Any, name: Any) -> tuple[Any, Any]:
    """Returns `frame[name]`, or `frame.name` for a name in a tuple, and the name if it is a column of a frame."""
    if type(name) is tuple:
        is_column = _is_pandas_type(frame, "DataFrame") and name[0] in frame.columns
        return getattr(frame, name[0]), name[0] if is_column else None
    is_column = type(name) is str and _is_pandas_type(frame, "DataFrame") and name in frame.columns
    return frame[name], name if is_column else None


def store(value: Any, frame: Any, name: Any, index: Any, /) -> None:
    """Implements `frame[name][index] = value`."""
    part, column = _get_part(frame, name)
    if _is_position(part, index):
        part.iloc[index] = value
    else:
        single_element_shims.store(value, part, index)
    if column is not None:
        _warn_changed()
        frame[column] = part


def in_place(frame: Any, name: Any, method: str, /, *args: Any, **kwargs: Any) -> None:
    """Implements `frame[name].method(*args, inplace=True)`."""
    part, column = _get_part(frame, name)
    function = getattr(part, method)
    if column is None or kwargs.get("inplace") is not True:
        call(function, args, kwargs)
        return
    _warn_changed()
    del kwargs["inplace"]
    frame[column] = call(function, args, kwargs)


def _warn_changed() -> None:
    warn_once(
        "column",
        "A column of a pandas frame is a copy since pandas 3; changing it changes the frame here, as before.",
    )


def call(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Calls `function(*args, **kwargs)`; on failure, with arguments passed by their current names."""
    name = getattr(function, "__name__", "")
    if not (getattr(function, "__module__", None) or "").startswith("pandas"):
        return function(*args, **kwargs)
    if name == "size" and language_version.is_python2():
        return _group_sizes(function)
    try:
        parameters = inspect.signature(function)
    except ValueError:
        return function(*args, **kwargs)
    try:
        parameters.bind(*args, **kwargs)
    except TypeError:
        pass
    else:
        return function(*args, **kwargs)
    if name in RESTORED_CALLS:
        args, kwargs = _keyword_arguments(name, list(parameters.parameters.values()), args, kwargs)
    return _call_with_keywords(function, args, kwargs)


def _group_sizes(function: Callable) -> Any:
    """`groups.size()`: a series indexed by the keys, even if `as_index` is false, as before pandas 1.1."""
    sizes = function()
    if not _is_pandas_type(sizes, "DataFrame"):
        return sizes
    return sizes.set_index(list(sizes.columns[:-1]))["size"].rename(None)


def _keyword_arguments(name: str, parameters: list, args: tuple, kwargs: dict[str, Any]) -> tuple:
    """Returns the arguments that must now be passed by keyword, by name."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    count = sum(parameter.kind in positional for parameter in parameters)
    order = _ORDERS.get(name) or [parameter.name for parameter in parameters]
    if len(args) <= count or len(args) > len(order):
        return args, kwargs
    words = dict(zip(order[count:], args[count:]))
    text = ", ".join(f"{word}=" for word in words)
    warn_once(
        f"pandas {name}",
        f"pandas' {name} requires keyword arguments ({text}); they are passed by keyword here.",
    )
    return args[:count], {**words, **kwargs}


def _call_with_keywords(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Returns the call with current keywords."""
    kwargs = dict(kwargs)
    parameters = inspect.signature(function).parameters
    obsolete_keywords = {word: kwargs.pop(word) for word in list(kwargs) if word not in parameters}
    if not obsolete_keywords:
        return function(*args, **kwargs)
    name, squeezes = function.__name__, False
    for word, value in obsolete_keywords.items():
        if word in _WORDS:
            kwargs[_WORDS[word]] = value
        elif word == "error_bad_lines":
            kwargs.setdefault("on_bad_lines", "error" if value else "skip")
        elif word == "delim_whitespace":
            kwargs |= {"sep": r"\s+"} if value else {}
        elif word == "date_parser" and _date_columns(kwargs):
            kwargs["converters"] = dict.fromkeys(_date_columns(kwargs), value) | (
                kwargs.get("converters") or {}
            )
        elif word == "squeeze":
            squeezes = value
        elif word == "method" and name == "fillna":
            if value is None:
                continue
            filled = "ffill" if value in ("ffill", "pad") else "bfill"
            function, args = getattr(function.__self__, filled), ()  # type: ignore[attr-defined]
            kwargs.pop("value", None)
        elif word not in _OBSOLETE_ARGUMENTS:
            return function(*args, **kwargs, **obsolete_keywords)  # pandas reports the error
        warn_once(
            f"pandas {name} {word}",
            f"pandas' {name}({word}=...) was removed; it is supported here.",
        )
    result = function(*args, **kwargs)
    return result.squeeze("columns") if squeezes else result


def _date_columns(kwargs: dict[str, Any]) -> list:
    """Returns the columns that a reader parses as dates, each from one column of the file."""
    dates = kwargs.get("parse_dates")
    if dates is True and kwargs.get("index_col") is not None:
        dates = [kwargs["index_col"]]
    if not isinstance(dates, list) or not all(isinstance(column, (int, str)) for column in dates):
        return []
    return dates


def to_time_units(values: Any, dtype: str, /, **kwargs: Any) -> Any:
    """Implements `values.astype(dtype)` for coarse time units, to which pandas rounded down, storing nanoseconds."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(values, (pandas.Index, pandas.Series)):
        return values.astype(dtype, **kwargs)
    times = np.asarray(values).astype(dtype).astype("datetime64[ns]")
    if isinstance(values, pandas.Index):
        return pandas.Index(times, name=values.name)
    return pandas.Series(times, values.index, name=values.name)


FUNCTIONS = {
    _ITEM_NAME: item,
    _STORE_NAME: store,
    _IN_PLACE_NAME: in_place,
    _TO_UNITS_NAME: to_time_units,
}
