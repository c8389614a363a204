"""Checkpointed objects, their names and keys, against TensorFlow's for the same programs."""

import json

import pytest

import tfmini as tf
from tests.support import goldens
from tests.support.recorded import same
from tests.train.object_checkpoint import trackables


@pytest.fixture(scope="module")
def recorded():
    return goldens.read(trackables.RECORD)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", trackables.CASES)
def test_object_graph_and_keys(case, recorded):
    with tf.Graph().as_default():
        result = json.dumps(trackables.described(tf, case), indent=0)
    same(result, json.dumps(recorded[case], indent=0))


def test_default_keras_session(tmp_path):
    with tf.Graph().as_default():
        checkpoint = tf.train.Checkpoint(v=tf.keras.backend.variable(3.0))
        path = checkpoint.save(str(tmp_path / "c"))
        assert tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE") == 3.0
