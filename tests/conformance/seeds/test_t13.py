"""Row T13: tf.gradients, stop_gradient, clipping; compute and apply."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["t13_clipping", "t13_gradients", "t13_stop_gradient"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
