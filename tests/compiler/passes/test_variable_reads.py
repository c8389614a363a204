"""reads: a variable is read once between writes, otherwise by each reader."""

import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered, pruned
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.compiler.passes.frames_to_loops import frames_to_loops
from tfmini._src.compiler.passes.variable_reads import variable_reads


def placed(*fetches):
    return variable_reads(frames_to_loops(pruned(*fetches)), in_parts=False)


def count(program, kind):
    return [node.kind for node in program.all_nodes()].count(kind)


def test_readers_share_one_read():
    v = tf.Variable([1.0, 2.0], name="v")
    reshaped = tf.reshape(v, [2, 1])
    program = placed(v * 1.0, v * 2.0, reshaped)
    assert kinds(program).count("read") == 1
    assert count(program, "view") == 0


def test_reads_are_split_by_write():
    v = tf.Variable([1.0, 2.0], name="v")
    with tf.control_dependencies([v.assign([5.0, 6.0])]):
        after = v * 1.0, v * 3.0
    before = v * 2.0
    assert kinds(placed(*after)).count("read") == 1
    assert kinds(placed(before, *after)).count("read") == 2
    with tf.control_dependencies([before]):
        again = v.assign([7.0, 8.0])
    with tf.control_dependencies([again]):
        last = v * 4.0, v * 5.0
    assert kinds(placed(before, *last)).count("read") == 2


def test_training_step_reads_once():
    v = tf.Variable([1.0, 2.0], name="v")
    loss = tf.reduce_sum(tf.reshape(v, [2, 1]) * tf.stop_gradient(v))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    program = lowered(loss, targets=[train])
    assert count(program, "read") == 1
    assert count(program, "view") == 0


def test_view_is_created_for_reads_after_write():
    v = tf.Variable([1.0, 2.0], name="v")
    reshaped = tf.reshape(v, [2, 1])
    with tf.control_dependencies([reshaped]):
        assigned = v.assign([5.0, 6.0])
    with tf.control_dependencies([assigned]):
        after = reshaped * 1.0
    assert count(placed(after), "view") == 1
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(after).tolist() == [[5.0], [6.0]]


def test_read_only_loop_receives_values():
    v = tf.Variable(2.0, name="v")
    y = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * v), [0, 1.0])[1]
    with tf.control_dependencies([y]):
        program = placed(y, v.assign(y))
    (loop,) = (node for node in program.nodes if node.kind == "while")
    assert not any(node.kind == "read" for node in loop.loop.program.nodes)


def test_loop_reads_initial_value():
    """Its Enter precedes the assignment."""
    v = tf.Variable(2.0, name="v")
    start = tf.placeholder_with_default(1.0, [])
    y = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * v), [0, start])[1]
    start.op._add_control_input(v.assign(10.0).op)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(y) == 1000.0


def test_string_value_after_merge():
    v = tf.Variable("old", name="v")
    chosen = tf.placeholder(tf.bool, [])
    text = tf.cond(chosen, lambda: v, lambda: tf.constant("other"))
    with tf.control_dependencies([text]):
        assigned = v.assign("new")
    with tf.control_dependencies([assigned]):
        after = tf.identity(text) + "!"
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(after, {chosen: True}) == b"new!"
        assert session.run(after, {chosen: False}) == b"other!"


def test_branch_reads_do_not_block_in_place_writes():
    """The variable keeps sole ownership of its array, so that no step copies it."""
    v = tf.Variable(tf.ones([100, 100]), name="v")
    chosen = tf.placeholder(tf.bool, [])
    total = tf.cond(chosen, lambda: tf.reduce_sum(v * 2.0), lambda: tf.reduce_sum(v))
    with tf.control_dependencies([total]):
        update = tf.assign_add(v, tf.ones([100, 100]))
    with tf.Session() as session:
        session.run(v.initializer)
        cell = session._resources.variable(v.op)
        array = cell.array
        del array
        before = id(cell.array)
        assert session.run([total, update.op], {chosen: True})[0] == 20000.0
        assert id(cell.array) == before


def test_gradient_nodes_do_not_wait_for_their_own_loop():
    x = tf.get_variable("x", initializer=2.0)
    mean = tf.Variable(0.0)
    y = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * x), [0, 1.0])[1]
    with tf.control_dependencies([mean.assign(y)]):
        (gradient,) = tf.gradients(y, x)
    with tf.Session() as session:
        session.run([x.initializer, mean.initializer])
        assert session.run([y, gradient, mean]) == [8.0, 12.0, 8.0]


def test_merged_reference_on_other_gpu():
    with fake_gpus(devices=2), tf.Graph().as_default(), tf.Session() as session:
        with tf.device("/gpu:0"):
            v = tf.Variable([1.0, 2.0])
        chosen = tf.placeholder(tf.bool, [])
        with tf.device("/gpu:1"):
            value = tf.cond(chosen, lambda: v, lambda: tf.constant([3.0, 4.0]) * 2.0)
            with tf.control_dependencies([value]):
                assigned = v.assign([5.0, 6.0])
            with tf.control_dependencies([assigned]):
                after = tf.reshape(value, [2, 1]) * 10.0
        session.run(v.initializer)
        assert session.run(after, {chosen: True}).tolist() == [[50.0], [60.0]]
        assert session.run(after, {chosen: False}).tolist() == [[60.0], [80.0]]


def test_loop_keeps_initial_reference_across_reallocation():
    v = tf.Variable([1.0], validate_shape=False)

    def grown(i):
        with tf.control_dependencies([tf.assign(v, tf.concat([v, [2.0]], 0), False)]):
            return i + 1

    loop = tf.while_loop(lambda i: i < 3, grown, [0])
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(loop)
        assert session.run(v).tolist() == [1.0, 2.0]  # as in TensorFlow
        session.run(loop)
        assert session.run(v).tolist() == [1.0, 2.0, 2.0]


@pytest.mark.parametrize("validate_shape", [True, False])
def test_aliases_observe_in_place_updates(validate_shape):
    """As in TensorFlow 1.15.5, also for unknown shapes: an addition is in place, an assignment may not be."""
    start = tf.placeholder_with_default([1.0, 2.0], [2] if validate_shape else None)
    v = tf.Variable(start, validate_shape=validate_shape, use_resource=False)
    shared = tf.identity(v)
    with tf.control_dependencies([shared]):
        add = tf.assign_add(v, [10.0, 10.0])
    with tf.control_dependencies([add]):
        seen = shared * 1.0
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(seen).tolist() == [11.0, 12.0]
