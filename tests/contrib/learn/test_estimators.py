"""Estimators of tf.contrib.learn: exported and served, with parameters as scikit-learn has them, in Experiments."""

import time

import numpy as np
import pytest

import tfmini as tf

learn, layers = tf.contrib.learn, tf.contrib.layers
X = np.linspace(-1, 1, 20, dtype=np.float32).reshape(20, 1)


def input_fn():
    return {"x": tf.constant(X)}, tf.constant((X > 0).astype(np.int32))


@pytest.fixture
def model(tmp_path):
    columns = [layers.real_valued_column("x")]
    yield learn.LinearClassifier(columns, str(tmp_path / "model"))
    tf.summary.FileWriterCache.clear()


def example(x):
    value = tf.train.Feature(float_list=tf.train.FloatList(value=[x]))
    return tf.train.Example(features=tf.train.Features(feature={"x": value})).SerializeToString()


def test_a_classifier_is_exported_and_served(model, tmp_path):
    model.fit(input_fn=input_fn, steps=30)
    spec = layers.create_feature_spec_for_parsing([layers.real_valued_column("x")])
    receive = learn.build_parsing_serving_input_fn(spec)
    path = model.export_savedmodel(str(tmp_path / "export"), receive)
    served = tf.contrib.predictor.from_saved_model(path.decode())
    told = served({"inputs": [example(-0.9), example(0.9)]})
    assert told["scores"][0, 0] > 0.5 > told["scores"][1, 0]
    with pytest.raises(tf.errors.UnimplementedError, match="call export_savedmodel"):
        model.export(str(tmp_path))


def test_what_is_not_fitted_says_so(model):
    with pytest.raises(learn.NotFittedError, match="Couldn't find trained model"):
        model.evaluate(input_fn=input_fn, steps=1)


def test_features_stay_of_one_kind(model):
    model.fit(input_fn=input_fn, steps=1)
    with pytest.raises(ValueError, match="Features are incompatible with given information"):
        model.fit(input_fn=lambda: ({"x": tf.ones([2, 3])}, tf.ones([2, 1], tf.int32)), steps=1)


def test_training_goes_on_up_to_a_step(model):
    model.fit(input_fn=input_fn, max_steps=3).fit(input_fn=input_fn, max_steps=3)
    assert model.get_variable_value("global_step") == 3
    model.partial_fit(input_fn=input_fn)
    assert model.get_variable_value("global_step") == 4


def test_parameters_are_told_and_set(model):
    assert set(model.get_params()) == {"params"}
    assert model.set_params(params={"a": 1}).params == {"a": 1}
    with pytest.raises(ValueError, match="Invalid parameter b for estimator LinearClassifier"):
        model.set_params(b=1)


def test_an_experiment_of_an_estimator_of_today(tmp_path):
    columns = [tf.feature_column.numeric_column("x")]
    estimator = tf.estimator.LinearClassifier(columns, str(tmp_path))
    experiment = learn.Experiment(
        estimator, input_fn, input_fn, train_steps=6, eval_steps=1, train_steps_per_iteration=2
    )
    results, exported = experiment.continuous_train_and_eval()
    assert (results["global_step"], exported) == (6, [])
    experiment.continuous_eval(delay_secs=0, throttle_delay_secs=0, name="more")
    with pytest.raises(ValueError, match="`eval_metrics` must be `None`"):
        learn.Experiment(estimator, input_fn, input_fn, eval_metrics={})
    tf.summary.FileWriterCache.clear()


@pytest.mark.parametrize(
    ("given", "task", "waited"),
    [(None, 0, []), (None, 2, [10]), (None, 20, [60]), (0, 2, []), (3, 2, [3])],
)
def test_workers_begin_one_after_the_other_unless_told(model, monkeypatch, given, task, waited):
    """Five seconds apart, and a minute at most."""
    slept = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(type(model.config), "task_id", task)
    experiment = learn.Experiment(model, input_fn, input_fn, train_steps=1)
    experiment.train(delay_secs=given)
    assert slept == waited and model.get_variable_value("global_step") == 1


def test_a_config_tells_itself_from_others():
    config = learn.RunConfig(model_dir="a", tf_random_seed=1)
    assert config.uid() == learn.RunConfig(model_dir="a", tf_random_seed=2).uid()
    assert config.uid() != learn.RunConfig(model_dir="b").uid()
    assert (config.environment, config.task_type, learn.RunConfig.get_task_id()) == (
        "local",
        None,
        0,
    )
    assert learn.RunConfig(num_cores=3).tf_config.intra_op_parallelism_threads == 3


class DataFrame:
    """As much of pandas' as is looked at."""

    def __init__(self, columns):
        self.columns = {name: np.array(values) for name, values in columns.items()}

    def __iter__(self):
        return iter(self.columns)

    def __getitem__(self, name):
        return self.columns[name]

    @property
    def values(self):
        return np.stack(list(self.columns.values()), 1)


def test_data_frames_become_arrays():
    frame = DataFrame({"a": [1, 2], "b": [0.5, 1.5]})
    np.testing.assert_array_equal(learn.extract_pandas_data(frame), [[1, 0.5], [2, 1.5]])
    np.testing.assert_array_equal(learn.extract_pandas_matrix(frame), frame.values)
    np.testing.assert_array_equal(learn.extract_pandas_labels(DataFrame({"a": [1, 2]})), [[1], [2]])
    with pytest.raises(ValueError, match="Only one column"):
        learn.extract_pandas_labels(frame)
    with pytest.raises(ValueError, match="must be int, float, or bool"):
        learn.extract_pandas_data(DataFrame({"a": ["x"]}))


def test_an_experiment_is_tested_by_one_more_step_each_time(tmp_path):
    def model(features, targets, mode):
        made = tf.layers.dense(features, 1)
        loss = tf.losses.mean_squared_error(targets, made)
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tf.contrib.learn.ModelFnOps(mode, made, loss, step)

    def data():
        return tf.ones([4, 2]), tf.zeros([4, 1])

    estimator = tf.contrib.learn.Estimator(model, str(tmp_path))
    experiment = tf.contrib.learn.Experiment(estimator, data, data, train_steps=5, eval_steps=2)
    for step in (1, 2):
        results = experiment.test()
        assert sorted(results) == ["global_step", "loss"] and results["global_step"] == step
    assert (experiment.train_steps, experiment.eval_steps) == (5, 2)


def test_a_batch_is_all_rows_unless_it_is_said():
    seen = []

    def model_fn(features, labels, mode):
        def noted(rows):
            seen.append((mode, len(rows)))
            return np.float32(0)

        loss = tf.py_func(noted, [features], tf.float32)
        step = tf.assign_add(tf.train.get_global_step(), 1)
        with tf.control_dependencies([loss]):
            said = tf.identity(features)
        mean = {} if labels is None else {"mean": tf.metrics.mean(labels)}
        return learn.ModelFnOps(mode, {"x": said}, loss, step, mean)

    x = np.arange(150, dtype=np.float32).reshape(150, 1)
    y = np.arange(150, dtype=np.float32)
    estimator = learn.Estimator(model_fn)
    estimator.fit(x=x, y=y, steps=1)
    assert estimator.evaluate(x=x, y=y, steps=1)["mean"] == y.mean()
    assert estimator.evaluate(x=x, y=y, steps=1, batch_size=10)["mean"] == 4.5
    assert len(estimator.predict(x=x, as_iterable=False)["x"]) == 150
    assert seen == [("train", 150), ("eval", 150), ("eval", 10), ("infer", 150)]
    learn.SKCompat(estimator).fit(x, y, steps=1)
    assert seen[4:] == [("train", 128)]
