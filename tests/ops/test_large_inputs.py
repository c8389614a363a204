"""Ops on inputs large enough for compiled code and threads, and in numpy alone, against numpy."""

import sys

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases

RANDOM = np.random.RandomState(5)


@pytest.fixture(params=["compiled", "numpy"], autouse=True)
def native_setting(request, monkeypatch):
    """With the native library, and without it."""
    if request.param == "numpy":
        for name, module in list(sys.modules.items()):
            if name.startswith("tfmini._src.devices.host.native.") and hasattr(module, "function"):
                if "elementwise" not in name:  # their programs exist only as long as it does
                    monkeypatch.setattr(module, "function", lambda *a, **k: None)
    return request.param


def run(function, *values):
    """Runs `function` on placeholders, to prevent constant folding."""
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [tf.placeholder(v.dtype if v.dtype != object else tf.string) for v in values]
        return session.run(function(*inputs), dict(zip(inputs, values)))


def floats(*shape, kind="f"):
    return RANDOM.uniform(0.5, 1.5, shape).astype(kind)


@cases.in_one_test
@pytest.mark.parametrize("kind", ["f", "d"])
@pytest.mark.parametrize(
    "shape, axes",
    [
        ((1, 300000), (1,)),
        ((300000, 1), (1,)),
        ((300000, 2), (0,)),
        ((2, 300000), (1,)),
        ((1100, 1000), (1,)),
        ((40, 50, 60), (1,)),
        ((40, 50, 60), (0, 2)),
        ((3, 40, 50, 20), (1, 2)),
        ((120001,), (0,)),
    ],
)
def test_sums_and_products(kind, shape, axes):
    x = RANDOM.randint(0, 3, shape).astype(kind)
    wide = x.astype("d", copy=False)
    total = run(lambda x: tf.reduce_sum(x, axes), x)
    assert total.dtype == x.dtype
    np.testing.assert_allclose(total, wide.sum(axes), rtol=1e-5)
    retained = run(lambda x: tf.reduce_max(x, axes, keepdims=True), x)
    np.testing.assert_array_equal(retained, x.max(axes, keepdims=True))
    mean = run(lambda x: tf.reduce_mean(x, axes), x)
    np.testing.assert_allclose(mean, wide.mean(axes), rtol=1e-5)
    del wide
    x = 1 + x / 1e6
    product = run(lambda x: tf.reduce_prod(x, axes, keepdims=True), x)
    np.testing.assert_allclose(product, x.prod(axes, "d", keepdims=True), rtol=2e-2)


@pytest.mark.parametrize("ids", ["i4", "i8"])
def test_row_and_column_gathers(ids):
    table, positions = floats(5000, 40), RANDOM.randint(0, 5000, (60, 50)).astype(ids)
    np.testing.assert_array_equal(run(tf.gather, table, positions), table[positions])
    columns = RANDOM.randint(0, 40, 300).astype(ids)
    taken = run(lambda x, i: tf.gather(x, i, axis=1), table, columns)
    np.testing.assert_array_equal(taken, table[:, columns])
    own = RANDOM.randint(0, 40, (5000, 7)).astype(ids)
    taken = run(lambda x, i: tf.gather(x, i, axis=1, batch_dims=1), table, own)
    np.testing.assert_array_equal(taken, np.take_along_axis(table, own, 1))
    positions[3, 4] = 5000
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[3,4\] = 5000 is not in"):
        run(tf.gather, table, positions)


def test_top_k_of_long_rows():
    x = RANDOM.permutation(200 * 300).reshape(200, 300).astype("f")
    values, positions = run(lambda x: tf.math.top_k(x, 40), x)
    expected = np.argsort(-x, axis=1, kind="stable")[:, :40]
    np.testing.assert_array_equal(positions, expected)
    np.testing.assert_array_equal(values, np.take_along_axis(x, expected, 1))
    targets = RANDOM.randint(-1, 301, 200)
    targets[:40] = expected[:40, 39]
    targets[40:80] = expected[40:80, 20]
    ranks = (x > np.take_along_axis(x, np.clip(targets, 0, 299)[:, None], 1)).sum(1)
    result = run(lambda x, t: tf.nn.in_top_k(x, t, 40), x, targets)
    np.testing.assert_array_equal(result, (ranks < 40) & (targets >= 0) & (targets < 300))
    np.testing.assert_array_equal(run(lambda x: tf.argmax(x, 1), x), x.argmax(1))
    np.testing.assert_array_equal(run(lambda x: tf.argmin(x, 0), x), x.argmin(0))


