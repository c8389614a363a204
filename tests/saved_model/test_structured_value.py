"""Structures as StructuredValue protos and back."""

import collections

import pytest

import tfmini as tf
from tfmini._src.saved_model.structured_value import NotEncodableError, StructureCoder

Pair = collections.namedtuple("Pair", "first second")
CASES = [
    None,
    True,
    3,
    1.5,
    "text",
    [1, (2.0, {"a": None})],
    tf.TensorShape([1, None]),
    tf.TensorShape(None),
    tf.float32,
    tf.TensorSpec([2, None], tf.int64, "x"),
    tf.SparseTensorSpec([10, None], tf.float32),
    tf.RaggedTensorSpec([None, None], tf.int32, 1, tf.int64),
    tf.IndexedSlicesSpec([3], tf.float32, tf.int64, tf.int32),
]


@pytest.mark.parametrize("value", CASES, ids=repr)
def test_round_trip(value):
    coder = StructureCoder()
    assert coder.can_encode(value)
    result = coder.decode_proto(coder.encode_structure(value))
    assert type(result) is type(value)
    assert repr(result) == repr(value)


def test_named_tuples_keep_their_fields():
    coder = StructureCoder()
    result = coder.decode_proto(coder.encode_structure(Pair([1], "b")))
    assert (type(result).__name__, result._fields, tuple(result)) == (
        "Pair",
        ("first", "second"),
        ([1], "b"),
    )


def test_objects_are_refused():
    coder = StructureCoder()
    assert not coder.can_encode([object()])
    with pytest.raises(NotEncodableError, match="No encoder for object"):
        coder.encode_structure([object()])
