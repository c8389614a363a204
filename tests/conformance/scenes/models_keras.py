"""Keras models: fitted and compiled twice, callbacks that fail, states reset, weights in wrong order, shared models."""

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


def not_compiled(tf, stage):
    model = _model(tf)
    stage.attempt(model.evaluate, _X, _Y, verbose=0)
    stage.attempt(model.train_on_batch, _X, _Y)
    stage.attempt(model.compile)
    stage.attempt(model.compile, "none", "mse")
    stage.attempt(model.compile, "sgd", "none")
    stage.attempt(model.compile, "sgd", "mse", metrics=["none"])
    stage.attempt(model.compile, "sgd", {"none": "mse"})
    stage.attempt(model.compile, "sgd", "mse", loss_weights=[1.0, 2.0])


def batches_mixed_with_fit(tf, stage):
    model = _compiled(tf, metrics=["mae"])
    stage.say(model.train_on_batch(_X, _Y))
    stage.say(_fit(model).history)
    stage.say(model.train_on_batch(_X, _Y, sample_weight=np.arange(6.0)))
    stage.say(model.test_on_batch(_X, _Y), model.predict_on_batch(_X[:2]).tolist())
    try:
        model.train_on_batch(_X, _Y, reset_metrics=False)
    except tf.errors.InvalidArgumentError as error:  # which names no node in TensorFlow
        stage.say(error.message.split("\n")[0])
    stage.attempt(model.test_on_batch, _X[:1], _Y[:1], reset_metrics=False)
    model.reset_metrics()
    stage.attempt(model.test_on_batch, _X[:1], _Y[:1])
    stage.attempt(model.train_on_batch, _X[:, :1], _Y)
    _weights(stage, model)


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


def checkpoints_of_callbacks(tf, stage):
    model = _compiled(tf)
    make = tf.keras.callbacks.ModelCheckpoint
    for path, options in (
        ("/a{epoch}.h5", {}),
        ("/best.h5", {"save_best_only": True, "monitor": "loss"}),
        ("/w{epoch:02d}", {"save_weights_only": True}),
        ("/f{loss:.1f}.h5", {"save_freq": 6}),
        ("/bad{none}.h5", {}),
        ("/p{epoch}.h5", {"period": 2}),
    ):
        keep = make(stage.folder + path, **options)
        with stage.failing():
            _fit(model, epochs=2, callbacks=[keep])
        stage.files()
    stage.attempt(make, "x", save_freq="none")
    stage.attempt(make, "x", mode="none")


def weights_saved_and_loaded(tf, stage):
    model = _compiled(tf)
    for path in ("/w.h5", "/w"):
        model.save_weights(stage.folder + path)
        _fit(model)
        _weights(stage, model)
    stage.files()
    stage.attempt(_model(tf).load_weights, stage.folder + "/none")
    named = tf.keras.Sequential(
        [tf.keras.layers.Dense(1, name=model.layers[0].name, input_shape=(2,))]
    )
    stage.attempt(named.load_weights, stage.folder + "/w.h5", by_name=True)
    _weights(stage, named)
    deeper = tf.keras.Sequential([*_model(tf).layers, tf.keras.layers.Dense(1)])
    stage.attempt(deeper.load_weights, stage.folder + "/w.h5")
    not_built = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    stage.attempt(not_built.load_weights, stage.folder + "/w.h5")
    stage.attempt(not_built.save_weights, stage.folder + "/x.h5")


def in_two_graphs(tf, stage):
    models = []
    for number in range(2):
        with tf.Graph().as_default() as graph:
            with tf.Session(graph=graph) as session:
                tf.keras.backend.set_session(session)
                model = _compiled(tf)
                models.append(model)
                stage.say(_fit(model, epochs=number + 1).history)
                _weights(stage, model)
            stage.left(graph)
    with models[0].outputs[0].graph.as_default():
        stage.attempt(lambda: len(models[0].get_weights()))


def in_two_sessions(tf, stage):
    model = _compiled(tf)
    one, two = tf.Session(), tf.Session()
    for session in (one, two):
        session.run(tf.global_variables_initializer())
    for session in (one, two, one):
        tf.keras.backend.set_session(session)
        stage.attempt(lambda: model.evaluate(_X, _Y, verbose=0))
        _weights(stage, model)
    one.close()
    tf.keras.backend.set_session(two)
    _weights(stage, model)


def learning_phases(tf, stage):
    backend = tf.keras.backend
    x = tf.keras.layers.Input((2,))
    y = tf.keras.layers.Dropout(0.5, seed=1)(x)
    run = backend.function([x, backend.learning_phase()], [y])
    stage.say(run([np.ones([1, 2]), 0]))
    stage.say(run([np.ones([1, 2]), 1]))
    stage.attempt(backend.set_learning_phase, 3)
    backend.set_learning_phase(1)
    stage.say(backend.learning_phase())
    z = tf.keras.layers.Dropout(0.5, seed=1)(x)
    stage.say(backend.function([x], [z])([np.ones([1, 2])]))
    backend.set_learning_phase(0)
    with stage.failing():
        with (
            tf.keras.backend.learning_phase_scope(1)
            if hasattr(tf.keras.backend, "learning_phase_scope")
            else tf.name_scope("s")
        ):
            raise ValueError("mine")
    stage.say(backend.learning_phase())


def stateful_rnns(tf, stage):
    layer = tf.keras.layers.SimpleRNN(
        2,
        stateful=True,
        batch_input_shape=(1, 2, 1),
        kernel_initializer="ones",
        recurrent_initializer="ones",
    )
    model = tf.keras.Sequential([layer])
    x = np.ones([1, 2, 1]) / 4
    for _ in range(2):
        stage.say(model.predict(x).tolist())
    model.reset_states()
    stage.say(model.predict(x).tolist())
    layer.reset_states(np.ones([1, 2]))
    stage.say(model.predict(x).tolist())
    stage.attempt(layer.reset_states, np.ones([2, 2]))
    stage.attempt(layer.reset_states, [np.ones([1, 2]), np.ones([1, 2])])
    stage.attempt(model.predict, np.ones([2, 2, 1]))
    plain = tf.keras.layers.SimpleRNN(2)
    stage.attempt(plain.reset_states)
    _compiled(tf, model)
    stage.say(model.predict(x).tolist())
    stage.attempt(tf.keras.Sequential, [tf.keras.layers.GRU(2, stateful=True, input_shape=(2, 1))])


def sequential_changed(tf, stage):
    layers = tf.keras.layers
    model = tf.keras.Sequential()
    stage.attempt(model.pop)
    stage.attempt(model.predict, _X)
    model.add(layers.Dense(2))
    stage.say(model.built, model.layers[0].built)
    stage.attempt(lambda: model.weights)
    stage.say(model.built)
    model.add(layers.Dense(1))
    model.pop()
    stage.attempt(model.add, 1)
    stage.attempt(model.add, layers.Input((2,)))
    stage.attempt(model.build, (None, 3))


def datasets_used_again(tf, stage):
    model = _compiled(tf)
    data = tf.data.Dataset.from_tensor_slices((_X, _Y)).batch(3)
    stage.say(model.fit(data.repeat(), steps_per_epoch=2, verbose=0).history)
    stage.say(model.fit(data, epochs=2, verbose=0).history)
    stage.say(model.evaluate(data, verbose=0))
    stage.attempt(lambda: model.fit(data, steps_per_epoch=5, verbose=0).history)


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
