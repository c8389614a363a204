"""Seeded numbers are TensorFlow's, recorded in `values.json`."""

import json
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.models.keras.preprocessing import program

VALUES = json.loads((Path(__file__).parents[1] / "values.json").read_text())


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return program.results(tf.keras, tmp_path_factory.mktemp("pictures"))


@pytest.mark.parametrize("part", ["images", "folders", "words", "sequences"])
def test_recorded_values(results, part):
    assert results[part].keys() == VALUES[part].keys()
    for name, expected in VALUES[part].items():
        compare(results[part][name], expected, name)


def compare(result, expected, name):
    if isinstance(expected, list):
        assert len(result) == len(expected), name
        for one, other in zip(result, expected):
            compare(one, other, name)
    elif isinstance(expected, str):
        assert result == expected, name
    else:
        # Whitening decomposes a matrix in float32: libraries differ.
        tolerance = 1e-2 if name == "white" else 1e-3
        np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance, err_msg=name)


def test_invalid_arguments():
    sequence, image = tf.keras.preprocessing.sequence, tf.keras.preprocessing.image
    with pytest.raises(ValueError, match="Found non-iterable: 1"):
        sequence.pad_sequences([[1], 1])
    with pytest.raises(ValueError, match='Padding type "x" not understood'):
        sequence.pad_sequences([[1]], padding="x")
    with pytest.raises(ValueError, match="is disallowed, as no part of the sequence"):
        sequence.TimeseriesGenerator([1, 2], [1, 2], 3)
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        image.ImageDataGenerator(validation_split=2)
    with pytest.raises(ValueError, match="Unsupported channel number: 2"):
        image.array_to_img(np.zeros((2, 2, 2)))
    with pytest.warns(UserWarning, match="hasn't been fit on any training data"):
        image.ImageDataGenerator(featurewise_center=True).standardize(np.zeros((2, 2, 1)))
