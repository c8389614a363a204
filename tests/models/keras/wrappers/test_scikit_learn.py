"""Models as scikit-learn estimators, and step-dependent learning rates."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")


def build(units=4, loss="categorical_crossentropy", outputs=2):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(units, "relu", input_shape=(2,))])
    end = "softmax" if loss.startswith("cat") else None
    model.add(layers.Dense(outputs, end))
    model.compile(tf.keras.optimizers.Adam(0.1), loss, metrics=["accuracy"] if end else None)
    return model


def test_classifier():
    tf.compat.v1.set_random_seed(1)
    x = np.random.RandomState(0).randn(40, 2).astype(np.float32)
    y = np.where(x[:, 0] > 0, "yes", "no")
    classifier = tf.keras.wrappers.scikit_learn.KerasClassifier(
        build, units=8, epochs=20, verbose=0
    )
    history = classifier.fit(x, y, batch_size=20)
    assert len(history.history["loss"]) == 20
    assert classifier.score(x, y) > 0.9
    assert list(classifier.classes_) == ["no", "yes"]
    result = classifier.predict_proba(x)
    np.testing.assert_array_equal(classifier.predict(x), np.array(["no", "yes"])[result.argmax(1)])
    assert classifier.get_params() == {"units": 8, "epochs": 20, "verbose": 0, "build_fn": build}
    with pytest.raises(ValueError, match="depth is not a legal parameter"):
        classifier.set_params(depth=2)


def test_regressor():
    x = np.ones((4, 2), np.float32)
    regressor = tf.keras.wrappers.scikit_learn.KerasRegressor(
        build, loss="mse", outputs=1, verbose=0
    )
    regressor.fit(x, np.zeros(4))
    result = regressor.predict(x)
    assert result.shape == (4,)
    np.testing.assert_allclose(regressor.score(x, np.zeros(4)), -np.mean(result**2), rtol=1e-5)


def test_schedules():
    schedules = tf.keras.optimizers.schedules
    step = tf.compat.v1.placeholder(tf.int64, [])
    kinds = {
        "parts": schedules.PiecewiseConstantDecay([10, 20], [1.0, 0.5, 0.1]),
        "line": schedules.PolynomialDecay(1.0, 10, 0.2),
        "cycles": schedules.PolynomialDecay(1.0, 10, 0.0, power=2.0, cycle=True),
    }
    rates = {name: kind(step) for name, kind in kinds.items()}
    expected = {
        0: (1.0, 1.0, 1.0),
        10: (1.0, 0.2, 0.0),
        15: (0.5, 0.2, 0.0625),
        21: (0.1, 0.2, 0.09),
    }
    with tf.compat.v1.Session() as sess:
        for at, values in expected.items():
            result = sess.run(list(rates.values()), {step: at})
            np.testing.assert_allclose(result, values, rtol=1e-5, atol=1e-6)
    for kind in kinds.values():
        restored = schedules.deserialize(schedules.serialize(kind))
        assert type(restored) is type(kind) and restored.get_config() == kind.get_config()
    with pytest.raises(ValueError, match="1 less than the length of values"):
        schedules.PiecewiseConstantDecay([1], [1.0])


def test_yaml_model():
    pytest.importorskip("yaml")
    model = build()
    assert tf.keras.models.model_from_yaml(model.to_yaml()).get_config() == model.get_config()


def test_yaml_requires_pyyaml(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    with pytest.raises(ImportError, match="Requires yaml module installed"):
        tf.keras.models.model_from_yaml("{}")


@pytest.mark.parametrize("labels", [[3, 5, 3, 5], [[3], [5], [3], [5]]])
def test_label_columns_are_flattened(labels):
    loss = "sparse_categorical_crossentropy"
    classifier = tf.keras.wrappers.scikit_learn.KerasClassifier(build, loss=loss, verbose=0)
    classifier.fit(np.ones((4, 2), np.float32), labels)
    assert (classifier.classes_.tolist(), classifier.n_classes_) == ([3, 5], 2)
    with pytest.raises(ValueError, match=r"Invalid shape for y: \(4, 1, 1\)"):
        classifier.fit(np.ones((4, 2), np.float32), np.zeros((4, 1, 1)))
