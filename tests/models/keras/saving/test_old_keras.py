"""Files of the keras package of 2018 and 2019: models and their further training are the same as there."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.models.keras.saving import old_keras

HERE = Path(old_keras.HERE)


@pytest.fixture(autouse=True)
def _fresh():
    pytest.importorskip("h5py")
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.keras.backend.clear_session()
    yield
    tf.keras.backend.clear_session()
    tf.logging.set_verbosity(level)


@pytest.mark.parametrize("version", ["2.2.4", "2.3.1"])
def test_training_continues(version):
    expected = json.loads((HERE / f"old_keras_{version}.json").read_text())
    model = tf.keras.models.load_model(str(HERE / f"old_keras_{version}.h5"))
    predictions = model.predict(old_keras.data()[0])
    np.testing.assert_allclose(predictions, expected["predictions"], rtol=1e-4)
    # Keras takes the logarithm of probabilities, tf.keras that of the softmax: Adam amplifies differences in the last
    # digits.
    np.testing.assert_allclose(old_keras.further(model), expected["losses"], rtol=2e-3)


@pytest.mark.skipif("TFMINI_OLD_KERAS" not in os.environ, reason="a folder that holds keras")
@pytest.mark.reference
def test_keras_reads_weights(reference, tmp_path):
    """Only weights: it reads no tf.keras configurations (`ragged`, `GlorotUniform`), not even TensorFlow's."""
    model, sequential = old_keras.made(tf.keras), old_keras.made_in_sequence(tf.keras)
    model.save_weights(str(tmp_path / "weights.h5"))
    sequential.save_weights(str(tmp_path / "sequential.h5"))
    result = {
        "model": model.predict(old_keras.data()[0]).tolist(),
        "sequential": sequential.predict(old_keras.sequences()).tolist(),
    }
    (tmp_path / "found.json").write_text(json.dumps(result))
    command = [
        reference,
        "-W",
        "ignore",
        "-m",
        "tests.models.keras.saving.old_keras",
        "read",
        tmp_path,
    ]
    path = {"PYTHONPATH": os.environ["TFMINI_OLD_KERAS"]}
    root = HERE.parents[3]
    subprocess.run(command, check=True, cwd=root, env={**os.environ, **path}, timeout=300)
