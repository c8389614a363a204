"""loops: frames become nodes whose programs run as one function each."""

import os
import signal
import threading

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import pruned
from tests.support.gpu.gpus import fake_gpus
from tests.support.waiting import in_plan, once, until
from tfmini._src.compiler.interrupts import LOOP_HOOKS
from tfmini._src.compiler.passes.frames_to_loops import frames_to_loops
from tfmini._src.graph.opdef import raw
from tfmini.errors import InvalidArgumentError


def counted(limit=5, **settings):
    return tf.while_loop(lambda i: i < limit, lambda i: i + 1, [tf.constant(0)], **settings)


def test_frame_becomes_one_node():
    program = frames_to_loops(pruned(counted()))
    (loop,) = [node for node in program.nodes if node.kind == "while"]
    assert loop.loop.variables == 1
    assert len(loop.outputs) == 1
    inside = {node.opdef.name for node in loop.loop.program.nodes}
    assert inside == {"Const", "Less", "LoopCond", "Switch", "Identity", "AddV2"}
    assert not inside.intersection(
        node.opdef.name for node in program.nodes if node.kind == "op"
    ) - {"Const"}
    assert "while" in str(program)


def test_nested_loops_become_nested_programs():
    def nested(depth, start):
        def body(i):
            return i + (nested(depth - 1, i * 0) if depth else 1)

        return tf.while_loop(lambda i: i < 5, body, [start])

    program = frames_to_loops(pruned(nested(2, tf.constant(0))))
    nodes, inner = list(program.all_nodes()), program
    for _ in range(3):
        (loop,) = [node for node in inner.nodes if node.kind == "while"]
        assert nodes.count(loop) == 1
        inner = loop.loop.program
    assert all(nodes.count(node) == 1 for node in inner.nodes)


def test_fetch_inside_loop_frame_is_rejected():
    inside = []
    tf.while_loop(lambda i: i < 3, lambda i: inside.append(raw.Enter(i, "in")) or i + 1, [0])
    with pytest.raises(tf.errors.InternalError, match=r"^Retval\[0\] has already been set"):
        frames_to_loops(pruned(*inside))


def test_program_without_loops_is_unchanged():
    program = pruned(tf.constant(1.0) + 2.0)
    nodes = list(program.nodes)
    assert frames_to_loops(program) is program
    assert program.nodes == nodes


def test_unfetched_loop_variables_are_dropped():
    called = []

    def body(i, a):
        return i + 1, tf.numpy_function(lambda v: called.append(v) or v, [a], tf.float32)

    i, a = tf.while_loop(
        lambda i, a: i < 3,
        body,
        [0, 1.0],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)],
    )
    with tf.Session() as session:
        assert session.run(i) == 3
        assert not called
        assert session.run(a) == 1.0
        assert len(called) == 3


def test_error_names_user_line():
    x = tf.placeholder(tf.float32, [None], name="x")
    loop = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + x), [0, tf.ones([3])])
    with tf.Session() as session:
        with pytest.raises(InvalidArgumentError) as caught:
            session.run(loop, {x: [1.0, 2.0]})
        assert "[[node while/add_1 (defined at " + __file__ in str(caught.value)
        assert "Incompatible shapes: [3] vs. [2]" in str(caught.value)
        np.testing.assert_array_equal(session.run(loop[1], {x: [1.0, 2.0, 3.0]}), [4.0, 7.0, 10.0])


def test_zero_iterations_preserve_feeds_and_constants():
    x = tf.placeholder(tf.float32, [3], name="x")
    never = tf.while_loop(lambda a: tf.reduce_sum(a) < 0.0, lambda a: a * 2.0, [x])
    fed = np.array([1.0, 2.0, 3.0], "f")
    constant = tf.while_loop(lambda i, a: i < 0, lambda i, a: (i, a), [0, tf.ones([3])])[1]
    with tf.Session() as session:
        nodes = session.run(never, {x: fed})
        nodes += 5.0
        np.testing.assert_array_equal(fed, [1.0, 2.0, 3.0])
        changed = session.run(constant)
        changed += 1.0
        np.testing.assert_array_equal(session.run(constant), np.ones(3))


