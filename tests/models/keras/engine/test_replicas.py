"""Keras models under MirroredStrategy: errors, callbacks, files, and data with leftover rows.

The recorded program `distribute_keras` compares training values with TensorFlow's.
"""

import numpy as np
import pytest

import tfmini as tf

layers = tf.keras.layers
X = np.random.RandomState(0).randn(24, 4).astype(np.float32)
Y = X[:, :1] * 2 + 1
CONFIG = tf.ConfigProto(device_count={"CPU": 2})


@pytest.fixture(autouse=True)
def _fresh():
    tf.keras.backend.clear_session()
    tf.keras.backend.set_session(tf.Session(config=CONFIG))
    yield
    tf.keras.backend.clear_session()


@pytest.fixture
def strategy():
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


def linear(strategy, **how):
    with strategy.scope():
        dense = layers.Dense(1, input_shape=(4,), kernel_initializer="ones")
        model = tf.keras.Sequential([dense])
        model.compile(**{"optimizer": "sgd", "loss": "mse", **how})
    return model


def gradient_steps(kernel, bias, batches, rate=0.01, weights=None):
    """A linear model's kernel and bias after gradient descent, by the formula of its squared loss."""
    for start, stop in batches:
        x, y = X[start:stop], Y[start:stop]
        w = np.ones((len(x), 1)) if weights is None else weights[start:stop, None]
        error = 2 * w * (x @ kernel + bias - y) / len(x)
        kernel, bias = kernel - rate * x.T @ error, bias - rate * error.sum(0)
    return kernel, bias


def near(inputs, expected):
    for one, other in zip(inputs, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)


def test_step_matches_whole_batch(strategy):
    model = linear(strategy)
    model.fit(X, Y, batch_size=8, epochs=2, shuffle=False, verbose=0)
    batches = [(0, 8), (8, 16), (16, 24)] * 2
    near(model.get_weights(), gradient_steps(np.ones((4, 1)), np.zeros(1), batches))
    weights = np.linspace(0, 2, 24).astype(np.float32)
    before = model.get_weights()
    model.fit(X, Y, batch_size=8, shuffle=False, verbose=0, sample_weight=weights)
    near(model.get_weights(), gradient_steps(*before, batches[:3], weights=weights))
    kernel, bias = model.get_weights()
    np.testing.assert_allclose(model.predict(X, batch_size=8), X @ kernel + bias, rtol=1e-5)


def test_recompiled_model_keeps_training(strategy):
    model = linear(strategy)
    model.fit(X, Y, batch_size=8, shuffle=False, verbose=0)
    before = model.get_weights()
    model.compile("sgd", "mse")  # outside the scope in which it was created
    model.fit(X, Y, batch_size=8, shuffle=False, verbose=0)
    near(model.get_weights(), gradient_steps(*before, [(0, 8), (8, 16), (16, 24)]))


def test_weights_set_before_compile(strategy):
    with strategy.scope():
        model = tf.keras.Sequential([layers.Dense(1, input_shape=(4,))])
        model.set_weights([np.full((4, 1), 2.0), np.full(1, 3.0)])
        model.compile("sgd", "mse")
    np.testing.assert_allclose(
        model.predict(X, batch_size=24), 2.0 * X.sum(1, keepdims=True) + 3.0, rtol=1e-5
    )


