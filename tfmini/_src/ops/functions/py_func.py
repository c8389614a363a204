"""PyFunc: a Python function of numpy arrays as a node.

The node stores a token; the graph owns the function, so the function lives as long as the graph. The
function runs in the thread that runs the session, without holding a lock.
"""

from __future__ import annotations

import copy
import itertools
import traceback
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, errors, program_strings
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.opdef import Attr, OpDef, op, public, registry
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops.operands import PLACES, c_name, unwrap_string


class _Function:
    """A user-defined function, with a weak reference in `_functions` and a strong reference in its graph."""

    def __init__(self, call: Callable):
        self.call = program_strings.decode_arguments(call)


_functions: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
_numbers = itertools.count()

# Error classes for exceptions of the user's function; all others become UnknownError.
_ERRORS = (
    (TypeError, errors.InvalidArgumentError),
    (ValueError, errors.InvalidArgumentError),
    (StopIteration, errors.OutOfRangeError),
    (MemoryError, errors.ResourceExhaustedError),
    (NotImplementedError, errors.UnimplementedError),
)


def _call_function(ctx: Any, values: tuple, token: str, types: tuple) -> tuple:
    """Calls the function of `token` with numpy arrays and returns its validated results."""
    # The function may write its arguments, as it could in TensorFlow.
    copied = "input" not in ctx.owned
    arguments = [
        np.array(v, order="C") if copied and isinstance(v, np.ndarray) and v.ndim else v
        for v in map(dtypes.quantized_to_integers, values)
    ]
    try:
        function = _functions.get(token)
        if function is None:
            raise ValueError(f"callback {token} is not found")
        arrays = _as_arrays(function.call(*arguments))
    except (Exception, SystemExit) as error:
        raise _translate(error, ctx.op) from None
    return _convert_results(ctx, arrays, token, types)


def _convert_results(ctx: Any, arrays: list, token: str, types: tuple) -> tuple:
    """Converts the results of the function to results of the node."""
    results = [_check_result(array, ctx.op) for array in arrays]
    if len(results) != len(types):
        raise errors.InvalidArgumentError(
            None,
            ctx.op,
            f"{token} returns {len(results)} values, but expects to see {len(types)} values.",
        )
    for i, (result, expected) in enumerate(zip(results, types)):
        dtype = dtypes.string if isinstance(result, bytes) else dtypes.as_dtype(result.dtype)
        if dtype != expected:
            raise errors.InvalidArgumentError(
                None,
                ctx.op,
                f"{i}-th value returned by {token} is {c_name(dtype)}, but expects "
                f"{c_name(expected)}",
            )
    return tuple(results)


class EagerFunction:
    """A function of eager tensors, for nodes of `tf.py_function`.

    call: maps input tensors to output tensors.
    gradient: maps output gradients to input gradients.
    """

    call: Callable[..., Any]

    def gradient(self, types: list) -> EagerFunction:
        """Returns the gradient function of the last call for these dtypes."""
        raise NotImplementedError


def _call_eagerly(ctx: Any, values: tuple, token: str, types: tuple) -> tuple:
    """Calls the function of `token` with tensors."""
    arguments = [EagerTensor(value, dtype) for value, dtype in zip(values, ctx.attrs["Tin"])]
    try:
        function = _functions.get(token)
        if function is None:
            raise ValueError(f"callback {token} is not found")
        arrays = [tensor._numpy() for tensor in function.call(*arguments)]
    except (Exception, SystemExit) as error:
        raise _translate(error, ctx.op) from None
    # A string is an object, else numpy makes text of a fixed length of it.
    results = [np.asarray(a, object if isinstance(a, bytes) else None) for a in arrays]
    return _convert_results(ctx, results, token, types)


def _as_arrays(result: Any) -> list:
    """Converts the result of a function to a list of arrays; None becomes an empty list."""
    if result is None:
        return []
    return [_as_array(item) for item in (result if isinstance(result, list | tuple) else [result])]


