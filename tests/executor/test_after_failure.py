"""The nodes that a step still runs after one has failed.

See also `conformance/recorded_programs/control_flow/failing_steps.py`.
"""

import pytest

import tfmini as tf
from tests.executor.programs import lowered
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.executor.after_failure import remaining_program


def counts(count):
    zeros = tf.zeros_initializer()
    return [tf.get_variable(f"v{n}", [], initializer=zeros) for n in range(count)]


def after(fetches, variables):
    """The variables' values after a failing step in one session, and the class of its error."""
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.OpError) as caught:
            session.run(fetches)
        return type(caught.value), [float(value) for value in session.run(variables)]


def failing():
    return tf.check_numerics(tf.log(tf.placeholder_with_default(-1.0, [])), "no number")


def named(program, name):
    return next(node for node in program.nodes if node.origin.name == name)


def test_remaining_program():
    x = tf.placeholder_with_default(1.0, [], name="x")
    bad = tf.check_numerics(x, "", name="bad")
    (v,) = counts(1)
    late = tf.assign_add(v, x * 2.0, name="late")
    program = lowered(bad, tf.assign_add(v, bad, name="held"), late)
    rest = remaining_program(program, named(program, "bad"))
    assert [node.origin.name for node in rest.nodes if node.kind == "op"][-1] == "late"
    assert "held" not in [node.origin.name for node in rest.nodes]
    assert rest.fetches == ()
    # Results computed earlier are passed to it; unneeded ones are missing.
    assert set(rest.feeds) <= {slot for node in program.nodes for slot in node.outputs}
    assert remaining_program(program, named(program, "held")) is None


def test_consecutive_steps_report_first_error():
    (v,) = counts(1)
    first, second = failing(), tf.check_numerics(tf.constant(float("inf")), "second")
    with tf.Session() as session:
        session.run(v.initializer)
        for expected in (1.0, 2.0, 3.0):
            with pytest.raises(tf.errors.InvalidArgumentError, match="no number"):
                session.run([first, second, tf.assign_add(v, 1.0, name=f"add{expected:.0f}")])
            assert session.run(v) == expected


def test_failure_inside_loop():
    """Independent nodes of the iteration run; the loop and its consumers end."""
    inner, outer, behind, other = variables = counts(4)

    def body(i):
        failed = tf.Assert(i < 2, [i])
        with tf.control_dependencies([failed, tf.assign_add(inner, 1.0)]):
            return i + 1

    loop = tf.while_loop(lambda i: i < 5, body, [0])
    with tf.control_dependencies([loop.op]):
        waits = tf.assign_add(behind, 1.0)
    spins = tf.while_loop(lambda i: i < 10**9, lambda i: i + 1, [0])
    fetches = [loop, tf.assign_add(outer, 1.0), waits, tf.assign_add(other, tf.to_float(spins))]
    kind, values = after(fetches, variables)
    assert kind is tf.errors.InvalidArgumentError
    assert values == [3.0, 1.0, 0.0, 0.0]


def test_blocked_nodes_are_cancelled():
    queue = tf.FIFOQueue(1, tf.float32, [])
    before, behind = variables = counts(2)
    fetches = [failing(), tf.assign_add(before, 1.0), tf.assign_add(behind, queue.dequeue())]
    assert after(fetches, variables)[1] == [1.0, 0.0]


def test_failure_after_completed_wait():
    numbers = tf.data.Dataset.range(3, 5)
    number = tf.data.make_one_shot_iterator(numbers).get_next()
    ended = tf.data.make_one_shot_iterator(numbers.take(0)).get_next()
    (v,) = variables = counts(1)
    fetches = [tf.assign_add(v, tf.to_float(number)), number, ended]
    assert after(fetches, variables) == (tf.errors.OutOfRangeError, [3.0])


def test_failure_among_batched_updates():
    """If one of them fails, the others are applied."""
    variables = counts(3)
    x = tf.placeholder_with_default(tf.ones([2]), None)
    gradients = [tf.ones([]), x, tf.ones([])]
    step = tf.train.GradientDescentOptimizer(1.0).apply_gradients(zip(gradients, variables))
    assert after(step, variables) == (tf.errors.InvalidArgumentError, [-1.0, 0.0, -1.0])


def test_failure_with_gpu_nodes():
    with fake_gpus():
        with tf.device("/gpu:0"):
            v, w = variables = counts(2)
            x = tf.placeholder_with_default(tf.ones([3]), None)
            add = tf.assign_add(v, tf.reduce_sum(x * 2.0))
        with tf.device("/cpu:0"):
            bad = failing()
            late = tf.assign_add(w, tf.reduce_sum(tf.exp(x * 0.0)))
        assert after([bad, add, late], variables)[1] == [6.0, 3.0]
