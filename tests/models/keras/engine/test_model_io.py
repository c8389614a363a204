"""RaggedTensors as inputs, outputs and metric values; the numbers are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

layers = tf.keras.layers


def _padded():
    rows = tf.keras.Input((None, None), ragged=True, dtype="int32")
    padded = layers.Lambda(lambda r: tf.cast(r.to_tensor(default_value=-1), tf.float32))(rows)
    model = tf.keras.Model(rows, padded)
    model.compile("sgd", "mse")
    return model


def test_ragged_inputs():
    model, data = _padded(), tf.ragged.constant([[[1]], [[2, 3]]])
    assert model.predict(data).tolist() == [[[1, -1]], [[2, 3]]]
    assert model.predict(data, steps=1).tolist() == [[[1, -1]], [[2, 3]]]
    assert model.evaluate(data, np.ones((2, 1, 2)), verbose=0) == 2.25
    assert len(model.fit(data, np.ones((2, 1, 2)), verbose=0).epoch) == 1
    even = tf.ragged.constant([[[1]], [[2]], [[3]]])
    assert model.predict(even, batch_size=2).tolist() == [[[1]], [[2]], [[3]]]


@pytest.mark.parametrize("as_value", [False, True], ids=["tensor", "value"])
def test_validation_split(as_value):
    def summed(rows):
        return tf.expand_dims(tf.reduce_sum(rows, axis=1), 1)

    rows = tf.keras.Input((None,), ragged=True)
    model = tf.keras.Model(rows, layers.Lambda(summed)(rows))
    model.compile("sgd", "mse")
    make = tf.ragged.constant_value if as_value else tf.ragged.constant
    data = make([[1.0, 2.0], [3.0], [4.0, 5.0, 6.0], []], dtype=np.float32)
    history = model.fit(data, np.ones((4, 1)), validation_split=0.5, verbose=0).history
    assert history == {"loss": [4.0], "val_loss": [(14.0**2 + 1.0) / 2]}


def test_invalid_inputs_are_refused():
    model = _padded()
    with pytest.raises(ValueError, match="don't have the same nested structure"):
        model.predict(tf.ragged.constant([[[1, 0]], [[2, 3]]], ragged_rank=1))

    class Net(tf.keras.Model):
        def call(self, rows):
            return rows

    sparse = tf.SparseTensor([[0, 0]], [1.0], [2, 2])
    with pytest.raises(ValueError, match="All SparseTensor and RaggedTensor inputs must be"):
        Net().predict(sparse, steps=1)
    with pytest.raises(ValueError, match="Please provide as model inputs"):
        Net().predict(tf.ragged.constant([[1.0]]), steps=1)


def test_ragged_outputs_are_concatenated():
    dense = tf.keras.Input((3,))
    ragged = layers.Lambda(lambda x: tf.RaggedTensor.from_tensor(x, padding=0.0))(dense)
    model = tf.keras.Model(dense, ragged)
    result = model.predict(np.array([[1, 2, 0], [3, 0, 0], [4, 5, 6]], "f"), batch_size=2)
    assert result.to_list() == [[1, 2], [3], [4, 5, 6]]
    indices = layers.Lambda(lambda x: tf.contrib.layers.dense_to_sparse(x))(dense)
    result = tf.keras.Model(dense, indices).predict(np.array([[0, 2, 0]] * 3, "f"), batch_size=2)
    assert result.indices.tolist() == [[0, 1], [1, 1], [2, 1]]
    assert result.dense_shape.tolist() == [3, 3]


@pytest.mark.parametrize(
    "metric, expected",
    [("BinaryAccuracy", 2 / 3), ("MeanSquaredError", 0.18), ("TruePositives", 1.0)],
)
def test_metrics_with_ragged_values(metric, expected):
    metric = getattr(tf.keras.metrics, metric)()
    right, result = tf.ragged.constant([[1.0, 0.0], [1.0]]), tf.ragged.constant([[0.9, 0.2], [0.3]])
    update = metric.update_state(right, result)
    with tf.Session() as session:
        session.run([variable.initializer for variable in metric.variables])
        session.run(update)
        assert session.run(metric.result()) == pytest.approx(expected)
    with pytest.raises(tf.errors.InvalidArgumentError, match="identical ragged splits"):
        metric.update_state(right, tf.ragged.constant([[0.9], [0.3, 0.2]]))
    with pytest.raises(TypeError, match="does not have acceptable types"):
        metric.update_state(right, tf.constant([[1.0, 1.0], [1.0, 1.0]]))


def test_ragged_values_have_ragged_weights():
    mean = tf.keras.metrics.Mean()
    update = mean.update_state(
        tf.ragged.constant([[1.0, 5.0], [2.0]]), tf.ragged.constant([[1.0, 0.0], [3.0]])
    )
    with tf.Session() as session:
        session.run([variable.initializer for variable in mean.variables])
        session.run(update)
        assert session.run(mean.result()) == 1.75
    with pytest.raises(TypeError, match="Ragged mask is not allowed with non-ragged inputs"):
        mean.update_state(tf.constant([1.0]), tf.ragged.constant([[1.0]]))
