"""Fixtures of the input queue tests."""

import pytest

import tfmini as tf


@pytest.fixture(autouse=True)
def _quiet():
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.FATAL)
    yield
    tf.logging.set_verbosity(level)
