"""Exports by tf.contrib.estimator: the same as the Estimator's own methods, with a warning."""

import os

import pytest

import tfmini as tf
from tfmini._src.base.names import deprecation


@pytest.fixture(autouse=True)
def _warns_again(monkeypatch):
    """Resets one-time warnings that other tests may have triggered."""
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


@pytest.mark.parametrize("multiple", [False, True])
def test_export(multiple, tmp_path, caplog):
    estimator = tf.estimator.Estimator(model, str(tmp_path / "model"))
    estimator.train(lambda: {"feature": tf.constant(1.0)}, steps=1)
    of, base = tf.contrib.estimator, str(tmp_path / "exported")
    if multiple:
        directory = of.export_all_saved_models(
            estimator, base, {tf.estimator.ModeKeys.PREDICT: served}
        )
    else:
        directory = of.export_saved_model_for_mode(estimator, base, served, as_text=True)
        assert b"saved_model.pbtxt" in os.listdir(directory)
    assert os.listdir(base) == [os.path.basename(directory).decode()]
    with tf.Session(graph=tf.Graph()) as session:
        meta_graph = tf.saved_model.loader.load(session, ["serve"], os.fsdecode(directory))
        signature = meta_graph.signature_def["serving_default"]
        (collected,) = signature.inputs.values()
        assert session.run(signature.outputs["y"].name, {collected.name: 2.0}) == 3.0
    advice = [
        "export_saved_model(*args, experimental_mode=...)",
        "experimental_export_all_saved_models",
    ]
    assert "Use estimator." + advice[multiple] in caplog.text
