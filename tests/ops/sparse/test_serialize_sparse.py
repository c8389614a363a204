"""Serialized sparse tensors."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("session")


def matrix():
    return tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 4])


def test_deserialize_many_sparse_refuses_malformed_input(session):
    good = session.run(tf.serialize_sparse(matrix()))
    other = session.run(tf.serialize_sparse(tf.SparseTensor([[0]], [1.0], [1])))
    for rows, dtype, text in (
        ([[good[0], good[1], b"\xff\xff"]], tf.float32, "Could not parse serialized proto"),
        ([good, other], tf.float32, "Inconsistent shape across SparseTensors: rank prior to"),
        ([good], tf.int32, "Requested SparseTensor of type int32 but SparseTensor"),
        ([[good[1], good[1], good[2]]], tf.float32, "represent an index matrix"),
    ):
        parts = tf.deserialize_many_sparse(np.array([list(row) for row in rows], object), dtype)
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(parts.indices)
