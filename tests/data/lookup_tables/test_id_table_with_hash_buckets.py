"""tf.contrib.lookup.IdTableWithHashBuckets and its hasher specs."""

import re

import pytest

import tfmini as tf

lookup = tf.contrib.lookup


def test_hasher_specs():
    with pytest.raises(ValueError, match="key must have size 2, got 1."):
        lookup.StrongHashSpec([1])
    with pytest.raises(TypeError, match="Must be unsigned integer values."):
        lookup.StrongHashSpec(["a", "b"])
    assert lookup.StrongHashSpec([1, 2]) == lookup.HasherSpec("stronghash", [1, 2])


@pytest.mark.parametrize("dtype", [tf.float32, tf.bool])
def test_key_dtype_must_be_integer_or_string(dtype):
    text = f"^Invalid key_dtype, expected integer or string, got {re.escape(str(dtype))}.$"
    with pytest.raises(TypeError, match=text):
        lookup.IdTableWithHashBuckets(None, 5, key_dtype=dtype)
    assert lookup.IdTableWithHashBuckets(None, 5, key_dtype=tf.int32).key_dtype == tf.int32
    assert lookup.IdTableWithHashBuckets(None, 5).key_dtype == tf.string
