"""Steps that wait for each other or for queues, and their termination."""

import gc
import signal
import threading
import time
from functools import partial

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tests.support.waiting import until, waiting_in
from tfmini._src.compiler.interrupts import LOOP_HOOKS
from tfmini._src.executor.compile_plan import compile_plan
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.waiting_plan import WaitingPlan
from tfmini._src.ops.pending_ops import PendingOp, Step
from tfmini._src.session.compile_step import compile_step


def a_queue(capacity=1, **settings):
    return tf.FIFOQueue(capacity, [tf.float32], shapes=[[]], **settings)


def in_thread(function):
    """A thread that runs the function, and a list for its result or error."""
    outcome = []

    def run():
        try:
            outcome.append(function())
        except Exception as error:  # passed to the test
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, outcome


def test_group_of_loop_result_waits_for_whole_loop():
    """In the graph, `power` does not depend on the queue; but the loop runs as one node, which reads the queue."""
    queue = a_queue()
    x, stop = queue.dequeue(), tf.placeholder_with_default(3, [])
    _, power, total = tf.while_loop(
        lambda i, power, total: i < stop,
        lambda i, power, total: (i + 1, power * 2.0, total + x),
        (0, 1.0, 0.0),
    )
    group = tf.group(tf.identity(tf.check_numerics(power, "power")))
    with tf.Session() as session:
        session.run(queue.enqueue([1.0]))
        assert session.run([total, group]) == [3.0, None]


@pytest.mark.parametrize("choice, expected", [(True, 11.0), (False, 41.0)])
def test_nested_cond_with_same_predicate(choice, expected):
    """The inner conds have branches that never run, so their results are never computed."""
    queue, p = a_queue(), tf.placeholder(tf.bool, [])
    x = queue.dequeue()
    result = tf.cond(
        p,
        lambda: tf.cond(p, lambda: x + 10.0, lambda: x + 20.0),
        lambda: tf.cond(p, lambda: x + 30.0, lambda: x + 40.0),
    )
    with tf.Session() as session:
        session.run(queue.enqueue([1.0]))
        assert session.run(result, {p: choice}) == expected


@pytest.mark.parametrize("turned", [False, True])
def test_queue_chain_in_any_order(turned):
    queues = [a_queue(name=f"q{n}") for n in range(4)]
    order = list(range(3))
    if turned:
        order.reverse()
    moves = [queues[n + 1].enqueue([queues[n].dequeue() + 1.0]) for n in order]
    with tf.Session() as session:
        session.run([*moves, queues[0].enqueue([1.0])])
        assert session.run(queues[3].dequeue()) == 4.0


def test_other_thread_unblocks_step():
    queue = a_queue()
    got = queue.dequeue()
    with tf.Session() as session:
        thread, outcome = in_thread(lambda: session.run(got * 2.0))
        until(lambda: waiting_in(session) == 1)
        session.run(queue.enqueue([3.0]))
        thread.join(10)
        assert outcome == [6.0]


def test_blocked_steps_resume_in_order():
    queue = a_queue()
    got = queue.dequeue()
    with tf.Session() as session:
        threads = []
        for count in range(3):
            threads.append(in_thread(lambda: session.run(got)))
            until(lambda n=count: waiting_in(session) == n + 1)
        session.run([queue.enqueue_many([[1.0, 2.0, 3.0]])])
        for thread, _ in threads:
            thread.join(10)
        assert [outcome for _, outcome in threads] == [[1.0], [2.0], [3.0]]


@pytest.mark.skipif(
    not hasattr(time, "pthread_getcpuclockid"), reason="this system has no clocks of threads"
)
def test_blocked_steps_use_no_cpu_time():
    def worked():
        """CPU seconds used by these threads only."""
        clocks = [time.pthread_getcpuclockid(thread.ident) for thread, _ in threads]
        return sum(map(time.clock_gettime, clocks))

    def worked_in(seconds):
        before = worked()
        time.sleep(seconds)
        return worked() - before

    queue = a_queue(capacity=200)
    got = queue.dequeue()
    with tf.Session() as session:
        threads = [in_thread(lambda: session.run(got)) for _ in range(100)]
        until(lambda: waiting_in(session) == 100)
        # A thread that collects garbage works too, once.
        assert any(worked_in(0.2) < 0.05 for _ in range(5))
        session.run(queue.enqueue_many([np.arange(100.0, dtype=np.float32)]))
        for thread, _ in threads:
            thread.join(10)
        assert sorted(outcome[0] for _, outcome in threads) == list(range(100))


