"""Early stopping hooks, in-memory evaluation, and a predictor of the trained model."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.estimator import early_stopping
from tfmini._src.models.estimator.early_stopping import read_eval_metrics

X = np.arange(12, dtype=np.float32).reshape(12, 1)


def model_fn(features, labels, mode):
    gradient = tf.get_variable("slope", [], initializer=tf.zeros_initializer())
    predictions = {"y": features["x"] * gradient}
    if mode == "infer":
        output = tf.estimator.export.PredictOutput(predictions)
        return tf.estimator.EstimatorSpec(
            mode, predictions, export_outputs={"serving_default": output}
        )
    loss = tf.reduce_mean(tf.abs(predictions["y"] - labels))
    train = tf.group(gradient.assign_add(0.5), tf.train.get_global_step().assign_add(1))
    return tf.estimator.EstimatorSpec(mode, predictions, loss, train)


def input_fn():
    return tf.data.Dataset.from_tensors(({"x": X}, 2 * X)).repeat()


@pytest.fixture
def estimator(tmp_path):
    yield tf.estimator.Estimator(model_fn, str(tmp_path))
    tf.summary.FileWriterCache.clear()


def write(estimator, losses):
    """Writes evaluation events, as `evaluate` does."""
    with tf.summary.FileWriter(estimator.eval_dir()) as writer:
        for step, loss in losses.items():
            value = tf.Summary.Value(tag="loss", simple_value=loss)
            writer.add_summary(tf.Summary(value=[value]), step)


def trained(estimator, hook):
    estimator.train(input_fn, [hook], max_steps=9)
    return estimator.get_variable_value("global_step")


def test_evaluation_events_are_read(estimator):
    write(estimator, {4: 2.0, 2: 1.0})
    result = read_eval_metrics(estimator.eval_dir())
    assert list(result.items()) == [(2, {"loss": 1.0}), (4, {"loss": 2.0})]
    assert not read_eval_metrics(estimator.model_dir + "/nowhere")


@pytest.mark.parametrize(
    "name, limit, more, stops",
    [
        ("stop_if_lower_hook", 0.6, {}, True),
        ("stop_if_lower_hook", 0.6, {"min_steps": 50}, False),
        ("stop_if_lower_hook", 0.6, {"min_steps": 20}, True),
        ("stop_if_lower_hook", 0.6, {"min_steps": 21}, False),
        ("stop_if_higher_hook", 2.5, {}, True),
        ("stop_if_higher_hook", 3.5, {}, False),
        ("stop_if_no_decrease_hook", 20, {}, True),
        ("stop_if_no_decrease_hook", 40, {}, False),
        ("stop_if_no_increase_hook", 30, {}, True),
    ],
)
def test_metric_conditions_stop_training(estimator, name, limit, more, stops):
    write(estimator, {10: 3.0, 20: 0.5, 40: 1.0})
    make = getattr(tf.estimator.experimental, name)
    hook = make(estimator, "loss", limit, run_every_secs=None, run_every_steps=3, **more)
    assert trained(estimator, hook) == (1 if stops else 9)


def test_custom_function_stops_training(estimator):
    requests = []
    hook = tf.estimator.experimental.make_early_stopping_hook(
        estimator, lambda: requests.append(1) or len(requests) == 3, None, 2
    )
    assert trained(estimator, hook) == 5
    assert estimator.get_variable_value("signal_early_stopping/STOP")


def test_training_stops_at_checkpoint_step(estimator):
    hook = tf.estimator.experimental.make_stop_at_checkpoint_step_hook(estimator, 4)
    assert trained(estimator, hook) == 4


@pytest.mark.usefixtures("graph")
def test_worker_stops_after_chief_checkpoint(tmp_path, monkeypatch):
    cluster = {"chief": ["a:1"], "worker": ["b:1"]}
    task = {"cluster": cluster, "task": {"type": "worker", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(task))
    estimator = tf.estimator.Estimator(model_fn, str(tmp_path))
    hook = tf.estimator.experimental.make_stop_at_checkpoint_step_hook(estimator, 4, 7.5)
    waits, stops = [], []
    monkeypatch.setattr(early_stopping, "time", SimpleNamespace(sleep=waits.append))
    step = tf.train.create_global_step()
    saver = tf.train.Saver()
    hook.begin()

    def after(result):
        """Whether it waits, whether it stops, after a step that found this global step."""
        waits.clear(), stops.clear()
        values = tf.train.SessionRunValues(result, None, None)
        hook.after_run(SimpleNamespace(request_stop=lambda: stops.append(True)), values)
        return waits == [7.5], stops == [True]

    with tf.Session() as session:
        assert [after(n) for n in (2, 3, 4)] == [(False, False), (True, False), (True, False)]
        for saved, expected in ((3, (True, False)), (4, (False, True)), (5, (False, True))):
            step.load(saved, session)
            assert session.run(hook.before_run(None).fetches) == saved
            saver.save(session, f"{tmp_path}/model.ckpt", saved)
            assert [after(n) for n in (2, 3, 4)] == [(False, False), expected, expected]


def test_in_memory_evaluation_sees_training_variables(estimator):
    hook = tf.estimator.experimental.InMemoryEvaluatorHook(
        estimator, input_fn, steps=1, every_n_iter=2
    )
    estimator.train(input_fn, [hook], max_steps=4)
    result = read_eval_metrics(estimator.eval_dir())
    mean = X.mean()
    losses = {step: values["loss"] for step, values in result.items()}
    assert losses == pytest.approx({0: 2 * mean, 2: mean, 4: 0})


def test_predictor_restores_newest_checkpoint(estimator):
    estimator.train(input_fn, max_steps=4)
    fed = tf.placeholder(tf.float32, [None, 1])
    receive = tf.estimator.export.build_raw_serving_input_receiver_fn({"x": fed})
    predict = tf.contrib.predictor.from_estimator(estimator, receive)
    np.testing.assert_array_equal(predict({"x": X})["y"], 2 * X)
