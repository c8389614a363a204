"""Functions called by datasets, bound to a run."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

from tfmini._src.base.errors import (
    InternalError,
    InvalidArgumentError,
    OpError,
    OutOfRangeError,
    invalid,
)
from tfmini._src.base.read_only import read_only
from tfmini._src.ops.datasets.dataset_value import DATASET, Dataset, Element, Run
from tfmini._src.ops.datasets.shared_variables import current_values, is_shared, share_values

_PARSED_NAME = re.compile(r"[\w./-]+")


class Function:
    """Base class of functions that map elements."""

    @property
    def stateful_ops(self) -> Sequence[str]:
        """The stateful node types in this function and its callees."""
        raise NotImplementedError

    @property
    def captures(self) -> bool:
        """Whether the function has captured inputs."""
        return False

    def duplicate(self) -> Function:
        """Returns a copy with separate state; captured datasets are duplicated as well."""
        return self

    def bind(self, run: Run, path: str = "") -> Any:
        """Binds the function to a run; returns `call(element)`, which returns the results.

        path: the path of the calling dataset, if the function's OutOfRangeError does not end it.
        """
        raise NotImplementedError

    def batched_call(self) -> Any:
        """Returns `call(elements)` for several elements at once, or None unless it is known to be faster."""
        return None


def _compiled_function(ctx: Any, attr: str) -> Any:
    """Returns the function named by an attr, compiled once per plan of the node, as each run creates a dataset."""
    if ctx.state is None:
        ctx.state = {}
    function = ctx.state.get(attr)
    if function is None:
        function = ctx.resources.functions.bind(ctx.op, ctx.attrs[attr], ctx.resources)
        ctx.state[attr] = function
    return function


class CapturedFunction(Function):
    """A function from the function library of a graph, with its captured inputs.

    Its state in a run, such as the position in a random stream, belongs to the node that created it, or to a duplicate.
    """

    stateful_ops: Sequence[str] = read_only(attribute="_function.stateful_ops")
    reads_files: Any = read_only(attribute="_function.reads_files")

    def __init__(self, ctx: Any, attr: str, captured: Sequence[Any]):
        self._function = _compiled_function(ctx, attr)
        self._captured = share_values(ctx, attr, captured)
        self._reads_variables = is_shared(self._captured)
        self._preserves_cardinality = ctx.attrs.get("preserve_cardinality", False)
        self._owner: Any = ctx.resources, ctx.op.name, attr

    def duplicate(self) -> CapturedFunction:
        twin = copy.copy(self)
        twin._owner = object()
        twin._captured = tuple(
            [v.duplicate() if isinstance(v, Dataset) else v for v in self._captured]
        )
        return twin

    @property
    def captures(self) -> bool:
        return bool(self._captured)

    def bind(self, run: Run, path: str = "") -> Any:
        execute = self._function.bind_owner(run.functions, self._owner)
        call = _VariableDependentCall if self._reads_variables else _Call
        return call(self._function, execute, self._captured, self._preserves_cardinality, path)

    def batched_call(self) -> Any:
        execute, captured = self._function.batched_call(), self._captured
        if execute is None or self._reads_variables:
            return None
        return lambda elements: execute([(*element, *captured) for element in elements])

    def bind_unnamed(self, run: Run) -> Any:
        """Returns the bound function, without its name in error messages."""
        execute, captured = self._function.bind_owner(run.functions, self._owner), self._captured
        if self._reads_variables:
            return lambda element: execute((*element, *current_values(captured)))
        return lambda element: execute((*element, *captured))


class _Call:
    """Base class of bound functions of elements.

    preserves: whether an OutOfRangeError in the function is an error rather than the end of the dataset.
    path: the path of a dataset that no function may end, or "".
    """

    def __init__(
        self, function: Any, execute: Any, captured: Sequence[Any], preserves: bool, path: str
    ):
        self._path = path.replace("/", "::")
        self._function = function
        self._execute = execute
        self._captured = captured
        self._preserves_cardinality = preserves

    def __call__(self, element: Element) -> Element:
        try:
            return self._execute((*element, *self._captured))
        except OpError as error:
            mismatch = self._function.mismatch((*element, *self._captured))
            if mismatch:
                invalid(_prefix_name(self._function.name, mismatch))
            error._message = _prefix_name(self._function.name, error.message)
            if self._preserves_cardinality and isinstance(error, OutOfRangeError):
                text = f"Function invocation produced OutOfRangeError: {error.message}"
                raise InvalidArgumentError(error.node_def, error.op, text) from error
            if self._path and isinstance(error, OutOfRangeError):
                text = (
                    f'Iterator "Iterator{self._path}" returned `OutOfRange`. This indicates an '
                    "implementation error as `OutOfRange` errors are not expected to be returned "
                    f"here. Original message: {error.message}"
                )
                raise InternalError(error.node_def, error.op, text) from error
            raise


class _VariableDependentCall(_Call):
    """A call whose captured inputs follow the values of variables."""

    def __init__(
        self, function: Any, execute: Any, captured: Sequence[Any], preserves: bool, path: str
    ):
        super().__init__(function, execute, (), preserves, path)
        self._followed = captured

    def __call__(self, element: Element) -> Element:
        return super().__call__((*element, *current_values(self._followed)))


def results_or_end(function: Any, element: Element) -> Element | None:
    """Calls a mapped function; returns None if it raises OutOfRangeError, which ends its dataset."""
    try:
        return function(element)
    except OutOfRangeError:
        return None


def _prefix_name(function: str, message: str) -> str:
    """Prefixes a message with the name of the function, or with the space that TensorFlow leaves for parsed names."""
    return (
        f" {message}"
        if _PARSED_NAME.fullmatch(function)
        else f"{{{{function_node {function}}}}} {message}"
    )


def returned_dataset(results: Element) -> Dataset:
    """Returns the dataset that a function returns."""
    if len(results) != 1 or not hasattr(results[0], "variant_text"):
        invalid("Function must return a single scalar of dtype DT_VARIANT.")
    return DATASET(results[0], None)
