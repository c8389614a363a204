"""`tf.contrib.framework.fuse_op` and `zero_initializer`: hand-written graphs and values."""

import pytest

import tfmini as tf

fuse_op = tf.contrib.framework.fuse_op


@pytest.fixture
def graph_def():
    """a -> b -> c -> d -> e and other -> c."""
    result = tf.GraphDef()
    for name, inputs in {
        "a": [],
        "other": [],
        "b": ["a"],
        "c": ["b", "other:0"],
        "d": ["c"],
        "e": ["d"],
    }.items():
        result.node.add(name=name, op="Identity", input=inputs)
    result.versions.producer = 21
    return result


def test_invalid_fusions(graph_def):
    with pytest.raises(TypeError, match="Node c uses input a not in input_nodes"):
        graph_def.node[3].input.append("a")
        fuse_op(graph_def, ["b", "other"], ["d"], [1], False, "fused", "Mine")
    with pytest.raises(TypeError, match="input_nodes must be a list"):
        fuse_op(graph_def, "a", ["d"], [1], False, "fused", "Mine")
    with pytest.raises(AssertionError, match="x is not in graph"):
        fuse_op(graph_def, ["a"], ["x"], [1], False, "fused", "Mine")
    with pytest.raises(TypeError, match="must be a graph_pb2.GraphDef"):
        fuse_op(None, ["a"], ["d"], [1], False, "fused", "Mine")
