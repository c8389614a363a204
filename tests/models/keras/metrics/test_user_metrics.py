"""User-defined metrics: `update_state` is a function whose assignments run in program order."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")


class Doubled(tf.keras.metrics.Metric):
    """Twice the accumulated absolute error, by assignments that are not returned."""

    def __init__(self, name="doubled", **kwargs):
        super().__init__(name=name, **kwargs)
        self.total = self.add_weight("total", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        error = tf.abs(y_true - y_pred)
        if sample_weight is not None:
            error = error * sample_weight
        self.total.assign_add(tf.reduce_sum(error))
        self.total.assign(self.total * 2.0)

    def result(self):
        return self.total


class Predictions(tf.keras.metrics.Mean):
    def update_state(self, y_true, y_pred, sample_weight=None):
        return super().update_state(y_pred, sample_weight)


def test_assignments_run_in_program_order():
    metric = Doubled()
    session = tf.keras.backend.get_session()
    update = metric.update_state(tf.constant([1.0, 2.0]), tf.constant([2.0, 4.0]))
    result = metric.result()
    session.run([variable.initializer for variable in metric.variables])
    session.run(update)
    assert session.run(result) == 6.0
    session.run(update)
    assert session.run(result) == 18.0
    called = metric(tf.constant([1.0]), tf.constant([0.0]), sample_weight=tf.constant([3.0]))
    assert session.run(called) == 42.0
    calls = [op for op in update.graph.get_operations() if op.type == "StatefulPartitionedCall"]
    assert [op.name for op in calls] == ["PartitionedFunctionCall", "PartitionedFunctionCall_1"]
    assert metric.updates == calls


def test_models_with_user_metrics(tmp_path):
    x = np.random.RandomState(0).rand(8, 3).astype(np.float32)
    y = x.sum(axis=1, keepdims=True)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
    model.compile("sgd", "mse", metrics=[Doubled(), Predictions("predictions")])
    model.fit(x, y, epochs=2, verbose=0, batch_size=4)
    _, doubled, mean = model.evaluate(x, y, verbose=0)
    predictions = model.predict(x)
    np.testing.assert_allclose(doubled, 2 * np.abs(predictions - y).sum(), rtol=1e-5)
    np.testing.assert_allclose(mean, predictions.mean(), rtol=1e-5)
    pytest.importorskip("h5py")
    model.save(str(tmp_path / "model.h5"))
    own = {"Doubled": Doubled, "Predictions": Predictions}
    loaded = tf.keras.models.load_model(str(tmp_path / "model.h5"), own)
    np.testing.assert_allclose(loaded.evaluate(x, y, verbose=0)[1:], [doubled, mean], rtol=1e-5)


def test_abstract_metrics_are_refused():
    class Nothing(tf.keras.metrics.Metric):
        def result(self):
            return tf.constant(1.0)

    with pytest.raises(TypeError, match="update_state"):
        Nothing()