def _as_array(value: Any) -> np.ndarray:
    """Converts `value` to an array in native byte order.

    Strings are converted to bytes objects, which avoids padding.
    """
    array = np.asarray(value, order="C")
    if array.dtype.kind == "S":
        return array.astype(object) if array is value else np.asarray(value, dtype=object)
    if array.dtype.kind == "U":
        encoded = [text.encode() for text in array.ravel()]
        array = np.empty(array.shape, object)
        array.ravel()[:] = encoded
        return array
    return array.astype(array.dtype.newbyteorder("="), copy=array.dtype.type in PLACES)


_UNSUPPORTED_DTYPES = {
    "g": "NPY_LONGDOUBLE",
    "G": "NPY_CLONGDOUBLE",
    "M": "NPY_DATETIME",
    "m": "NPY_TIMEDELTA",
}


def _check_result(array: np.ndarray, node: Any) -> Any:
    """Returns the array as the result of a kernel; raises an error if TensorFlow does not support its dtype."""
    if array.dtype.char in _UNSUPPORTED_DTYPES:
        name = _UNSUPPORTED_DTYPES[array.dtype.char]
        raise errors.InternalError(None, node, f"Unsupported numpy type: {name}")
    if array.dtype.names:
        raise errors.InternalError(None, node, "Unsupported numpy data type")
    if array.dtype.kind != "O":
        return array
    if any(isinstance(item, str) for item in array.flat):
        encoded = [item.encode() if isinstance(item, str) else item for item in array.flat]
        array = np.empty(array.shape, object)
        array.ravel()[:] = encoded
    for item in array.flat:
        if not isinstance(item, bytes):
            raise errors.InternalError(None, node, f"Unsupported object type {type(item).__name__}")
    return unwrap_string(array)


def _translate(error: BaseException, node: Any) -> errors.OpError:
    """Converts an exception to an error of the node whose text includes the user's traceback."""
    cls = next(
        (to for python_error, to in _ERRORS if isinstance(error, python_error)), errors.UnknownError
    )
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    text = f"{type(error).__name__}: {error}\n" + "".join(f"{line}\n" for line in lines)
    return cls(None, node, text)


@op(
    "PyFunc",
    "input: Tin -> output: Tout",
    infer=lambda op: [None] * len(op.outputs),
    differentiable=False,
    stateful=True,
    borrowed_result=True,
    calls_python=True,
    static_inputs=("input",),
    token=Attr("string"),
    Tin=Attr("list(type)", minimum=0),
    Tout=Attr("list(type)", minimum=0),
)
def py_func_op(ctx, values, *, token, Tout):
    return _call_function(ctx, values, token, Tout)


@op(
    "PyFuncStateless",
    "input: Tin -> output: Tout",
    infer=lambda op: [None] * len(op.outputs),
    differentiable=False,
    borrowed_result=True,
    calls_python=True,
    static_inputs=("input",),
    token=Attr("string"),
    Tin=Attr("list(type)", minimum=0),
    Tout=Attr("list(type)", minimum=0),
)
def py_func_stateless_op(ctx, values, *, token, Tout):
    if not ctx.of_constants:
        return _call_function(ctx, values, token, Tout)
    if ctx.state is None:  # called once per plan for constants, as TensorFlow folds it
        ctx.state = tuple(copy.copy(result) for result in _call_function(ctx, values, token, Tout))
    return ctx.state


@op(
    "EagerPyFunc",
    "input: Tin -> output: Tout",
    infer=lambda op: [None] * len(op.outputs),
    through_host=True,
    stateful=True,
    calls_python=True,
    token=Attr("string"),
    is_async=False,
    Tin=Attr("list(type)", minimum=0),
    Tout=Attr("list(type)", minimum=0),
)
def eager_py_func_op(ctx, values, *, token, Tout):
    return _call_eagerly(ctx, values, token, Tout)


@eager_py_func_op.gradient
def _(op, *grads):
    function = _functions[to_str(op.get_attr("token"))]
    types = [tensor.dtype for tensor in op.inputs]
    with control_dependencies(op.outputs):
        return _node(function.gradient(types), grads, types, registry["EagerPyFunc"], None)


