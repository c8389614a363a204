"""Standalone Switch and Merge: shapes, value types, gradients outside of cond."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw
from tfmini._src.ops.control_flow.switch_merge import merge, switch, switch_ref_or_tensor


def test_switch_outputs_have_data_shape():
    data = tf.placeholder(tf.float32, [2, None])
    for output in switch(data, tf.placeholder(tf.bool)):
        assert output.shape.as_list() == [2, None]


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        ([2, 3], [2, 3], [2, 3]),
        ([2, 3], [4, 3], [None, 3]),
        ([2, None], [2, 3], [2, None]),
        ([2, 3], [2], None),
        ([2, 3], None, None),
        ([], [], []),
    ],
)
def test_merge_shape_is_common_to_inputs(first, second, merged):
    inputs = [tf.placeholder(tf.float32, dims) for dims in (first, second)]
    output, index = merge(inputs)
    assert output.shape.ndims is None if merged is None else output.shape.as_list() == merged
    assert index.shape.as_list() == []


def test_merge_of_tensors_and_slices_returns_slices():
    slices = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([3], tf.int64), tf.constant([4, 2]))
    output, _ = merge([slices, tf.zeros([4, 2])])
    assert isinstance(output, tf.IndexedSlices)
    assert output.indices.dtype is tf.int64


def test_reference_is_preserved():
    variable = tf.Variable(1.0)
    outputs = switch_ref_or_tensor(variable._ref(), tf.constant(True))
    assert [output.dtype for output in outputs] == [tf.float32._as_ref] * 2
    assert outputs[0].op.type == "RefSwitch"


def test_switch_is_colocated_with_data():
    data = tf.constant(1.0, name="data")
    with tf.colocate_with(tf.constant(2.0)):
        outputs = switch_ref_or_tensor(data, tf.constant(True))
    assert outputs[0].op.colocation_groups() == [b"loc:@data"]


@pytest.mark.parametrize("taken", [False, True])
def test_switch_gradient_flows_to_taken_side(taken):
    x = tf.constant([1.0, 2.0])
    pred = tf.placeholder(tf.bool, [])
    false, true = switch(x, pred)
    output, _ = merge([false * 2.0, true * 3.0])
    gradient = tf.gradients(output, x)[0]
    with tf.Session() as session:
        actual = session.run(gradient, {pred: taken})
    np.testing.assert_array_equal(actual, [3.0 if taken else 2.0] * 2)


@pytest.mark.parametrize("taken", [False, True])
def test_merge_returns_taken_index(taken):
    false, true = raw.Switch(5, tf.constant(taken))
    with tf.Session() as session:
        assert session.run(raw.Merge([false, true])[1]) == int(taken)
