"""Each test of an op builds in a graph of its own, so that names are those of a new program."""

import pytest

import tfmini as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph
