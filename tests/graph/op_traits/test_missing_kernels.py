"""missing_kernels: one op per kind of table line, each rejected by TensorFlow 1.15.5 with this message."""

import numpy as np
import pytest

import tfmini as tf

WIDE, TEXT = np.uint32([1, 2]), [["a", "b"]]
REFUSED = {
    "HashTableV2": lambda: tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer([1], np.int64([2])), np.int64(0)
    ).size(),
    "Cumsum": lambda: tf.cumsum(WIDE),
    "Less": lambda: tf.less(np.uint16([1]), np.uint16([2])),
    "LowerBound": lambda: tf.searchsorted(TEXT, TEXT),
    "ReverseSequence": lambda: tf.reverse_sequence(TEXT, [1], 1),
    "SpaceToBatchND": lambda: tf.space_to_batch_nd(TEXT, [2], [[0, 0]]),
    "SparseAdd": lambda: tf.sparse.add(*[tf.SparseTensor([[0]], np.uint8([1]), [1])] * 2),
    "Unique": lambda: tf.unique(WIDE),
}


@pytest.mark.parametrize("name", REFUSED)
def test_unsupported_dtype_is_rejected(session, name):
    result = REFUSED[name]()
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=f"^No OpKernel was registered to support Op '{name}'"
    ):
        session.run(result)


def test_xla_dtypes(session):
    assert session.run(tf.reduce_sum(WIDE)) == 3


def test_later_graphs_support_more_dtypes(graph):
    tf.cumsum(WIDE, name="total")
    message = graph.as_graph_def()
    message.versions.producer = 1000
    with tf.Graph().as_default(), tf.Session() as session:
        (total,) = tf.import_graph_def(message, return_elements=["total:0"])
        assert session.run(total).tolist() == [1, 3]
