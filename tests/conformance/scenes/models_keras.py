"""Keras models: fitted and compiled twice, failing callbacks, reset states, misordered weights, shared models."""

import numpy as np

_X = np.arange(12, dtype=np.float32).reshape(6, 2) / 10
_Y = _X.sum(1, keepdims=True)


def _model(tf, units=1, **options):
    layers = tf.keras.layers
    ones = tf.keras.initializers.Constant(0.5)
    return tf.keras.Sequential(
        [layers.Dense(units, kernel_initializer=ones, input_shape=(2,), **options)]
    )


def _compiled(tf, model=None, **options):
    model = model or _model(tf)
    options = {"optimizer": tf.keras.optimizers.SGD(0.1), "loss": "mse", **options}
    model.compile(**options)
    return model


def _fit(model, **options):
    options = {"epochs": 1, "batch_size": 3, "shuffle": False, "verbose": 0, **options}
    return model.fit(options.pop("x", _X), options.pop("y", _Y), **options)


def _weights(stage, model):
    stage.say([w.tolist() for w in model.get_weights()])


def _callback(tf, stage, fails=None, stops=None):
    class Said(tf.keras.callbacks.Callback):
        pass

    def of(name):
        def method(self, *given):
            logs = given[-1] or {}
            stage.say(name, *given[:-1], sorted(logs))
            if fails == name:
                raise ValueError("mine")
            if stops == name:
                self.model.stop_training = True

        return method

    for kind in ("train", "epoch", "train_batch", "test", "test_batch", "predict", "predict_batch"):
        for end in ("begin", "end"):
            setattr(Said, f"on_{kind}_{end}", of(f"on_{kind}_{end}"))
    return Said()


def _of_callbacks(**options):
    def scene(tf, stage):
        model = _compiled(tf)
        callback = _callback(tf, stage, **options)
        for _ in range(2):
            with stage.failing():
                _fit(model, epochs=2, callbacks=[callback], validation_data=(_X, _Y))
            stage.say(model.stop_training)
        with stage.failing():
            model.evaluate(_X, _Y, verbose=0, callbacks=[callback])
        with stage.failing():
            model.predict(_X, callbacks=[callback])
        stage.attempt(lambda: _fit(model).history)

    return scene


_METHODS = ("on_train_begin", "on_epoch_begin", "on_train_batch_end", "on_test_end", "on_epoch_end")
for _method in _METHODS:
    for _kind in ("fails", "stops"):
        _made = _of_callbacks(**{_kind: _method})
        _made.__module__ = __name__
        globals()[f"callback_{_kind}_{_method}"] = _made
callbacks_called = _of_callbacks()
callbacks_called.__module__ = __name__


def optimizers_of_keras(tf, stage):
    for name in ("SGD", "Adam", "Ftrl"):
        optimizer = getattr(tf.keras.optimizers, name)(0.5, clipnorm=1.0)
        model = _compiled(tf, optimizer=optimizer)
        _fit(model)
        weights = optimizer.get_weights()
        _fit(model)
        stage.attempt(optimizer.set_weights, weights)
        _weights(stage, model)
        stage.say([*map(np.shape, optimizer.get_weights())], [w.name for w in optimizer.weights])
    optimizer.lr = 0.25
    stage.say(tf.keras.backend.get_value(optimizer.lr))
    stage.attempt(lambda: setattr(optimizer, "lr", "a"))
    stage.attempt(tf.keras.optimizers.SGD, 0.1, clipvalue=-1.0)
    stage.attempt(tf.keras.optimizers.SGD, 0.1, none=1)
    stage.attempt(tf.keras.optimizers.SGD, 0.1, momentum=2.0)
