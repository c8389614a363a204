"""Estimators of tf.contrib.learn: exported and served, with scikit-learn parameters, in Experiments."""

import numpy as np
import pytest

import tfmini as tf
from tests.contrib.learn.conftest import input_fn

learn, layers = tf.contrib.learn, tf.contrib.layers


def example(x):
    value = tf.train.Feature(float_list=tf.train.FloatList(value=[x]))
    return tf.train.Example(features=tf.train.Features(feature={"x": value})).SerializeToString()


def test_classifier_is_exported_and_served(model, tmp_path):
    model.fit(input_fn=input_fn, steps=30)
    spec = layers.create_feature_spec_for_parsing([layers.real_valued_column("x")])
    receive = learn.build_parsing_serving_input_fn(spec)
    path = model.export_savedmodel(str(tmp_path / "export"), receive)
    served = tf.contrib.predictor.from_saved_model(path.decode())
    response = served({"inputs": [example(-0.9), example(0.9)]})
    assert response["scores"][0, 0] > 0.5 > response["scores"][1, 0]
    with pytest.raises(tf.errors.UnimplementedError, match="call export_savedmodel"):
        model.export(str(tmp_path))


def test_training_resumes_to_max_steps(model):
    model.fit(input_fn=input_fn, max_steps=3).fit(input_fn=input_fn, max_steps=3)
    assert model.get_variable_value("global_step") == 3
    model.partial_fit(input_fn=input_fn)
    assert model.get_variable_value("global_step") == 4


def test_get_and_set_params(model):
    assert set(model.get_params()) == {"params"}
    assert model.set_params(params={"a": 1}).params == {"a": 1}
    with pytest.raises(ValueError, match="Invalid parameter b for estimator LinearClassifier"):
        model.set_params(b=1)


class DataFrame:
    """The part of pandas' class that is used."""

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


def test_default_batch_is_all_rows():
    seen = []

    def model_fn(features, labels, mode):
        def record(rows):
            seen.append((mode, len(rows)))
            return np.float32(0)

        loss = tf.py_func(record, [features], tf.float32)
        step = tf.assign_add(tf.train.get_global_step(), 1)
        with tf.control_dependencies([loss]):
            message = tf.identity(features)
        mean = {} if labels is None else {"mean": tf.metrics.mean(labels)}
        return learn.ModelFnOps(mode, {"x": message}, loss, step, mean)

    x = np.arange(150, dtype=np.float32).reshape(150, 1)
    y = np.arange(150, dtype=np.float32)
    estimator = learn.Estimator(model_fn)
    estimator.fit(x=x, y=y, steps=1)
    assert estimator.evaluate(x=x, y=y, steps=1)["mean"] == y.mean()
    assert estimator.evaluate(x=x, y=y, steps=1, batch_size=10)["mean"] == 4.5
    [path] = tf.gfile.Glob(f"{estimator.model_dir}/eval/*")
    assert any(b"eval_step" in event.graph_def for event in tf.train.summary_iterator(path))
    assert len(estimator.predict(x=x, as_iterable=False)["x"]) == 150
    assert seen == [("train", 150), ("eval", 150), ("eval", 10), ("infer", 150)]
    learn.SKCompat(estimator).fit(x, y, steps=1)
    assert seen[4:] == [("train", 128)]