def test_callbacks_and_files(strategy, tmp_path):
    callbacks = tf.keras.callbacks
    rates = []

    def note(epoch, logs):
        rates.append(float(tf.keras.backend.get_value(model.optimizer.lr)))

    model = linear(strategy, optimizer=tf.keras.optimizers.SGD(0.1), metrics=["mae"])
    heard = [
        callbacks.LearningRateScheduler(lambda epoch: 0.1 / (epoch + 1)),
        callbacks.ModelCheckpoint(str(tmp_path / "{epoch}.h5"), save_weights_only=True),
        callbacks.EarlyStopping(monitor="loss", patience=0, min_delta=1e9),
        callbacks.LambdaCallback(on_epoch_end=note),
    ]
    history = model.fit(X, Y, batch_size=8, epochs=5, verbose=0, callbacks=heard)
    assert history.epoch == [0, 1] and sorted(history.history) == [
        "loss",
        "lr",
        "mean_absolute_error",
    ]
    np.testing.assert_allclose(rates, [0.1, 0.05])
    after = model.get_weights()
    model.load_weights(str(tmp_path / "1.h5"))
    assert not np.allclose(model.get_weights()[0], after[0])
    model.load_weights(str(tmp_path / "2.h5"))
    near(model.get_weights(), after)
    model.save(str(tmp_path / "model.h5"))
    model.save_weights(str(tmp_path / "checkpoint"))
    loss = model.evaluate(X, Y, batch_size=8, verbose=0)
    loaded = tf.keras.models.load_model(str(tmp_path / "model.h5"))
    near(loaded.evaluate(X, Y, batch_size=8, verbose=0), loss)
    known = model.predict(X)
    result = model.fit(X, known, batch_size=8, verbose=0, validation_data=(X, known + 3.0)).history
    assert result["val_mean_absolute_error"] == [pytest.approx(3.0)]
    model.set_weights([np.zeros((4, 1)), np.zeros(1)])
    model.load_weights(str(tmp_path / "checkpoint")).assert_consumed()
    near(model.get_weights(), after)


def test_mismatched_data_is_refused(strategy):
    model = linear(strategy)
    cases = [
        (lambda: model.evaluate(X, Y, batch_size=5), "24 is not divisible by batch size 5"),
        (lambda: model.predict(X, batch_size=7), "24 is not divisible by batch size 7"),
        (lambda: model.fit(X, Y, steps_per_epoch=7), "24 is not divisible by steps 7"),
        (lambda: model.fit(X, Y, 100, steps_per_epoch=3), "24 is less than samples required"),
        (lambda: model.evaluate(X, Y, 10, steps=3), "24 is less than samples required"),
        (lambda: model.fit(X, Y, validation_split=0.5), "validation_split argument is not"),
    ]
    for call, text in cases:
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(NotImplementedError, match="`class_weight` is currently not supported"):
        model.fit(X, Y, class_weight={0: 1.0})
    with pytest.raises(AssertionError, match="accepts arrays or a tf.data.Dataset, not generator"):
        model.fit((pair for pair in [(X, Y)]), steps_per_epoch=1)


@pytest.mark.parametrize("method", ["train_on_batch", "test_on_batch", "predict_on_batch"])
def test_single_batch_methods_are_refused(strategy, method):
    model = linear(strategy)
    inputs = (X,) if method == "predict_on_batch" else (X, Y)
    with pytest.raises(NotImplementedError, match=f"{method}` is not supported for models distr"):
        getattr(model, method)(*inputs)


def test_optimizer_requires_replica_context(strategy):
    with strategy.scope():
        v = tf.get_variable("v", [2], use_resource=True)
        optimizer = tf.keras.optimizers.SGD(0.1)
        with pytest.raises(
            AttributeError, match="`apply_gradients` of a Keras optimizer requires a replica"
        ):
            optimizer.apply_gradients([(tf.ones([2]), v)])


def test_optimizer_in_replica_context(strategy):
    with strategy.scope():
        v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
        optimizer = tf.keras.optimizers.SGD(0.1)

        def step():
            number = tf.cast(
                tf.distribute.get_replica_context().replica_id_in_sync_group, "float32"
            )
            return optimizer.apply_gradients([((number + 1.0) * tf.ones([2]), v)])

        steps = strategy.unwrap(strategy.experimental_run_v2(step))
    with tf.Session(config=CONFIG) as session:
        session.run(tf.global_variables_initializer())
        session.run(steps)
        for copy in v.values:
            np.testing.assert_allclose(session.run(copy), [0.7, 1.7], rtol=1e-6)


def test_compiled_models_are_refused_in_eager_mode(eager):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    model = tf.keras.Sequential([layers.Dense(1, input_shape=(4,))])
    with strategy.scope():
        with pytest.raises(NotImplementedError, match="compiled Keras models in eager mode"):
            model.compile("sgd", "mse")