@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("transpose_b", [False, True])
def test_large_matrix_products(transpose_a, transpose_b):
    a, b = floats(400, 500), floats(500, 300)
    inputs = a.T.copy() if transpose_a else a, b.T.copy() if transpose_b else b
    product = run(lambda x, y: tf.matmul(x, y, transpose_a, transpose_b), *inputs)
    np.testing.assert_allclose(product, a.astype("d") @ b, rtol=1e-5)


def test_cumulative_sums_along_every_axis():
    x = RANDOM.randint(-3, 4, (30, 40, 64)).astype("f")
    for axis in (0, 1, 2):
        result = run(lambda x, axis=axis: tf.cumsum(x, axis, exclusive=True, reverse=True), x)
        whole = np.flip(np.cumsum(np.flip(x, axis), axis), axis)
        np.testing.assert_array_equal(result, whole - x)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("kind", ["f", "f2"])
def test_batch_normalization(training, kind):
    x = RANDOM.normal(2, 3, (8, 32, 32, 16)).astype(kind)
    scale, offset, mean, variance = floats(4, 16)
    given = () if training else (mean, variance)

    def normalized(x, scale, offset, *given):
        y, *result = tf.nn.fused_batch_norm(
            x, scale, offset, *given, epsilon=0.01, is_training=training
        )
        return y, tf.gradients(tf.cast(y, tf.float32) ** 2, [x, scale, offset]), result

    y, grads, result = run(normalized, x, scale, offset, *given)
    wide = x.astype("d")
    if training:
        mean, variance = wide.mean((0, 1, 2)), wide.var((0, 1, 2))
        count = x.size // 16
        np.testing.assert_allclose(result[1], variance * count / (count - 1), rtol=1e-4)
    root = np.sqrt(variance + 0.01)
    plain = (wide - mean) / root
    # float16 has 11 bits; a gradient of x is the small remainder of sums over 8,192 elements.
    rtol = 1e-3 if kind == "f2" else 1e-5
    expected = plain * scale + offset
    np.testing.assert_allclose(y, expected, rtol=rtol, atol=rtol)
    gradient = 2 * expected
    np.testing.assert_allclose(grads[1], (gradient * plain).sum((0, 1, 2)), rtol=rtol)
    np.testing.assert_allclose(grads[2], gradient.sum((0, 1, 2)), rtol=rtol)
    of_x = gradient * scale / root
    if training:
        centred = of_x - of_x.mean((0, 1, 2))
        of_x = centred - plain * (of_x * plain).mean((0, 1, 2))
    np.testing.assert_allclose(grads[0], of_x, rtol=rtol, atol=4 * rtol)


def parts(sparse):
    return sparse.indices, sparse.values, sparse.dense_shape


def test_string_split():
    texts = np.array([b"a, b,c", b"", b" x ,, y ", b"one"] * 300, object)
    indices, values, shape = run(lambda x: parts(tf.string_split(x, ", ", skip_empty=True)), texts)
    expected = [[p for p in t.replace(b",", b" ").split(b" ") if p] for t in texts]
    assert values.tolist() == [part for row in expected for part in row]
    assert shape.tolist() == [1200, 3]
    assert indices[:5].tolist() == [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1]]
    retained = run(lambda x: parts(tf.string_split(x, ",", skip_empty=False)), texts)
    assert retained[1].tolist() == [p for t in texts if t for p in t.split(b",")]
    plain = run(lambda x: tf.strings.split(x, ",", result_type="RaggedTensor").values, texts)
    assert plain.tolist() == [p for t in texts for p in t.split(b",")]
    joined = run(lambda x: tf.strings.join([x, "-", x], "+"), texts)
    assert joined.tolist() == [t + b"+-+" + t for t in texts]
    same = np.array([b"\x01\x02\x03\x04"] * 3000, object)
    decoded = run(lambda x: tf.decode_raw(x, tf.int16, little_endian=False), same)
    np.testing.assert_array_equal(decoded, [[0x0102, 0x0304]] * 3000)


def test_many_image_patches():
    x = RANDOM.normal(size=(8, 40, 40, 8)).astype("f")
    result = run(
        lambda x: tf.image.extract_image_patches(x, [1, 2, 3, 1], [1, 2, 2, 1], [1] * 4, "VALID"), x
    )
    for row, column in ((0, 0), (7, 5), (19, 18)):
        part = x[:, 2 * row : 2 * row + 2, 2 * column : 2 * column + 3]
        np.testing.assert_array_equal(result[:, row, column], part.reshape(8, -1))
