"""`tensorflow.python.eager.execute`: ops that run at once, by name, with their inputs in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.errors import InvalidArgumentError, NotFoundError
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.opdef import registry

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef
    from tfmini._src.graph.tensor import Tensor

__all__ = ["execute", "quick_execute"]


def quick_execute(
    op_name: str | bytes,
    num_outputs: int,
    inputs: Sequence[Any],
    attrs: Sequence[Any] | None,
    ctx: Any,
    name: str | None = None,
) -> list[Tensor]:
    """The results of an op, one after another.

    Args:
      num_outputs: not looked at: the op knows it.
      inputs: those of lists one after another too.
      attrs: a name, its value, the next name and so on; with the lengths of lists and the types.
      ctx: not looked at.

    Raises:
      NotFoundError: if there is no such op.
      InvalidArgumentError: for an attr that it does not have, or another value than it takes.
    """
    opdef = registry.get(to_str(op_name))
    if opdef is None:
        raise NotFoundError(None, None, f"Op type not registered '{to_str(op_name)}'")
    given = [] if attrs is None else list(attrs)
    if len(given) % 2:
        raise InvalidArgumentError(None, None, "Attrs must be pairs of a name and a value.")
    values = dict(zip(map(to_str, given[::2]), given[1::2]))
    unknown = [key for key in values if key not in opdef.attrs]
    if unknown:
        raise InvalidArgumentError(
            None, None, f"{opdef.name} has no attr named '{unknown[0]}'. [Op:{opdef.name}]"
        )
    settable = {key: value for key, value in values.items() if key in opdef.settable}
    try:
        results = opdef(*_by_argument(opdef, list(inputs), values), **settable, name=name)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(None, None, f"{error} [Op:{opdef.name}]") from error
    return [] if results is None else flatten(results)


execute = quick_execute


def _by_argument(opdef: OpDef, inputs: list[Any], attrs: dict[str, Any]) -> list[Any]:
    """The inputs, those of a list in a list; raises ValueError if they are too many."""
    found: list[Any] = []
    for arg in opdef.inputs:
        count = arg.count(attrs)
        taken, inputs = inputs[:count], inputs[count:]
        found.append(taken if arg.is_list else taken[0])
    if inputs:
        raise ValueError(f"{opdef.name} was given {len(inputs)} inputs too many.")
    return found
