"""parse_many: batches a function that parses a record: parses many records at once, then runs the rest per record.

Parsing fifty records at once costs as much as parsing one.
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

# Maps the arguments of many calls to their results.
BatchedCall: TypeAlias = Callable[[Sequence[Any]], list[Any]]


def make_batched_parse(
    body: Body, plan: Callable[[Sequence[Tensor], Sequence[Tensor]], Plan | WaitingPlan]
) -> BatchedCall | None:
    """Returns a batched callable for the stateless function of `body`; None unless the function parses records.

    plan: `plan(fetches, feeds)` compiles the inputs of body tensors.
    """
    parse_ops = [op for op in body.graph._ops if op.type == "ParseSingleExample"]
    arguments = [arg.outputs[0] for arg in body.arguments]
    if len(parse_ops) != 1:
        return None
    (parse,) = parse_ops
    record = skip_identities(parse.inputs[0])
    defaults = parse.inputs[1:]
    attrs = parse.attrs
    if (
        record not in arguments
        or not parse.outputs
        or not reachable(list(defaults), [], []).isdisjoint(body.arguments)
        or any(shape is None or None in shape for shape in attrs["dense_shapes"])
    ):
        return None
    with body.graph.as_default():
        records = ops.placeholder(dtypes.string, [None], name="records")
        parts = raw.ParseExample(
            records,
            [],
            list(attrs["sparse_keys"]),
            list(attrs["dense_keys"]),
            list(defaults),
            sparse_types=list(attrs["sparse_types"]),
            dense_shapes=list(attrs["dense_shapes"]),
        )
    parse_all = plan([tensor for part in parts for tensor in part], [records])
    index, sparse = arguments.index(record), attrs["num_sparse"]

    def parse_columns(arguments: Sequence[Any]) -> list[Any]:
        return _columns_by_record(parse_all.run([_argument_column(arguments, index)]), sparse)

    parsed = list(parse.outputs)
    results = [skip_identities(tensor) for tensor in body.results]
    if all(tensor in parsed for tensor in results):
        indices = [parsed.index(tensor) for tensor in results]

        def select_rows(arguments: Sequence[Any]) -> list[Any]:
            columns = parse_columns(arguments)
            selected = [columns[n] for n in indices]
            return [
                tuple([_copy_row(column[row]) for column in selected])
                for row in range(len(arguments))
            ]

        return select_rows
    remaining_plan = plan(body.results, [*arguments, *parsed])

    def run_after_parsing(arguments: Sequence[Any]) -> list[Any]:
        columns = parse_columns(arguments)
        return [
            remaining_plan.run([*feeds, *(column[row] for column in columns)])
            for row, feeds in enumerate(arguments)
        ]

    return run_after_parsing


def _columns_by_record(outputs: Sequence[Any], sparse: int) -> list[Any]:
    """Splits the outputs of ParseExample into outputs of ParseSingleExample, one element per record.

    sparse: the number of sparse features, whose indices, values and shapes come first.
    """
    indices, values, shapes = (outputs[n * sparse : (n + 1) * sparse] for n in range(3))
    split: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
    for rows, items, (records, _) in zip(indices, values, shapes):
        counts = np.bincount(rows[:, 0], minlength=records)
        ends = np.cumsum(counts).tolist()
        spans = list(zip([0, *ends], ends))
        split[0].append([rows[start:stop, 1:] for start, stop in spans])
        split[1].append([items[start:stop] for start, stop in spans])
        split[2].append(counts[:, np.newaxis])
    return [*split[0], *split[1], *split[2], *outputs[3 * sparse :]]


def skip_identities(tensor: Tensor) -> Tensor:
    while tensor.op.type == "Identity":
        tensor = tensor.op.inputs[0]
    return tensor


def _argument_column(arguments: Sequence[Any], index: int) -> np.ndarray:
    vector = np.empty(len(arguments), object)
    vector[:] = [row[index] for row in arguments]
    return vector


def _copy_row(row: np.ndarray) -> np.ndarray:
    """Copies a row, so that it does not keep the whole batch in memory."""
    return row.copy() if isinstance(row, np.ndarray) else row
