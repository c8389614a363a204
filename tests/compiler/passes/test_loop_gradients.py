"""Loops and their gradients in plans: stack contents, memory, early exits."""

import gc
import os
import signal
import threading
import tracemalloc
from functools import partial

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tests.support.waiting import once, until
from tfmini._src.compiler.interrupts import LOOP_HOOKS
from tfmini._src.graph.opdef import raw


def recurrence(x, w, steps=3, **settings):
    return tf.while_loop(
        lambda i, h: i < steps, lambda i, h: (i + 1, tf.tanh(h * w + 0.1)), [0, x], **settings
    )[1]


def test_repeated_runs_reuse_memory():
    x, w = tf.placeholder(tf.float32, [1000]), tf.constant(np.linspace(-1, 1, 1000, dtype="f"))
    grads = tf.gradients(recurrence(x, w), [x, w])
    fed = np.ones(1000, "f")
    with tf.Session() as session:
        run = session.make_callable(grads, [x])
        first = run(fed)
        for _ in range(100):
            run(fed)
        gc.collect()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(10_000):
            last = run(fed)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
    assert grown < 20_000, f"{grown} bytes more after 10,000 runs"
    np.testing.assert_array_equal(first, last)


def test_stacked_values_are_not_overwritten():
    """A loop's initial value is pushed; its last reader, after the loop, could overwrite it."""
    x = tf.placeholder(tf.float32, [20_000])
    start = x + 0.5
    out = tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * a), [0, start])[1]
    with tf.control_dependencies([out]):
        after = start * 3.0
    (grad,) = tf.gradients(out, [start])
    with tf.Session() as session:
        fed = np.linspace(0.5, 1.5, 20_000, dtype="f")
        result, later = session.run([grad, after], {x: fed})
    np.testing.assert_allclose(result, 4 * (fed + 0.5) ** 3, rtol=1e-5)
    np.testing.assert_allclose(later, 3 * fed + 1.5, rtol=1e-5)


def test_inner_loop_stack_is_not_overwritten():
    x = tf.placeholder(tf.float32, [20_000])

    def outer(i, a):
        start = a + 0.5
        out = tf.while_loop(lambda j, b: j < 1, lambda j, b: (j + 1, b * b), [0, start])[1]
        with tf.control_dependencies([out]):
            after = start * 3.0
        return i + 1, out + after

    out = tf.while_loop(lambda i, a: i < 1, outer, [0, x])[1]
    (grad,) = tf.gradients(out, [x])
    with tf.Session() as session:
        fed = np.linspace(0.5, 1.5, 20_000, dtype="f")
        np.testing.assert_allclose(session.run(grad, {x: fed}), 2 * fed + 4.0, rtol=1e-5)


def test_variable_changed_before_gradient():
    """A resource variable's stacked value is that of the iteration."""
    v = tf.get_variable("v", initializer=np.full(1000, 2.0, "f"), use_resource=True)
    x = tf.ones([1000])

    def body(i, a):
        value = v.read_value()
        with tf.control_dependencies([value]), tf.control_dependencies([v.assign_add(x)]):
            return i + 1, tf.identity(a * value)

    out = tf.while_loop(lambda i, a: i < 3, body, [0, x], parallel_iterations=1)[1]
    (grad,) = tf.gradients(out, [x])
    with tf.Session() as session:
        session.run(v.initializer)
        np.testing.assert_array_equal(session.run(grad), np.full(1000, 24.0))
        np.testing.assert_array_equal(session.run(v), np.full(1000, 5.0))


def endless(x, variable):
    def body(i, a):
        with tf.control_dependencies([tf.assign_add(variable, 1.0)]):
            return i + 1, tf.minimum(a * 1.5, 1.0)

    return tf.while_loop(lambda i, a: i >= 0, body, [0, x])[1]


def test_ctrl_c_interrupts_loop_with_gradients():
    x, variable = tf.placeholder(tf.float32, []), tf.Variable(0.0)
    (grad,) = tf.gradients(endless(x, variable), [x])
    finite = tf.gradients(recurrence(x, 2.0), [x])[0]
    with tf.Session() as session:
        session.run(variable.initializer)
        press = partial(os.kill, os.getpid(), signal.SIGINT)
        with once(lambda: session.run(variable) > 0, press):
            with pytest.raises(KeyboardInterrupt):
                session.run(grad, {x: 0.5})
        assert not LOOP_HOOKS
        assert session.run(variable) > 0.0
        assert np.isfinite(session.run(finite, {x: 0.5}))


