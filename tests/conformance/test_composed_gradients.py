"""Gradients that sample rows cannot express: compositions of several ops, or explicit values."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.oracles.numeric_gradient import check
from tfmini._src.graph.opdef import raw

X = np.array([[2.0, -1.0, 0.5], [0.25, 3.0, 1.0], [-0.5, 0.75, 1.5]])
COMPLEX = X + 0.5j * X.T[::-1]
TALL = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]])


def positive(x):
    return tf.matmul(x, x, adjoint_b=True) + tf.eye(3, dtype=x.dtype)


def spectral_powers(x):
    """A function of the eigenvectors that is invariant only to their signs."""
    values, vectors = tf.self_adjoint_eig(x + tf.matrix_transpose(x))
    return [values, vectors * vectors, tf.matmul(vectors * values**3, vectors, adjoint_b=True)]


def singular_powers(x):
    values, left, right = tf.svd(x)
    return [values, left * left, right * right, tf.matmul(left * values**3, right, adjoint_b=True)]


# Rows: a function of x, and its argument. TensorFlow's gradients of these decompositions are valid while the matrix
# stays symmetric.
COMPOSED = {
    "Cholesky": (lambda x: [tf.cholesky(positive(x))], X),
    "Cholesky of complex": (lambda x: [tf.cholesky(positive(x))], COMPLEX),
    "SelfAdjointEigV2": (spectral_powers, X),
    "Svd": (singular_powers, TALL),
    "Svd of wide": (singular_powers, TALL.T),
    "PlaceholderWithDefault": (lambda x: [tf.placeholder_with_default(x * x, [3, 3]) ** 2], X),
    "Switch, Merge": (
        lambda x: [tf.cond(x[0, 0] > x[1, 0], lambda: x**3, lambda: tf.sin(x))],
        X,
    ),
}


@pytest.mark.parametrize("name", COMPOSED)
def test_gradient(name):
    function, value = COMPOSED[name]
    check(function, [value], order=2)


def gradient_of(build, value):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(value)
        (gradient,) = tf.gradients(build(x), x)
        return None if gradient is None else session.run(gradient).tolist()


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda x: raw.FakeQuantWithMinMaxArgs(x, min=-2.0, max=2.0), [0, 1, 1, 0]),
        (lambda x: raw.FakeQuantWithMinMaxVars(x, -2.0, 2.0), [0, 1, 1, 0]),
        (lambda x: raw.FakeQuantWithMinMaxVarsPerChannel(x, [-2.0] * 4, [2.0] * 4), [0, 1, 1, 0]),
        (lambda x: raw.QuantizeAndDequantizeV2(x, -2.0, 2.0), [1, 1, 1, 1]),
        (lambda x: raw.QuantizeAndDequantizeV3(x, -2.0, 2.0, 8), [1, 1, 1, 1]),
    ],
)
def test_fake_quantization_is_straight_through(build, expected):
    assert gradient_of(build, np.array([-3, -0.31, 0.77, 2.5], "f")) == expected


@pytest.mark.parametrize("op", [raw.ArgMax, raw.ArgMin])
def test_integers_block_gradients(op):
    assert gradient_of(lambda x: tf.to_float(op(x, 0)), np.ones(3, "f")) is None
    index = op(tf.ones([3]), 0)
    assert index.op.opdef.gradient_rule(index.op, tf.ones_like(index)) == (None, None)


def test_loop_condition_has_no_gradient():
    condition = raw.LoopCond(True)
    assert condition.op.opdef.gradient_rule(condition.op, None) is None


def test_truncated_division_has_no_gradient():
    """Not even for floats, which it does not truncate."""
    x, y = tf.constant([3.0, -2.0]), tf.constant([2.0, 4.0])
    assert tf.gradients(raw.TruncateDiv(x, y), [x, y]) == [None, None]


@pytest.mark.parametrize("taken", [False, True])
def test_references_pass_gradients(taken):
    v = tf.Variable([1.0, 2.0], use_resource=False)
    false, true = raw.RefSwitch(v._variable, tf.constant(taken))
    merged, _ = raw.RefMerge([raw.RefIdentity(false), true])
    (gradient,) = tf.gradients(merged * merged, v)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(gradient).tolist() == [2.0, 4.0]


def test_prevent_gradient_reports_message():
    x = tf.constant(1.0)
    guarded = raw.PreventGradient(x, message="not here")
    with pytest.raises(LookupError, match="Gradient explicitly disabled. Reason: b'not here'"):
        tf.gradients(guarded, x)


def test_sparse_dense_sum_has_no_gradient():
    x = tf.constant([1.0])
    total = raw.SparseDenseCwiseAdd([[0]], x, [2], tf.zeros([2]))
    with pytest.raises(
        NotImplementedError,
        match="^Gradient for SparseDenseCwiseAdd is currently not implemented yet.$",
    ):
        tf.gradients(total, x)
