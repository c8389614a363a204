"""Partitioned variables; texts are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.save_slice_info import PartitionInfo


def get(name, shape, partitioner, initializer=None):
    initializer = tf.zeros_initializer() if initializer is None else initializer
    return tf.get_variable(name, shape, partitioner=partitioner, initializer=initializer)


def parts(variable):
    return [(v.op.name, v.shape.as_list(), v._get_save_slice_info().spec) for v in variable]


def test_conversion_to_tensor(graph):
    v = get("v", None, tf.fixed_size_partitioner(2), tf.reshape(tf.range(6.0), [3, 2]))
    one = get("one", [2], tf.fixed_size_partitioner(1))
    assert tf.convert_to_tensor(v).name == "v:0"
    assert v.as_tensor().op.inputs[0].name == "v/ConcatPartitions/concat_1:0"
    assert one.as_tensor().op.inputs[0].name == "one/part_0/read:0"
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        whole = np.arange(6.0).reshape(3, 2)
        np.testing.assert_array_equal(session.run(v.as_tensor()), whole)
        session.run(v.assign_add(tf.ones([3, 2])))
        session.run(v.assign_sub(v))
        assert session.run(tf.identity(v)).tolist() == [[0.0, 0.0]] * 3
        session.run(v.assign([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0]]], read_value=False))
        assert session.run(tf.identity(v)).tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def test_initializer_sees_whole_shape(graph):
    v = get("v", [3, 4], tf.fixed_size_partitioner(2), tf.initializers.identity(2.0))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(v.as_tensor()), 2 * np.eye(3, 4))


def test_create_partitioned_variables(graph):
    partitions = tf.create_partitioned_variables([4, 2], [2, 1], tf.zeros([4, 2]), name="cut")
    assert [v.name for v in partitions] == ["cut/part_0:0", "cut/part_1:0"]
    repeated = tf.create_partitioned_variables([4, 2], [2, 1], tf.zeros_initializer())
    assert [v.name for v in repeated] == [
        "PartitionedVariable/part_0:0",
        "PartitionedVariable/part_1:0",
    ]


def in_scope(reuse, *args, **kwargs):
    with tf.variable_scope("", reuse=reuse):
        return tf.get_variable(*args, initializer=tf.zeros_initializer(), **kwargs)


TWO = tf.fixed_size_partitioner(2)


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (
            lambda: in_scope(False, "v", [4], partitioner=TWO),
            "Partitioned variable with name v already exists. Did you mean to set reuse=True or "
            "reuse=tf.AUTO_REUSE in VarScope?",
        ),
        (
            lambda: in_scope(False, "v", [4]),
            "No partitioner was provided, but a partitioned version of the variable was found: "
            "v/part_0. Perhaps a variable of the same name was already created with partitioning?",
        ),
        (
            lambda: in_scope(True, "single", [4], partitioner=TWO),
            "A partitioner was provided, but an unpartitioned version of the variable was found: "
            "single.  Perhaps a variable of the same name was already created without partitioning?",
        ),
        (
            lambda: in_scope(True, "v", [5]),
            "Trying to reuse partitioned variable v, but specified shape (5,) and found shape (4,).",
        ),
        (
            lambda: in_scope(True, "v", [4], tf.int32),
            "Trying to reuse partitioned variable v, but specified dtype int32 and found dtype "
            "float32.",
        ),
        (
            lambda: in_scope(True, "none", [4], partitioner=TWO),
            "PartitionedVariable none does not exist, or was not created with tf.get_variable(). Did "
            "you mean to set reuse=False or reuse=tf.AUTO_REUSE in VarScope?",
        ),
        (
            lambda: in_scope(None, "w", [None, 2], partitioner=TWO),
            "Shape of a new partitioned variable must be fully defined, but instead was (?, 2).",
        ),
    ],
)
def test_errors(graph, case, text):
    get("v", [4], TWO)
    get("single", [4], None)
    with pytest.raises(ValueError) as caught:
        case()
    assert str(caught.value) == text


def test_partition_info():
    info = PartitionInfo([7, 4], [2, 0])
    assert (info.single_slice_dim([3, 4]), info.single_offset([3, 4])) == (0, 2)
    whole = PartitionInfo([7, 4], [0, 0])
    assert (whole.single_slice_dim([7, 4]), whole.single_offset([7, 4])) == (None, 0)
    sequence = r"must be a sequence \(like tuple or list\) instead of int$"
    for arguments, kind, text in [
        ((3, [0]), TypeError, f"^`full_shape` {sequence}"),
        (
            ([3], [0, 0]),
            ValueError,
            "`var_offset` is of length 2 while full_shape is of length 1.$",
        ),
        (
            ([3], [3]),
            ValueError,
            r"found offset=3, shape=3 for var_offset=\[3\], full_shape=\[3\]$",
        ),
    ]:
        with pytest.raises(kind, match=text):
            PartitionInfo(*arguments)
    for shape, kind, text in [
        (3, TypeError, f"^`shape` {sequence}"),
        ([3], ValueError, r"received shape=\[3\] of length 1 while self.full_shape=\[7, 4\] is of"),
        ([6, 4], ValueError, r"would exceed self.full_shape=\[7, 4\] in dimension 0.$"),
        ([3, 2], ValueError, "since slice dim could be either dimension 1 or 0.$"),
    ]:
        with pytest.raises(kind, match=text):
            info.single_slice_dim(shape)


def test_whole_requires_all_parts(graph):
    parts = list(get("v", [4, 2], tf.fixed_size_partitioner(2)))
    alone = tf.Variable(1.0, name="w")
    for arguments, kind, text in [
        (
            ([4, 2], parts[0], [2, 1]),
            TypeError,
            f"variable_list is not a list or tuple: {parts[0]}",
        ),
        (([4, 2], parts, 2), TypeError, "partitions is not a list or tuple: 2"),
        (([4, 2], parts, [0, 1]), ValueError, "partition values must be positive: [0, 1]"),
        (([4, 2], [], [2, 1]), ValueError, "variable_list may not be empty"),
        (
            *(([4, 2], [alone], [2, 1]), ValueError),
            "All variables must have a save_slice_info available: ['w:0']",
        ),
        (([4, 2], parts, [2]), ValueError, "len(shape) != len(partitions): [4, 2] vs. [2]"),
        (
            *(([4, 3], parts, [2, 1]), ValueError),
            "All variables' full shapes must match shape: [4, 3]; but full shapes were: [[4, 2]]",
        ),
    ]:
        shape, variables, partitions = arguments
        with pytest.raises(kind) as caught:
            PartitionedVariable("a", shape, tf.float32, variables, partitions)
        assert str(caught.value) == text
    whole = PartitionedVariable("a", [4, 2], tf.float32, tuple(parts[::-1]), (2, 1))
    assert list(whole) == parts and whole.name == "a"


@pytest.mark.parametrize(
    "count, text", [(1, "v/part_1 was not"), (3, "so was the extra shard v/part_2")]
)
def test_single_variables_serve_as_parts_if_count_matches(graph, count, text):
    for index in range(count):
        get(f"v/part_{index}", [2], None)
    with pytest.raises(ValueError) as caught:
        in_scope(tf.AUTO_REUSE, "v", [4], partitioner=TWO)
    assert str(caught.value) == (
        "Partitioner returned a different partitioning than what was already found.  Partitioner returned 2 shards, "
        f"and shard v/part_0 was found, but {text}."
    )
