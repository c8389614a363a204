"""sink_accumulation: a sum of products accumulated in a loop becomes one product after it."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.graph.opdef import raw

ROWS = np.random.RandomState(0).rand(5, 3, 2).astype("f")


def products(limit, start=None, transpose=True, also=lambda a: None, dtype=tf.float32):
    """The sum over iterations i of ROWS[i]' (ROWS[i] * i), and the result of `also` for it in the loop."""
    rows = tf.constant(ROWS, dtype)
    start = tf.zeros([2, 2], dtype) if start is None else start

    def body(i, total, other):
        row = rows[i]
        row = row if transpose else tf.transpose(row)
        term = tf.matmul(
            row,
            tf.matrix_transpose(row) if not transpose else row * tf.cast(i, dtype),
            transpose_a=transpose,
        )
        result = also(total)
        return i + 1, total + term, other + (1.0 if result is None else result)

    return tf.while_loop(lambda i, *_: i < limit, body, [0, start, 0.0])


def expected(limit):
    return sum((ROWS[i].T @ (ROWS[i] * i) for i in range(limit)), np.zeros((2, 2), "f"))


def stages(*fetches, feeds=(), **config):
    program = lowered(*fetches, feeds=feeds, **config)
    (loop,) = [node for node in program.nodes if node.kind == "while"]
    return kinds(program), kinds(loop.loop.program)


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_accumulated_products_become_one_matmul(dtype):
    _, total, _ = products(5, dtype=dtype)
    around, inside = stages(total)
    assert around.count("joined") == 1 and around.count("MatMul") == 1
    assert "MatMul" not in inside
    with tf.Session() as session:
        got = session.run(total)
    assert got.dtype == dtype.as_numpy_dtype
    np.testing.assert_allclose(got, expected(5), rtol=1e-5)


def test_initial_value_is_added():
    start = tf.placeholder(tf.float32, [2, 2])
    _, total, _ = products(3, start)
    first = np.float32([[1, 2], [3, 4]])
    with tf.Session() as session:
        got = session.run(total, {start: first})
    np.testing.assert_allclose(got, first + expected(3), rtol=1e-5)


def test_zero_iterations_add_nothing():
    limit = tf.placeholder(tf.int32, [])
    _, total, _ = products(limit, tf.fill([2, 2], 7.0))
    with tf.Session() as session:
        assert session.run(total, {limit: 0}).tolist() == [[7.0, 7.0]] * 2
        np.testing.assert_allclose(session.run(total, {limit: 1}), np.full((2, 2), 7.0))
        np.testing.assert_allclose(session.run(total, {limit: 4}), 7.0 + expected(4), rtol=1e-5)


def test_sum_read_in_loop_is_kept():
    _, total, other = products(4, also=tf.reduce_sum)
    around, inside = stages(total, other)
    assert "joined" not in around and "MatMul" in inside


@pytest.mark.parametrize("read", ["in the loop", "as another variable", "twice"])
def test_sum_with_next_value_read_is_kept(read):
    rows = tf.constant(ROWS)

    def body(i, total, other):
        total = total + tf.matmul(rows[i], rows[i], transpose_a=True)
        if read == "in the loop":
            return i + 1, total, other + total
        return i + 1, total, total + other if read == "twice" else total

    zeros = tf.zeros([2, 2])
    _, total, other = tf.while_loop(lambda i, *_: i < 4, body, [0, zeros, zeros])
    around, inside = stages(total, other)
    assert "joined" not in around and "MatMul" in inside
    sums = np.cumsum([row.T @ row for row in ROWS[:4]], axis=0)
    with tf.Session() as session:
        result = session.run([total, other])
        alone = session.run(other)
    wanted = sums[-1] if read == "as another variable" else sums.sum(0)
    np.testing.assert_allclose(result[0], sums[-1], rtol=1e-5)
    np.testing.assert_allclose(result[1], wanted, rtol=1e-5)
    np.testing.assert_allclose(alone, wanted, rtol=1e-5)


def test_product_returned_by_loop_is_kept():
    rows = tf.constant(ROWS)

    def body(i, total, _):
        term = tf.matmul(rows[i], rows[i], transpose_a=True)
        return i + 1, total + term, term

    zeros = tf.zeros([2, 2])
    _, total, last = tf.while_loop(lambda i, *_: i < 3, body, [0, zeros, zeros])
    around, inside = stages(total, last)
    assert "joined" not in around and "MatMul" in inside
    with tf.Session() as session:
        result = session.run([total, last])
    np.testing.assert_allclose(result[0], sum(row.T @ row for row in ROWS[:3]), rtol=1e-5)
    np.testing.assert_allclose(result[1], ROWS[2].T @ ROWS[2], rtol=1e-5)


