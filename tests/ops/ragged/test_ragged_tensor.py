"""`tensorflow.python.ops.ragged`: non-public functions; the values are TensorFlow 1.15.5's."""

import contextlib

import pytest

import tfmini as tf
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensorType
from tfmini._src.session.eager.enable import eager_mode
from tfmini.compat.python.ops.ragged.ragged_batch_gather_with_default_op import (
    batch_gather_with_default,
)
from tfmini.compat.python.ops.ragged.ragged_map_ops import map_fn


@pytest.fixture(params=["graph", "eager"], autouse=True)
def value(request):
    """Tensor values as lists, in graph and eager mode."""
    if request.param == "eager":
        with eager_mode():
            yield (
                lambda tensor: (
                    tensor.to_list()
                    if isinstance(tensor, tf.RaggedTensor)
                    else tensor.numpy().tolist()
                )
            )
        return
    with tf.Graph().as_default(), tf.Session() as session:

        def run(tensor):
            result = session.run(tensor)
            return result.to_list() if hasattr(result, "to_list") else result.tolist()

        yield run


def test_map_fn_over_rows(value):
    rows = tf.ragged.constant([[1, 2, 3], [4], []])
    assert value(map_fn(tf.reduce_sum, rows)) == [6, 4, 0]
    ragged = RaggedTensorType(tf.int32, 1)
    assert value(map_fn(lambda x: x + 1, rows, dtype=ragged)) == [[2, 3, 4], [5], []]
    sums, doubled = map_fn(
        lambda x: (tf.reduce_sum(x["a"]), x["a"] * x["b"]),
        {"a": rows, "b": tf.constant([2, 3, 4])},
        dtype=(tf.int32, ragged),
    )
    assert value(sums) == [6, 4, 0] and value(doubled) == [[2, 4, 6], [12], []]
    deep = tf.ragged.constant([[[1, 2], [3]], [[]], []], ragged_rank=2)
    twice = map_fn(lambda x: x * 2, deep, dtype=RaggedTensorType(tf.int32, 2))
    assert value(twice) == [[[2, 4], [6]], [[]], []]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (
            RaggedTensorType(tf.int32, 3),
            r"The declared ragged rank \(3\) mismatches the result \(1\)",
        ),
        (RaggedTensorType(tf.int64, 1), r"The declared dtype \(.*int64.*\) mismatches the result"),
    ],
)
def test_map_fn_result_mismatch(kind, text):
    with pytest.raises(ValueError, match=text):
        map_fn(lambda x: x, tf.ragged.constant([[1], [2, 3]]), dtype=kind)


def test_map_fn_refuses_invalid_arguments():
    with pytest.raises(TypeError, match="fn must be callable"):
        map_fn(1, tf.constant([1]))
    with pytest.raises(TypeError, match="To perform a map on the values of a sparse tensor"):
        map_fn(abs, tf.SparseTensor([[0]], [1], [1]))


def test_out_of_bounds_default(value):
    words = tf.ragged.constant([["a", "b", "c"], ["d"], [], ["e"]])
    indices = tf.ragged.constant([[1, 2, -1], [], [], [0, 10]])
    expected = [[b"b", b"c", b"?"], [], [], [b"e", b"?"]]
    assert value(batch_gather_with_default(words, indices, "?")) == expected
    dense = tf.constant([[1, 2], [3, 4]])
    assert value(batch_gather_with_default(dense, [[1, 9], [-1, 0]], 0)) == [[2, 0], [0, 3]]
    rows = tf.ragged.constant([[["a"], ["b", "c"]], [["d"]]])
    result = batch_gather_with_default(rows, tf.ragged.constant([[1, 5], [0]]), "?")
    assert value(result) == [[[b"b", b"c"], [b"?"]], [[b"d"]]]
    with pytest.raises(ValueError, match='"default_value" must be a scalar or vector'):
        batch_gather_with_default(words, indices, [["?"]])
    with pytest.raises(ValueError, match="must have a known rank"), contextlib.ExitStack() as stack:
        stack.enter_context(tf.Graph().as_default())
        batch_gather_with_default(["a"], tf.placeholder(tf.int32))
