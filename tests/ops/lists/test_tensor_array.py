import numpy as np
import pytest

import tfmini as tf
from tests.support.oracles.numeric_gradient import check
from tests.support.sessions import run
from tfmini._src.graph.opdef import raw

ROWS = np.arange(6.0).reshape(3, 2) / 4 - 0.5


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as created:
        yield created


def test_string_elements():
    array = tf.TensorArray(tf.string, 2).write(0, "a").write(1, tf.constant("b"))
    assert list(run(array.stack())) == [b"a", b"b"]


def test_written_value_is_not_overwritten():
    """A plan reuses its own arrays, but not those held by a TensorArray."""
    value = tf.random_uniform([1000], seed=1)
    array = tf.TensorArray(tf.float32, 1).write(0, value)
    with tf.control_dependencies([array.flow]):
        changed = tf.exp(tf.tanh(value * 2) + 1)
    with tf.control_dependencies([changed]):
        retained, changed = run([array.read(0), changed])
    np.testing.assert_allclose(changed, np.exp(np.tanh(retained * 2) + 1), rtol=1e-5)


def test_nested_loop_and_conditional():
    def outer(i, array):
        _, total = tf.while_loop(lambda j, _: j < i, lambda j, t: (j + 1, t + j), [0, 0])
        array = tf.cond(
            tf.equal(i % 2, 0), lambda: array.write(i, total), lambda: array.write(i, -total)
        )
        return i + 1, array

    _, array = tf.while_loop(lambda i, _: i < 4, outer, [0, tf.TensorArray(tf.int32, 4)])
    assert isinstance(array, tf.TensorArray)
    np.testing.assert_array_equal(run(array.stack()), [0, 0, 1, -3])


def test_arrays_are_local_to_a_run():
    x = tf.placeholder(tf.float32, [])
    result = tf.TensorArray(tf.float32, 1).write(0, x).read(0)
    with tf.Session() as session:
        assert [session.run(result, {x: v}) for v in (1, 2)] == [1, 2]


def test_gradients_of_writes_and_reads():
    def function(a, b):
        array = tf.TensorArray(a.dtype, 2, clear_after_read=False).write(0, a * a).write(1, b)
        return [array.read(0) * array.read(1) + array.read(0)]

    check(function, [ROWS[0], ROWS[1]], [0, 1], order=1)


def test_gradients_of_scatter_and_gather():
    def function(x):
        array = tf.TensorArray(x.dtype, 3, clear_after_read=False).scatter([2, 0, 1], x * x)
        return [array.gather([0, 0, 2]), array.stack() * 2.0]

    check(function, [ROWS], [0], order=1)


def test_gradients_of_split_and_concat():
    def function(x):
        array = tf.TensorArray(x.dtype, 2, infer_shape=False).split(x * x, [1, 2])
        return [array.concat()]

    check(function, [ROWS], [0], order=1)


OLD = {
    "Write": lambda op, handle, x: op(handle, 0, x, 0.0),
    "Read": lambda op, handle, x: op(handle, 0, tf.reduce_sum(x), tf.float32),
    "Gather": lambda op, handle, x: op(handle, [0], tf.reduce_sum(x), tf.float32),
    "Scatter": lambda op, handle, x: op(handle, [0], x[None], 0.0),
    "Concat": lambda op, handle, x: op(handle, tf.reduce_sum(x), tf.float32).value,
    "Split": lambda op, handle, x: op(handle, x, tf.constant([1], tf.int64), 0.0),
}


@pytest.mark.parametrize("version", ["", "V2"])
@pytest.mark.parametrize("name", OLD)
def test_old_versions_share_gradients(name, version):
    """Their gradients create version 3 nodes, which reject older handles, as in TensorFlow."""
    x = tf.constant([1.0])
    handle = getattr(raw, f"TensorArray{version}")(tf.constant(1), tf.float32)
    value = OLD[name](getattr(raw, f"TensorArray{name}{version}"), handle, x)
    with pytest.raises((TypeError, ValueError), match="resource"):
        tf.gradients(value, x)


@pytest.mark.parametrize("version", ["", "V2"])
def test_old_graph_is_imported_and_run(version):
    with tf.Graph().as_default() as old:
        handle = getattr(raw, "TensorArray" + version)(3, tf.float32, name="array")
        x = tf.placeholder(tf.float32, [3, 2], name="x")
        flow = getattr(raw, "TensorArrayScatter" + version)(handle, [0, 2, 1], x, 0.0)
        gather = getattr(raw, "TensorArrayGather" + version)
        gather(handle, [0, 1, 2], flow, tf.float32, name="rows")
        definition = old.as_graph_def()
    definition.versions.producer = 15
    rows, x = tf.import_graph_def(definition, return_elements=["rows:0", "x:0"], name="old")
    np.testing.assert_array_equal(run(rows, {x: ROWS}), ROWS[[0, 2, 1]])


@pytest.mark.parametrize("name", ["bfloat16", "float16", "complex64", "uint8", "bool", "qint8"])
def test_elements_of_every_dtype(name):
    dtype = tf.as_dtype(name)
    value = tf.bitcast(tf.constant([1, 0], tf.int8), dtype) if name == "qint8" else None
    value = tf.cast([1.0, 0.0], dtype) if value is None else value
    array = tf.TensorArray(dtype, 3, element_shape=[2]).write(1, value)
    scalars = tf.TensorArray(dtype, 2).unstack(value)
    stacked, rows = run([array.stack(), scalars.stack()])
    assert stacked.dtype == rows.dtype == ("int8" if name == "qint8" else dtype.as_numpy_dtype)
    assert stacked.tobytes() == bytes(stacked[0].nbytes) + stacked[1].tobytes() + bytes(
        stacked[2].nbytes
    )
    assert rows.tobytes() == stacked[1].tobytes() != bytes(rows.nbytes)
