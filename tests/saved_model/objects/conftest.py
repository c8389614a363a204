"""Objects are saved and loaded in eager mode here."""

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode


@pytest.fixture(autouse=True)
def eager(quiet_logs):
    with tf.Graph().as_default(), eager_mode():
        yield
