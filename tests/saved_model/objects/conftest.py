"""Objects are saved and loaded in eager mode here."""

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode


@pytest.fixture(autouse=True)
def eager():
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.ERROR)
    with tf.Graph().as_default(), eager_mode():
        yield
    tf.logging.set_verbosity(level)
