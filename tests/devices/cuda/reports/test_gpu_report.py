"""`TFMINI_DEBUG=gpu`: a report of a run's GPU work."""

import re

import numpy as np
import pytest

import tfmini as tf
from tests.executor.capturing import gpus_with_graphs, session_on_gpu
from tfmini._src.compiler.program import debug

pytestmark = pytest.mark.usefixtures(gpus_with_graphs.__name__)


@pytest.fixture(autouse=True)
def enable_reports(monkeypatch):
    monkeypatch.setattr(debug, "FLAGS", frozenset({"gpu"}))


def reports(capsys, fetch, feed, count=4, **options):
    with session_on_gpu(**options) as (session, _):
        result = fetch()
        session.run(tf.global_variables_initializer())
        capsys.readouterr()
        for _ in range(count):
            session.run(result, feed)
    texts = re.split(r"(?=<tfmini plan)", capsys.readouterr().err)
    return texts[1:]  # after the runtime's log lines


def model():
    x = tf.placeholder_with_default(np.ones([64, 32], "f"), [64, 32], name="x")
    w = tf.get_variable("w", [32, 16])
    h = tf.tanh(tf.matmul(x, w, name="product") * 2.0)
    inverse = tf.matrix_inverse(tf.eye(16) + tf.matmul(h, h, transpose_a=True) * 0.01, name="inv")
    return tf.reduce_sum(inverse, name="total")


def test_segments_copies_waits_and_memory_are_reported(capsys):
    result = reports(capsys, model, {"x:0": np.zeros([64, 32])})
    assert len(result) == 4
    first, last = result[0], result[-1]
    assert re.match(r"<tfmini plan \d+> on GPU:0, run 1\n", first)
    assert "not captured before run 3 with the same shapes" in first
    assert re.search(r"segment 0: \d+ nodes from \S+ to \S+: captured once", last)
    assert "not captured: MatrixInverse inv: CuPy cannot capture part of it" in last
    assert "copies: 1 to the GPU, 8.00KiB; 1 to the host, 4B" in last
    waits = re.search(r"the host waits for: (.*)", last)[1]
    assert sorted(re.findall(r"(\w+) \d+\.\d\d ms", waits)) == [
        "inv",
        "total",
    ]  # whether it is invertible
    assert re.search(r"peak memory, after \S+: 32\.\d\dMiB", last)
    assert "\n      32.00MiB from cuBLAS's workspace\n" in last
    assert re.search(r"\n      2.00KiB from w\n", last)
    assert re.search(r"\n      \S+KiB from recorded graphs\n", last)


def convolved():
    x = tf.placeholder(tf.float32, [2, 6, 6, 3], name="images")
    h = tf.layers.conv2d(x, 4, 3, name="conv")
    return tf.reduce_sum(tf.nn.conv3d(h[..., None], tf.ones([2, 2, 2, 1, 1]), [1] * 5, "VALID"))


def test_convolution_algorithms_are_reported(capsys):
    feed = {"images:0": np.ones([2, 6, 6, 3])}
    first, *_, last = reports(capsys, convolved, feed)
    line = "conv/Conv2D: cuDNN's algorithm 1 of Forward, channels last, workspace 0.0 MiB, measured"
    assert line in first and line in last  # launches a graph
    assert "Conv3D: cuDNN's algorithm" in last
    first, *_ = reports(capsys, convolved, feed, 1, cudnn=lambda: None)
    assert "cuDNN" not in first


def test_loop_segments_are_reported(capsys):
    def loop():
        def body(i, h):
            return i + 1, tf.tanh(h * 0.5) + tf.sin(h) - tf.reduce_sum(h)

        return tf.while_loop(lambda i, h: i < 5, body, [0, tf.ones([3])])[1]

    last = reports(capsys, loop, None, 2)[-1]
    assert re.search(
        r"segment 0: of an iteration, \d nodes from while/\S+ to while/\S+: captured", last
    )
    # The copies that pass a graph its inputs; of five iterations, four are one graph.
    assert "launches: 2 graphs, 2 of our own kernels" in last


def test_report_without_graphs(capsys, monkeypatch):
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    last = reports(capsys, model, None)[-1]
    assert "segment" not in last
    assert re.search(
        r"launches: 2 by cuBLAS, \d of our own kernels, CuPy functions of 1 node: inv\n",
        last,
    )