@pytest.mark.parametrize("device, leaves", [("/cpu:0", True), ("/cpu:1", False)])
def test_product_on_other_device_is_kept(device, leaves):
    rows = tf.constant(ROWS)

    def body(i, total):
        with tf.device(device):
            term = tf.matmul(rows[i], rows[i], transpose_a=True)
        with tf.device("/cpu:0"):
            return i + 1, total + term

    _, total = tf.while_loop(lambda i, _: i < 3, body, [0, tf.zeros([2, 2])])
    two = {"device_count": {"CPU": 2}}
    around, inside = stages(total, **two)
    assert ("joined" in around, "MatMul" in inside) == (leaves, not leaves)
    with tf.Session(config=tf.ConfigProto(**two)) as session:
        result = session.run(total)
    np.testing.assert_allclose(result, sum(row.T @ row for row in ROWS[:3]), rtol=1e-5)


def test_other_products_are_kept():
    around, inside = stages(products(4, transpose=False)[1])
    assert "joined" not in around and "MatMul" in inside


def test_two_accumulators_next_to_other_variables():
    def body(i, a, b, c):
        x = tf.reshape(tf.cast(i + tf.range(4), tf.float32), [2, 2])
        return (
            i + 1,
            a + tf.matmul(x, x, transpose_a=True),
            b * 2.0,
            c + tf.matmul(x, 2.0 * x, transpose_a=True),
        )

    zeros = tf.zeros([2, 2])
    result = tf.while_loop(lambda i, *_: i < 3, body, [0, zeros, 1.0, zeros])
    with tf.Session() as session:
        i, a, b, c = session.run(result)
    terms = [np.float32([[n, n + 1], [n + 2, n + 3]]) for n in range(3)]
    wanted = sum(x.T @ x for x in terms)
    assert (i, b) == (3, 8.0)
    np.testing.assert_allclose(a, wanted)
    np.testing.assert_allclose(c, 2 * wanted)


def test_nested_loops():
    def outer(k, total):
        _, inner, _ = products(k)
        return k + 1, total + inner

    _, total = tf.while_loop(lambda k, _: k < 5, outer, [0, tf.zeros([2, 2])])
    with tf.Session() as session:
        got = session.run(total)
    np.testing.assert_allclose(got, sum(expected(k) for k in range(5)), rtol=1e-5)


def test_failed_product_names_user_line():
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.placeholder(tf.float32, [None, 2])
    body = lambda i, total: (i + 1, total + tf.matmul(x, y, transpose_a=True))  # noqa: E731
    _, total = tf.while_loop(lambda i, _: i < 2, body, [0, tf.zeros([2, 2])])
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(total, {x: np.ones((3, 2)), y: np.ones((4, 2))})
    assert "node while/MatMul" in str(caught.value)
    assert "In[0]: [3,2], In[1]: [4,2]" in str(caught.value)


def test_gpu_accumulation(gpu_environment):
    with fake_gpus(devices=1) as machine:
        x = tf.placeholder(tf.float32, [3, 2])
        limit = tf.placeholder(tf.int32, [])
        _, total, _ = tf.while_loop(
            lambda i, *_: i < limit,
            lambda i, total, y: (i + 1, total + tf.matmul(x, y, transpose_a=True), y * 2.0),
            [0, tf.ones([2, 2]), x],
        )
        fed = ROWS[0]
        with tf.Session() as session:
            for count in (3, 0):
                machine.counters.reset()
                got = session.run(total, {x: fed, limit: count})
                np.testing.assert_allclose(got, 1 + (2**count - 1) * fed.T @ fed, rtol=1e-5)
                names = machine.counters.launch_names
                products = sum(count for name, count in names.items() if "gemm" in name)
                assert products == (1 if count else 0), names  # with no rows it is filled


def test_reference_is_read_every_iteration():
    variable = tf.Variable(ROWS[0])

    def body(i, total):
        added = variable.assign_add(ROWS[0])
        with tf.control_dependencies([added]):
            term = tf.matmul(variable._ref(), ROWS[1], transpose_a=True)
        return i + 1, total + term

    _, total = tf.while_loop(lambda i, _: i < 3, body, [0, tf.zeros([2, 2])], parallel_iterations=1)
    with tf.Session() as session:
        session.run(variable.initializer)
        got = session.run(total)
    np.testing.assert_allclose(got, (2 + 3 + 4) * ROWS[0].T @ ROWS[1], rtol=1e-5)


def biased(limit):
    """Like `products`, with the sum of the multiplied rows."""
    rows = tf.constant(ROWS)

    def body(i, total, bias):
        right = rows[i] * tf.cast(i, tf.float32)
        term = tf.matmul(rows[i], right, transpose_a=True)
        return i + 1, total + term, bias + raw.BiasAddGrad(right)

    return tf.while_loop(lambda i, *_: i < limit, body, [0, tf.zeros([2, 2]), tf.ones([2])])


