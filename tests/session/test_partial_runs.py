"""Partial runs: invalid feeds, for which TensorFlow 1.15.5 raises AttributeError in its own handler on Python 3."""

import pytest

import tfmini as tf


@pytest.mark.parametrize("feed", [3, "a", "z:0"])
def test_invalid_feed_argument(session, feed):
    tf.placeholder(tf.float32, [], name="a")
    text = f"^Feed argument {feed!r} cannot be interpreted as a Tensor: "
    with pytest.raises(TypeError, match=text):
        session.partial_run_setup(["a:0"], [feed])
