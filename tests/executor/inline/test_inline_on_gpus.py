"""Graphs with functional loops and branches on emulated GPUs: the same values as TensorFlow's."""

import pytest

import tfmini as tf
from tests.conformance import exchange
from tests.support import goldens
from tests.support.gpu.gpus import fake_gpus
from tests.support.programs import comparing, recording


@pytest.mark.parametrize("name", ["second_loops", "second_mapping", "second_rnn"])
@pytest.mark.parametrize("devices", [1, 2])
def test_training_resumes_from_tensorflow_checkpoint(name, devices, tmp_path):
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.ERROR)
    goldens.extract(exchange.path_of_golden(name), tmp_path)
    want = exchange.read_values(tmp_path)["trained on"]
    try:
        with fake_gpus(devices=devices):
            got = exchange.trained_on(
                tf, str(tmp_path), exchange.fed(exchange.module_of(name).FEEDS)
            )
    finally:
        tf.logging.set_verbosity(level)
    pairs = recording.leaves(want), recording.leaves(recording.plain(got))
    assert comparing.value_differences(*pairs, 2e-5, "") == []
