"""fuse_gpu_matmul: layers and their gradients in one launch each, compared with NumPy and the CPU."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.capturing import (
    compare,
    gpus_with_graphs,  # noqa: F401
    session_on_gpu,
)
from tests.support import fake_cupy

pytestmark = pytest.mark.usefixtures("gpus_with_graphs")

ON_CPU = {"device_count": {"GPU": 0}}


def randn(*shape, dtype="f", seed=0):
    return np.random.RandomState(seed).randn(*shape).astype(dtype)


def launched(make, **options):
    """Runs the (fetches, feeds) returned by `make()`; returns the values and launches of the second run."""
    with session_on_gpu(**options) as (session, machine):
        fetches, feeds = make()
        session.run(tf.global_variables_initializer())
        session.run(fetches, feeds)
        machine.counters.reset()
        return session.run(fetches, feeds), dict(machine.counters.launch_names)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("add", [tf.add, tf.nn.bias_add])
@pytest.mark.parametrize("rectify", [False, True])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_matmul_bias_relu_is_one_launch(dtype, add, rectify, turned):
    a, b, bias = randn(4, 6, dtype=dtype), randn(6, 8, dtype=dtype, seed=1), randn(8, dtype=dtype)
    left, right = (each.T if turn else each for each, turn in zip((a, b), turned))

    def make():
        x, y = (tf.placeholder(dtype, each.shape) for each in (left, right))
        layer = add(tf.matmul(x, y, *turned), tf.constant(bias))
        return tf.nn.relu(layer) if rectify else layer, {x: left, y: right}

    got, names = launched(make)
    assert names == {"cublasLtMatmul": 1}
    expected = a.astype("d") @ b.astype("d") + bias
    room = {"float16": 2e-2, "float32": 1e-5, "float64": 1e-12}[dtype]
    np.testing.assert_allclose(got, np.maximum(expected, 0) if rectify else expected, room, room)


def test_relu_without_bias():
    a, b = randn(4, 6), randn(6, 8)

    def make():
        x = tf.placeholder(tf.float32, [None, 6])
        return tf.nn.relu(tf.matmul(x, b)), {x: a}

    got, names = launched(make)
    assert names == {"cublasLtMatmul": 1}
    np.testing.assert_allclose(got, np.maximum(a @ b, 0), rtol=1e-5)
    refusing = lambda: fake_cupy.cublas_lt.Library(refuses={2})  # noqa: E731
    again, names = launched(make, cublas_lt=refusing)
    assert "cublasLtMatmul" not in names
    np.testing.assert_array_equal(again, got)


def test_empty_matmuls():
    for rows, inner in ((0, 6), (4, 0)):

        def make(rows=rows, inner=inner):
            x = tf.placeholder(tf.float32, [None, inner])
            layer = tf.nn.bias_add(tf.matmul(x, tf.ones([inner, 3])), [1.0, -2.0, 3.0])
            gradient = tf.gradients(layer, x)[0]
            return [tf.nn.relu(layer), gradient], {x: np.ones([rows, inner], "f")}

        got, names = launched(make)
        assert "cublasLtMatmul" not in names
        np.testing.assert_array_equal(got[0], np.tile([[1.0, 0.0, 3.0]], (rows, 1)))
        assert got[1].shape == (rows, inner)


def test_shape_mismatch_raises_op_error():
    with session_on_gpu() as (session, _):
        x, y = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [None, 3])
        layer = tf.nn.bias_add(tf.matmul(x, y), [1.0, 2.0, 3.0], name="added")
        with pytest.raises(tf.errors.InvalidArgumentError, match="size-incompatible"):
            session.run(layer, {x: randn(2, 4), y: randn(5, 3)})


@pytest.mark.parametrize("add", [tf.nn.bias_add, tf.add])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_weight_and_bias_gradients_are_one_launch(dtype, turned, add):
    a, b, g = (randn(*s, dtype=dtype, seed=n) for n, s in enumerate(((4, 6), (6, 8), (4, 8))))

    def make():
        x, grad = tf.placeholder(dtype, a.shape), tf.placeholder(dtype, g.shape)
        matrix, bias = tf.constant(b.T if turned else b), tf.constant(np.ones(8, dtype))
        layer = add(tf.matmul(x, matrix, transpose_b=turned), bias)
        return tf.gradients(layer, [matrix, bias], grad), {x: a, grad: g}

    (matrix, bias), names = launched(make)
    assert names == {"cublasLtMatmul": 1}
    tolerance = {"float16": 2e-2, "float32": 1e-5, "float64": 1e-12}[dtype]
    expected = a.T.astype("d") @ g.astype("d")
    np.testing.assert_allclose(matrix, expected.T if turned else expected, tolerance, tolerance)
    np.testing.assert_allclose(bias, g.astype("d").sum(0), tolerance, tolerance)
    refusing = lambda: fake_cupy.cublas_lt.Library(refuses={256, 512})  # noqa: E731
    again, names = launched(make, cublas_lt=refusing)
    assert len(names) >= 2
    assert "cublasLtMatmul" not in names
    np.testing.assert_allclose(again[0], matrix, tolerance, tolerance)
    np.testing.assert_allclose(again[1], bias, tolerance, tolerance)


@pytest.mark.parametrize("axes, keep", [([0], True), ([1], False), ([0, 1], False), (1, False)])
def test_other_reductions_are_not_fused(axes, keep):
    def make():
        x, g = tf.placeholder(tf.float32, [8, 6]), tf.placeholder(tf.float32, [8, 8])
        sums = tf.reduce_sum(g, axes, keep)
        return [tf.matmul(x, g, transpose_a=True), sums], {x: randn(8, 6), g: randn(8, 8, seed=1)}

    got, names = launched(make)
    assert "cublasLtMatmul" not in names
    expected = randn(8, 8, seed=1).sum(tuple(np.ravel(axes)), keepdims=keep)
    np.testing.assert_allclose(got[1], expected, rtol=1e-5, atol=1e-5)


def test_bias_gradient_on_either_side_of_matmul():
    def make():
        x, g = tf.placeholder(tf.float32, [4, 6]), tf.placeholder(tf.float32, [4, 8])
        product = tf.matmul(x, g, transpose_a=True)
        with tf.control_dependencies(None):
            sums = tf.reduce_sum(g, -2)
        return [product, sums, tf.reduce_sum(g, 0)], {x: randn(4, 6), g: randn(4, 8, seed=1)}

    got, names = launched(make)
    assert names["cublasLtMatmul"] == 1
    np.testing.assert_allclose(got[0], randn(4, 6).T @ randn(4, 8, seed=1), rtol=1e-5, atol=1e-5)
    for sums in got[1:]:
        np.testing.assert_allclose(sums, randn(4, 8, seed=1).sum(0), rtol=1e-5, atol=1e-6)


def trained(session):
    x, labels = tf.placeholder(tf.float32, [16, 6]), tf.placeholder(tf.int64, [16])
    random = np.random.RandomState(0)
    h = x
    for i, size in enumerate((9, 7, 3)):
        with tf.variable_scope(f"layer{i}"):
            w = tf.get_variable("w", initializer=random.randn(h.shape[1], size).astype("f") / 3)
            h = tf.matmul(h, w) + tf.get_variable("b", initializer=tf.ones([size]))
            h = tf.nn.relu(h) if size > 3 else h
    loss = tf.losses.sparse_softmax_cross_entropy(labels, h)
    step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    session.run(tf.global_variables_initializer())
    feeds = [{x: randn(16, 6, seed=n), labels: np.arange(16) * n % 3} for n in range(8)]
    return [session.run([loss, step], feed)[0] for feed in feeds]


def test_captured_training_matches_cpu(monkeypatch):
    """A step has no separate launches for bias gradients."""
    got = compare(monkeypatch, trained, replays=4)
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(**ON_CPU)) as session:
        np.testing.assert_allclose(got, trained(session), rtol=1e-5)


def test_control_dependency_prevents_fusion():
    """A matrix gradient with a control dependency is not fused."""

    def make():
        x, g = tf.placeholder(tf.float32, [4, 6]), tf.placeholder(tf.float32, [4, 8])
        count = tf.Variable(0.0)
        sums = tf.raw_ops.BiasAddGrad(out_backprop=g)
        with tf.control_dependencies([count.assign_add(1.0)]):
            product = tf.matmul(x, g, transpose_a=True)
        return [product, sums], {x: randn(4, 6), g: randn(4, 8)}

    got, names = launched(make)
    assert "cublasLtMatmul" not in names
    np.testing.assert_allclose(got[1], randn(4, 8).sum(0), rtol=1e-5)