def test_two_conditions_in_frame_are_rejected():
    start = raw.Enter(tf.constant(0), "frame")
    merged, _ = raw.Merge([start, start])
    left, right = raw.Switch(merged, raw.LoopCond(raw.Less(merged, merged)))
    other, _ = raw.Switch(right, raw.LoopCond(raw.Greater(merged, merged)))
    merged.op._update_input(1, raw.NextIteration(other))
    with tf.Session() as session:
        with pytest.raises(InvalidArgumentError, match='"frame" has more than one LoopCond node'):
            session.run(raw.Exit(left))


def test_frame_without_back_edge_runs_once():
    """A frame with a back edge needs a LoopCond; one without runs once, even with a LoopCond."""
    start = raw.Enter(tf.constant(0), "frame")
    merged, _ = raw.Merge([start, start])
    once = raw.Exit(raw.Neg(merged))
    seven = raw.Enter(tf.constant(7), "frame", is_constant=True)
    none, zero = raw.Switch(merged, raw.LoopCond(raw.Equal(merged, merged)))
    with tf.Session() as session:
        assert session.run([once, seven, raw.Exit(zero)]) == [0, 7, 0]
        with pytest.raises(InvalidArgumentError, match=r"Retval\[0\] does not have value"):
            session.run(raw.Exit(none))
    round_again, _ = raw.Merge([start, start])
    round_again.op._update_input(1, raw.NextIteration(round_again))
    with tf.Session() as session:
        with pytest.raises(InvalidArgumentError, match="has a back edge but no LoopCond node"):
            session.run(raw.Exit(round_again))


def test_two_back_edges_are_rejected():
    start = raw.Enter(tf.constant(0), "frame")
    merged, _ = raw.Merge([start, start, start])
    left, right = raw.Switch(merged, raw.LoopCond(raw.Less(merged, merged)))
    for index in (1, 2):
        merged.op._update_input(index, raw.NextIteration(right))
    with tf.Session() as session:
        with pytest.raises(InvalidArgumentError, match="Multiple NextIteration inputs to merge"):
            session.run(raw.Exit(left))


def test_back_edge_from_outside_is_rejected():
    entered = raw.Enter(0, frame_name="frame")
    merged = raw.Merge([entered, entered]).output
    merged.op._update_input(1, raw.NextIteration(tf.constant(1)))
    text = r"(?s)node Merge .*has inputs from different frames\. The input node NextIteration .*is in frame ''\. "
    text += "The input node Enter .*is in frame 'frame'\\."
    with tf.Session() as session, pytest.raises(InvalidArgumentError, match=text):
        session.run(raw.Exit(merged))


def test_exit_without_enter_is_rejected():
    with tf.Session() as session:
        with pytest.raises(InvalidArgumentError, match="leaves a loop that nothing enters"):
            session.run([raw.Exit(tf.constant(1), name="e"), counted()])


def forever(variable=None):
    def body(i):
        update = [] if variable is None else [tf.assign_add(variable, 1.0)]
        with tf.control_dependencies(update):
            return i + 1

    return tf.while_loop(lambda i: i >= 0, body, [tf.constant(0)])


@pytest.mark.parametrize("changes", [False, True])
def test_ctrl_c_interrupts_loop(changes):
    variable = tf.Variable(0.0)
    loop = forever(variable if changes else None)
    with tf.Session() as session:
        session.run(variable.initializer)
        begun = (lambda: session.run(variable) > 0) if changes else in_plan
        with once(begun, lambda: os.kill(os.getpid(), signal.SIGINT)):
            with pytest.raises(KeyboardInterrupt):
                session.run(loop)
        assert not LOOP_HOOKS
        assert (session.run(variable) > 0) == changes


def test_timeout_stops_loop():
    variable = tf.Variable(0.0)
    loop = forever(variable)
    with tf.Session() as session:
        session.run(variable.initializer)
        reached, limit = 0, 200
        while not reached:  # on a busy machine, the first limit may pass before the loop starts
            with pytest.raises(
                tf.errors.DeadlineExceededError, match="^Timed out waiting for notification$"
            ):
                session.run(loop, options=tf.RunOptions(timeout_in_ms=limit))
            until(lambda: not LOOP_HOOKS)
            reached = session.run(variable)
            limit *= 2
        threading.Event().wait(0.05)
        assert session.run(variable) == reached > 0


