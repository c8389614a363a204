"""Calls of overridden model methods and of user functions: positional or keyword arguments."""

from tests.conformance.scenes.train_overridden import X, _recording, _said

LAYER = (
    *(
        "call",
        "__call__",
        "build",
        "add_weight",
        "compute_output_shape",
        "compute_mask",
        "add_loss",
        "add_update",
    ),
    *("get_config", "get_weights", "set_weights", "count_params"),
)
CALLBACK = (
    *(
        "set_params",
        "set_model",
        "on_train_begin",
        "on_train_end",
        "on_epoch_begin",
        "on_epoch_end",
    ),
    *("on_batch_begin", "on_batch_end", "on_train_batch_begin", "on_train_batch_end"),
    *("on_test_begin", "on_test_end", "on_test_batch_begin", "on_test_batch_end"),
    *("on_predict_begin", "on_predict_end", "on_predict_batch_begin", "on_predict_batch_end"),
)


def keras(tf, stage):
    k = tf.keras
    with tf.Graph().as_default(), tf.Session().as_default():
        inputs = k.Input([2], name="x")
        hidden = _recording(stage, k.layers.Dense, *LAYER)(
            3, activation=_said(stage, "activation", tf.nn.relu), kernel_regularizer=_recording(
                stage, k.regularizers.L1L2, "__call__")(0.1), kernel_constraint=_recording(
                stage, k.constraints.MaxNorm, "__call__")(2.0), name="hidden")(inputs)  # fmt: skip
        dropped = _recording(stage, k.layers.Dropout, *LAYER)(0.5, name="dropped")(hidden)
        normal = _recording(stage, k.layers.BatchNormalization, *LAYER)(name="normal")(dropped)
        result = k.layers.Lambda(
            _said(stage, "lambda", lambda x: tf.reduce_sum(x, 1, keepdims=True))
        )(normal)
        model = _recording(
            stage, k.Model, "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "compile", "call",
        )(inputs, result)  # fmt: skip
        loss = _said(stage, "loss", lambda y, z: tf.reduce_mean(tf.square(y - z), -1))
        metric = _said(stage, "metric", lambda y, z: tf.reduce_mean(tf.abs(y - z)))
        own = _recording(
            stage, k.metrics.Mean, "update_state", "result", "reset_states", "add_weight"
        )(name="m")
        model.compile(
            _recording(stage, k.optimizers.SGD, "get_updates", "apply_gradients", "get_gradients", "_create_slots",
                      "_resource_apply_dense", "_prepare")(0.1), loss, [metric],
        )  # fmt: skip
        callback = _recording(stage, k.callbacks.Callback, *CALLBACK)()
        model.fit(X, X[:, :1], 1, 1, 0, [callback], validation_data=(X, X[:, :1]), shuffle=False)
        model.evaluate(X, X[:, :1], verbose=0, callbacks=[callback])
        model.predict(X, callbacks=[callback])
        model.train_on_batch(X, X[:, :1])
        schedule = _said(stage, "schedule", lambda epoch, rate: 0.1)
        rates = k.callbacks.LearningRateScheduler(schedule)
        printed = k.callbacks.LambdaCallback(
            on_epoch_end=_said(stage, "on_epoch_end", lambda epoch, logs: None)
        )
        model.fit(X, X[:, :1], 2, 1, 0, [rates, printed], shuffle=False)
        cell = _recording(stage, k.layers.LSTMCell, *LAYER, "get_initial_state")(3)
        sequence = k.Input([2, 4])
        rnn = _recording(stage, k.layers.RNN, *LAYER, "get_initial_state")(cell)
        rnn(k.layers.Masking()(sequence))
        k.layers.TimeDistributed(_recording(stage, k.layers.Dense, *LAYER)(2))(sequence)
        k.layers.Bidirectional(_recording(stage, k.layers.GRU, *LAYER)(2))(sequence)
        own(tf.constant([1.0, 2.0]))
