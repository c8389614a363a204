"""Function attrs substituted for body placeholders, and argument types."""

import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.graph.graphdef import function_bodies
from tfmini.compat.python.framework import function

INT32, FLOAT = 3, 1


def test_function_attr_placeholders_are_substituted():
    value = proto.AttrValue()
    value.func.name = "f"
    for name in ("T", "U"):
        value.func.attr[name].placeholder = name
    value.func.attr["g"].func.attr["V"].placeholder = "U"
    attrs = {"T": proto.AttrValue(type=FLOAT), "U": proto.AttrValue(type=INT32)}
    function_bodies._fill_attr_placeholders(value, attrs)
    inner = value.func.attr
    assert inner["T"].type == FLOAT and inner["U"].type == INT32
    assert inner["g"].func.attr["V"].type == INT32


@pytest.mark.parametrize("arguments", ["input_arg", "output_arg"])
@pytest.mark.parametrize(
    "dtype, text",
    [(0, "No type fields in name"), (255, "Cannot convert value 255 to a TensorFlow DType")],
)
def test_untyped_function_argument_is_rejected(arguments, dtype, text):
    @function.Defun(tf.float32, func_name="inner")
    def inner(x):
        return x * 2.0

    @function.Defun(tf.float32, func_name="outer")
    def outer(x):
        return inner(x) + 1.0

    with tf.Graph().as_default() as graph:
        fetch = outer(3.0).name
    graph_def = graph.as_graph_def()
    for definition in graph_def.library.function:
        if definition.signature.name == "inner":
            getattr(definition.signature, arguments)[0].type = dtype
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(fetch)
