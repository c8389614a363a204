"""What device functions may return."""

import pytest

import tfmini as tf


@pytest.mark.parametrize("result", [None, 3, ["/cpu:0"]])
def test_something_else_than_a_string_is_refused(result):
    with (
        tf.device(lambda node: result),
        pytest.raises(TypeError) as caught,
    ):
        tf.constant(1.0)
    assert str(caught.value) == f"Expected binary or unicode string, got {result!r}"


@pytest.mark.parametrize("result", ["/cpu:0", b"/cpu:0"])
def test_strings_are_taken_as_they_are(result):
    with tf.device(lambda node: result):
        assert tf.constant(1.0).device == "/cpu:0"
