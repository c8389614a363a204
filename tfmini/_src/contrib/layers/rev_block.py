"""Reversible residual blocks: their gradients recompute the inputs from the outputs.

A. Gomez, M. Ren, R. Urtasun and R. Grosse, "The reversible residual network", NIPS 2017.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.base import logs
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.functions.custom_gradient import custom_gradient
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_scope import variable_scope

_PART_PATTERN = re.compile(".*revlayer_([0-9]*)/([fg])/.*")


def copy_metadata(function: Callable) -> Callable:
    """Decorator that copies the name and docstring of `function`, if any."""
    if isinstance(function, functools.partial):
        return lambda wrapper: wrapper
    return functools.wraps(function)


def _wrap_in_scope(function: Callable, scope: str) -> Callable:
    """Wraps `function` in a variable scope with resource variables."""

    @copy_metadata(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with variable_scope(scope, use_resource=True):
            return function(*args, **kwargs)

    return wrapper


def _call_with_side_input(function: Callable, x: Tensor, side: list) -> Tensor:
    return function(x, side) if side else function(x)


def _add_gradients(*lists: list) -> list:
    """Returns the elementwise sums of lists of gradients; None if all are None."""
    sums = []
    for some in zip(*lists):
        present = [grad for grad in some if grad is not None]
        sums.append(ops.add_n(present) if present else None)
    return sums


class _Part:
    """One function of a layer, recomputed at `x`, whose gradients stop at its inputs."""

    def __init__(
        self, function: Callable[..., Any], x: Tensor, variables: list[Any], side: list[Any]
    ):
        self.x = ops.stop_gradient(x)
        self.variables = variables
        self.side = [ops.stop_gradient(t) for t in side]
        self.result = _call_with_side_input(function, self.x, self.side)

    def to_input(self, grad: Tensor) -> Tensor:
        return gradients(self.result, self.x, grad)[0]

    def to_rest(self, grad: Tensor) -> tuple[list, list]:
        """Returns the gradients of the variables and of the side inputs."""
        grads = gradients(self.result, self.variables + self.side, grad)
        return grads[: len(self.variables)], grads[len(self.variables) :]


def _layer_backward(
    ys: tuple, grads: tuple, f: Callable, g: Callable, f_rest: tuple, g_rest: tuple
) -> Any:
    """Returns the inputs of one layer, their gradients, and the gradients of variables and side inputs of f and g."""
    (y1, y2), (grad_y1, grad_y2) = ys, grads
    g_part = _Part(g, y1, *g_rest)
    x2 = y2 - g_part.result
    f_part = _Part(f, x2, *f_rest)
    x1 = y1 - f_part.result
    through_g = g_part.to_input(grad_y2)
    grad_x1 = grad_y1 + through_g
    grad_x2 = f_part.to_input(grad_y1) + grad_y2 + f_part.to_input(through_g)
    g_variables, g_side = g_part.to_rest(grad_y2)
    first, first_side = f_part.to_rest(grad_y1)
    second, second_side = f_part.to_rest(through_g)
    f_variables = _add_gradients(first, second)
    f_side = _add_gradients(first_side, second_side)
    outputs = ((x1, x2), (grad_x1, grad_x2), (f_variables, f_side), (g_variables, g_side))
    return pack_sequence_as(outputs, ops.tuple(flatten(outputs)))


def _forward(
    x1: Any, x2: Any, fs: list, gs: list, f_side: Any, g_side: Any, is_gated: bool
) -> tuple:
    """Returns the outputs of all layers; with `is_gated`, a layer starts only when both its inputs are ready."""
    for f, g in zip(fs, gs):
        y1 = x1 + _call_with_side_input(f, x2, f_side)
        y2 = x2 + _call_with_side_input(g, y1, g_side)
        x1, x2 = ops.tuple([y1, y2]) if is_gated else (y1, y2)
    return x1, x2


class RevBlock(Layer):
    """Reversible layers y1 = x1 + f(x2, f_side_input), y2 = x2 + g(y1, g_side_input). See `rev_block`.

    Args:
      use_efficient_backprop: whether the gradient recomputes intermediate values from the outputs.
      f, g, num_layers, f_side_input, g_side_input: as in `rev_block`.
      name: layer name.
    """

    def __init__(
        self,
        f: Callable[..., Any] | Sequence[Callable[..., Any]],
        g: Callable[..., Any] | Sequence[Callable[..., Any]],
        num_layers: int = 1,
        f_side_input: list[Any] | None = None,
        g_side_input: list[Any] | None = None,
        use_efficient_backprop: bool = True,
        name: str = "revblock",
        **kwargs: Any,
    ):
        super().__init__(name=name, **kwargs)
        self.f, self.g = (
            self._scoped_functions(part, num_layers, x) for part, x in zip("fg", (f, g))
        )
        self.num_layers = num_layers
        self.f_side_input = f_side_input or []
        self.g_side_input = g_side_input or []
        self._use_efficient_backprop = use_efficient_backprop

    @staticmethod
    def _scoped_functions(part: str, count: int, value: Any) -> list[Callable]:
        functions = value if isinstance(value, list) else [value] * count
        if len(functions) != count:
            raise AssertionError(
                f"`{part}` requires one function per layer: got {len(functions)} functions for {count} layers"
            )
        return [
            _wrap_in_scope(fn, f"revlayer_{index}/{part}") for index, fn in enumerate(functions)
        ]

    def build(self, _: object) -> None:
        """Does nothing: the functions create their variables on first call."""
        logs.warning("RevBlock constructs its variables on first call, not on build.")
        self.built = True

    def call(self, inputs: Tensor | Variable, forward: bool = True) -> tuple[Any, ...]:
        """Maps [x1, x2] to (y1, y2), or with `forward=False` the reverse."""
        scope = get_variable_scope()
        variable_count = len(scope.global_variables())
        result = self._forward(*inputs) if forward else self._backward(*inputs)
        output, trained = scope.global_variables()[variable_count:], scope.trainable_variables()
        for variable in output:
            self._hold_weight(variable, variable in trained)
        return result

    def forward(self, x1: TensorLike, x2: TensorLike) -> tuple[Any, ...]:
        """Returns the outputs (y1, y2) of inputs x1 and x2."""
        return self.apply([x1, x2])

    def backward(self, y1: TensorLike, y2: TensorLike) -> tuple[Any, ...]:
        """Returns the inputs (x1, x2) of outputs y1 and y2."""
        return self.apply([y1, y2], forward=False)

    def _backward(self, y1: Any, y2: Any) -> tuple:
        for f, g in zip(self.f[::-1], self.g[::-1]):
            x2 = y2 - _call_with_side_input(g, y1, self.g_side_input)
            y1, y2 = y1 - _call_with_side_input(f, x2, self.f_side_input), x2
        return y1, y2

    def _forward(self, x1: Any, x2: Any) -> tuple:
        sides = [self.f_side_input, self.g_side_input]

        def compute(x1: Any, x2: Any, *flat: Any) -> tuple:
            f_side, g_side = pack_sequence_as(sides, flat)
            is_gated = self._use_efficient_backprop
            return _forward(x1, x2, self.f, self.g, f_side, g_side, is_gated)

        @custom_gradient
        def recompute_block(*args: Any) -> tuple:
            outputs = compute(*args)
            return outputs, self._gradient(args, outputs)

        if not self._use_efficient_backprop:
            return compute(x1, x2, *flatten(sides))
        return recompute_block(x1, x2, *flatten(sides))

    def _gradient(self, inputs: tuple, outputs: tuple) -> Callable:
        """Returns the gradient of the block, for `custom_gradient`."""

        def gradient(*grad_ys: Any, **kwargs: Any) -> tuple[list, list]:
            variables, side_inputs = kwargs["variables"], list(inputs[2:])
            results: dict[tuple[str, int], list[int]] = {}  # by function and layer
            for index, variable in enumerate(variables):
                layer, part = _PART_PATTERN.match(variable.name).groups()  # type: ignore[union-attr]
                results.setdefault((part, int(layer)), []).append(index)
            ys, grads = outputs, grad_ys
            variable_grads: list = [None] * len(variables)
            sides: dict[str, list] = {"f": [], "g": []}
            with variable_scope(self.scope_name, reuse=True):
                for layer in reversed(range(self.num_layers)):
                    indices = {part: results.get((part, layer), []) for part in "fg"}
                    arguments = {
                        part: ([variables[n] for n in indices[part]], side)
                        for part, side in (("f", self.f_side_input), ("g", self.g_side_input))
                    }
                    ys, grads, f_grads, g_grads = _layer_backward(
                        ys, grads, self.f[layer], self.g[layer], arguments["f"], arguments["g"]
                    )
                    for part, (part_grads, side) in (("f", f_grads), ("g", g_grads)):
                        sides[part].append(side)
                        for index, grad in zip(indices[part], part_grads):
                            variable_grads[index] = grad
            side_grads: list = [None] * len(side_inputs)
            for part, side in (("f", self.f_side_input), ("g", self.g_side_input)):
                for tensor, grad in zip(side, _add_gradients(*sides[part])):
                    side_grads[_index_of_tensor(side_inputs, tensor)] = grad
            return [*grads, *side_grads], variable_grads

        return gradient


def _index_of_tensor(tensors: list, expected: Tensor) -> int:
    return next(n for n, tensor in enumerate(tensors) if tensor is expected)


def rev_block(
    x1: TensorLike,
    x2: TensorLike,
    f: Callable[..., Any] | Sequence[Callable[..., Any]],
    g: Callable[..., Any] | Sequence[Callable[..., Any]],
    num_layers: int = 1,
    f_side_input: list[Any] | None = None,
    g_side_input: list[Any] | None = None,
    is_training: bool = True,
) -> tuple[Tensor, Tensor]:
    """Applies reversible residual layers: y1 = x1 + f(x2, f_side_input), y2 = x2 + g(y1, g_side_input).

    Args:
      x1, x2: float tensors of the same shape.
      f, g: shape-preserving functions of a tensor, or lists of them, one per layer. They may call `tf.get_variable`;
        other tensors must be passed as side inputs.
      num_layers: number of layers, each with its own variables.
      f_side_input, g_side_input: None, or lists of tensors, passed as the functions' second argument.
      is_training: whether the gradient recomputes intermediate values instead of storing them.

    Returns:
      y1 and y2.

    Example:
      y1, y2 = tf.contrib.layers.rev_block(x1, x2, conv_block, conv_block, num_layers=4)
    """
    block = RevBlock(
        f=f,
        g=g,
        num_layers=num_layers,
        f_side_input=f_side_input,
        g_side_input=g_side_input,
        use_efficient_backprop=is_training,
        _reuse=get_variable_scope().reuse,
    )
    return block.forward(x1, x2)
