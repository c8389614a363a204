"""hoist_reads: loops without writes to a variable read it once, before they start."""

import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered


@pytest.mark.parametrize("layer, length", [("LSTM", 5), ("GRU", 5), ("LSTM", None)])
def test_recurrent_layers_read_weights_once(layer, length):
    x = tf.placeholder(tf.float32, [2, length, 3])
    program = lowered(getattr(tf.keras.layers, layer)(4)(x), feeds=[x])
    (loop,) = [node.loop for node in program.nodes if node.kind == "while"]
    assert {"ReadVariableOp", "Split", "StridedSlice"}.isdisjoint(kinds(loop.program))
    name = "_ReadVariableIf" if length is None else "ReadVariableOp"
    assert [node.opdef.name for node in program.nodes].count(name) == 3


def test_loop_without_iterations_reads_nothing():
    v = tf.get_variable("v", [], use_resource=True)
    n = tf.placeholder(tf.int32, [])
    i, x = tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, x * v), (0, 2.0))
    with tf.control_dependencies([x]):
        after = tf.constant(7.0)
    with tf.Session() as session:
        assert session.run((i, x, after, tf.gradients(x, v)), {n: 0}) == (0, 2.0, 7.0, [0.0])
        with pytest.raises(tf.errors.FailedPreconditionError, match="while/mul/ReadVariableOp"):
            session.run(x, {n: 1})
        session.run(v.assign(3.0))
        assert session.run((i, x, after, tf.gradients(x, v)), {n: 2}) == (2, 18.0, 7.0, [12.0])


@pytest.mark.parametrize("writer", ["op", "python", "before"])
def test_writes_prevent_hoisting(writer):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    session, following = tf.Session(), [4.0, 3.0, 2.0]
    writes = {
        "op": lambda: v.assign_add(1.0),
        "python": lambda: tf.py_func(lambda: v.load(following.pop(), session), [], []),
        "before": tf.no_op,
    }

    def body(i, total):
        read = v.read_value()
        with tf.control_dependencies([read]), tf.control_dependencies([writes[writer]()]):
            return i + 1, total + read

    with tf.control_dependencies([v.assign(2.0)] if writer == "before" else []):
        start = tf.constant(0)
    result = tf.while_loop(lambda i, _: i < 3, body, (start, 0.0), parallel_iterations=1)[1]
    with session:
        session.run(v.initializer)
        assert session.run(result) == 6.0
