"""GraphDefs with attrs of kinds that nothing expects: TensorFlow passes over some of them."""

import pytest

import tfmini as tf


def node_def(op):
    with tf.Graph().as_default() as graph:
        if op == "Placeholder":
            tf.placeholder(tf.float32, [2], name="n")
        else:
            tf.constant([1.0, 2.0], name="n")
        return graph.as_graph_def()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("_output_shapes", {"b": True}),
        ("_output_shapes", {"list": {"i": [1, 2]}}),
        ("_class", {"s": b"loc:@n"}),
        ("_class", {}),
        ("_class", {"list": {}}),
        ("_own", {"f": 1.0}),
    ],
)
def test_attrs_that_are_passed_over(key, value):
    graph_def = node_def("Placeholder")
    graph_def.node[0].attr[key].CopyFrom(tf.AttrValue(**value))
    with tf.Graph().as_default():
        (found,) = tf.import_graph_def(graph_def, return_elements=["n:0"], name="")
        assert found.shape.as_list() == [2]
        assert found.op.colocation_groups() == [b"loc:@n"]


@pytest.mark.parametrize(
    "change",
    [
        {"tensor_content": b"\0\0\0"},
        {"tensor_shape": {"dim": [{"size": -2}]}},
        {"tensor_shape": {"dim": [{"size": 2**40}] * 3}},
        {"tensor_shape": {"dim": [{"size": 2**42}]}},
        {"tensor_shape": {"dim": [{"size": 2**62}, {"size": 4}]}},
        {"tensor_shape": {"dim": [{"size": 0}, {"size": 2**62}]}},
    ],
)
def test_constants_that_cannot_be(change):
    """Refused at once, whatever they would ask for."""
    graph_def = node_def("Const")
    tensor = graph_def.node[0].attr["value"].tensor
    for key in change:
        tensor.ClearField(key)
    tensor.MergeFrom(type(tensor)(**change))
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Cannot parse tensor"):
        tf.import_graph_def(graph_def)