def classifier():
    """A step that uses only our own kernels or a library's."""
    x, y = tf.placeholder(tf.float32, [64, 32], name="x"), tf.placeholder(tf.int32, [64], name="y")
    images = tf.reshape(x, [64, 4, 8, 1])
    h = tf.layers.flatten(tf.nn.relu(tf.layers.conv2d(images, 4, 3, name="conv")))
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=tf.layers.dense(h, 5), labels=y)
    return tf.train.AdamOptimizer().minimize(tf.reduce_sum(losses))


@pytest.mark.parametrize("graphs", ["0", "1"])
def test_reported_launches_match_driver(capsys, monkeypatch, graphs):
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", graphs)
    with session_on_gpu() as (session, machine):
        step = classifier()
        session.run(tf.global_variables_initializer())
        for _ in range(5):
            capsys.readouterr()
            machine.counters.reset()
            session.run(step, {"x:0": np.ones([64, 32]), "y:0": np.zeros(64)})
        last = capsys.readouterr().err
    line = re.search(r"launches: (.*)", last)[1]
    by_cupy = 0
    if "CuPy" in line:
        line, _, rest = line.partition(", CuPy functions of ")
        by_cupy = int(rest.split()[0])
    told = sum(int(n) for n in re.findall(r"\d+", line)) + by_cupy
    assert told == machine.counters.launches
    if graphs == "1":
        assert line == "1 graph, 1 of our own kernels"
        assert re.search(r"captured once, replayed 3 times, each \d\d kernels\b", last)


def test_times_come_from_cuda_events(capsys):
    first, *_, last = reports(capsys, model, {"x:0": np.zeros([64, 32])})
    times = r"\d ms on the host; by CUDA events: {}copies 0\.\d+ ms\n"
    assert re.search(times.format(r"nodes beside them 0\.\d+ ms, "), first)
    assert re.search(r"\n    product 0\.\d+ ms\n", first)  # node by node, before it is captured
    assert re.search(times.format(r"graphs 0\.\d+ ms, nodes beside them 0\.\d+ ms, "), last)
    assert re.search(r"\n    inv 0\.\d+ ms\n", last)
    assert re.search(r"\n    segment 0 0\.\d+ ms\n", last)
    assert "product" not in last.partition("events")[2]


def test_report_retains_no_overwritten_arrays(capsys):
    """A loop and its gradient: the nodes between them read variables that the step changes."""

    def loop():
        x = tf.placeholder(tf.float32, [2, 3], name="x")
        w = tf.get_variable("w", [3, 3])
        a = tf.while_loop(
            lambda i, _: i < 2, lambda i, a: (i + 1, tf.tanh(tf.matmul(a, w))), [0, x]
        )[1]
        loss = tf.reduce_sum(tf.square(tf.matmul(a, w)))
        return tf.train.GradientDescentOptimizer(0.1).minimize(loss)

    last = reports(capsys, loop, {"x:0": np.ones([2, 3])}, 6)[-1]
    replayed = re.findall(r"segment \d: (?!of an)\d+ nodes .* replayed (\d) times", last)
    assert replayed and set(replayed) == {"4"}


def test_failed_steps_are_reported(capsys):
    with session_on_gpu(memory=64 << 20) as (session, machine):
        x = tf.placeholder(tf.float32, [None], name="x")
        big = tf.tile(x, [1 << 22], name="tiled") * 2.0
        with pytest.raises(tf.errors.ResourceExhaustedError, match="tiled"):
            session.run(tf.reduce_sum(big), {x: np.ones(9)})
        assert "run 1" in capsys.readouterr().err


def test_uncaptured_nodes_are_grouped_by_reason(capsys):
    def inverses():
        x = tf.placeholder(tf.float32, [4, 4], name="x")
        return [tf.matrix_inverse(x + float(n), name=f"inv{n}") for n in range(3)]

    last = reports(capsys, inverses, {"x:0": np.eye(4)})[-1]
    assert last.count("not captured: MatrixInverse") == 1
    assert "not captured: MatrixInverse inv0 and 2 more: CuPy cannot capture" in last
