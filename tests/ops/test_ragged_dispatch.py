"""Calls that fail leave nodes in the graph: those that TensorFlow 1.15.5 leaves."""

import pytest

import tfmini as tf


def _decoder(start_tokens):
    cell, embedding = tf.nn.rnn_cell.GRUCell(2), tf.zeros([3, 2])
    tf.contrib.seq2seq.BeamSearchDecoder(cell, embedding, start_tokens, 1, tf.zeros([2, 2]), 2)


CALLS = {
    "gather": (lambda x: tf.gather(x, [0.5]), ["GatherV2/indices", "Const"]),
    "gather, axis": (
        lambda x: tf.gather(x, [0], axis=5),
        ["GatherV2/indices", "GatherV2/axis", "Const"],
    ),
    "gather of a tensor": (lambda x: tf.gather(x, tf.constant(0.5, name="i")), ["i"]),
    "gather_nd": (lambda x: tf.gather_nd(x, [0.5]), ["GatherNd/indices", "Const"]),
    "reduce_sum": (
        lambda x: tf.reduce_sum([[1.0]], axis=5),
        ["Sum/input", "Sum/reduction_indices", "Const"],
    ),
    "tile of a list": (lambda x: tf.tile([1, 2], "a"), ["Tile/input", "Tile/multiples", "Const"]),
    "tile without multiples": (lambda x: tf.tile([1, 2]), []),
    "concat without an axis": (lambda x: tf.concat([[1, 2]]), ["Const"]),
    "string_join": (
        lambda x: tf.string_join([[1], [2, 3]]),
        ["StringJoin/Const", "StringJoin/Const_1", "Const", "Const_1"],
    ),
    "scatter_update": (lambda x: tf.scatter_update(x, [0], [1.0]), []),
    "scatter_nd_add": (lambda x: tf.scatter_nd_add(x, [[0]], [1.0]), []),
    "BeamSearchDecoder": (
        lambda x: _decoder(tf.constant([[0]], name="t")),
        ["t", "zeros", "zeros_1"],
    ),
    "GreedyEmbeddingHelper": (
        lambda x: tf.contrib.seq2seq.GreedyEmbeddingHelper(tf.zeros([3, 2]), [0], [1]),
        ["zeros", "start_tokens", "end_token", "Size/Const", "Size"],
    ),
    "control dependencies": (
        lambda x: tf.control_dependencies([tf.SparseTensor([[0]], [1.0], [2])]),
        ["SparseTensor/indices", "SparseTensor/values", "SparseTensor/dense_shape"],
    ),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call, left", CALLS.values(), ids=CALLS)
def test_what_is_left(graph, call, left):
    x = tf.constant([1.0, 2.0], name="x")
    with pytest.raises((TypeError, ValueError, AttributeError)):
        call(x)
    assert [op.name for op in graph.get_operations()] == ["x", *left]
