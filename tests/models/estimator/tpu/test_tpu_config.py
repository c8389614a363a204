"""Addresses of servers in a TPU's RunConfig, as TensorFlow 1.15.5 has them."""

import pytest

import tfmini as tf


@pytest.mark.parametrize(
    "given, master, evaluation_master",
    [
        ({}, "", ""),
        ({"master": "a"}, "a", "a"),
        ({"evaluation_master": "b"}, "", "b"),
        ({"master": "a", "evaluation_master": "b"}, "a", "b"),
        ({"master": "a", "evaluation_master": ""}, "a", ""),
    ],
)
def test_masters(given, master, evaluation_master):
    config = tf.contrib.tpu.RunConfig(**given)
    assert (config.master, config.evaluation_master) == (master, evaluation_master)
