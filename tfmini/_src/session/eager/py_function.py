"""`py_function`: a differentiable node that calls a Python function with eager tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.autodiff.gradient_tape import GradientTape
from tfmini._src.base.dtypes import DTypeLike, as_dtype
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.functions.py_func import EagerFunction, eager_node
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.variables.resource_variable import ResourceVariable


class _TapedFunction(EagerFunction):
    """A user function whose calls a tape records, with respect to its floating-point inputs."""

    def __init__(
        self, function: Callable[..., Any], types: Sequence[Any], is_gradient: bool = False
    ):
        self._function = function
        self._types = [as_dtype(dtype) for dtype in types]
        self._is_gradient = is_gradient
        self._last: tuple[GradientTape, Sequence[EagerTensor], Sequence[EagerTensor]] | None = None

    def call(self, *inputs: EagerTensor) -> list[EagerTensor]:
        """Calls the function under a tape; returns its results as tensors."""
        with eager_mode(), GradientTape() as tape:
            for tensor in inputs:
                if tensor.dtype.is_floating:
                    tape.watch(tensor)
            results = self._function(*inputs)
            if results is None:
                results = []
            elif not isinstance(results, list | tuple):
                results = [results]
            outputs = [self._convert_result(x, dtype) for x, dtype in zip(results, self._types)]
        self._last = tape, inputs, outputs
        return outputs

    def _convert_result(self, value: Any, dtype: Any) -> Any:
        if isinstance(value, ResourceVariable):
            raise RuntimeError(
                "Attempting to return a variable from an eagerly executed py_func. Only numeric data structures "
                "like Tensors or NumPy arrays should be returned; to return the value of a variable, make sure to "
                f"obtain the Tensor backing it by calling `.read_value()` on the variable in question: {value}"
            )
        if value is None and self._is_gradient:
            return ops.constant(0.0, dtype=dtype)
        return ops.convert_to_tensor(value, dtype=dtype)

    def gradient(self, types: list[Any]) -> _TapedFunction:
        """Returns a function that computes the gradients of the last call, in these dtypes."""
        return _TapedFunction(self._gradients, types, is_gradient=True)

    def _gradients(self, *grads: EagerTensor) -> Any:
        assert self._last is not None
        tape, inputs, outputs = self._last
        self._last = None
        return tape.gradient(outputs, inputs, output_gradients=grads)


def py_function(
    func: Callable[..., Any], inp: Sequence[TensorLike], Tout: DTypeLike, name: str | None = None
) -> Any:
    """Wraps a Python function of eager tensors as an operation that can be differentiated once.

    Ops inside the function run eagerly in any mode: it can branch and loop on values, print them, and stop in a
    debugger.

    Args:
      func: takes one eager tensor for each of `inp`; returns a tensor, a list of tensors, or None.
      inp: a list of tensors.
      Tout: the result dtype, or a list of result dtypes; an empty list for None.

    Returns:
      A tensor of unknown shape, or a list of them if `Tout` is a list.

    Raises:
      ValueError: if `func` is not callable. At run time, an exception of `func` is raised as a `tf.errors` error, as
        for `tf.py_func`.

    Example: `tf.py_function(lambda x: x * 2 if x > 0 else x, [x], tf.float32)`.
    """
    if not callable(func):
        raise ValueError(f"Expected func to be callable, got func of type {type(func)}")
    types = Tout if isinstance(Tout, list | tuple) else [Tout]
    results = eager_node(_TapedFunction(func, types), inp, types, name)
    return results if isinstance(Tout, list | tuple) else results[0]
