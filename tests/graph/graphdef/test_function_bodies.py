"""Attrs of functions in place of the placeholders of their bodies."""

from tfmini._src.base import proto
from tfmini._src.graph.graphdef import function_bodies

INT32, FLOAT = 3, 1


def test_each_placeholder_of_an_attr_that_is_a_function_is_filled_in():
    value = proto.AttrValue()
    value.func.name = "f"
    for name in ("T", "U"):
        value.func.attr[name].placeholder = name
    value.func.attr["g"].func.attr["V"].placeholder = "U"
    given = {"T": proto.AttrValue(type=FLOAT), "U": proto.AttrValue(type=INT32)}
    function_bodies._fill_in(value, given)
    inner = value.func.attr
    assert inner["T"].type == FLOAT and inner["U"].type == INT32
    assert inner["g"].func.attr["V"].type == INT32
