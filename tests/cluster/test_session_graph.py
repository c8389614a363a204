"""A graph sent by a session's client in pieces, which refer to earlier pieces' nodes."""

import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.cluster.session_graph import extend
from tfmini._src.cluster.task_view import TaskView, device_for_task
from tfmini._src.devices.attributes import (
    DeviceAttributes,
    Link,
    Locality,
    attributes_to_device,
    device_to_attributes,
)
from tfmini._src.devices.registry import listed
from tfmini._src.graph.graph import Graph


def piece(*nodes):
    """A GraphDef of int32 identities, each (name, input ...); nodes without inputs are constants."""
    message = proto.GraphDef()
    message.versions.producer = 134
    for name, *inputs in nodes:
        node = message.node.add(name=name, op="Identity" if inputs else "Const")
        node.input.extend(inputs)
        if inputs:
            node.attr["T"].type = tf.int32.as_datatype_enum
        else:
            node.attr["dtype"].type = tf.int32.as_datatype_enum
            node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(7))
    return message


def test_later_pieces_extend_graph():
    graph = Graph()
    extend(graph, piece(("a",), ("b", "a")))
    extend(graph, piece(("d", "c"), ("c", "b:0", "^a", "^e"), ("e", "a")))
    assert [op.name for op in graph.get_operations()][:2] == ["a", "b"]
    result = {op.name: op for op in graph.get_operations()}
    assert sorted(result) == list("abcde")
    assert result["c"].inputs[0] is result["b"].outputs[0]
    assert [op.name for op in result["c"].control_inputs] == ["a", "e"]
    assert result["d"].outputs[0].dtype is tf.int32
    with tf.Session(graph=graph) as session:
        assert session.run("d:0") == 7
    extend(graph, piece())
    assert len(graph.get_operations()) == 5


@pytest.mark.parametrize(
    "nodes, kind, text",
    [
        ([("a",)], tf.errors.AlreadyExistsError, "^Cannot add node 'a': the graph already has"),
        ([("f", "none")], tf.errors.InvalidArgumentError, "none"),
        (
            [("f", "a:1")],
            tf.errors.InvalidArgumentError,
            "^Connecting to invalid output 1 of source node a which has 1 outputs.$",
        ),
        ([("f", "g"), ("g", "f")], tf.errors.InvalidArgumentError, "2 nodes in a cycle"),
        ([("f", "a"), ("f", "a")], tf.errors.InvalidArgumentError, "f"),
        ([("no name", "a")], tf.errors.InvalidArgumentError, "no name"),
    ],
)
def test_invalid_pieces_are_rejected(nodes, kind, text):
    graph = Graph()
    extend(graph, piece(("a",), ("b", "a")))
    with pytest.raises(kind, match=text):
        extend(graph, piece(*nodes))
    assert [op.name for op in graph.get_operations()] == ["a", "b"]
    extend(graph, piece(("f", "b")))
    assert graph.get_operations()[-1].name == "f"


def test_node_limit_rejects_piece(monkeypatch):
    monkeypatch.setenv("TFMINI_LIMITS", "nodes=3")
    graph = Graph()
    extend(graph, piece(("a",), ("b", "a")))
    with pytest.raises(
        tf.errors.ResourceExhaustedError, match="^A graph of 4 nodes exceeds this server's limit"
    ):
        extend(graph, piece(("c", "a"), ("d", "a")))
    extend(graph, piece(("c", "a")))


@pytest.mark.parametrize(
    "place", [Locality(), Locality(1, 0, ()), Locality(2, 1, (Link(3, "StreamExecutor", 1),))]
)
def test_device_attributes_round_trip(place):
    name = "/job:a/replica:0/task:3/device:GPU:1"
    device = DeviceAttributes(name, "GPU", 12 << 30, 99, "a card", place)
    message = device_to_attributes(device)
    assert message.HasField("locality") and message.incarnation == 99
    assert (
        attributes_to_device(proto.DeviceAttributes.FromString(message.SerializeToString()))
        == device
    )


def test_task_devices_carry_task_name():
    (cpu,) = listed(tf.ConfigProto(), {})
    own = device_for_task(cpu, "/job:a/replica:0/task:3")
    assert own.name == "/job:a/replica:0/task:3/device:CPU:0" and own.incarnation % 2
    assert device_for_task(own, "/job:b/replica:0/task:0").name == own.name
    assert own.incarnation != device_for_task(cpu, "/job:a/replica:0/task:3").incarnation
    view = TaskView("/job:a/replica:0/task:3", [own], {own.name: "its GPU"}, None)
    assert view.incarnations == {own.name: own.incarnation}
    other = view.renamed("/job:c/replica:0/task:1", {"/job:c/replica:0/task:1": "h:1"})
    name = "/job:c/replica:0/task:1/device:CPU:0"
    assert other.name == "/job:c/replica:0/task:1"
    assert other.attached == {name: "its GPU"} and other.incarnations == {name: own.incarnation}
    assert view.incarnations == {own.name: own.incarnation}
