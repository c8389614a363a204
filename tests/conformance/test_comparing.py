"""The comparison with golden recordings detects every difference."""

import copy

import pytest

import tfmini as tf
from tests.support.programs import comparing, recording


@pytest.fixture(scope="module")
def golden():
    return recording.read(recording.recording_path("graph_control"), tf.GraphDef)


def differences(expected, actual, tolerance=1e-5):
    return comparing.differences(expected, actual, tf.GraphDef, tolerance)


def with_node_changed(golden, change):
    graph = tf.GraphDef.FromString(golden["graph"])
    change(next(node for node in graph.node if node.name == "needless"))
    return {**golden, "graph": graph.SerializeToString()}


def test_equal_records_have_no_differences(golden):
    assert differences(golden, copy.deepcopy(golden)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda node: setattr(node, "op", "Sub"), "node needless: op: expected Add, got Sub"),
        (lambda node: setattr(node, "device", "/cpu:0"), "node needless: device"),
        (lambda node: node.input.append("^a"), "node needless: inputs"),
        (lambda node: node.input.reverse(), "node needless: inputs"),
        (lambda node: setattr(node, "name", "other"), "missing node needless: Add"),
        (lambda node: setattr(node.attr["T"], "type", 2), "node needless: attr T"),
        (lambda node: setattr(node.attr["_more"], "b", True), "node needless: attr _more"),
    ],
)
def test_changed_node_is_named(golden, change, said):
    lines = differences(golden, with_node_changed(golden, change))
    assert any(line.startswith(said) for line in lines), lines


def test_constants_are_compared_elementwise(golden):
    graph = tf.GraphDef.FromString(golden["graph"])
    tensor = next(node for node in graph.node if node.name == "a").attr["value"].tensor
    tensor.ClearField("tensor_content")
    tensor.float_val.extend([1.0, 2.0])
    assert differences(golden, {**golden, "graph": graph.SerializeToString()}) == []
    tensor.float_val[1] = 2.5
    (line,) = differences(golden, {**golden, "graph": graph.SerializeToString()})
    assert line.startswith("node a: attr value: expected float32[2] [1.0, 2.0], got float32[2]")


@pytest.mark.parametrize("part", ["outputs", "collections", "facts"])
def test_other_parts_are_compared(golden, part):
    key = sorted(golden[part])[0]
    (line,) = differences(golden, {**golden, part: {**golden[part], key: ["something else"]}})
    assert key in line


@pytest.mark.parametrize(
    ("value", "same"),
    [
        ([5.0, 6.0], True),
        ([5.0, 6.00001], True),
        ([5.0, 6.001], False),
        ([5.0, float("nan")], False),
        ([5.0, float("inf")], False),
    ],
)
def test_floats_are_compared_within_tolerance(value, same):
    def array(data):
        return {"kind": "array", "dtype": "float32", "shape": [2], "data": data}

    lines = comparing.value_differences(array([5.0, 6.0]), array(value), 1e-5, "")
    assert (lines == []) == same


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "scalar", "dtype": "int32", "shape": [], "data": [3]},
        {"kind": "array", "dtype": "int64", "shape": [], "data": [3]},
        {"kind": "scalar", "dtype": "int64", "shape": [1], "data": [3]},
        {"kind": "scalar", "dtype": "int64", "shape": [], "data": [4]},
        {"list": [3]},
        None,
    ],
)
def test_kind_dtype_shape_and_integers_are_compared_exactly(other):
    value = {"kind": "scalar", "dtype": "int64", "shape": [], "data": [3]}
    assert comparing.value_differences(value, other, 1e-5, "")
