"""Failing calls leave the same nodes in the graph as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf


def _decoder(start_tokens):
    cell, embedding = tf.nn.rnn_cell.GRUCell(2), tf.zeros([3, 2])
    tf.contrib.seq2seq.BeamSearchDecoder(cell, embedding, start_tokens, 1, tf.zeros([2, 2]), 2)


def wrong_type(name, dtype):
    return f"Value passed to parameter '{name}' has DataType {dtype} not in list of allowed values: int32, int64"


CALLS = {
    "gather": (
        lambda x: tf.gather(x, [0.5]),
        ["GatherV2/indices", "Const"],
        wrong_type("indices", "float32"),
    ),
    "gather, axis": (
        lambda x: tf.gather(x, [0], axis=5),
        ["GatherV2/indices", "GatherV2/axis", "Const"],
        "Shape must be at least rank 6 but is rank 1 for 'GatherV2'",
    ),
    "gather of a tensor": (
        lambda x: tf.gather(x, tf.constant(0.5, name="i")),
        ["i"],
        wrong_type("indices", "float32"),
    ),
    "gather_nd": (
        lambda x: tf.gather_nd(x, [0.5]),
        ["GatherNd/indices", "Const"],
        wrong_type("indices", "float32"),
    ),
    "reduce_sum": (
        lambda x: tf.reduce_sum([[1.0]], axis=5),
        ["Sum/input", "Sum/reduction_indices", "Const"],
        "Invalid reduction dimension 5 for input with 2 dimensions. for 'Sum'",
    ),
    "tile of a list": (
        lambda x: tf.tile([1, 2], "a"),
        ["Tile/input", "Tile/multiples", "Const"],
        wrong_type("multiples", "string"),
    ),
    "tile without multiples": (
        lambda x: tf.tile([1, 2]),
        [],
        r"tile\(\) missing 1 required positional argument: 'multiples'$",
    ),
    "concat without an axis": (
        lambda x: tf.concat([[1, 2]]),
        ["Const"],
        r"concat\(\) missing 1 required positional argument: 'axis'$",
    ),
    "string_join": (
        lambda x: tf.string_join([[1], [2, 3]]),
        ["StringJoin/Const", "StringJoin/Const_1", "Const", "Const_1"],
        r"Tensors in list passed to 'inputs' of 'StringJoin' Op have types \[int32, int32\] that do not match",
    ),
    "scatter_update": (
        lambda x: tf.scatter_update(x, [0], [1.0]),
        [],
        "'Tensor' object has no attribute '_lazy_read'$",
    ),
    "scatter_nd_add": (
        lambda x: tf.scatter_nd_add(x, [[0]], [1.0]),
        [],
        "'Tensor' object has no attribute '_lazy_read'$",
    ),
    "BeamSearchDecoder": (
        lambda x: _decoder(tf.constant([[0]], name="t")),
        ["t", "zeros", "zeros_1"],
        "start_tokens must be a vector$",
    ),
    "GreedyEmbeddingHelper": (
        lambda x: tf.contrib.seq2seq.GreedyEmbeddingHelper(tf.zeros([3, 2]), [0], [1]),
        ["zeros", "start_tokens", "end_token", "Size/Const", "Size"],
        "end_token must be a scalar$",
    ),
    "control dependencies": (
        lambda x: tf.control_dependencies([tf.SparseTensor([[0]], [1.0], [2])]),
        ["SparseTensor/indices", "SparseTensor/values", "SparseTensor/dense_shape"],
        "Can not convert a SparseTensor into a Tensor or Operation.$",
    ),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call, left, text", CALLS.values(), ids=CALLS)
def test_nodes_left_by_failing_call(graph, call, left, text):
    x = tf.constant([1.0, 2.0], name="x")
    with pytest.raises((TypeError, ValueError, AttributeError), match=f"^{text}"):
        call(x)
    assert [op.name for op in graph.get_operations()] == ["x", *left]
