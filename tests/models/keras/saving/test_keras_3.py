"""Keras 3 models, as archives and HDF5 files: loaded if tfmini has their layers."""

from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import needs

pytestmark = needs("h5py")

FOLDER = Path(__file__).parent / "keras_3"
VALUES = np.load(FOLDER / "values.npz")


@pytest.mark.parametrize("kind", ["keras", "h5"])
@pytest.mark.parametrize("name", ["functional", "sequential", "nested"])
def test_predictions_match_keras_3(name, kind):
    model = tf.keras.models.load_model(str(FOLDER / f"{name}.{kind}"), compile=False)
    actual = model.predict(VALUES[f"{name}/fed"])
    np.testing.assert_allclose(actual, VALUES[f"{name}/given"], rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("kind", ["keras", "h5"])
def test_model_is_loaded_uncompiled_with_notice(kind, caplog):
    model = tf.keras.models.load_model(str(FOLDER / f"functional.{kind}"))
    assert model.optimizer is None
    assert "Keras 3.15.1 compiled the model; here it is *not* compiled" in caplog.text


@pytest.mark.parametrize("kind", ["keras", "h5"])
def test_unsupported_layer_is_named(kind):
    text = r"Keras 3\.15\.1 saved this model: tfmini does not support layer MultiHeadAttention\. Export it there"
    with pytest.raises(ValueError, match=text):
        tf.keras.models.load_model(str(FOLDER / f"unknown.{kind}"))
