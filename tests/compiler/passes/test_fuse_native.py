"""fuse_native: elementwise groups as single calls of the native library, compared with NumPy op by op."""

import functools

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered, with_and_without
from tfmini._src.compiler.passes import fuse_native
from tfmini._src.devices.host.native.elementwise_program import operations

pytestmark = pytest.mark.skipif(not operations(), reason="the CPU's kernels are not built here")


on_both_ways = functools.partial(with_and_without, fuse_native, operations=dict)


def gates(wide, state):
    entry, new, forget, out = tf.split(wide, 4, 1)
    state = state * tf.sigmoid(forget + 1.0) + tf.sigmoid(entry) * tf.tanh(new)
    return state, tf.tanh(state) * tf.sigmoid(out)


@pytest.mark.parametrize("batch", [64, None])
def test_cell_gates_and_gradients_are_one_call(monkeypatch, batch):
    wide = tf.placeholder(tf.float32, [batch, 4 * 80])
    state = tf.placeholder(tf.float32, [batch, 80])
    results = gates(wide, state)
    gradients = tf.gradients(results, [wide, state])
    fetches = [*results, *gradients]
    if batch:
        actual = kinds(lowered(*fetches, feeds=[wide, state]))
        assert {*actual} == {"const", "fused"} and actual.count("fused") == 1
    rng = np.random.RandomState(0)
    feeds = {wide: rng.randn(64, 320).astype("f"), state: rng.randn(64, 80).astype("f")}
    for got, expected in zip(*on_both_ways(monkeypatch, fetches, feeds)):
        np.testing.assert_allclose(got, expected, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("known", [True, False])
def test_split_and_concat_use_views(monkeypatch, known):
    x = tf.placeholder(tf.float32, [40 if known else None, 6 * 50])
    first, second, third = tf.split(x, 3, -1)
    results = tf.exp(first) * second, second - tf.tanh(third) * first
    joined = tf.concat(results, 1)
    assert kinds(lowered(joined, feeds=[x])).count("fused") == 1
    assert {*kinds(lowered(joined, feeds=[x]))} == {"const", "fused"}
    for rows in (40,) if known else (0, 1, 2, 40, 3000):
        inputs = np.random.RandomState(rows).randn(rows, 600).astype("f")
        for each in (inputs[:, :300], inputs[:, ::2], inputs[:, :300].copy(), inputs[::-1, 300:]):
            got, expected = on_both_ways(monkeypatch, joined, {x: each})
            np.testing.assert_allclose(got, expected, rtol=2e-6, atol=1e-6)


def test_shared_split_outputs_are_kept(monkeypatch):
    x = tf.placeholder(tf.float64, [300, 200])
    first, second = tf.split(x, 2, 1)
    low, high = tf.exp(first) * second, tf.sin(second)  # the library has no sin for doubles
    total = tf.square(first) - second
    joined, rows = tf.concat([low, total], 1), tf.concat([low * 2.0, total * 3.0], 0)
    for fetches, left in (
        ([low, high], {"Split", "Sin"}),
        ([joined, low], {"ConcatV2"}),
        ([joined, tf.reduce_sum(low)], {"ConcatV2", "Sum"}),
        ([rows], {"ConcatV2"}),
        ([tf.concat([low, low], 1)], {"ConcatV2"}),
        ([tf.concat([low, x], 1)], {"ConcatV2"}),
        ([first, low * total], {"Split"}),
    ):
        assert {*kinds(lowered(*fetches, feeds=[x]))} - {"const"} == {*left, "fused"}
        inputs = np.random.RandomState(0).randn(300, 200)
        for got, expected in zip(*on_both_ways(monkeypatch, fetches, {x: inputs})):
            np.testing.assert_allclose(got, expected, rtol=1e-14)


def test_selects_are_fused(monkeypatch):
    x = tf.placeholder(tf.float32, [None, 128])
    labels = tf.placeholder(tf.float32, [None, 128])
    loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=x)
    clipped = tf.clip_by_value(x * 0.2 + 0.5, 0.0, 1.0)
    fetches = [loss, x > 0.5, *tf.gradients([loss, clipped], x)]
    assert "Select" not in kinds(lowered(*fetches, feeds=[x, labels]))
    rng = np.random.RandomState(0)
    inputs = rng.randn(100, 128).astype("f") * 3
    inputs[0, :6] = np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5
    feeds = {x: inputs, labels: rng.rand(100, 128).astype("f")}
    with np.errstate(all="ignore"):
        got, expected = on_both_ways(monkeypatch, fetches, feeds)
    for mine, numpys in zip(got, expected):
        assert mine.dtype == numpys.dtype
        np.testing.assert_allclose(mine, numpys, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("condition", [[300], []])
def test_broadcast_selects_are_not_fused(monkeypatch, condition):
    x, y = (tf.placeholder(tf.float32, [300, 100]) for _ in range(2))
    mask = tf.placeholder(tf.bool, condition)
    z = tf.exp(tf.where(mask, tf.square(x), y)) * y
    assert "Select" in kinds(lowered(z, feeds=[x, y, mask]))
    rng = np.random.RandomState(0)
    feeds = {x: rng.rand(300, 100), y: rng.rand(300, 100), mask: rng.rand(*condition) < 0.5}
    np.testing.assert_allclose(*on_both_ways(monkeypatch, z, feeds), rtol=2e-6)


def test_long_chain_of_small_arrays_is_one_call(monkeypatch):
    x, y = tf.placeholder(tf.float64, [10]), tf.placeholder(tf.float64, [])
    z = x
    for _ in range(300):
        z = z + x
        z = z * y
    assert kinds(lowered(z, feeds=[x, y])) == ["fused"]
    feeds = {x: np.linspace(-1, 1, 10), y: 0.75}
    got, expected = on_both_ways(monkeypatch, z, feeds)
    np.testing.assert_array_equal(got, expected)


def test_large_multi_ufunc_op_is_one_call(monkeypatch):
    x, grad = (tf.placeholder(tf.float32, [300, 400]) for _ in range(2))
    y = tf.raw_ops.ReluGrad(gradients=grad, features=x)
    assert kinds(lowered(y, feeds=[x, grad])) == ["fused"]
    assert kinds(lowered(tf.nn.relu(x), feeds=[x])) == ["Relu"]
    rng = np.random.RandomState(0)
    feeds = {x: rng.randn(300, 400).astype("f"), grad: rng.randn(300, 400).astype("f")}
    feeds[x][:2, 0], feeds[grad][2:4, 0] = np.nan, np.inf
    got, expected = on_both_ways(monkeypatch, y, feeds)
    np.testing.assert_array_equal(got, expected)


def test_single_op_is_a_call_if_worth_threading():
    for rows, kind in ((1000, "fused"), (100, "Square"), (None, "Square")):
        x = tf.placeholder(tf.float32, [rows, 500])
        assert kinds(lowered(tf.square(x), feeds=[x])) == [kind]
    for rows, kind in ((100, "fused"), (2, "Atan2"), (None, "fused")):
        x = tf.placeholder(tf.float32, [rows, 50])
        assert kinds(lowered(tf.atan2(x, x), feeds=[x])) == [kind]


def test_small_elementwise_ops_stay_single_calls(monkeypatch):
    x, y = (tf.placeholder(tf.float32, [40, 50]) for _ in range(2))
    assert kinds(lowered(tf.mod(x, y), feeds=[x, y])) == ["fused"]
    rng = np.random.RandomState(0)
    feeds = {x: (rng.randn(40, 50) * 1000).astype("f"), y: rng.randn(40, 50).astype("f")}
    got, expected = on_both_ways(monkeypatch, tf.mod(x, y), feeds)
    np.testing.assert_array_equal(got, expected)


def test_few_small_arrays_are_not_fused():
    x = tf.placeholder(tf.float32, [100])
    assert "fused" not in kinds(lowered(tf.tanh(x) * 2.0 + x, feeds=[x]))


def test_dynamic_size_selects_implementation(monkeypatch):
    x = tf.placeholder(tf.float32, [None, 50])
    z = tf.exp(-tf.square(x)) + tf.nn.relu(x) * 3.0
    assert kinds(lowered(z, feeds=[x])).count("fused") == 1
    for rows in (0, 1, 3, 4000):
        inputs = np.random.RandomState(rows).randn(rows, 50).astype("f")
        got, expected = on_both_ways(monkeypatch, z, {x: inputs})
        np.testing.assert_allclose(got, expected, rtol=2e-6)


def test_rows_and_columns_broadcast(monkeypatch):
    x = tf.placeholder(tf.float64, [None, 300, 40])
    row, column = tf.placeholder(tf.float64, [40]), tf.placeholder(tf.float64, [None, 300, 1])
    z = tf.square((x - row) * column) - row * x
    rng = np.random.RandomState(0)
    feeds = {x: rng.randn(5, 300, 40), row: rng.randn(40), column: rng.randn(5, 300, 1)}
    got, expected = on_both_ways(monkeypatch, z, feeds)
    np.testing.assert_array_equal(got, expected)
    # Inputs that repeat along an axis of unknown length, and inputs with their last two axes merged.
    y = tf.placeholder(tf.float64, [1, 70, 2])
    feeds = {x: rng.randn(5, 300, 40), row: rng.randn(40), column: rng.randn(1, 300, 1)}
    points = [tf.reshape(x, [-1])[:180][:, None], row[:2], column[:, :90]]
    points = [tf.reshape(points[0], [90, 1, 2]), points[1], tf.reshape(points[2], [90, 1, 1])]
    feeds[y] = rng.randn(1, 70, 2)
    for fetch in (z, tf.square((points[0] - y) * points[1]) - points[2]):
        got, expected = on_both_ways(monkeypatch, fetch, feeds)
        np.testing.assert_array_equal(got, expected)


def test_broadcast_tiles_are_dropped(monkeypatch):
    x, row, column = (tf.placeholder(tf.float64, dims) for dims in ([300, 40], [1, 40], [300, 1]))
    rows, columns = tf.tile(row, [300, 1]), tf.tile(column, [1, 40])
    rng = np.random.RandomState(0)
    feeds = {t: rng.randn(*t.shape.as_list()) for t in (x, row, column)}
    for fetches, stay in (
        ([tf.square(x * rows - columns)], 0),
        ([tf.exp(rows) * columns + 1.0], 0),
        ([tf.exp(x + rows) * 2.0, rows], 1),
        ([tf.exp(x * tf.tile(x[:1, :20], [300, 2])) - 1.0], 1),
    ):
        assert kinds(lowered(*fetches, feeds=[*feeds])).count("Tile") == stay
        for got, expected in zip(*on_both_ways(monkeypatch, fetches, feeds)):
            np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_strided_columns(monkeypatch):
    x = tf.placeholder(tf.float64, [400, 120])
    z = tf.square(x) * 3.0 + x
    wide = np.random.RandomState(0).randn(800, 240)
    for value in (wide[::2, :120], wide[:400, ::2], wide[:400, 119::-1], wide[400::-1][:400, :120]):
        got, expected = on_both_ways(monkeypatch, z, {x: value})
        np.testing.assert_array_equal(got, expected)
    x = tf.placeholder(tf.float64, [800, 1])
    z = tf.square(x) * 3.0 + tf.exp(x)
    for value in (wide[:, :1], wide[:, 7:8].copy(), wide[::-1, 3:4]):
        got, expected = on_both_ways(monkeypatch, z, {x: value})
        np.testing.assert_allclose(got, expected, rtol=1e-15)
    images = np.random.RandomState(1).randn(9, 51, 60, 3)
    x, y = (tf.placeholder(tf.float64, [8, 50, 59, 3]) for _ in range(2))
    z = tf.square(x - y) * 3.0
    for feeds in ({x: images[1:, 1:, 1:], y: images[:8, :50, 1:]}, {x: images[:8, 1:, :59], y: 1}):
        feeds[y] = np.broadcast_to(feeds[y], y.shape)
        for got, expected in zip(*on_both_ways(monkeypatch, [z, tf.reduce_sum(abs(x - y))], feeds)):
            np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_variable_is_read_before_write():
    variable = tf.Variable(np.full(20000, 2.0), use_resource=False)
    before = tf.square(variable) + 1.0
    with tf.control_dependencies([before]):
        update = variable.assign_add(np.ones(20000))
    with tf.control_dependencies([update]):
        after = tf.square(variable.read_value()) * before
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        got = session.run([before, after])
    np.testing.assert_array_equal(got[0], np.full(20000, 5.0))
    np.testing.assert_array_equal(got[1], np.full(20000, 45.0))


def test_shape_mismatch_names_node():
    x, y = (tf.placeholder(tf.float32, [None]) for _ in range(2))
    product = tf.multiply(tf.exp(x), y, name="product")
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(tf.square(product), {x: np.zeros(70000), y: np.zeros(70001)})
    assert caught.value.op is product.op
    assert caught.value.message.startswith("Incompatible shapes: [70000] vs. [70001]")


def test_register_overflow_falls_back_to_numpy(monkeypatch):
    inputs = [tf.placeholder(tf.float32, [None]) for _ in range(70)]
    total = inputs[0]
    for each in inputs[1:]:
        total = total * 0.5 + each
    arrays = np.random.RandomState(0).uniform(size=(70, 30000)).astype("f")
    got, expected = on_both_ways(monkeypatch, total, dict(zip(inputs, arrays)))
    np.testing.assert_array_equal(got, expected)


def sums_of(x, y, keepdims):
    squares, distances = tf.square(x), tf.abs(tf.exp(-x) - y)
    return (
        tf.reduce_sum(squares, -1, keepdims=keepdims),
        tf.reduce_mean(distances, [2 if x.shape.ndims == 3 else 1], keepdims=keepdims),
        tf.exp(-x) + y,
        tf.reduce_mean(tf.maximum(x, y), keepdims=keepdims),
        tf.reduce_sum(x * y, [-1, *range(x.shape.ndims - 1)], keepdims=keepdims),
        tf.nn.l2_loss(x - y),
    )


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize(
    "shape, left",
    [((1100, 32), 0), ((3, 81, 150), 0), ((1, 1, 4000), 5), ((None, 33), 3), ((None, 9, 99), 0)],
)
def test_reductions_are_fused_with_producers(monkeypatch, shape, left, dtype):
    x, y = (tf.placeholder(np.dtype(dtype), shape) for _ in range(2))
    for keepdims in (False, True):
        fetches = sums_of(x, y, keepdims)
        present = kinds(lowered(*fetches, feeds=[x, y]))
        assert sum(map(present.count, ("Sum", "Mean", "L2Loss"))) == left
        for rows in (1, 2, 17, 500) if shape[0] is None else shape[:1]:
            given = np.random.RandomState(rows).randn(2, rows, *shape[1:]).astype(dtype)
            for got, expected in zip(*on_both_ways(monkeypatch, fetches, dict(zip((x, y), given)))):
                assert got.shape == expected.shape
                error = 2e-6 if dtype == "f" else 1e-13
                np.testing.assert_allclose(got, expected, rtol=error, atol=error)


def test_shared_reduction_inputs_are_not_fused(monkeypatch):
    x = tf.placeholder(tf.float32, [300, 300])
    squares, others = tf.square(x), tf.exp(x)
    fetches = [tf.reduce_sum(squares, 1), squares, tf.reduce_sum(others, 0), tf.reduce_sum(x + 1.0)]
    assert kinds(lowered(*fetches, feeds=[x])).count("Sum") == 2
    inputs = np.random.RandomState(0).randn(300, 300).astype("f")
    for got, expected in zip(*on_both_ways(monkeypatch, fetches, {x: inputs})):
        np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_boolean_results_are_bytes(monkeypatch):
    x, y = (tf.placeholder(tf.float64, [600, 500]) for _ in range(2))
    larger = x * 2.0 > y
    fetches = [larger, tf.where(larger, x, y)]
    assert "fused" in kinds(lowered(*fetches, feeds=[x, y]))
    rng = np.random.RandomState(0)
    feeds = {x: rng.randn(600, 500), y: rng.randn(600, 500)}
    for got, expected in zip(*on_both_ways(monkeypatch, fetches, feeds)):
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)
