"""Exports by tf.contrib.estimator: those of the Estimator's own methods, with a warning."""

import os

import pytest

import tfmini as tf
from tfmini._src.base.names import deprecation


@pytest.fixture(autouse=True)
def _warns_again(monkeypatch):
    """Of what another test may have called in this process."""
    monkeypatch.setattr(deprecation, "_warned", set())


def model(features, labels, mode):
    weight = tf.get_variable("w", [], initializer=tf.ones_initializer())
    y = weight + features["feature"]
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": y})
    train = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    return tf.estimator.EstimatorSpec(mode, loss=y, train_op=train.op)


def served():
    return tf.estimator.export.ServingInputReceiver(
        *[{"feature": tf.placeholder(tf.float32, [])}] * 2
    )


@pytest.fixture
def estimator(tmp_path):
    made = tf.estimator.Estimator(model, str(tmp_path / "model"))
    made.train(lambda: {"feature": tf.constant(1.0)}, steps=1)
    return made


def served_value(folder):
    with tf.Session(graph=tf.Graph()) as session:
        message = tf.saved_model.loader.load(session, ["serve"], os.fsdecode(folder))
        signature = message.signature_def["serving_default"]
        (given,) = signature.inputs.values()
        return session.run(signature.outputs["y"].name, {given.name: 2.0})


def test_for_a_mode(estimator, tmp_path, caplog):
    base = str(tmp_path / "one")
    folder = tf.contrib.estimator.export_saved_model_for_mode(estimator, base, served, as_text=True)
    assert os.listdir(base) == [os.path.basename(folder).decode()]
    assert b"saved_model.pbtxt" in os.listdir(folder)
    assert served_value(folder) == 3.0
    assert "Use estimator.export_saved_model(*args, experimental_mode=...)" in caplog.text


def test_for_several_modes(estimator, tmp_path, caplog):
    receivers = {tf.estimator.ModeKeys.PREDICT: served}
    folder = tf.contrib.estimator.export_all_saved_models(
        estimator, str(tmp_path / "all"), receivers
    )
    assert served_value(folder) == 3.0
    assert "Use estimator.experimental_export_all_saved_models" in caplog.text
