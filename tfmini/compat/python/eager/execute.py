"""`tensorflow.python.eager.execute`: runs eager ops by name, with flat inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import InvalidArgumentError, NotFoundError
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.attributes import convert_attrs, to_str
from tfmini._src.graph.convert_to_tensor import internal_convert_to_tensor
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.opdef import OpDef, registry
from tfmini._src.graph.tensor import Tensor

__all__ = ["args_to_matching_eager", "convert_to_mixed_eager_tensors", "execute", "quick_execute"]


def quick_execute(
    op_name: str | bytes,
    num_outputs: int,
    inputs: Sequence[Any],
    attrs: Sequence[Any] | None,
    ctx: Any,
    name: str | None = None,
) -> list[Tensor]:
    """Runs an op and returns its results as a flat list.

    Args:
      num_outputs: at least the number of outputs.
      inputs: the flat list of inputs, including the elements of lists.
      attrs: alternating attr names and values, including the lengths of lists and the types.
      ctx: ignored.

    Raises:
      TypeError: if `num_outputs` is not a number.
      NotFoundError: for an unknown op.
      InvalidArgumentError: for an unknown attr or an invalid value.
    """
    if not isinstance(num_outputs, int):
        raise TypeError(f"an integer is required (got type {type(num_outputs).__name__})")
    opdef = registry.get(to_str(op_name))
    if opdef is None:
        raise NotFoundError(None, None, f"Op type not registered '{to_str(op_name)}'")
    flat_attrs = [] if attrs is None else list(attrs)
    if len(flat_attrs) % 2:
        raise InvalidArgumentError(None, None, "Attrs must be pairs of a name and a value.")
    values = dict(zip(map(to_str, flat_attrs[::2]), flat_attrs[1::2]))
    unknown = [key for key in values if key not in opdef.attrs]
    if unknown:
        raise InvalidArgumentError(
            None, None, f"{opdef.name} has no attr named '{unknown[0]}'. [Op:{opdef.name}]"
        )
    settable = {key: value for key, value in values.items() if key in opdef.settable_attrs}
    try:
        _check_shapes(opdef, settable)
        convert_attrs(opdef, settable)
        results = opdef(*_by_argument(opdef, list(inputs), values), **settable, name=name)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(None, None, f"{error} [Op:{opdef.name}]") from error
    outputs = [] if results is None else flatten(results)
    if len(outputs) > num_outputs:
        raise InvalidArgumentError(
            None, None, f"Expecting {len(outputs)} outputs, but *num_retvals is {num_outputs}"
        )
    return outputs


execute = quick_execute


def args_to_matching_eager(
    values: Sequence[Any],
    ctx: Any,
    default_dtype: DType | None = None,
) -> tuple[DType, list[Tensor]]:
    """Converts values to tensors of one dtype, taken from the first tensor or from the first value without tensors.

    Args:
      values: tensors and values convertible to tensors.
      ctx: ignored.
      default_dtype: the dtype to try first without tensors.
    """
    dtype = next((t.dtype for t in values if isinstance(t, EagerTensor)), None)
    tensors = []
    for value in values:
        tensor = internal_convert_to_tensor(value, dtype, preferred_dtype=default_dtype)
        dtype = tensor.dtype
        tensors.append(tensor)
    return dtype or default_dtype, tensors  # type: ignore[return-value]


def convert_to_mixed_eager_tensors(
    values: Sequence[Any], ctx: Any
) -> tuple[list[DType], list[Tensor]]:
    """Converts values to tensors with their own dtypes; also returns the dtypes."""
    tensors = [internal_convert_to_tensor(value) for value in values]
    return [tensor.dtype for tensor in tensors], tensors


def _check_shapes(opdef: OpDef, attrs: dict[str, Any]) -> None:
    """Raises TypeError for shapes that are numbers, which functions of ops would interpret as vectors."""
    for name, value in attrs.items():
        kind = opdef.attrs[name].kind
        shapes = [value] if kind == "shape" else value if kind == "list(shape)" else []
        for shape in shapes:
            if isinstance(shape, int):
                raise TypeError(f"Expected a shape for argument '{name}' not {shape!r}.")


def _by_argument(opdef: OpDef, inputs: list[Any], attrs: dict[str, Any]) -> list[Any]:
    """Groups the inputs by argument, with lists for list arguments; raises ValueError for too many inputs."""
    grouped: list[Any] = []
    for arg in opdef.inputs:
        count = arg.count(attrs)
        values, inputs = inputs[:count], inputs[count:]
        grouped.append(values if arg.is_list else values[0])
    if inputs:
        raise ValueError(f"{opdef.name} was given {len(inputs)} inputs too many.")
    return grouped
