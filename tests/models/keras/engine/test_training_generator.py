"""Epochs over non-generators, with TensorFlow 1.15.5's histories."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.keras.engine.training_generator import convert_to_generator_like
from tfmini._src.session.eager.enable import eager_mode

X = np.arange(8.0).reshape(4, 2)


def small():
    dense = tf.keras.layers.Dense(1, input_shape=(2,), kernel_initializer="ones")
    model = tf.keras.Sequential([dense])
    model.compile("sgd", "mse")
    return model


def batches():
    whole = tf.data.Dataset.from_tensors((np.ones((4, 2), "f"), np.ones((4, 1), "f")))
    return whole.repeat(3)


@pytest.mark.parametrize("steps", [3, None])
def test_dataset_in_eager_mode(steps):
    with eager_mode():
        history = small().fit_generator(batches(), steps_per_epoch=steps, verbose=0).history
        np.testing.assert_allclose(history["loss"], [0.8881163597106934], rtol=1e-6)
        assert small().evaluate_generator(batches(), steps=steps) == 1.0
        assert small().predict_generator(batches(), steps=2).shape == (8, 1)


def test_every_epoch_restarts_dataset():
    with eager_mode():
        model = small()
        model.compile(tf.keras.optimizers.SGD(0.0), "mse")
        known = model.fit_generator(batches(), epochs=2, verbose=0)
        unknown = model.fit_generator(batches().filter(lambda *_: True), epochs=2, verbose=0)
    assert known.history["loss"] == unknown.history["loss"] == [1.0, 1.0]


def test_short_dataset_stops_training(caplog):
    with eager_mode():
        history = small().fit_generator(batches(), steps_per_epoch=4, epochs=2, verbose=0).history
    assert len(history["loss"]) == 1
    assert (
        "Your dataset ran out of data; interrupting training. Make sure that your dataset can generate at least "
        "`steps_per_epoch * epochs` batches (in this case, 8 batches). You may need to use the repeat() function when "
        "building your dataset."
    ) in caplog.messages


def test_dataset_in_graph_mode_is_refused():
    with pytest.raises(TypeError, match="^'Iterator' object is not an iterator$"):
        small().fit_generator(batches(), steps_per_epoch=3, verbose=0)


@pytest.mark.parametrize(
    "inputs", [[X, X], (X, X), {"a": X, "b": X}], ids=["list", "tuple", "dict"]
)
def test_validation_arrays(inputs):
    tf.keras.backend.clear_session()
    a, b = tf.keras.Input((2,), name="a"), tf.keras.Input((2,), name="b")
    added = tf.keras.layers.Add()([a, b])
    last = tf.keras.layers.Dense(1, kernel_initializer="ones")(added)
    model = tf.keras.Model([a, b], [added, last])
    model.compile("sgd", "mse")

    def ones():
        while True:
            yield [np.ones((4, 2))] * 2, [np.ones((4, 2)), np.ones((4, 1))]

    history = model.fit_generator(
        ones(), steps_per_epoch=2, verbose=0, validation_data=(inputs, [X, X[:, :1]])
    ).history
    np.testing.assert_allclose(history["val_loss"], [101.46691131591797], rtol=1e-6)


def test_arrays_are_batched():
    created, steps = convert_to_generator_like(((X, X[:, :1]), None, [None]), batch_size=3)
    assert steps == 2
    ((first, second),) = next(created)
    np.testing.assert_array_equal(first, X[:3])
    np.testing.assert_array_equal(second, X[:3, :1])
    np.testing.assert_array_equal(next(created)[0][0], X[3:])
    with pytest.raises(ValueError, match="^When passing input data as arrays, do not specify"):
        convert_to_generator_like((X,))
