"""`CallableOptions.tensor_connection`: replaces tensors with others in their consumers."""

from __future__ import annotations

from collections.abc import Collection

from tfmini._src.base import proto
from tfmini._src.base.errors import NotFoundError, invalid
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.op_selection import get_backward_walk_ops
from tfmini._src.graph.tensor import Tensor


def connected_tensors(
    graph: Graph,
    options: proto.CallableOptions,
    feeds: Collection[Tensor],
    fetches: Collection[Tensor],
) -> dict[Tensor, Tensor]:
    """Maps each connected tensor of a `CallableOptions` message to its replacement.

    Sources are themselves replaced by later connections, but not by earlier ones, as in TensorFlow.

    Raises:
      InvalidArgumentError: for a source outside the graph or dependent on the connected tensor; for different dtypes;
        for a tensor already connected, fed or fetched.
      NotFoundError: if the connected tensor is not in the graph.
    """
    pairs: dict[Tensor, Tensor] = {}
    for connection in options.tensor_connection:
        source = _source_tensor(graph, connection)
        tensor = _find_tensor(graph, connection.to_tensor)
        if tensor in pairs or tensor in feeds:
            invalid(f'Endpoint "{tensor.name}" fed more than once.')
        if tensor.op in get_backward_walk_ops([source.op], control_inputs=True):
            invalid(
                f'Requested Tensor connection between nodes "{tensor.op.name}" and "{source.op.name}" '
                "would create a cycle."
            )
        if tensor in fetches:
            invalid(f"{tensor.name} is both fed and fetched.")
        _check_dtype(tensor, source)
        pairs[tensor] = source
    origins: dict[Tensor, Tensor] = {}
    for tensor, source in reversed(pairs.items()):
        origins[tensor] = origins.get(source, source)
    return origins


def _source_tensor(graph: Graph, connection: proto.TensorConnection) -> Tensor:
    name, index = _parse_name(connection.from_tensor)
    op = graph._nodes_by_name.get(name)
    if op is None:
        invalid(f'Requested tensor connection from unknown node: "{connection.to_tensor}".')
    if index >= len(op.outputs):
        invalid(
            f'Requested tensor connection from unknown edge: "{connection.to_tensor}" '
            f"(actual number of outputs = {len(op.outputs)})."
        )
    return op.outputs[index]


def _find_tensor(graph: Graph, text: str) -> Tensor:
    name, index = _parse_name(text)
    op = graph._nodes_by_name.get(name)
    if op is None:
        raise NotFoundError(None, None, f"FeedInputs: unable to find feed output {text}")
    if index >= len(op.outputs):
        invalid(f"FeedInputs: {text} should have output index < {len(op.outputs)}")
    return op.outputs[index]


def _parse_name(text: str) -> tuple[str, int]:
    """Splits a tensor name into node name and output index; a bare node name means output 0."""
    name, colon, index = text.rpartition(":")
    return (name, int(index)) if colon and index.isdecimal() else (text, 0)


def _check_dtype(tensor: Tensor, source: Tensor) -> None:
    """Raises InvalidArgumentError for the first consumer, as TensorFlow does, if the dtypes differ."""
    actual, expected = source.dtype.base_dtype, tensor.dtype.base_dtype
    consumers = tensor.consumers()
    if actual is expected or not consumers:
        return
    index = next(n for n, other in enumerate(consumers[0].inputs) if other is tensor)
    identity = f"_identity_{tensor.op.name}_{tensor.value_index}:0"
    invalid(
        f"Input {index} of node {consumers[0].name} was passed {actual.proto_name} from {identity} "
        f"incompatible with expected {expected.proto_name}."
    )
