"""SavedModels of TensorFlow's v2 behavior (`tf.saved_model.save`): loaded, with the same signature results."""

import json

import numpy as np
import pytest

import tfmini as tf
from tests.support import goldens
from tests.support.programs import comparing, recording

pytestmark = pytest.mark.usefixtures("quiet_logs")

PATH = goldens.path_of("saved_models", "second.tar.xz")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("second")
    goldens.extract(PATH, folder)
    return folder


def array(value):
    items = [i["bytes"].encode("latin1") if isinstance(i, dict) else i for i in value["data"]]
    dtype = object if value["dtype"].startswith("bytes") else value["dtype"]
    return np.array(items, dtype).reshape(value["shape"])


@pytest.mark.parametrize("name", ["loops", "recurrent"])
def test_signature_results_match(name, folder):
    """Loading restores by a function call, and each signature is a function."""
    want = json.loads((folder / "values.json").read_text())[name]
    with tf.Session(graph=tf.Graph()) as session:
        message = tf.saved_model.loader.load(session, ["serve"], str(folder / name))
        signature = message.signature_def["serving_default"]
        feeds = {info.name: array(want["feeds"][key]) for key, info in signature.inputs.items()}
        fetches = {key: info.name for key, info in sorted(signature.outputs.items())}
        got = session.run(fetches, feeds)
    assert set(got) == set(want["values"])
    for key, value in got.items():
        wanted = array(want["values"][key])
        if wanted.dtype == object:
            assert np.asarray(value, object).tolist() == wanted.tolist()
        else:
            made = recording.plain(np.asarray(value))
            assert comparing.value_differences(want["values"][key], made, 1e-5, key) == []


def test_predictor_serves_second_version_models(folder):
    predict = tf.contrib.predictor.from_saved_model(str(folder / "recurrent"))
    assert predict({"rows": np.zeros([3, 5, 3])})["out"].shape == (3, 2)
