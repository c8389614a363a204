"""Legacy list values: booleans among integers, text among bytes."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base.proto import accepted_values


def test_iterators_are_consumed_once():
    created = tf.train.Int64List(value=iter([True, 3]))
    created.value.extend(number > 1 for number in ())
    assert list(created.value) == [1, 3]


@pytest.mark.filterwarnings("ignore:In future, it will be an error for 'np.bool'")
def test_invalid_values_leave_list_unchanged():
    created = tf.train.Int64List(value=[1])
    for values in ([2, "a"], [np.bool_(True), "a"], [2.5]):
        with pytest.raises(TypeError, match="integer"):
            created.value.extend(values)
        with pytest.raises(TypeError, match="integer"):
            tf.train.Int64List(value=values)
    with pytest.raises(TypeError, match="integer"):
        created.value.append("a")
    assert list(created.value)[:1] == [1]


def test_bytes_lists_refuse_booleans():
    with pytest.raises(TypeError, match="bytes"):
        tf.train.BytesList(value=[True])


def test_text_in_byte_lists(monkeypatch):
    monkeypatch.setattr(accepted_values, "converters", [lambda v: v.encode()])
    feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=["a"]))
    feature.bytes_list.value.append("b")
    feature.bytes_list.value.extend(["caf\u00e9"])
    assert list(feature.bytes_list.value) == [b"a", b"b", b"caf\xc3\xa9"]