def test_bias_gradient_sums_all_rows():
    limit = tf.placeholder(tf.int32, [])
    _, total, bias = biased(limit)
    around, inside = stages(total, bias, feeds=[limit])
    assert around.count("joined") == around.count("BiasAddGrad") == 1
    assert "BiasAddGrad" not in inside
    around, inside = stages(bias, feeds=[limit])
    assert around.count("joined") == 1 and "MatMul" not in around + inside
    with tf.Session() as session:
        for count in (0, 1, 5):
            got = session.run([total, bias], {limit: count})
            wanted = 1 + sum((ROWS[i] * i).sum(0) for i in range(count))
            np.testing.assert_allclose(got[0], expected(count), rtol=1e-5)
            np.testing.assert_allclose(got[1], np.broadcast_to(wanted, 2), rtol=1e-5)
            np.testing.assert_array_equal(session.run(bias, {limit: count}), got[1])


def test_linear_functions_of_products_leave_loop():
    """The gradients of a matrix whose parts, split or sliced, an iteration uses."""
    rows = tf.constant(ROWS)
    w = tf.placeholder(tf.float32, [2, 4])
    limit = tf.placeholder(tf.int32, [])

    def body(i, a):
        left, right = tf.split(w, 2, axis=1)
        terms = tf.matmul(rows[i], left) + tf.tanh(tf.matmul(rows[i], right))
        return i + 1, a + tf.reduce_sum(terms + tf.matmul(rows[i], w[:, 1:3]))

    last = tf.while_loop(lambda i, _: i < limit, body, [0, 0.0])[1]
    grad = tf.gradients(last, w)[0]
    program = lowered(grad, feeds=[w, limit])
    backward = [node for node in program.nodes if node.kind == "while"][-1]
    assert backward.loop.collected
    inside = [n for n in backward.loop.program.nodes if n.kind == "op"]
    assert not any(n.opdef.name == "MatMul" and n.attrs["transpose_a"] for n in inside)
    weights = ROWS[0, :2].repeat(2, axis=1)
    with tf.Session() as session:
        for count in (0, 1, 4):
            got = session.run(grad, {w: weights, limit: count})
            wanted = np.zeros((2, 4))
            for row in ROWS[:count]:
                ones = np.ones((3, 2))
                wanted[:, :2] += row.T @ ones
                wanted[:, 2:] += row.T @ (1 - np.tanh(row @ weights[:, 2:]) ** 2)
                wanted[:, 1:3] += row.T @ ones
            np.testing.assert_allclose(got, wanted, rtol=1e-5)


def gradients_of_a_loop(gated):
    """The gradients of a bias and a matrix shared by 4 iterations; optimizers make them wait for each other."""
    rows, w, bias = tf.constant(ROWS), tf.placeholder(tf.float32, [2, 2]), tf.zeros([2])

    def body(i, a):
        return i + 1, a + tf.reduce_sum(tf.tanh(tf.nn.bias_add(tf.matmul(rows[i], w), bias)))

    last = tf.while_loop(lambda i, _: i < 4, body, [0, 0.0])[1]
    return w, tf.gradients(last, [w, bias], gate_gradients=gated)


def test_gated_gradients_leave_loop():
    w, (plain, _) = gradients_of_a_loop(gated=False)
    w_gated, gated = gradients_of_a_loop(gated=True)
    program = lowered(*gated, feeds=[w_gated])
    backward = [node for node in program.nodes if node.kind == "while"][-1]
    inside = [n for n in backward.loop.program.nodes if n.kind == "op"]
    assert not any(n.opdef.name in ("MatMul", "BiasAddGrad", "Add") for n in inside)
    assert len(backward.loop.collected) == 2  # the rows, and the gradient of the accumulator
    with tf.Session() as session:
        fed = {w: ROWS[0, :2], w_gated: ROWS[0, :2]}
        one, other = session.run([plain, gated[0]], fed)
    np.testing.assert_array_equal(one, other)


def test_control_dependents_wait_for_factors():
    seen = tf.Variable(0.0, use_resource=True)
    rows = tf.constant(ROWS)

    def body(i, total):
        row = rows[i] * seen.assign_add(1.0)
        term = tf.matmul(row, row, transpose_a=True)
        with tf.control_dependencies([term]):
            done = tf.identity(i)
        with tf.control_dependencies([seen.assign_add(tf.cast(done, tf.float32))]):
            return i + 1, total + tf.identity(term)

    _, total = tf.while_loop(lambda i, _: i < 3, body, [0, tf.zeros([2, 2])])
    around, inside = stages(total)
    assert around.count("joined") == 1 and "MatMul" not in inside
    factors = 1, 2, 4  # each iteration adds 1, multiplies, then adds its number
    wanted = sum(f * f * ROWS[i].T @ ROWS[i] for i, f in enumerate(factors))
    with tf.Session() as session:
        session.run(seen.initializer)
        np.testing.assert_allclose(session.run(total), wanted, rtol=1e-5)
        assert session.run(seen) == 6
