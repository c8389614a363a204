"""pack_matmuls: products with a common right matrix share its packed form, in a program and across a loop."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered
from tfmini._src.compiler.passes import pack_matmuls
from tfmini._src.devices.host.native import packed_matmul

pytestmark = pytest.mark.skipif(
    not packed_matmul.is_available(), reason="the CPU's kernels are not built here"
)

ROWS, UNITS = 40, 80


def randn(*shape):
    return np.random.RandomState(len(shape) + sum(shape)).randn(*shape).astype("f") / 8


def chain(x, w, steps, turned=False):
    for _ in range(steps):
        x = tf.matmul(tf.reverse(x, [1]), w, transpose_b=turned)
    return x


def by_hand(x, w, steps):
    for _ in range(steps):
        x = x[:, ::-1] @ w
    return x


def inputs(rows=ROWS, dtype=tf.float32):
    return tf.placeholder(dtype, [rows, UNITS]), tf.placeholder(dtype, [UNITS, UNITS])


def packings(program):
    return [n for n in program.nodes if n.kind == "fused" and not n.members]


def packed_products(program):
    return [
        n
        for n in program.nodes
        if n.kind == "fused" and isinstance(n.fused.evaluate, pack_matmuls.PackedProduct)
    ]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("rows", [ROWS, None])
def test_unrolled_products_share_one_packing(turned, rows):
    with tf.Graph().as_default():
        x, w = inputs(rows)
        y = chain(x, w, 3, turned)
        program = lowered(y, feeds=[x, w])
        assert len(packings(program)) == 1 and len(packed_products(program)) == 3
        value, matrix = randn(ROWS, UNITS), randn(UNITS, UNITS)
        expected = by_hand(value, matrix.T if turned else matrix, 3)
        with tf.Session() as session:
            np.testing.assert_allclose(
                session.run(y, {x: value, w: matrix}), expected, rtol=1e-4, atol=1e-5
            )
            if rows is None:  # so few that NumPy's BLAS is as fast
                actual = session.run(y, {x: value[:1], w: matrix})
                np.testing.assert_allclose(actual, expected[:1], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("steps", "rows", "dtype"), [(2, ROWS, "float32"), (3, 3, "float32"), (3, ROWS, "float64")]
)
def test_few_small_or_double_products_are_not_packed(steps, rows, dtype):
    with tf.Graph().as_default():
        x, w = inputs(rows, dtype)
        program = lowered(chain(x, w, steps), feeds=[x, w])
        assert not packings(program) and not packed_products(program)


def loop_of(program):
    (node,) = [node for node in program.nodes if node.kind == "while"]
    return node.loop.program


def test_loop_invariant_matrix_is_packed_before_loop():
    with tf.Graph().as_default():
        x, w = inputs()
        y = tf.while_loop(lambda i, v: i < 4, lambda i, v: (i + 1, chain(v, w, 1)), [0, x])[1]
        program = lowered(y, feeds=[x, w])
        ops = kinds(program)
        assert ops.index("fused") < ops.index("while")
        assert len(packings(program)) == 1 and len(packed_products(loop_of(program))) == 1
        value, matrix = randn(ROWS, UNITS), randn(UNITS, UNITS)
        with tf.Session() as session:
            for factor in (1, 2):  # as the matrix is in each run
                actual = session.run(y, {x: value, w: matrix * factor})
                expected = by_hand(value, matrix * factor, 4)
                np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)


def test_matrix_used_transposed_is_packed_twice():
    with tf.Graph().as_default():
        x, w = inputs()

        def body(i, v):
            return i + 1, chain(chain(v, w, 1), w, 1, turned=True)

        y = tf.while_loop(lambda i, v: i < 3, body, [0, x])[1]
        program = lowered(y, feeds=[x, w])
        assert len(packings(program)) == len(packed_products(loop_of(program))) == 2
        value, matrix = randn(ROWS, UNITS), randn(UNITS, UNITS)
        expected = value
        for _ in range(3):
            expected = by_hand(by_hand(expected, matrix, 1), matrix.T, 1)
        with tf.Session() as session:
            actual = session.run(y, {x: value, w: matrix})
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)


def test_slice_of_packed_matrix_moves_before_loop():
    with tf.Graph().as_default():
        x, w = inputs()
        part = [0, 0], [UNITS, UNITS]

        def body(i, v):
            return i + 1, tf.matmul(tf.reverse(v, [1]), tf.slice(tf.identity(w), *part))

        y = tf.while_loop(lambda i, v: i < 4, body, [0, x])[1]
        program = lowered(y, feeds=[x, w])
        inside = kinds(loop_of(program))
        assert "Slice" in kinds(program) and "Slice" not in inside
        value, matrix = randn(ROWS, UNITS), randn(UNITS, UNITS)
        with tf.Session() as session:
            result = session.run(y, {x: value, w: matrix})
        np.testing.assert_allclose(result, by_hand(value, matrix, 4), rtol=1e-4, atol=1e-5)


def test_matrix_modified_in_loop_is_not_packed():
    with tf.Graph().as_default():
        x, w = inputs()

        def body(i, v, m):
            return i + 1, chain(v, m, 1), m * 0.5

        y = tf.while_loop(lambda i, v, m: i < 3, body, [0, x, w])[1]
        program = lowered(y, feeds=[x, w])
        assert not packings(program) and not packed_products(loop_of(program))
        value, matrix = randn(ROWS, UNITS), randn(UNITS, UNITS)
        expected = value
        for step in range(3):
            expected = expected[:, ::-1] @ (matrix / 2**step)
        with tf.Session() as session:
            actual = session.run(y, {x: value, w: matrix})
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)


def test_variable_is_packed_in_each_run():
    """Products use the value before the update that depends on them."""
    with tf.Graph().as_default():
        v = tf.Variable(randn(UNITS, UNITS))
        x = tf.placeholder(tf.float32, [ROWS, UNITS])
        y = chain(x, v, 3)
        with tf.control_dependencies([y]):
            update = v.assign(v * 2.0)
        value = randn(ROWS, UNITS)
        with tf.Session() as session:
            session.run(v.initializer)
            for factor in (1, 2):
                actual, _ = session.run([y, update.op], {x: value})
                expected = by_hand(value, randn(UNITS, UNITS) * factor, 3)
                np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)
