"""Each test builds in a new default graph, so that names are those of a new program."""

import pytest

import tfmini as tf


@pytest.fixture(autouse=True)
def graph():
    tf.reset_default_graph()
    return tf.get_default_graph()
