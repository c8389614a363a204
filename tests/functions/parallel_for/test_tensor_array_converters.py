"""TensorArrays, stacks and parsed examples in pfor, compared with row-by-row calls."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.functions.parallel_for.pfor import for_loop, pfor
from tfmini._src.ops import raw

COUNT = 3


def _check_pfor(function, *dtypes):
    at_once = pfor(function, COUNT)
    one_by_one = for_loop(function, list(dtypes), COUNT)
    with tf.Session() as session:
        for result, expected in zip(*session.run([tf.nest.flatten(at_once), one_by_one])):
            np.testing.assert_array_equal(result, expected)
    return at_once


def _array(size=COUNT, **options):
    return tf.TensorArray(tf.int32, size, clear_after_read=False, **options)


def test_outer_array_is_read():
    outside = _array().unstack([5, 7, 9])
    _check_pfor(
        lambda i: (outside.read(i), outside.read(0), outside.gather([i, 2]), outside.gather([1])),
        *[tf.int32] * 4,
    )


def test_outer_array_is_written_at_distinct_indices():
    outside = _array(2 * COUNT)

    def write(i):
        array = outside.write(i, i * 10)
        return array.scatter([COUNT + i], [5]).flow

    with tf.Session() as session:
        flow = pfor(write, COUNT)[-1]
        written = tf.TensorArray(tf.int32, handle=outside.handle, flow=flow)
        assert session.run(written.stack()).tolist() == [0, 10, 20, 5, 5, 5]
    with pytest.raises(ValueError, match=r"Need indices for .* to be not loop invariant"):
        pfor(lambda i: outside.write(0, i).flow, COUNT)
    with pytest.raises(ValueError, match=r"Need indices for .* to be not loop invariant"):
        pfor(lambda i: outside.scatter([0], [i]).flow, COUNT)


def test_tensor_arrays_in_body():
    def arrays(i):
        varies = _array(4).write(0, i).write(1, 1).scatter([2, 3], [[i, 4]][0])
        same = _array(2).write(0, 6).write(1, 8)
        scattered = _array(2).scatter([0, 1], [3, 4])
        return (
            varies.stack(),
            varies.read(0),
            varies.gather([1, 3]),
            varies.size(),
            same.stack(),
            same.read(tf.minimum(i, 1)),
            same.gather([tf.minimum(i, 1)]),
            scattered.stack(),
        )

    _check_pfor(arrays, *[tf.int32] * 8)


@pytest.mark.parametrize("read", ["read", "gather"])
def test_varying_elements_require_invariant_indices(read):
    def body(i):
        array = _array(COUNT).write(0, i)
        return array.read(i) if read == "read" else array.gather([i])

    with pytest.raises(ValueError, match="and the indices were also not loop invariant"):
        pfor(body, COUNT)
    with pytest.raises(ValueError, match=r"Need indices for .* to be loop invariant"):
        pfor(lambda i: _array(COUNT).write(i, 1).flow, COUNT)


def test_tensor_array_gradients():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    array = tf.TensorArray(tf.float32, COUNT, clear_after_read=False).unstack(x)
    squares = tf.square(tf.reshape(array.stack(), [COUNT, 2]))

    def row(i):
        return tf.gather(tf.gradients(tf.gather(squares, i), x)[0], i)

    with tf.Session() as session:
        result, expected = session.run([pfor(row, COUNT), 2.0 * x])
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("first", ["number", "constant"])
def test_stacks_in_body(first):
    def push_and_pop(i):
        stack = raw.StackV2(4, elem_type=tf.int32)
        pushed = raw.StackPushV2(stack, i if first == "number" else 1)
        with tf.control_dependencies([pushed]):
            pushed = raw.StackPushV2(stack, 2)
        with tf.control_dependencies([pushed]):
            second = raw.StackPopV2(stack, elem_type=tf.int32)
        with tf.control_dependencies([second]):
            return raw.StackPopV2(stack, elem_type=tf.int32), second

    _check_pfor(push_and_pop, tf.int32, tf.int32)


def test_outer_stack():
    stack = raw.StackV2(4, elem_type=tf.int32)
    with tf.control_dependencies([raw.StackPushV2(stack, 5)]):
        pushed = raw.StackPushV2(stack, 6)
    with tf.control_dependencies([pushed]):
        popped = pfor(lambda i: raw.StackPopV2(stack, elem_type=tf.int32), 2)
    with tf.control_dependencies([popped]):
        last = raw.StackPopV2(stack, elem_type=tf.int32)
    with tf.Session() as session:
        result, rest = session.run([popped, last])
    assert (result.tolist(), rest) == ([6, 6], 5)
    with pytest.raises(ValueError, match="StackPushV2 not allowed on stacks created outside pfor"):
        pfor(lambda i: raw.StackPushV2(stack, 7), 2)


def test_invariant_stack_refuses_varying_elements():
    def push(i):
        stack = raw.StackV2(4, elem_type=tf.int32)
        with tf.control_dependencies([raw.StackPushV2(stack, 1)]):
            return raw.StackPushV2(stack, i)

    with pytest.raises(ValueError, match="previously determined to be loop invariant"):
        pfor(push, COUNT)


def _example(number):
    message = proto.Example()
    message.features.feature["one"].int64_list.value.append(number)
    message.features.feature["some"].int64_list.value.extend(range(number))
    return message.SerializeToString()


def test_examples_are_parsed_in_one_batch():
    texts = tf.constant([_example(index) for index in range(COUNT)])
    features = {"one": tf.FixedLenFeature([], tf.int64), "some": tf.VarLenFeature(tf.int64)}
    result = pfor(lambda i: tf.parse_single_example(tf.gather(texts, i), features), COUNT)
    with tf.Session() as session:
        values = session.run(result)
    assert values["one"].tolist() == [0, 1, 2]
    assert values["some"].indices.tolist() == [[1, 0], [2, 0], [2, 1]]
    assert values["some"].values.tolist() == [0, 0, 1]
    assert values["some"].dense_shape.tolist() == [3, 2]


def test_parallel_iterations_must_be_positive():
    with pytest.raises(TypeError, match="positive integer"):
        for_loop(lambda i: i, tf.int32, COUNT, parallel_iterations=0)
