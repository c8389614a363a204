"""Out-of-range indices, whenever a kernel reads them, and inconsistent sizes."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tests.support.hostile.entries import ENTRIES, THRESHOLDS
from tfmini._src.devices.host.native import (
    optimizers,
    rows,
    softmax,
    sparse_matmul,
)
from tfmini._src.devices.host.native.images import crop_and_resize, image_resample
from tfmini._src.devices.numpy.windows.axes import Axis


def resized_gradient(op, grads, original, **attrs):
    with tf.Graph().as_default(), tf.Session() as session:
        fed = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        result = getattr(tf.raw_ops, op)(grads=fed[0], original_image=fed[1], **attrs)
        return session.run(result, {fed[0]: np.ones(grads), fed[1]: np.ones(original)})


@pytest.mark.parametrize("op", ["ResizeBilinearGrad", "ResizeBicubicGrad"])
def test_resize_gradient_rejects_empty_images(build, op):
    for original in ((1, 0, 3, 1), (1, 3, 0, 1), (1, 0, 0, 1)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="original_image must be of non"):
            resized_gradient(op, (1, 2, 2, 1), original)
    # As in TensorFlow 1.15.5, which crashes for those above.
    assert (
        resized_gradient(op, (1, 0, 2, 1), (1, 3, 3, 1)).tolist() == np.zeros((1, 3, 3, 1)).tolist()
    )
    assert resized_gradient(op, (0, 2, 2, 1), (0, 3, 0, 1)).shape == (0, 3, 0, 1)


@pytest.mark.parametrize("place", [-1, 3, 2**31 - 1, -(2**31)])
def test_out_of_range_pixels_are_not_written(build, place):
    share = np.ones((1, 2), "f")
    wrong, right = (np.array([[0, last]], "i") for last in (place, 1))
    grad, x = np.ones((1, 2, 2, 1), "f"), np.ones((1, 3, 3, 1), "f")
    result = np.empty((1, 2, 2, 1), "f")
    for one, other in ((wrong, right), (right, wrong)):
        lines = (one, share), (other, share)
        assert image_resample.scatter_gradient(grad, *lines, (3, 3)) is None
        assert not image_resample.resample_images(x, *lines, result)
        assert not image_resample.nearest(x, one[0], other[0], result)
    good = right[0], right[0], share[0]
    for between in ((wrong[0], right[0], share[0]), (right[0], wrong[0], share[0])):
        assert not image_resample.interpolate_images(x, between, good, result)
        assert not image_resample.interpolate_images(x, good, between, result)


def test_out_of_range_ids_are_skipped(build, monkeypatch):
    monkeypatch.setattr(rows, "_MIN_ELEMENTS", 1)
    ids, inputs = np.array([1, -1, 3, 2**62]), np.ones((4, 2), "f")
    expected = np.array([[0, 0], [1, 1], [0, 0]], "f")
    for write in (rows.set_rows, rows.add_rows):
        array = np.zeros((3, 2), "f")
        assert write(array, ids, inputs)
        np.testing.assert_array_equal(array, expected)
    cell = np.zeros((3, 2), "f")
    update = optimizers.row_update_functions("gradient_descent", np.dtype("f"))
    assert update([cell], inputs, ids, (-1.0,), False)
    np.testing.assert_array_equal(cell, expected)


def test_out_of_range_label_gives_nan(build, monkeypatch):
    loss, _ = softmax.cross_entropy(np.zeros((3, 4), "f"), np.array([1, 4, -1]))
    assert np.isnan(loss).tolist() == [False, True, True]


def test_mismatched_sizes_fall_back_to_numpy(build):
    ids, inputs = np.zeros(3000, int), np.ones((3000, 2), "f")
    assert not rows.add_rows(np.zeros((3, 4), "f"), ids, inputs)
    assert not rows.set_rows(np.zeros((3, 2), "f"), ids[:-1], inputs)
    dense, indices = np.ones((4, 4), "f"), np.zeros((5, 2), int)
    assert sparse_matmul.sparse_times(indices, np.ones(6, "f"), dense, 4, False) is None
    x, numbers = np.ones((1, 3, 3, 1), "f"), np.zeros(1, "i")
    assert crop_and_resize.crop_boxes(x, np.zeros((2, 4), "f"), numbers, (3, 3), 0.0) is None


def test_scalar_index_is_rejected(build):
    """The kernel for tables of large rows once treated it as one."""
    table = np.arange(1 << 20, dtype="f").reshape(2, -1)
    assert rows.take_rows(table, np.int64(1)) is None
    with tf.Graph().as_default(), tf.Session() as session:
        index, params = tf.placeholder(tf.int32), tf.placeholder(tf.float32)
        taken = session.run(tf.gather(params, index), {index: 1, params: table})
    np.testing.assert_array_equal(taken, table[1])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.__name__)
def test_concurrent_modification_is_safe(build, monkeypatch, entry):
    for module, name in THRESHOLDS:
        monkeypatch.setattr(module, name, 1)
    targets, call = entry(np.random.default_rng(0))
    ended = threading.Event()

    def change():
        rng = np.random.default_rng(1)
        while not ended.is_set():
            for array in targets:
                array.flat[rng.integers(array.size)] = rng.choice([-1, 0, 2**31 - 1])

    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(20):
        call()
    assert thread.is_alive()  # changed up to the end
    ended.set()
    thread.join()


def test_concurrently_modified_indices_are_checked_once():
    """Indices are read once at the start of the step: all in range, or rejected."""
    inputs = np.zeros(4096, np.int64)
    with tf.Graph().as_default(), tf.Session() as session:
        indices = tf.placeholder(tf.int64, [None])
        wait = tf.py_func(lambda: inputs.fill(1 << 40), [], [])
        with tf.control_dependencies([wait]):
            result = tf.gather(tf.ones([3, 8]), indices)
        assert session.run(result, {indices: inputs}).shape == (4096, 8)
        with pytest.raises(tf.errors.InvalidArgumentError, match="is not in"):
            session.run(result, {indices: inputs})


def inside(axis):
    """Each window's elements inside the input."""
    starts = [window * axis.stride - axis.before for window in range(axis.count)]
    return [[n for n in range(s, s + axis.kernel) if 0 <= n < axis.size] for s in starts]


