"""tape: gradients of recently built ops, without a name scope."""

import tfmini as tf
from tfmini._src.autodiff.tape import tape_gradients


def test_diamond():
    a = tf.constant(2.0, name="a")
    unrelated = tf.constant(1.0)
    first = tf.get_default_graph()._last_id
    b = a * 3.0
    c = b * b + b + unrelated
    result = tape_gradients([c], [a, unrelated], [tf.constant(1.0)], first)
    with tf.Session() as session:
        assert session.run(result) == [3.0 * (2 * 6.0 + 1.0), 1.0]


def test_earlier_tensors_are_constants():
    a = tf.constant(2.0)
    b = a * 3.0
    first = tf.get_default_graph()._last_id
    result = tape_gradients([b * a], [a, b], [tf.constant(10.0)], first)
    with tf.Session() as session:
        assert session.run(result) == [60.0, 20.0]


def test_unrecorded_ops_leave_no_nodes(graph):
    v = tf.Variable(3.0, use_resource=True)
    read = tf.Variable(2.0, use_resource=False)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    last_id = graph._last_id
    assert optimizer.compute_gradients(lambda: read * read) == []
    assert optimizer.compute_gradients(lambda: tf.constant(1.0), [v]) == [(None, v)]
    assert [op.name for op in graph._operations_after(last_id)] == ["mul", "Const"]


def test_loop_around_tape():
    with tf.variable_scope("", use_resource=True):
        v = tf.get_variable("v", initializer=1.0)

    def double(x):
        with tf.GradientTape() as tape:
            product = v * 2.0 * x
        return x + tape.gradient(product, v)

    result = tf.while_loop(lambda x: x < 5.0, double, [1.0])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(result) == 9.0


def test_loop_variable_differs_from_entered_value():
    entered = tf.raw_ops.Enter(data=tf.constant([3.0]), frame_name="frame")
    with tf.GradientTape() as tape:
        tape.watch(entered)
        square = entered * entered
    assert tape.gradient(square, entered).op.type == "AddN"