def test_completed_loop_is_not_stopped_later(monkeypatch):
    """As by a concurrently cancelled step: another thread may have reused the thread id."""
    before = set(LOOP_HOOKS)
    ends, over, left = [], threading.Event(), threading.Event()
    make = PendingOp.__init__

    def made(attempt, end, **options):
        make(attempt, end, **options)
        ends.append(partial(end, attempt))

    class Thread(threading.Thread):
        def run(self):
            super().run()
            over.set()
            left.wait(60)

    queue = tf.FIFOQueue(3, [tf.int32], [[]])
    loop = tf.while_loop(lambda n: n < 3, lambda n: n + queue.dequeue(), [0])
    with tf.Session() as session:
        session.run(queue.enqueue_many([[1, 1, 1]]))
        monkeypatch.setattr(PendingOp, "__init__", made)
        monkeypatch.setattr(threading, "Thread", Thread)
        assert session.run(loop) == 3
        assert over.wait(60)
        for end in ends:
            end()
        left.set()
        assert set(LOOP_HOOKS) <= before


def test_closing_session_cancels_blocked_steps():
    queue = a_queue()
    got, put = queue.dequeue(), queue.enqueue_many([[1.0, 2.0, 3.0]])
    session = tf.Session()
    thread, outcome = in_thread(lambda: session.run(got))
    until(lambda: waiting_in(session) == 1)
    session.close()
    thread.join(10)
    assert isinstance(outcome[0], tf.errors.CancelledError)
    assert outcome[0].op.name == "fifo_queue_Dequeue"
    assert "Dequeue operation was cancelled" in outcome[0].message
    session = tf.Session()
    thread, outcome = in_thread(lambda: session.run(put))
    until(lambda: waiting_in(session) == 1)
    session.close()
    thread.join(10)
    assert "Enqueue operation was cancelled" in outcome[0].message


def test_closing_queue_cancels_pending_enqueues_on_request():
    queue = a_queue()
    put, fill = queue.enqueue([2.0]), queue.enqueue([1.0])
    kind, cancelling = queue.close(), queue.close(cancel_pending_enqueues=True)
    with tf.Session() as session:
        session.run(fill)
        thread, outcome = in_thread(lambda: session.run(put))
        until(lambda: waiting_in(session) == 1)
        session.run(cancelling)
        thread.join(10)
        assert isinstance(outcome[0], tf.errors.CancelledError)
        assert session.run(queue.dequeue()) == 1.0
    with tf.Session() as session:
        session.run(fill)
        waiting = in_thread(lambda: session.run(put))
        until(lambda: waiting_in(session) == 1)
        closing = in_thread(lambda: session.run(kind))
        until(lambda: waiting_in(session) == 2)
        assert not session.run(queue.is_closed())
        assert session.run([queue.dequeue()]) == [1.0]
        for thread, outcome in (waiting, closing):
            thread.join(10)
            assert outcome == [None]
        assert session.run(queue.is_closed()) and session.run(queue.dequeue()) == 2.0


def test_deadline_preserves_queue():
    queue = tf.FIFOQueue(10, [tf.int32], shapes=[[]])
    many, one = queue.dequeue_many(5), queue.dequeue()
    with tf.Session() as session:
        session.run(queue.enqueue_many([[1, 2, 3]]))
        with pytest.raises(tf.errors.DeadlineExceededError, match="Timed out waiting"):
            session.run(many, options=tf.RunOptions(timeout_in_ms=50))
        until(lambda: not waiting_in(session))
        assert session.run([one, queue.size()])[0] == 1
        assert session.run(queue.size()) == 2
    limited = tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=50))
    with (
        limited,
        pytest.raises(
            tf.errors.DeadlineExceededError, match="^Timed out waiting for notification$"
        ),
    ):
        limited.run(one)


def test_ctrl_c_interrupts_wait():
    queue = a_queue()
    got = queue.dequeue()
    with tf.Session() as session:
        main, interrupted = threading.get_ident(), threading.Event()

        def interrupt():
            until(lambda: waiting_in(session) == 1)
            # A signal that arrives just before the thread blocks in the lock does not wake it.
            while not interrupted.is_set():
                signal.pthread_kill(main, signal.SIGINT)
                interrupted.wait(5)

        thread, _ = in_thread(interrupt)
        with pytest.raises(KeyboardInterrupt):
            session.run(got)
        interrupted.set()
        thread.join(10)
        assert not waiting_in(session)
        session.run(queue.enqueue([1.0]))
        assert session.run(got) == 1.0


def test_failure_cancels_blocked_nodes():
    queue, other = a_queue(), a_queue(name="other")
    x = tf.placeholder(tf.float32, [])
    wrong = queue.enqueue([tf.check_numerics(x, "x is")])
    got = other.dequeue()
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="x is : Tensor had NaN"):
            session.run([got, wrong], {x: np.nan})
        assert not waiting_in(session)
        session.run(other.enqueue([4.0]))
        assert session.run(got) == 4.0