def test_clipped_windows_cover_same_elements():
    for size in range(1, 6):
        for kernel in (*range(1, 14), 100):
            for stride in range(1, 5):
                count = -(-size // stride)
                missing = max((count - 1) * stride + kernel - size, 0)
                before = missing // 2
                axis = Axis(size, kernel, stride, 1, before, missing - before, count)
                assert inside(axis.clip()) == inside(axis)
                assert axis.clip().kernel <= 2 * size


def test_int32_max_windows_do_not_hang():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.reshape(tf.range(54.0), [1, 3, 3, 3, 2])
        most = 2**31 - 1
        pooled = tf.nn.max_pool3d(x, [1, most, most, most, 1], [1] * 5, "SAME")
        got = session.run([pooled, *tf.gradients(pooled, x)])
    assert np.unique(got[0]).tolist() == [52, 53]
    assert got[1].sum() == 54


@pytest.mark.parametrize(
    "dims", [[2**30] * 3, [65536, 65536, 3], [0, 3]], ids=["beyond", "to 0", "none"]
)
def test_unravel_index_overflow_is_rejected(dims):
    with tf.Graph().as_default(), tf.Session() as session:
        points = tf.unravel_index(tf.placeholder_with_default([5], [1]), dims)
        with pytest.raises(tf.errors.InvalidArgumentError, match="have no elements, or more"):
            session.run(points)


def test_unravel_index_wraps_like_tensorflow():
    with tf.Graph().as_default(), tf.Session() as session:
        points = session.run(tf.unravel_index([2**31 - 1], [2**31 - 1, 2]))
    assert points.tolist() == [[0], [1]]  # TensorFlow 1.15.5's message


@pytest.mark.parametrize("shape", [[-1, 3], [-(2**63), 3]])
def test_negative_sparse_shape_is_rejected(build, shape):
    """TensorFlow aborts the process."""
    with tf.Graph().as_default(), tf.Session() as session:
        sizes = tf.placeholder(tf.int64)
        inputs = {"a_indices": [[0, 0]], "a_values": [1.0], "b": np.ones((3, 2), "f")}
        product = tf.raw_ops.SparseTensorDenseMatMul(a_shape=sizes, **inputs)
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be >= 0"):
            session.run(product, {sizes: shape})


@pytest.mark.parametrize("op", ["Sum", "Mean", "SqrtN"])
def test_scalar_segment_data_is_rejected(op):
    """TensorFlow aborts the process."""
    with tf.Graph().as_default(), tf.Session() as session:
        data = tf.placeholder(tf.float32)
        total = getattr(tf.raw_ops, f"SparseSegment{op}")(data=data, indices=[0], segment_ids=[0])
        with pytest.raises(tf.errors.InvalidArgumentError, match="at least a vector"):
            session.run(total, {data: 1.0})


def test_oversized_scatter_raises_oom():
    with tf.Graph().as_default(), tf.Session() as session:
        sizes = tf.placeholder(tf.int64)
        result = tf.scatter_nd(np.array([[1, 1]]), np.ones((1, 2), "f"), sizes)
        with pytest.raises(
            tf.errors.ResourceExhaustedError,
            match=r"OOM when allocating tensor with shape\[8589934592,8589934592,2\] and type float",
        ):
            session.run(result, {sizes: [2**33, 2**33, 2]})


def test_pooling_over_channels_is_rejected():
    """TensorFlow aborts the process."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32)
        pooled = tf.raw_ops.AvgPool(value=x, ksize=[1, 1, 1, 0], strides=[1] * 4, padding="SAME")
        with pytest.raises(tf.errors.InvalidArgumentError, match="ksize for dimension 3 was 0"):
            session.run(pooled, {x: np.ones((1, 4, 4, 3))})


def test_shape_overflow_with_zero_dim_is_rejected():
    with tf.Graph().as_default(), tf.Session() as session:
        sizes = tf.placeholder(tf.int32)
        text = "would have more than 2..63 - 1 elements"  # TensorFlow 1.15.5's message
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(tf.random_uniform(sizes), {sizes: [2**31 - 1, 2**31 - 1, 7, 0]})
