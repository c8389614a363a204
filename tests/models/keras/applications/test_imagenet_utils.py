"""`tf.keras.applications.imagenet_utils`: images as models want them, names of classes. By hand."""

import json

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.keras.applications import imagenet_utils


@pytest.mark.parametrize(
    "mode, expected",
    [
        ("caffe", [30 - 103.939, 20 - 116.779, 10 - 123.68]),
        ("tf", [10 / 127.5 - 1, 20 / 127.5 - 1, 30 / 127.5 - 1]),
        (
            "torch",
            [(10 / 255 - 0.485) / 0.229, (20 / 255 - 0.456) / 0.224, (30 / 255 - 0.406) / 0.225],
        ),
    ],
)
@pytest.mark.parametrize("data_format", ["channels_last", "channels_first"])
@pytest.mark.parametrize("batch", [True, False])
def test_images(mode, expected, data_format, batch):
    pixel = np.array([10, 20, 30], "u1")
    shape = (3, 1, 1) if data_format == "channels_first" else (1, 1, 3)
    image = pixel.reshape((1, *shape) if batch else shape)
    found = imagenet_utils.preprocess_input(image, data_format, mode)
    assert found.shape == image.shape
    assert found.dtype == "f4"
    np.testing.assert_allclose(found.ravel(), expected, rtol=1e-5)
    tensor = imagenet_utils.preprocess_input(tf.constant(image, tf.float32), data_format, mode)
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(tensor), found, rtol=1e-5)


def test_the_classes_of_predictions(tmp_path, monkeypatch):
    names = {str(i): [f"n{i:08}", f"class_{i}"] for i in range(1000)}
    text = json.dumps(names)
    (tmp_path / "index.json").write_text(text)
    monkeypatch.setattr(imagenet_utils, "get_file", lambda *_, **__: tmp_path / "index.json")
    predictions = np.zeros((2, 1000), "f4")
    predictions[0, [3, 7]] = 0.25, 0.5
    predictions[1, 999] = 1
    first, second = imagenet_utils.decode_predictions(predictions, top=2)
    assert first == [("n00000007", "class_7", 0.5), ("n00000003", "class_3", 0.25)]
    assert second[0] == ("n00000999", "class_999", 1.0)