def test_failure_after_wait_names_node():
    queue = tf.FIFOQueue(3, [tf.float32])
    total = tf.matmul(queue.dequeue(), [[1.0], [2.0]], name="total")
    with tf.Session() as session:
        session.run(queue.enqueue([[[1.0, 2.0, 3.0]]]))
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"In\[0\] mismatch") as e:
            session.run(total)
        assert e.value.op.name == "total"


def test_loop_waits_for_concurrent_step():
    queue = a_queue()
    total = tf.while_loop(lambda i, t: i < 50, lambda i, t: (i + 1, t + queue.dequeue()), [0, 0.0])
    put, one, size = queue.enqueue_many([tf.ones([50])]), queue.enqueue([1.0]), queue.size()
    with tf.Session() as session:
        assert session.run([total, put])[0] == (50, 50.0)
        thread, outcome = in_thread(lambda: session.run([total, one]))
        until(lambda: waiting_in(session) and session.run(size) == 0)
    thread.join(10)
    assert isinstance(outcome[0], tf.errors.CancelledError)


def test_nested_loop_waits_for_concurrent_step():
    queue = a_queue()
    x = tf.placeholder(tf.float32, [])

    def inner(t):
        return tf.while_loop(lambda j, t: j < 2, lambda j, t: (j + 1, t + queue.dequeue()), [0, t])[
            1
        ]

    total = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, inner(t)), [0, 0.0])
    put = queue.enqueue_many([tf.fill([6], x * 2.0)])
    with tf.Session() as session:
        limit = tf.RunOptions(timeout_in_ms=30_000)
        for value in (1.0, 2.0):
            result = session.run([total, put], {x: value}, options=limit)
            assert result[0] == (3, 12.0 * value)


def test_closing_session_ends_busy_loop():
    queue = a_queue()

    def body(i):
        taken = tf.cond(i < 0, queue.dequeue, lambda: tf.constant(1.0))
        return (i + tf.cast(taken, tf.int32)) % 1000

    endless = tf.while_loop(lambda i: i >= 0, body, [0])
    session = tf.Session()
    thread, outcome = in_thread(lambda: session.run(endless))
    until(lambda: session._resources.steps)
    session.close()
    thread.join(10)
    assert isinstance(outcome[0], tf.errors.CancelledError)


def test_iteration_nodes_unblock_each_other():
    """As in TensorFlow: nodes of one iteration may unblock each other, in any order."""
    queue = a_queue()

    def body(i, t):
        got = queue.dequeue()
        with tf.control_dependencies([queue.enqueue(tf.cast(i, tf.float32))]):
            return i + 1, t + got

    total = tf.while_loop(lambda i, t: i < 5, body, [0, 0.0], parallel_iterations=1)
    with tf.Session() as session:
        limit = tf.RunOptions(timeout_in_ms=30_000)
        assert session.run(total, options=limit) == (5, 10.0)


def test_failure_in_iteration_names_node():
    queue = a_queue(9)

    def body(i, t):
        return i + 1, tf.check_numerics(t / queue.dequeue(), "late", name="checked")

    total = tf.while_loop(lambda i, t: i < 5, body, [0, 1.0])
    with tf.Session() as session:
        session.run(queue.enqueue_many([[1.0, 2.0, 0.0]]))
        with pytest.raises(tf.errors.InvalidArgumentError, match="late : Tensor had Inf") as e:
            session.run(total)
        assert e.value.op.name == "while/checked"
        assert session.run(queue.size()) == 0


def test_fetches_do_not_alias_queue_elements():
    queue = tf.FIFOQueue(3, [tf.float32])
    x = tf.placeholder(tf.float32, [2])
    result = x * 2.0
    put = queue.enqueue([result])
    keep = queue.enqueue([x])
    with tf.Session() as session:
        fed = np.ones(2, np.float32)
        got, _ = session.run([result, put], {x: fed})
        got[:] = 9.0
        assert session.run(queue.dequeue()).tolist() == [2.0, 2.0]
        session.run(keep, {x: fed})
        fed[:] = 9.0
        assert session.run(queue.dequeue()).tolist() == [1.0, 1.0]


def test_fetch_from_untaken_branch():
    queue, p = a_queue(), tf.placeholder(tf.bool, [])
    got = queue.dequeue()
    chosen = tf.raw_ops.Switch(data=got, pred=p).output_true * 2.0
    fill = queue.enqueue([3.0])
    with tf.Session() as session:
        session.run(fill)
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"Retval\[0\] does not have value"
        ):
            session.run(chosen, {p: False})
        session.run(fill)
        assert session.run(chosen, {p: True}) == 6.0


