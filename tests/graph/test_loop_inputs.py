"""The loop of a node, and where its outputs may be used."""

import pytest

import tfmini as tf
from tfmini._src.graph.loop_inputs import (
    is_constant_enter,
    is_enter,
    is_exit,
    is_loop_switch,
    is_switch,
    output_context,
    while_context,
)


@pytest.fixture
def loop_ops():
    """The nodes, by name, of a loop around a cond, of a single cond, and of the loop's gradient."""
    with tf.Graph().as_default() as graph:
        x = tf.constant([1.0, 2.0], name="x")

        def body(i, a):
            return i + 1, tf.cond(i > 0, lambda: a * x, lambda: a + x, name="inner")

        loop = tf.while_loop(lambda i, a: i < 3, body, [0, x], name="loop")[1]
        tf.cond(x[0] > 0.0, lambda: x * 2.0, lambda: x, name="alone")
        tf.gradients(loop, [x])
    return {op.name: op for op in graph.get_operations()}


def test_node_kinds(loop_ops):
    assert is_enter(loop_ops["loop/Enter"]) and is_enter(loop_ops["loop/inner/mul/Enter"])
    assert not is_constant_enter(loop_ops["loop/Enter"])
    assert is_constant_enter(loop_ops["loop/inner/mul/Enter"])
    assert is_exit(loop_ops["loop/Exit_1"]) and not is_exit(loop_ops["loop/Enter"])
    switches = {name for name, op in loop_ops.items() if is_switch(op)}
    assert {"loop/Switch", "loop/inner/Switch", "alone/Switch"} <= switches


def test_loop_variable_switches(loop_ops):
    of_variables = {name for name, op in loop_ops.items() if is_loop_switch(op)}
    assert {
        "loop/Switch",
        "loop/Switch_1",
        "gradients/Switch",
        "gradients/Switch_1",
    } <= of_variables
    assert not any("inner" in name for name in of_variables if name.startswith("loop/"))
    assert not any(name.startswith("alone") for name in of_variables)


def test_while_contexts(loop_ops):
    loop = while_context(loop_ops["loop/Enter"])
    assert loop.IsWhileContext()
    assert while_context(loop_ops["loop/inner/mul"]) is loop
    assert while_context(loop_ops["x"]) is None
    assert output_context(loop_ops["loop/Exit_1"]) is None
    assert while_context(loop_ops["loop/Exit_1"]) is loop
    gradient = while_context(loop_ops["gradients/Sub"])
    assert gradient is not loop and gradient.grad_state.forward is loop
    assert gradient.name == "gradients/loop/while_context"


def test_loop_gradient_values_are_pushed_inside_loop(loop_ops):
    loop = while_context(loop_ops["loop/Enter"])
    pushes = [op for op in loop_ops.values() if op.type == "StackPushV2"]
    pops = [op for op in loop_ops.values() if op.type == "StackPopV2"]
    assert len(pushes) == len(pops) > 0
    assert all(while_context(op) is loop for op in pushes)
    assert all(while_context(op).grad_state.forward is loop for op in pops)
