"""Selection of operations and tensors by objects, lists or regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tfmini._src.contrib.graph_editor.op_selection_walks import (
    filter_ops_from_regex,
    filter_ts_from_regex,
)
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.op_selection import make_list_of_op, make_list_of_t
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

_OPS_MARK, _TENSORS_MARK = "(?#ops)", "(?#ts)"


def can_be_regex(obj: object) -> bool:
    """Whether a value is a string or a compiled regular expression."""
    return isinstance(obj, (str, re.Pattern))


def make_regex(obj: object) -> re.Pattern:
    """Compiles a regular expression; raises ValueError for other objects."""
    if not can_be_regex(obj):
        raise ValueError(f"Expected a string or a regex, got: {type(obj)}")
    return re.compile(obj)


def select_ops(*args: Any, **kwargs: Any) -> list[Operation]:
    """Returns the operations selected by the arguments.

    Args:
      *args: operations, lists of them (tensors are ignored), or regular expressions of names; expressions that
        begin with "(?#ts)" select tensors only.
      graph: graph in which to look up names.
      positive_filter: predicate that selects operations.
      restrict_ops_regex: whether to ignore expressions that do not begin with "(?#ops)".

    Raises:
      TypeError: if `graph` is not a graph, or an argument is not a selection of operations.
      ValueError: for an expression without a graph, or an unknown keyword.
    """
    return _select_elements(
        args, kwargs, "restrict_ops_regex", (_OPS_MARK, _TENSORS_MARK), filter_ops_from_regex, _ops
    )


def select_ts(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Returns the tensors selected by the arguments; like `select_ops`, with `restrict_ts_regex` and "(?#ts)"."""
    return _select_elements(
        args,
        kwargs,
        "restrict_ts_regex",
        (_TENSORS_MARK, _OPS_MARK),
        filter_ts_from_regex,
        _tensor_list,
    )


def select_ops_and_ts(*args: Any, **kwargs: Any) -> tuple[list[Operation], list[Tensor]]:
    """Returns the operations and tensors selected by the arguments; tensor expressions begin with "(?#ts)"."""
    ops = select_ops(*args, restrict_ops_regex=False, **kwargs)
    return ops, select_ts(*args, restrict_ts_regex=True, **kwargs)


def _ops(arg: Any) -> list:
    return make_list_of_op(arg, ignore_ts=True)


def _tensor_list(arg: Any) -> list:
    return make_list_of_t(arg, ignore_ops=True)


def _select_elements(
    args: tuple, kwargs: dict, restrict: str, marks: tuple, by_name: Callable, listed: Callable
) -> list:
    for key in kwargs:
        if key not in ("graph", "positive_filter", "restrict_ops_regex", "restrict_ts_regex"):
            raise ValueError(f"Wrong keywords argument: {key}.")
    graph, expected = kwargs.get("graph"), kwargs.get("positive_filter")
    if graph is not None and not isinstance(graph, Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
    selected: list[Any] = []
    for arg in args:
        if can_be_regex(arg):
            if graph is None:
                raise ValueError("Use the keyword argument 'graph' to use regex.")
            regex = make_regex(arg)
            mark, other = marks
            has_mark = regex.pattern.startswith(mark)
            if regex.pattern.startswith(other) or (kwargs.get(restrict) and not has_mark):
                continue
            items = by_name(graph, regex)
        else:
            items = listed(arg)
        already_selected = set(selected)  # a list may contain duplicates
        selected += [
            x for x in items if x not in already_selected and (expected is None or expected(x))
        ]
    return selected
