"""Assertions on graphs, graph comparison, and device placement in tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base import proto
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.collection_protos import proto_functions
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.graph.scopes import device as device_block
from tfmini._src.models.test.gpu_queries import is_gpu_available


def assert_ops_in_graph(expected_ops: dict[str, str], graph: Graph) -> dict[str, Any]:
    """Asserts that a graph contains nodes with the given names and types.

    Args:
      expected_ops: op types by node name.
      graph: the graph.

    Returns:
      The NodeDefs, by name.

    Raises:
      ValueError: if a node is missing or has another type.
    """
    nodes = {}
    for node in graph.as_graph_def().node:
        expected = expected_ops.get(node.name)
        if expected is not None and expected != node.op:
            raise ValueError(
                f"Expected op for node {node.name} is different. {expected} vs {node.op}"
            )
        if expected is not None:
            nodes[node.name] = node
    if expected_ops.keys() != nodes.keys():
        raise ValueError(
            f"Not all expected ops are present. Expected {expected_ops.keys()}, found {nodes.keys()}"
        )
    return nodes


def get_node_def_from_graph(node_name: str, graph_def: Any) -> Any:
    """Returns the NodeDef with this name in a GraphDef; None if the graph lacks it."""
    return next((node for node in graph_def.node if node.name == node_name), None)


def assert_meta_graph_protos_equal(tester: Any, a: Any, b: Any) -> None:
    """Fails unless two MetaGraphDefs are equal except for the order of nodes and map entries.

    Clears the collections and graphs of both.
    """
    tester.assertEqual(set(a.collection_def), set(b.collection_def))
    for key in a.collection_def:
        first, second = a.collection_def[key], b.collection_def[key]
        message = proto_functions(key).proto_type
        if not message:
            tester.assertEqual(first, second)
            continue
        values = first.bytes_list.value, second.bytes_list.value
        tester.assertEqual(*map(len, values))
        for first_item, other in zip(*values):
            tester.assertProtoEquals(message.FromString(first_item), message.FromString(other))
    assert_equal_graph_def(a.graph_def, b.graph_def, checkpoint_v2=True)
    tester.assertProtoEquals(a.graph_def.versions, b.graph_def.versions)
    for compared in (a, b):
        compared.ClearField("collection_def")
        compared.ClearField("graph_def")
    tester.assertProtoEquals(a, b)


def set_producer_version(graph: Graph, producer_version: int) -> None:
    """Sets the producer version of an empty graph, emulating another TensorFlow version."""
    versions = proto.VersionDef(producer=producer_version)
    with graph.as_default():
        import_graph_def(proto.GraphDef(versions=versions))
    assert graph.graph_def_versions.producer == producer_version


@contextmanager
def device(use_gpu: bool) -> Iterator[None]:
    """Context manager that places nodes on the first GPU if requested and available, else on the CPU."""
    name = "/device:GPU:0" if use_gpu and is_gpu_available() else "/device:CPU:0"
    with device_block(name):
        yield


def use_gpu() -> Any:
    """Context manager that places nodes on the first GPU, if available."""
    return device(use_gpu=True)


@contextmanager
def force_gpu() -> Iterator[None]:
    """Context manager that places nodes on the first GPU."""
    with device_block("/device:GPU:0"):
        yield


@contextmanager
def force_cpu() -> Iterator[None]:
    """Context manager that places nodes on the CPU."""
    with device_block("/device:CPU:0"):
        yield


def assert_equal_graph_def(
    actual: proto.GraphDef,
    expected: proto.GraphDef,
    checkpoint_v2: bool = False,
    hash_table_shared_name: bool = False,
) -> None:
    """Raises AssertionError unless two GraphDefs contain the same nodes.

    Ignores versions and the order of nodes and control inputs.

    Args:
      actual: a GraphDef.
      expected: a GraphDef.
      checkpoint_v2: whether temporary checkpoint file names may differ.
      hash_table_shared_name: whether shared names of hash tables may differ.

    Raises:
      TypeError: if either is not a GraphDef.
    """
    for name, graph_def in (("actual", actual), ("expected", expected)):
        if not isinstance(graph_def, proto.GraphDef):
            raise TypeError(f"Expected tf.GraphDef for {name}, got {type(graph_def).__name__}")
    options = (checkpoint_v2, hash_table_shared_name)
    descriptions = {node.name: _description(node, *options) for node in actual.node}
    requested = {node.name: _description(node, *options) for node in expected.node}
    for name in sorted(descriptions.keys() | requested.keys(), reverse=True):
        if name not in requested:
            raise AssertionError(
                f"Found unexpected node '{{{{node {name}}}}}': {descriptions[name]}"
            )
        if name not in descriptions:
            raise AssertionError(
                f"Did not find expected node '{{{{node {name}}}}}': {requested[name]}"
            )
        if descriptions[name] != requested[name]:
            raise AssertionError(
                f"Node named '{name}': {descriptions[name]} is not {requested[name]}"
            )


def _description(node: Any, checkpoint_v2: bool, hash_table_shared_name: bool) -> dict[str, Any]:
    """Returns the compared fields of a node."""
    attrs = {key: value.SerializeToString(deterministic=True) for key, value in node.attr.items()}
    if checkpoint_v2:
        attrs = {key: text for key, text in attrs.items() if b"_temp_" not in text}
    if hash_table_shared_name and node.op == "HashTableV2":
        attrs.pop("shared_name", None)
    return {
        "op": node.op,
        "device": node.device,
        "inputs": [name.removesuffix(":0") for name in node.input if not name.startswith("^")],
        "control inputs": sorted(name for name in node.input if name.startswith("^")),
        "attrs": attrs,
    }