def python_node(func: Callable, inp: Any, Tout: Any, stateful: bool, name: str | None) -> Any:
    """Implements `py_func` and the functions based on it."""
    if not callable(func):
        raise ValueError(f"Expected func to be callable, got func of type {type(func)}")
    is_list = isinstance(Tout, list | tuple)
    opdef = registry["PyFunc" if stateful else "PyFuncStateless"]
    result = _node(_Function(func), inp, Tout if is_list else [Tout], opdef, name)
    return result if is_list else result[0]


def _call_on_arrays(func: Callable, inp: Any) -> Any:
    """Calls a function of arrays in eager mode, without dtype checks or error translation."""
    tensors: list[Any] = [convert_to_tensor(value) for value in inp]
    arrays = [tensor.numpy() for tensor in tensors]
    results = [
        value if value is None else convert_to_tensor(value) for value in flatten(func(*arrays))
    ]
    return results[0] if len(results) == 1 else results


def eager_node(function: EagerFunction, inp: Any, types: Any, name: str | None) -> Any:
    """Adds a node that calls a function of tensors; returns a list of its results."""
    return _node(function, inp, types, registry["EagerPyFunc"], name)


def _node(function: Any, inp: Any, types: Any, opdef: OpDef, name: str | None) -> Any:
    token = f"pyfunc_{next(_numbers)}"
    _functions[token] = function
    if executing_eagerly():
        results = opdef(inp, token=token, Tout=types, name=name)
        for tensor in results or ():
            tensor._creator_function = function  # for the gradient
        return results
    owner = get_default_graph()._py_funcs_owner
    owner.__dict__.setdefault("_py_funcs_used_in_graph", []).append(function)
    return opdef(inp, token=token, Tout=types, name=name)


@public
@deprecated(
    None,
    """tf.py_func is deprecated in TF V2. Instead, there are two
    options available in V2.
    - tf.py_function takes a python function which manipulates tf eager
    tensors instead of numpy arrays. It's easy to convert a tf eager tensor to
    an ndarray (just call tensor.numpy()) but having access to eager tensors
    means `tf.py_function`s can use accelerators such as GPUs as well as
    being differentiable using a gradient tape.
    - tf.numpy_function maintains the semantics of the deprecated tf.py_func
    (it is not differentiable, and manipulates numpy arrays). It drops the
    stateful argument making all functions stateful.
    """,
)
def py_func(
    func: Callable[..., Any],
    inp: Sequence[TensorLike],
    Tout: DTypeLike | Sequence[DTypeLike],
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Wraps a Python function of numpy arrays as a node; no gradients flow through it.

    Args:
      func: called with one array per tensor (numpy scalars for scalars, bytes for strings); returns a result or a list.
      inp: a list of tensors.
      Tout: the result dtype, or a list of dtypes.
      stateful: whether to call `func` in every run; otherwise, equal calls may be merged.

    Returns:
      A tensor of unknown shape, or a list of them if `Tout` is a list.

    Raises:
      ValueError: if `func` is not callable. When run: an exception from `func`, as a `tf.errors` error with its text
        and traceback (InvalidArgumentError for TypeError and ValueError, OutOfRangeError for StopIteration,
        UnimplementedError for NotImplementedError, ResourceExhaustedError for MemoryError, else UnknownError);
        InvalidArgumentError for a mismatched number or dtype of results.

    Example: `tf.py_func(np.sinh, [x], tf.float32)`.
    """
    return (
        _call_on_arrays(func, inp)
        if executing_eagerly()
        else python_node(func, inp, Tout, stateful, name)
    )


@public
def numpy_function(
    func: Callable[..., Any],
    inp: Sequence[TensorLike],
    Tout: DTypeLike | Sequence[DTypeLike],
    name: str | None = None,
) -> Any:
    """Wraps a Python function of numpy arrays as a node; same as `tf.py_func` with `stateful=True`."""
    return (
        _call_on_arrays(func, inp)
        if executing_eagerly()
        else python_node(func, inp, Tout, True, name)
    )
