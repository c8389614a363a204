"""Out-of-bounds indices on a GPU: gathers return zeros, scatters ignore them, without synchronization.

TensorFlow's rules for its GPU kernels, from its documentation ("on GPU, if an out of bound index is found, a 0 is
stored in the corresponding output value"); its CPU kernels, and ours, raise InvalidArgumentError.
"""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw

pytestmark = pytest.mark.usefixtures("gpu")


def run(machine, fetches, *initial):
    with tf.Session() as session:
        session.run(initial)
        with machine.forbid_sync():
            return session.run(fetches)


@pytest.fixture(params=[tf.int32, tf.int64])
def index_type(request):
    return request.param


TABLE = np.arange(1, 13, dtype="f").reshape(4, 3)


def fed(value, dtype=None):
    """A value hidden from constant folding."""
    value = np.asarray(value, None if dtype is None else dtype.as_numpy_dtype)
    return tf.placeholder_with_default(value, value.shape)


def test_gather(gpu, index_type):
    rows = run(gpu, raw.Gather(fed(TABLE), fed([1, 4, -1], index_type)))
    np.testing.assert_array_equal(rows, [TABLE[1], [0] * 3, [0] * 3])
    columns = run(gpu, tf.gather(fed(TABLE), fed([2, 3, -7], index_type), axis=1))
    np.testing.assert_array_equal(columns, np.stack([TABLE[:, 2], [0] * 4, [0] * 4], 1))
    batches = run(gpu, tf.gather(fed(TABLE), fed([[0], [3], [1], [-1]], index_type), batch_dims=1))
    np.testing.assert_array_equal(batches, [[1], [0], [8], [0]])


def test_resource_gather(gpu, index_type):
    table = tf.get_variable("table", initializer=TABLE, use_resource=True)
    rows = tf.gather(table, fed([3, 9], index_type))
    point = raw.ResourceGatherNd(table.handle, fed([[0, 1], [0, 3]], index_type), tf.float32)
    got = run(gpu, [rows, point], table.initializer)
    np.testing.assert_array_equal(got[0], [TABLE[3], [0] * 3])
    np.testing.assert_array_equal(got[1], [2, 0])


def test_gather_nd(gpu, index_type):
    got = run(gpu, tf.gather_nd(fed(TABLE), fed([[0, 1], [4, 0], [0, -1]], index_type)))
    np.testing.assert_array_equal(got, [2, 0, 0])


def test_sparse_cross_entropy(gpu, index_type):
    labels = fed([0, 3, -1], index_type)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=fed(TABLE[:3]))
    got = run(gpu, losses)
    assert np.isfinite(got[0])
    assert np.isnan(got[1:]).all()


@pytest.mark.parametrize("use_resource", [False, True])
def test_scatter_variable(gpu, index_type, use_resource):
    table = tf.get_variable("table", initializer=TABLE, use_resource=use_resource)
    indices, rows = fed([3, 4, -1, 0], index_type), fed(np.ones((4, 3), "f"))
    steps = [tf.scatter_add, tf.scatter_sub, tf.scatter_mul, tf.scatter_update]
    want = TABLE.copy()
    want[[0, 3]] = 1
    for step in steps[::-1]:
        run(gpu, step(table, indices, rows), table.initializer)
    got = run(gpu, tf.scatter_update(table, indices, rows), table.initializer)
    np.testing.assert_array_equal(got, want)


def test_scatter_nd(gpu, index_type):
    table = tf.get_variable("table", initializer=TABLE)
    points, values = (
        fed([[0, 0], [4, 0], [1, 3], [1, 2]], index_type),
        fed([10.0, 20, 30, 40], tf.float32),
    )
    want = TABLE.copy()
    want[0, 0] += 10
    want[1, 2] += 40
    got = run(gpu, tf.scatter_nd_add(table, points, values), table.initializer)
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(run(gpu, tf.tensor_scatter_add(fed(TABLE), points, values)), want)
    alone = run(gpu, tf.scatter_nd(points, values, tf.constant([4, 3], index_type)))
    np.testing.assert_array_equal(alone, want - TABLE)


def test_segment_sum(gpu, index_type):
    got = run(gpu, tf.unsorted_segment_sum(fed(TABLE), fed([0, 5, -1, 0], index_type), 2))
    np.testing.assert_array_equal(got, [TABLE[0] + TABLE[3], [0] * 3])


def test_sequence_lengths(gpu):
    lengths = fed([2, 9, 0, 1], tf.int32)
    got = run(gpu, tf.reverse_sequence(fed(TABLE), lengths, seq_axis=1))
    want = TABLE.copy()
    want[0, :2] = TABLE[0, 1::-1]
    want[1] = TABLE[1, ::-1]
    np.testing.assert_array_equal(got, want)
