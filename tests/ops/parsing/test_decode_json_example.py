"""tf.decode_json_example."""

import pytest

import tfmini as tf
from tests.support.sessions import run


def test_json_matches_example_message():
    text = (
        '{"features": {"feature": {"b": {"floatList": {"value": [1.5, 2]}}, "a": {"bytesList": '
        '{"value": ["YWI="]}}, "c": {"int64_list": {"value": ["-5", 300]}}}}}'
    )
    message = tf.train.Example.FromString(run(tf.decode_json_example(text)))
    features = message.features.feature
    assert features["a"].bytes_list.value == [b"ab"]
    assert features["b"].float_list.value == [1.5, 2]
    assert features["c"].int64_list.value == [-5, 300]
    with pytest.raises(tf.errors.InvalidArgumentError, match="JSON: x: Cannot find field."):
        run(tf.decode_json_example('{"x": 1}'))