def test_weights_are_read_next_to_consumer():
    """A value that depends only on variables is computed next to its consumer, not passed between parts."""
    queue = tf.FIFOQueue(3, [tf.float32], shapes=[[2, 3]])
    weights = tf.Variable(tf.ones([3, 4]), name="weights")
    loss = tf.reduce_sum(tf.matmul(queue.dequeue(), weights)) + tf.nn.l2_loss(weights)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(queue.enqueue([np.ones((2, 3))]))
        (plan,) = (s[0] for s in [compile_step(session, [train, loss], [])])
        assert isinstance(plan, WaitingPlan)
        first, second = plan.schedule.parts
        assert [node.opdef.name for node in first.program.nodes] == ["FIFOQueueV2"]
        assert len(first.output_slots) == 1 and second.needs == {0}
        _, value = session.run([train, loss])
        assert value == 24.0 + 6.0
        np.testing.assert_allclose(session.run(weights), np.ones((3, 4)) - 0.5 * (2 + 1))


def test_read_stays_before_later_write():
    step = tf.get_variable("step", initializer=0.0, trainable=False, use_resource=True)
    queue = a_queue(2)
    rate = step.read_value() * 2.0 + queue.dequeue()
    increment = step.assign_add(1.0)  # does not wait for the queue
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), queue.enqueue_many([[10.0, 20.0]])])
        assert [session.run([rate, increment.op])[0] for _ in range(2)] == [10.0, 22.0]


def test_other_steps_use_plain_plan():
    x = tf.placeholder(tf.float32, [])
    with tf.Session() as session:
        plan, _ = compile_step(session, [x * 2.0], [x])
        assert isinstance(plan, Plan)
        queue = a_queue()
        assert isinstance(compile_step(session, [queue.size()], [])[0], Plan)
        assert isinstance(compile_step(session, [queue.dequeue()], [])[0], WaitingPlan)
    assert not plan.program.nodes[0].may_wait and callable(compile_plan)


def test_completed_steps_are_released():
    queue = a_queue(capacity=10)
    put, got = queue.enqueue([tf.ones([])]), queue.dequeue()
    with tf.Session() as session:
        for _ in range(3):
            session.run(put)
            session.run(got)
        gc.collect()
        assert not session._resources.steps


def test_gpu_is_free_while_step_waits():
    with fake_gpus(devices=1) as machine:
        queue = tf.FIFOQueue(3, [tf.float32], shapes=[[4]])
        element = queue.dequeue()
        with tf.device("/gpu:0"):
            weights = tf.Variable(tf.ones([4]))
            total = tf.reduce_sum(element * weights)
            other = tf.reduce_sum(weights)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            thread, outcome = in_thread(lambda: session.run(total))
            until(lambda: waiting_in(session) == 1)
            assert session.run(other) == 4.0
            session.run(queue.enqueue([[1.0, 2.0, 3.0, 4.0]]))
            thread.join(10)
            assert outcome == [10.0]
        assert machine.counters.launches


def test_gpu_variable_is_not_copied_between_parts():
    """An assignment returns the variable itself, which a later part reads and writes once initialized."""
    with fake_gpus(devices=1) as machine:
        queue = tf.FIFOQueue(3, [tf.float32], shapes=[[4]])
        element = queue.dequeue()
        with tf.device("/gpu:0"):
            variable = tf.Variable(tf.zeros([4]))
            first = tf.assign(variable, tf.ones([4]) * 2.0)
            total = tf.reduce_sum(tf.assign_add(first, element) * 1.0)
        with tf.Session() as session:
            session.run(variable.initializer)
            session.run([queue.enqueue([[1.0, 2.0, 3.0, 4.0]]) for _ in range(2)])
            session.run(total)
            machine.counters.reset()
            assert session.run(total) == 18.0
            # The dequeued value, the sum, and the assigned value, on the GPU.
            assert machine.counters.copies == {"h2d": 1, "d2h": 1, "d2d": 1}
            assert session.run(variable).tolist() == [3, 4, 5, 6]


def test_cancelled_step_dequeues_nothing():
    queue = a_queue(4)
    got, size = queue.dequeue(), queue.size()
    with tf.Session() as session:
        session.run(queue.enqueue_many([[1.0, 2.0]]))
        plan = compile_step(session, [got], [])[0]
        step = Step()
        step.cancel()
        with pytest.raises(tf.errors.CancelledError, match="The step was cancelled"):
            plan.run([], step=step)
        assert session.run(size) == 2


def test_array_fetched_twice_is_copied():
    queue = tf.FIFOQueue(2, [tf.float32] * 2, shapes=[[2]] * 2)
    x = tf.sqrt(tf.constant([1.0, 4.0]))
    with tf.Session() as session:
        session.run(queue.enqueue([x, x]))
        first, second = session.run(queue.dequeue())
    first[0] = 5
    assert second.tolist() == [1, 2]
