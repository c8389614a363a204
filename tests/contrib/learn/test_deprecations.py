"""tf.contrib.learn's Estimator methods warn once of array arguments, and tfmini's internal calls do not."""

import logging

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base.names import deprecation

X, Y = np.ones([4, 2], np.float32), np.array([0, 1, 0, 1])


@pytest.fixture
def warned(monkeypatch, caplog):
    """The deprecated arguments of each call, in order."""
    monkeypatch.setattr(deprecation, "_warned", set())

    def messages():
        result = [
            m.partition(": calling ")[2].partition(" is deprecated")[0] for m in caplog.messages
        ]
        caplog.clear()
        return [text.replace("tf.contrib.learn.", "") for text in result if text]

    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        yield messages


@pytest.fixture
def estimator(tmp_path):
    columns = [tf.contrib.layers.real_valued_column("", dimension=2)]
    return tf.contrib.learn.DNNClassifier([2], columns, model_dir=str(tmp_path))


def of_estimator(warned):
    return [text for text in warned() if "Estimator" in text or "DNNClassifier" in text]


def test_array_arguments_warn_once(warned, estimator):
    for _ in range(2):
        estimator.fit(X, Y, steps=1)
    assert of_estimator(warned) == ["BaseEstimator.fit with x", "BaseEstimator.fit with y"]
    estimator.evaluate(X, Y, batch_size=2, steps=1)
    names = "x", "y", "batch_size"
    assert of_estimator(warned) == [f"BaseEstimator.evaluate with {name}" for name in names]


def test_input_function_does_not_warn(warned, estimator):
    def input_fn():
        return {"": tf.constant(X)}, tf.constant(Y)

    estimator.fit(input_fn=input_fn, steps=1)
    estimator.evaluate(input_fn=input_fn, steps=1)
    assert len(list(estimator.predict_classes(input_fn=lambda: input_fn()[0]))) == 4
    assert of_estimator(warned) == []


def test_prediction_methods_warn(warned, estimator):
    """Inner calls warn too, as in TensorFlow."""

    def input_fn():
        return {"": tf.constant(X)}, tf.constant(Y)

    estimator.fit(input_fn=input_fn, steps=1)
    assert len(estimator.predict(input_fn=input_fn, as_iterable=False)) == 4
    assert of_estimator(warned) == [
        "DNNClassifier.predict with as_iterable=False",
        "DNNClassifier.predict with outputs=None",
        "DNNClassifier.predict_classes with as_iterable=False",
        "BaseEstimator.predict with as_iterable",
    ]
