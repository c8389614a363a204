"""Composite values and their components."""

import numpy as np
import pytest

import tfmini as tf
from tfmini import nest
from tfmini._src.graph.composite_values import IndexedSlicesValue


@pytest.fixture
def sparse():
    return tf.SparseTensor([[0, 0]], [1.0], [2, 2])


@pytest.fixture
def slices():
    return tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1]), tf.constant([5, 3]))


def test_components_round_trip(sparse, slices):
    tree = [sparse, {"a": slices}]
    flat = nest.flatten(tree, expand_composites=True)
    assert len(flat) == 6
    packed = nest.pack_sequence_as(tree, flat, expand_composites=True)
    assert packed[0].values is sparse.values
    assert packed[1]["a"].dense_shape is slices.dense_shape
    arrays = nest.pack_sequence_as(tree, [np.zeros(1)] * 6, expand_composites=True)
    assert isinstance(arrays[0], tf.SparseTensorValue)
    assert isinstance(arrays[1]["a"], IndexedSlicesValue)
    assert nest.flatten(sparse._type_spec, expand_composites=True) == [
        tf.TensorSpec([None, 2], tf.int64),
        tf.TensorSpec([None], tf.float32),
        tf.TensorSpec([2], tf.int64),
    ]


def test_indexed_slices_without_dense_shape():
    slices = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1]))
    assert len(nest.flatten(slices, expand_composites=True)) == 2
    assert slices._type_spec == tf.IndexedSlicesSpec([None, 3], tf.float32, tf.int32, None, [2])
