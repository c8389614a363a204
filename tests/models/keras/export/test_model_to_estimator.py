import numpy as np
import pytest

import tfmini as tf

layers = tf.keras.layers

X = np.random.RandomState(0).rand(32, 3).astype("f")

Y = (X @ np.array([[1.0], [2.0], [3.0]])).astype("f")


def _model():
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential(
        [
            layers.Dense(8, activation="relu", input_shape=(3,), name="first"),
            layers.BatchNormalization(),
            layers.Dense(1, name="out"),
        ]
    )
    model.compile(tf.keras.optimizers.Adam(0.05), "mse", metrics=["mae"])
    return model


def _examples():
    return tf.data.Dataset.from_tensor_slices((X, Y)).repeat(20).batch(32)


def _features():
    return tf.data.Dataset.from_tensors(X)


@pytest.mark.parametrize("checkpoint_format", ["saver", "checkpoint"])
def test_train_evaluate_predict_from_model_weights(tmp_path, checkpoint_format):
    model = _model()
    before = model.predict(X)
    estimator = tf.keras.estimator.model_to_estimator(
        model, model_dir=str(tmp_path), checkpoint_format=checkpoint_format
    )
    estimator.train(_examples, steps=1)
    first = estimator.evaluate(_examples, steps=1)
    estimator.train(_examples, steps=20)
    later = estimator.evaluate(_examples, steps=1)
    assert set(later) == {"loss", "mean_absolute_error", "global_step"}
    assert (first["global_step"], later["global_step"]) == (1, 21)
    assert later["loss"] < first["loss"]
    result = np.concatenate([row["out"][None] for row in estimator.predict(_features)])
    np.testing.assert_array_equal(model.predict(X), before)  # it has trained copies
    assert np.mean((result - Y) ** 2) == pytest.approx(later["loss"], rel=1e-4)


def test_untrained_model_starts_from_config_seed(tmp_path):
    def kernel(model, directory, seed):
        config = tf.estimator.RunConfig(tf_random_seed=seed)
        make = tf.keras.estimator.model_to_estimator
        estimator = make(model, model_dir=str(tmp_path / directory), config=config)
        path = str(tmp_path / directory / "keras" / "keras_model.ckpt")
        return tf.train.load_variable(path, "first/kernel"), estimator

    model = _model()
    nodes = len(tf.get_default_graph().get_operations())
    first, _ = kernel(model, "one", 3)
    repeated, _ = kernel(model, "two", 3)
    other, _ = kernel(model, "three", 4)
    assert len(tf.get_default_graph().get_operations()) == nodes  # not initialized for this
    np.testing.assert_array_equal(first, repeated)
    assert not np.array_equal(first, other)
    weights = model.get_weights()
    np.testing.assert_array_equal(kernel(model, "four", 4)[0], weights[0])


def test_invalid_models_are_refused(tmp_path):
    make = tf.keras.estimator.model_to_estimator
    with pytest.raises(ValueError, match="Either `keras_model` or `keras_model_path` needs"):
        make()
    model = _model()
    with pytest.raises(ValueError, match="but not both"):
        make(model, keras_model_path="m.h5")
    with pytest.raises(ValueError, match='must be one of "checkpoint" or "saver". Got h5'):
        make(model, model_dir=str(tmp_path), checkpoint_format="h5")
    plain = tf.keras.Sequential([layers.Dense(1, input_shape=(3,))])
    with pytest.raises(ValueError, match="has not been compiled yet"):
        make(plain, model_dir=str(tmp_path))
    estimator = make(model, model_dir=str(tmp_path))
    with pytest.raises(KeyError, match="does not have the expected inputs keys"):
        estimator.train(lambda: ({"x": tf.constant(X)}, tf.constant(Y)), steps=1)
