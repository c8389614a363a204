"""parse_many: a function that parses a record, for many records: they are parsed at once, the rest runs for each.

Parsing one record costs as much as parsing fifty at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.program.graph_order import reachable
from tfmini._src.graph.graphdef.function_bodies import Body
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw

if TYPE_CHECKING:
    from tfmini._src.executor.plan import Plan
    from tfmini._src.executor.waiting_plan import WaitingPlan

# For the arguments of many calls, their results.
Many: TypeAlias = Callable[[Sequence[Any]], list[Any]]


def parsing_at_once(
    body: Body, plan: Callable[[Sequence[Tensor], Sequence[Tensor]], Plan | WaitingPlan]
) -> Many | None:
    """A batched callable for the stateless function of `body`; None unless it parses records.

    plan: `plan(fetches, feeds)` compiles what tensors of the body need.
    """
    found = [op for op in body.graph._ops if op.type == "ParseSingleExample"]
    arguments = [arg.outputs[0] for arg in body.arguments]
    if len(found) != 1:
        return None
    (parse,) = found
    record = _behind_identities(parse.inputs[0])
    defaults = parse.inputs[1:]
    shapes = parse.attrs["dense_shapes"]
    if (
        record not in arguments
        or parse.attrs["num_sparse"]
        or not parse.outputs
        or not reachable(list(defaults), [], []).isdisjoint(body.arguments)
        or any(shape is None or None in shape for shape in shapes)
    ):
        return None
    with body.graph.as_default():
        records = ops.placeholder(dtypes.string, [None], name="records")
        parts = raw.ParseExample(
            records,
            [],
            [],
            list(parse.attrs["dense_keys"]),
            list(defaults),
            sparse_types=[],
            dense_shapes=list(shapes),
        )
    parse_all = plan(list(parts.dense_values), [records])
    number = arguments.index(record)
    dense = list(parse.outputs)
    results = [_behind_identities(tensor) for tensor in body.results]
    if all(tensor in dense for tensor in results):
        wanted = [dense.index(tensor) for tensor in results]

        def rows_of(arguments: Sequence[Any]) -> list[Any]:
            columns = parse_all.run([_vector(arguments, number)])
            chosen = [columns[n] for n in wanted]
            return [
                tuple([_own(column[row]) for column in chosen]) for row in range(len(arguments))
            ]

        return rows_of
    rest = plan(body.results, [*arguments, *dense])

    def results_of(arguments: Sequence[Any]) -> list[Any]:
        columns = parse_all.run([_vector(arguments, number)])
        return [
            rest.run([*given, *(column[row] for column in columns)])
            for row, given in enumerate(arguments)
        ]

    return results_of


def _behind_identities(tensor: Tensor) -> Tensor:
    while tensor.op.type == "Identity":
        tensor = tensor.op.inputs[0]
    return tensor


def _vector(arguments: Sequence[Any], number: int) -> np.ndarray:
    vector = np.empty(len(arguments), object)
    vector[:] = [given[number] for given in arguments]
    return vector


def _own(row: np.ndarray) -> np.ndarray:
    """A row that does not hold the memory of the others."""
    return row.copy() if isinstance(row, np.ndarray) else row
