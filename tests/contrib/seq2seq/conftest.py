"""Fixtures of the seq2seq tests."""

import pytest

import tfmini as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        graph.seed = 9
        yield