def test_closing_session_cancels_its_loops():
    """But no other session's."""
    with tf.Session() as other:
        session = tf.Session()
        with once(in_plan, session.close):
            with pytest.raises(tf.errors.CancelledError, match="^Loop execution was cancelled."):
                session.run(forever())
        assert other.run(counted()) == 5


def test_reset_cancels_loops():
    with tf.Session() as session:
        with once(in_plan, lambda: tf.Session.reset("")):
            with pytest.raises(tf.errors.CancelledError, match="^Loop execution was cancelled."):
                session.run(forever())


def test_partial_run_waits_for_loop_inputs():
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    loop = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + y), [0, x])[1]
    more = x + 1.0
    with tf.Session() as session:
        handle = session.partial_run_setup([loop, more], [x, y])
        assert session.partial_run(handle, more, {x: 1.0}) == 2.0
        assert session.partial_run(handle, loop, {y: 2.0}) == 7.0


def test_large_loop_invariants_live_for_all_iterations():
    x, y = tf.placeholder(tf.float32), tf.constant(np.arange(2000.0, dtype="f"))
    loop = tf.while_loop(
        lambda i, a: i < 3,
        lambda i, a: (i + 1, a + x * y),
        [0, y * x],
        [tf.TensorShape([]), tf.TensorShape(None)],
    )
    with tf.Session() as session:
        nodes = session.run(loop[1], {x: np.full(2000, 2.0)})
        np.testing.assert_array_equal(nodes, np.arange(2000) * 8.0)


def test_repeated_loop_runs_reuse_memory():
    loop = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2.0), [0, tf.ones([1000])])
    with tf.Session() as session:
        run = session.make_callable(loop[1])
        for _ in range(100):
            np.testing.assert_array_equal(run()[:2], [8.0, 8.0])


def test_gpu_loops_match_cpu(gpu_environment):
    """Loops with arrays, nested, around a condition, on another GPU, with variables: same as on the CPU."""
    x = tf.placeholder(tf.float32, [4, 4])
    dense = tf.while_loop(
        lambda i, a: i < 5, lambda i, a: (i + 1, tf.nn.relu(tf.matmul(a, x)) + 1.0), [0, tf.eye(4)]
    )
    summed = tf.while_loop(
        lambda a: tf.reduce_sum(a) < 50.0, lambda a: a * 2.0 + x, [tf.ones([4, 4])]
    )

    def body(i, a):
        def inner(k, b):
            return k + 1, b + tf.cast(k, tf.float32) * x

        b = tf.while_loop(lambda k, b: k < i, inner, [0, a])[1]
        return i + 1, tf.cond(tf.reduce_sum(b) > 5.0, lambda: b - 1.0, lambda: b)

    nested = tf.while_loop(lambda i, a: i < 5, body, [0, tf.ones([4, 4])])
    with tf.device("/gpu:1"):
        other = tf.while_loop(
            lambda i, a: i < 5, lambda i, a: (i + 1, a + nested[1]), [0, dense[1]]
        )
    variable = tf.Variable(tf.zeros([4, 4]))

    def update(i):
        with tf.control_dependencies([tf.assign_add(variable, x)]):
            return i + 1

    updated = tf.while_loop(lambda i: i < 3, update, [0])
    feed = {x: np.random.RandomState(0).rand(4, 4).astype("f")}

    def results(**settings):
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True, **settings)) as session:
            session.run(variable.initializer)
            actual = [session.run([dense, summed, nested, other], feed) for _ in range(3)][-1]
            session.run(updated, feed)
            return tf.nest.flatten([actual, session.run(variable)])

    with fake_gpus(devices=2):
        on_gpus = results()
        for got, want in zip(on_gpus, results(device_count={"GPU": 0})):
            np.testing.assert_allclose(got, want, rtol=1e-5)


def test_host_predicates_do_not_block_gpu_iterations(gpu_environment):
    with fake_gpus(devices=1) as machine:
        most = tf.placeholder(tf.int32, [])
        _, y = tf.while_loop(
            lambda i, _: tf.logical_or(tf.logical_and(i < 5, i < most), tf.logical_not(i > -1)),
            lambda i, y: (i + 1, y * 2.0),
            [0, tf.Variable(tf.ones([3]))],
        )
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for limit in (3, 9):
                with machine.forbid_sync(waits=True):
                    session.run(y.op, {most: limit})
                assert session.run(y, {most: limit}).tolist() == [2.0 ** min(limit, 5)] * 3