def test_timeout_stops_loop_with_gradients():
    x, variable = tf.placeholder(tf.float32, []), tf.Variable(0.0)
    (grad,) = tf.gradients(endless(x, variable), [x])
    finite = tf.gradients(recurrence(x, 2.0), [x])[0]
    with tf.Session() as session:
        session.run(variable.initializer)
        reached, limit = 0.0, 200
        while not reached:  # on a busy machine, the first limit may pass before the loop starts
            with pytest.raises(
                tf.errors.DeadlineExceededError, match="^Timed out waiting for notification$"
            ):
                session.run(grad, {x: 0.5}, options=tf.RunOptions(timeout_in_ms=limit))
            until(lambda: not LOOP_HOOKS)
            reached = session.run(variable)
            limit *= 2
        threading.Event().wait(0.05)
        assert session.run(variable) == reached > 0.0
        assert np.isfinite(session.run(finite, {x: 0.5}))


def test_concurrent_steps_have_separate_stacks():
    """Concurrent steps have separate stacks."""
    x, w = tf.placeholder(tf.float64, [64]), tf.constant(np.linspace(-1, 1, 64))
    (grad,) = tf.gradients(recurrence(x, w, 20), [x])
    fed = [np.full(64, 0.1 * n) for n in range(4)]
    with tf.Session() as session:
        want = [session.run(grad, {x: value}) for value in fed]
        failures = []

        def steps(index):
            for _ in range(50):
                if not np.array_equal(session.run(grad, {x: fed[index]}), want[index]):
                    failures.append(index)

        threads = [threading.Thread(target=steps, args=(index,)) for index in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures


def test_failed_step_does_not_affect_next():
    x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    out = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.sin(a) * y), [0, x])[1]
    (grad,) = tf.gradients(out, [x])
    with tf.Session() as session:
        feed = {x: [0.5, 1.0], y: [1.0, 2.0]}
        first = session.run(grad, feed)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
            session.run(grad, {x: [0.5, 1.0], y: [1.0, 2.0, 3.0]})
        np.testing.assert_array_equal(session.run(grad, feed), first)


def test_partial_run_resumes_in_gradient():
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    out = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * a), [0, x])[1]
    (grad,) = tf.gradients(out, [x], grad_ys=[y])
    with tf.Session() as session:
        handle = session.partial_run_setup([out, grad], [x, y])
        value = session.partial_run(handle, out, {x: 1.1})
        assert value == pytest.approx(1.1**8)
        assert session.partial_run(handle, grad, {y: 2.0}) == pytest.approx(16.0 * 1.1**7, rel=1e-5)


def test_stack_lives_for_one_step():
    stack = raw.StackV2(-1, elem_type=tf.float32)
    pushed = raw.StackPushV2(stack, 1.0)
    with tf.control_dependencies([pushed]):
        popped = raw.StackPopV2(stack, tf.float32)
    alone = raw.StackPopV2(stack, tf.float32)
    with tf.Session() as session:
        assert session.run(popped) == 1.0
        session.run(pushed)
        with pytest.raises(tf.errors.InvalidArgumentError, match="is empty when calling Pop"):
            session.run(alone)


def test_pushed_value_is_not_overwritten():
    x = tf.placeholder(tf.float32, [20_000])
    value = x + 0.5
    stack = raw.StackV2(-1, elem_type=tf.float32)
    with tf.control_dependencies([raw.StackPushV2(stack, value)]):
        tripled = value * 3.0
    with tf.control_dependencies([tripled]):
        popped = raw.StackPopV2(stack, tf.float32)
    with tf.Session() as session:
        later, result = session.run([tripled, popped], {x: np.ones(20_000)})
    np.testing.assert_array_equal(result, np.full(20_000, 1.5))
    np.testing.assert_array_equal(later, np.full(20_000, 4.5))


