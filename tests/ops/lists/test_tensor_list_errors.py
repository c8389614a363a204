"""List ops in eager mode: TensorFlow 1.15.5's errors."""

import re

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode

raw = tf.raw_ops


def _list(items, shape=(), dtype=tf.float32):
    handle = raw.TensorListReserve(
        element_shape=tf.constant(shape, tf.int32), num_elements=0, element_dtype=dtype
    )
    for item in items:
        item = tf.constant(item, dtype)
        handle = raw.TensorListPushBack(input_handle=handle, tensor=item)
    return handle


def _reserved(shape, count):
    return raw.TensorListReserve(
        element_shape=tf.constant(shape, tf.int32), num_elements=count, element_dtype=tf.float32
    )


def _concat(handle, lengths=()):
    return raw.TensorListConcatV2(
        input_handle=handle,
        element_shape=tf.constant(-1),
        leading_dims=tf.constant(lengths, tf.int64),
        element_dtype=tf.float32,
    )


def _split(values, shape, lengths):
    return raw.TensorListSplit(
        tensor=tf.constant(values),
        element_shape=tf.constant(shape, tf.int32),
        lengths=tf.constant(lengths, tf.int64),
    )


def _push(values, dtype=tf.float32):
    lists = tf.stack([_list([1.0, 2.0]), _list([-1.0])])
    return raw.TensorListPushBackBatch(input_handles=lists, tensor=tf.constant(values, dtype))


def _scattered(indices):
    handle, tensor = _reserved([], 1), tf.constant([1.0, 2.0])
    return raw.TensorListScatterIntoExistingList(
        input_handle=handle, tensor=tensor, indices=indices
    )


def _joined(*pair):
    return raw.TensorListConcatLists(input_a=pair[0], input_b=pair[1], element_dtype=tf.float32)


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: _concat(_list([])),
            "Concat requires elements to be at least vectors, found scalars instead.",
        ),
        (
            lambda: _concat(_reserved([-1, 3], 3), [1, 2]),
            "List contains uninitialized tensor at index 2 but leading_dims has only 2 elements.",
        ),
        (
            lambda: _split([1.0, 2.0], [], [1, 1]),
            "TensorListSplit requires element_shape to be at least of rank 1, but saw: []",
        ),
        (
            lambda: _push([[3.0], [4.0]]),
            "Tried to append a tensor with incompatible shape to a list at index 0. Op element shape: [1] "
            "list shape: []",
        ),
        (
            lambda: _push([3, 4], tf.int32),
            "Invalid data type at index 0; op elements int32 but list elements float",
        ),
        (
            lambda: raw.TensorListPushBackBatch(input_handles=_list([]), tensor=[1.0]),
            "Expected input_handles to be a vector, but saw shape: []",
        ),
        (
            lambda: _scattered(0),
            "Expected indices to be a vector, but received shape: []",
        ),
        (
            lambda: _scattered([0]),
            "Expected len(indices) == tensor.shape[0], but saw: 1 vs. 2",
        ),
        (
            lambda: _joined(tf.stack([_list([])]), tf.stack([_list([[1.0]], [1])])),
            "input_a and input_b TensorList element shapes are not identical at index 0.  Saw [] vs. [1]",
        ),
        (
            lambda: _joined(tf.stack([_list([])] * 2), _list([])),
            "Incompatible input TensorList tensor shapes: [2] vs. []",
        ),
        (
            lambda: tf.add_n([_reserved([], 3), _reserved([2], 3)]),
            "Trying to add two lists of tensors with incompatible element shapes. One is [] and the other is [2]",
        ),
    ],
)
def test_invalid_calls(call, message):
    with eager_mode(), pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(message)):
        call()


def test_negative_size_is_refused(session):
    """TensorFlow crashes."""
    count = tf.placeholder_with_default(-2, [])
    output = tf.raw_ops.TensorListReserve(
        element_shape=[2], num_elements=count, element_dtype=tf.float32
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="non negative number, got -2"):
        session.run(output)


def test_single_element_indices_of_any_rank(session):
    """TensorFlow accepts a one-element index or size of any rank, and index lists of any shape."""
    one = tf.placeholder_with_default([[1]], None)
    held = tf.raw_ops.TensorListFromTensor(
        tensor=[1.0, 2.0], element_shape=tf.constant([], tf.int32)
    )
    none = tf.constant([], tf.int32)
    item = raw.TensorListGetItem(
        input_handle=held, index=one, element_shape=none, element_dtype=tf.float32
    )
    chosen = raw.TensorListGather(
        input_handle=held, indices=one, element_shape=none, element_dtype=tf.float32
    )
    less = raw.TensorListLength(input_handle=raw.TensorListResize(input_handle=held, size=one))
    result = session.run([item, chosen, less])
    assert [result[0], result[1].tolist(), result[2]] == [2.0, [2.0], 1]


@pytest.mark.parametrize(
    "shape, message",
    [
        (3, "Received an invalid shape scalar with a static value that is not '-1'"),
    ],
)
def test_invalid_shapes_are_refused_at_construction(shape, message):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=message):
        raw.TensorListReserve(element_shape=shape, num_elements=1, element_dtype=tf.float32)
