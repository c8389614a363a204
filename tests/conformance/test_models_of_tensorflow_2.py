"""The models of `second_release`, exported by the installed TensorFlow 2, served with the same results."""

import os
import subprocess

import pytest

import tfmini as tf
from tests.conformance.second_release import serving

MODELS = os.path.join(os.path.dirname(serving.__file__), "models.py")


@pytest.mark.reference
@pytest.mark.timeout(900)
def test_signature_results_match(tmp_path, second_reference):
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    environment.pop("PYTHONPATH", None)
    command = [second_reference, "-W", "ignore", MODELS, str(tmp_path)]
    subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)
    tf.logging.set_verbosity(tf.logging.ERROR)
    result = {each.name: serving.differences(each) for each in tmp_path.iterdir()}
    assert len(result) == 23
    assert {name: gaps for name, gaps in result.items() if max(gaps.values()) > 5e-6} == {}
    answered = serving.differences_by_rest(tmp_path)
    assert {model for model, _ in answered} == set(result)
    assert {name: gap for name, gap in answered.items() if gap > 5e-6} == {}
