"""SavedModels of TensorFlow's v2 behavior (`tf.saved_model.save`): loaded, with the same signature results."""

import json

import numpy as np
import pytest

import tfmini as tf
from tests.support import goldens
from tests.support.programs import comparing, recording

pytestmark = pytest.mark.usefixtures("quiet_logs")

PATH = goldens.golden_path("saved_models", "second.tar.xz")


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    directory = tmp_path_factory.mktemp("second")
    goldens.extract(PATH, directory)
    return directory


def array(value):
    items = [i["bytes"].encode("latin1") if isinstance(i, dict) else i for i in value["data"]]
    dtype = object if value["dtype"].startswith("bytes") else value["dtype"]
    return np.array(items, dtype).reshape(value["shape"])


@pytest.mark.parametrize("name", ["loops", "recurrent"])
def test_signature_results_match(name, directory):
    """Loading restores by a function call, and each signature is a function."""
    expected = json.loads((directory / "values.json").read_text())[name]
    with tf.Session(graph=tf.Graph()) as session:
        meta_graph = tf.saved_model.loader.load(session, ["serve"], str(directory / name))
        signature = meta_graph.signature_def["serving_default"]
        feeds = {info.name: array(expected["feeds"][key]) for key, info in signature.inputs.items()}
        fetches = {key: info.name for key, info in sorted(signature.outputs.items())}
        actual = session.run(fetches, feeds)
    assert set(actual) == set(expected["values"])
    for key, value in actual.items():
        wanted = array(expected["values"][key])
        if wanted.dtype == object:
            assert np.asarray(value, object).tolist() == wanted.tolist()
        else:
            created = recording.plain(np.asarray(value))
            assert comparing.value_differences(expected["values"][key], created, 1e-5, key) == []


def test_predictor_serves_second_version_models(directory):
    predict = tf.contrib.predictor.from_saved_model(str(directory / "recurrent"))
    assert predict({"rows": np.zeros([3, 5, 3])})["out"].shape == (3, 2)