def test_gpu_loop_gradients_match_cpu(gpu_environment):
    """Gradients of loops with arrays, integers and conditions on stacks, on two GPUs: same as on the CPU."""
    x = tf.placeholder(tf.float32, [4, 4])
    w = tf.get_variable("w", initializer=np.eye(4, dtype="f"), use_resource=True)
    v = tf.Variable(np.linspace(-1, 1, 16, dtype="f").reshape(4, 4))
    weights = w.read_value()

    def dense(i, a, k):
        chosen = tf.cond(i % 2 > 0, lambda: tf.matmul(a, weights), lambda: tf.nn.relu(a - v))
        return i + 1, chosen + tf.cast(k, tf.float32) * a, k + i

    first = tf.while_loop(lambda i, *_: i < 5, dense, [0, x, 1])[1]

    def outer(i, a):
        def inner(j, b):
            return j + 1, tf.tanh(tf.matmul(b, v)) + a

        return i + 1, tf.while_loop(lambda j, b: j < i, inner, [0, a], swap_memory=True)[1]

    with tf.device("/gpu:1"):
        second = tf.while_loop(lambda i, a: i < 4, outer, [0, x * w])[1]
    with tf.device("/cpu:0"):
        third = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * second), [0, first])[1]
    rows = tf.while_loop(
        lambda i, a: i < 3,
        lambda i, a: (i + 1, a + tf.gather(v, [i, 0]) ** 2),
        [0, tf.zeros([2, 4])],
    )[1]
    fetches = [tf.gradients(y, [x, w, v]) for y in (first, second, third)]
    colocated = tf.gradients(third, [x, w, v], colocate_gradients_with_ops=True)
    (slices,) = tf.gradients(rows, [v])
    fetches = [g for grads in fetches for g in grads if g is not None]
    train = tf.train.GradientDescentOptimizer(1e-3).minimize(tf.reduce_mean(third))
    feed = {x: np.random.RandomState(0).rand(4, 4).astype("f")}

    def results(**settings):
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True, **settings)) as session:
            session.run(tf.global_variables_initializer())
            actual = session.run([*fetches, *colocated, slices.values, slices.indices], feed)
            for _ in range(3):
                session.run(train, feed)
            return [*actual, *session.run([v, w])]

    with fake_gpus(devices=2):
        on_gpus = results()
    for got, want in zip(on_gpus, results(device_count={"GPU": 0})):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


def test_gpu_variable_changed_before_gradient(gpu_environment):
    """A GPU variable keeps its memory when it changes; stacked values are those of their iteration."""
    with fake_gpus(devices=1):
        test_variable_changed_before_gradient()


def old_loop(frame, stack, step, after=None):
    """A loop of four iterations as in legacy graphs; `step(handle, a)` returns a variable's next value."""
    start = tf.constant(0) if after is None else tf.constant(0) * after
    (count, _), (value, _) = (
        raw.Merge([entered, entered])
        for entered in (raw.Enter(first, frame) for first in (start, tf.constant([1.0, 1.0])))
    )
    handle = raw.RefEnter(stack, frame, is_constant=True)
    four, one = (raw.Enter(tf.constant(n), frame, is_constant=True) for n in (4, 1))
    more = raw.LoopCond(raw.Less(count, four))
    (left, number), (result, inside) = raw.Switch(count, more), raw.Switch(value, more)
    following, done = step(handle, inside, frame)
    with tf.control_dependencies([done]):
        count.op._update_input(1, raw.NextIteration(raw.Add(number, one)))
    value.op._update_input(1, raw.NextIteration(following))
    return raw.Exit(left), raw.Exit(result)


def test_legacy_stack_ops():
    def push(handle, value, frame):
        factors = raw.Enter(tf.constant([2.0, 3.0]), frame, is_constant=True)
        product = raw.Mul(value, factors)
        return product, raw.StackPush(handle, product)

    def pop(handle, value, frame):
        with tf.control_dependencies([tf.identity(value)]):
            popped = raw.StackPop(handle, tf.float32)
        return raw.Add(value, popped), popped

    stack = raw.Stack(elem_type=tf.float32)
    count, products = old_loop("forward", stack, push)
    _, sums = old_loop("backward", stack, pop, count)
    with tf.Session() as session:
        powers, totals = session.run([products, sums])
    np.testing.assert_array_equal(powers, [16.0, 81.0])
    np.testing.assert_array_equal(totals, [31.0, 121.0])
