"""fuse_runs: recurrent network cells, in a program and in loops, are single calls."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered
from tfmini._src.compiler.passes import fuse_runs
from tfmini._src.compiler.passes.fuse_runs import RowRun
from tfmini._src.devices.host.native import runs

pytestmark = pytest.mark.skipif(
    not runs.is_available(), reason="the CPU's kernels are not built here"
)

UNITS = 128


@pytest.fixture(params=[1, 2, 3])
def threads(request, monkeypatch):
    monkeypatch.setattr(fuse_runs, "thread_count", lambda: request.param)
    monkeypatch.setattr(fuse_runs, "_MIN_PARALLEL_MICROSECONDS", 0.0)
    return request.param


def randn(*shape):
    return np.random.RandomState(len(shape) + sum(shape)).randn(*shape).astype("f") / 8


def runs_of(program):
    return [n for n in program.nodes if n.kind == "fused" and isinstance(n.fused.evaluate, RowRun)]


def body_of(program):
    (node,) = [node for node in program.nodes if node.kind == "while"]
    return node.loop.program


def network(cell, rows, steps, known=True):
    """The gradients of a dynamic network, its sum, and the feeds."""
    x = tf.placeholder(tf.float32, [rows if known else None, steps, UNITS])
    outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    loss = tf.reduce_sum(tf.square(outputs))
    return [loss, *tf.gradients(loss, [x, *tf.trainable_variables()])], {
        x: randn(rows, steps, UNITS)
    }


def values_of(cell_class, rows, steps=3, known=True):
    with tf.Graph().as_default():
        initializer = tf.random_normal_initializer(stddev=0.2, seed=3)
        with tf.variable_scope("rnn", initializer=initializer):
            fetches, feeds = network(cell_class(UNITS), rows, steps, known)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return session.run(fetches, feeds)


CELLS = [tf.nn.rnn_cell.BasicLSTMCell, tf.nn.rnn_cell.GRUCell, tf.nn.rnn_cell.LSTMCell]


@pytest.mark.parametrize("rows", [5, 20, 33, 130])
@pytest.mark.parametrize("cell", CELLS)
def test_runs_match_unfused_network(cell, rows, threads, monkeypatch):
    result = values_of(cell, rows)
    monkeypatch.setattr(fuse_runs, "makes_runs", lambda: False)
    for mine, theirs in zip(result, values_of(cell, rows)):
        np.testing.assert_allclose(mine, theirs, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("rows", [20, 130])
@pytest.mark.parametrize("cell", CELLS)
def test_thread_count_does_not_change_results(cell, rows, monkeypatch):
    monkeypatch.setattr(fuse_runs, "_MIN_PARALLEL_MICROSECONDS", 0.0)
    values = []
    for count in (1, 2, 5):
        monkeypatch.setattr(fuse_runs, "thread_count", lambda count=count: count)
        values.append(values_of(cell, rows))
    for several in values[1:]:
        for mine, theirs in zip(values[0], several):
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("rows", [1, 2, 20])
def test_dynamic_and_small_batches(rows):
    known, unknown = (values_of(tf.nn.rnn_cell.GRUCell, rows, known=k) for k in (True, False))
    for mine, theirs in zip(known, unknown):
        np.testing.assert_allclose(mine, theirs, rtol=2e-4, atol=2e-5)


def test_loop_iteration_is_one_call():
    with tf.Graph().as_default():
        fetches, feeds = network(tf.nn.rnn_cell.GRUCell(UNITS), 20, 3)
        program = lowered(fetches[0], feeds=[*feeds])
        body = body_of(program)
        assert len(runs_of(body)) == 1
        assert kinds(body).count("fused") == 1
        assert not {"ConcatV2", "Split", "Mul", "Tanh", "MatMul"}.intersection(kinds(body))


def by_hand(x, w, bias):
    for _ in range(3):
        y = np.concatenate([np.tanh(x @ w + bias), x], 1)
        x = y[:, : UNITS // 2] * 0.5
        x = np.concatenate([x, y[:, UNITS : -UNITS // 2]], 1)
    return x, y


def chain(x, w, bias):
    """Three layers with shared weights, whose columns are sliced and concatenated; the last layer's columns are outputs
    too."""
    for _ in range(3):
        y = tf.concat([tf.tanh(tf.matmul(x, w) + bias), x], 1)
        left = tf.slice(y, [0, 0], [-1, UNITS // 2]) * 0.5
        x = tf.concat([left, tf.slice(y, [0, UNITS], [-1, UNITS // 2])], 1)
    return x, y


@pytest.mark.parametrize("rows", [13, 60])
def test_column_runs_in_straight_program(rows, threads):
    with tf.Graph().as_default():
        shapes = [rows, UNITS], [UNITS, UNITS], [UNITS]
        placeholders = [tf.placeholder(tf.float32, shape) for shape in shapes]
        fetches = chain(*placeholders)
        program = lowered(fetches[0], feeds=placeholders)
        assert runs_of(program)
        arrays = [randn(*shape) for shape in shapes]
        with tf.Session() as session:
            actual = session.run(fetches, dict(zip(placeholders, arrays)))
            wide = np.repeat(arrays[0], 2, 1)[:, ::2]  # other than it was prepared for
            again = session.run(fetches, {**dict(zip(placeholders, arrays)), placeholders[0]: wide})
        for mine, other, expected in zip(actual, again, by_hand(*arrays)):
            np.testing.assert_allclose(mine, expected, rtol=1e-4, atol=1e-5)
            np.testing.assert_allclose(other, expected, rtol=1e-4, atol=1e-5)


def test_nested_column_slices(threads):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [60, UNITS])
        w = tf.placeholder(tf.float32, [UNITS, 2 * UNITS])
        half, y = UNITS // 2, x
        for _ in range(3):
            right = tf.slice(tf.tanh(tf.matmul(y, w) + 0.5), [0, UNITS], [-1, UNITS])
            third, fourth = (tf.slice(right, [0, begin], [-1, half]) for begin in (0, half))
            y = tf.concat([fourth * 0.5, third], 1)
        program = lowered(y, feeds=[x, w])
        assert runs_of(program)
        expected, matrix = randn(60, UNITS), randn(UNITS, 2 * UNITS)
        with tf.Session() as session:
            actual = session.run(y, {x: expected, w: matrix})
    for _ in range(3):
        right = np.tanh(expected @ matrix + 0.5)[:, UNITS:]
        expected = np.concatenate([right[:, half:] * 0.5, right[:, :half]], 1)
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)


def test_output_columns_are_separate_arrays():
    """Also for a run that does not match its inputs."""
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [20, UNITS])
        w = tf.placeholder(tf.float32, [UNITS, UNITS])
        y = x
        parts = []
        for _ in range(3):
            y = tf.tanh(tf.matmul(y, w))
            parts += tf.split(y, 2, 1)
            y = tf.concat(parts[-2:][::-1], 1)
        arrays = {x: randn(20, UNITS), w: randn(UNITS, UNITS)}
        with tf.Session() as session:
            result = session.run(parts, arrays)
            again = session.run(parts, {**arrays, x: np.asfortranarray(arrays[x])})
    for one, other in zip(result, again):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)
        assert one.base is None or one.base.size == one.size


def test_run_may_end_at_target(session):
    x = tf.placeholder(tf.float32, [512, 1024])
    target = tf.nn.l2_normalize(x, 1).op
    assert runs_of(lowered(feeds=[x], targets=[target]))
    assert session.run(target, {x: randn(512, 1024)}) is None
