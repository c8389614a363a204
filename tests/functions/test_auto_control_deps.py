"""A function's side effects run in program order."""

import pytest

import tfmini as tf
from tfmini._src.functions.auto_control_deps import (
    AutomaticControlDependencies,
    automatic_control_dependencies,
)


def test_stateful_ops_run_in_order(capfd):
    with tf.Graph().as_default(), tf.Session() as session:

        @tf.function
        def f(x):
            for index in range(4):
                tf.print(index)
            return x

        concrete = f.get_concrete_function(tf.TensorSpec([], tf.float32))
        prints = [op for op in concrete.graph.get_operations() if op.type == "PrintV2"]
        for before, after in zip(prints, prints[1:]):
            assert before in after.control_inputs
        session.run(f(tf.constant(1.0)))
    assert capfd.readouterr().err.split() == ["0", "1", "2", "3"]


def _variable(value):
    with tf.variable_scope("", use_resource=True):
        return tf.get_variable("v", initializer=value)


def test_graph_block_orders_effects():
    v = _variable(1.0)

    @automatic_control_dependencies
    def update():
        v.assign(v + 1.0)
        v.assign(v * 2.0)
        return {
            "value": v.read_value(),
            "slices": tf.IndexedSlices(tf.stack([v]), tf.constant([0])),
        }

    result = update()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for expected in (4.0, 10.0):
            values = session.run(result)
            assert values["value"] == values["slices"].values == expected


def test_block_must_end_in_its_graph():
    block = AutomaticControlDependencies()
    block.__enter__()
    with tf.Graph().as_default():
        with pytest.raises(RuntimeError, match="Graph changed while trying to add control dep"):
            block.__exit__(None, None, None)


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("p", [False, True])
@pytest.mark.parametrize("q", [False, True])
def test_branches_are_ordered(before, after, p, q):
    v = _variable(1.0)
    pred, inner = tf.placeholder(tf.bool, []), tf.placeholder(tf.bool, [])

    def other():
        tf.cond(inner, lambda: v.assign(v * 2.0), lambda: v.assign(v * 3.0).read_value())
        return v + 1.0

    with AutomaticControlDependencies() as block:
        if before:
            v.assign(v + 4.0)
        tf.cond(pred, lambda: 0.0, other)
        if after:
            v.assign(v * 10.0)
        read = v.read_value().op.inputs[0].op
        result = block.mark_as_return(read.outputs[0])
    assert block.ops_which_must_run
    assert after or [op.type for op in read.control_inputs] == ["Merge"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        expected = (5.0 if before else 1.0) * (1.0 if p else 2.0 if q else 3.0)
        assert session.run(result, {pred: p, inner: q}) == expected * (10.0 if after else 1.0)
