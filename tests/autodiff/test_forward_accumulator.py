"""Forward-mode Jacobian-vector products, compared with manual derivatives."""

import gc
import math
import weakref

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.autodiff.gradient_checker_v2 import compute_gradient
from tfmini.compat.python.eager.forwardprop import ForwardGradientAccumulator

pytestmark = pytest.mark.usefixtures("eager")


def jvp(f, x, tangent):
    with ForwardGradientAccumulator() as accumulator:
        accumulator.watch(x, tangent)
        y = f(x)
    return accumulator.jvp(y)


def test_tangents_of_unary_and_repeated_inputs():
    x = tf.constant(0.1)
    assert jvp(tf.sin, x, tf.constant(2.0)).numpy() == pytest.approx(2 * math.cos(0.1))
    assert jvp(lambda x: x * x + x, x, 3.0).numpy() == pytest.approx(3 * (2 * 0.1 + 1))
    assert jvp(lambda x: tf.constant(1.0), x, 1.0) is None


def test_tangents_of_repeated_watches_add():
    x = tf.constant(-2.0)
    with ForwardGradientAccumulator() as accumulator:
        accumulator.watch([x], [tf.constant(10.0)])
        accumulator.watch(x, 11.0)
        y = 3.0 * x
    assert accumulator.jvp([x, y])[0].numpy() == 21.0
    assert accumulator.jvp(y).numpy() == 63.0


_DECORATED = pytest.mark.parametrize(
    "decorate", [lambda f: f, tf.function], ids=["plain", "function"]
)


@_DECORATED
@pytest.mark.parametrize("around", [lambda f: f, tf.function], ids=["eager", "graph"])
def test_nested_accumulators_compute_higher_derivatives(decorate, around):
    f = decorate(lambda x: x**3.5)

    @around
    def derivatives(x):
        with ForwardGradientAccumulator() as outer:
            outer.watch(x, 1.0)
            with ForwardGradientAccumulator() as inner:
                inner.watch(x, 1.0)
                y = f(x)
        assert inner.jvp(outer.jvp(y)) is None
        return y, inner.jvp(y), outer.jvp(inner.jvp(y)), outer.jvp(y)

    y, first, second, of_outer = derivatives(tf.constant(1.1))
    assert y.numpy() == pytest.approx(1.1**3.5)
    assert first.numpy() == of_outer.numpy() == pytest.approx(3.5 * 1.1**2.5)
    assert second.numpy() == pytest.approx(3.5 * 2.5 * 1.1**1.5)


def test_hessian_vector_product():
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_prod(x)
        return tape.gradient(y, x)

    result = jvp(gradient, tf.constant([2.0, 3.0, 5.0]), tf.constant([1.0, 10.0, 100.0]))
    np.testing.assert_allclose(
        result.numpy(), [5 * 10 + 3 * 100, 5 + 2 * 100, 3 + 2 * 10], rtol=1e-6
    )


def test_tangents_are_freed_with_tensors():
    x = tf.ones([3])
    with ForwardGradientAccumulator() as accumulator:
        accumulator.watch(x, tf.zeros([3]))
        y = 2.0 * x
        gone = weakref.ref(accumulator.jvp(y))
        del y
        gc.collect()
        assert gone() is None


def test_invalid_uses():
    accumulator = ForwardGradientAccumulator()
    with pytest.raises(ValueError, match=r"Called jvp\(\) without first tracing anything"):
        accumulator.jvp(tf.constant(1.0))
    with accumulator:
        with pytest.raises(ValueError, match="already recording"):
            accumulator.__enter__()
        with pytest.raises(NotImplementedError, match="Currently only Tensors may be watched"):
            accumulator.watch(tf.Variable(1.0, use_resource=True), 1.0)
    with pytest.raises(NotImplementedError, match="reuse"):
        accumulator.__enter__()


def test_eager_jacobians():
    x, y = tf.constant([[1.0, 2.0]]), tf.constant([[3.0], [4.0]])
    by_gradient, by_difference = compute_gradient(tf.matmul, [x, y])
    np.testing.assert_allclose(by_gradient[0], [[3.0], [4.0]])
    np.testing.assert_allclose(by_gradient[1], [[1.0], [2.0]])
    np.testing.assert_allclose(by_difference[0], by_gradient[0], rtol=1e-3)
    z = tf.constant([1 + 2j], tf.complex64)
    by_gradient, by_difference = compute_gradient(lambda z: z * z, [z])
    np.testing.assert_allclose(by_difference[0], [[2, 4], [-4, 2]], rtol=1e-2)
    np.testing.assert_allclose(by_gradient[0], by_difference[0], rtol=1e-2)
