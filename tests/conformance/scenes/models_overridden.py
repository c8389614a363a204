"""How methods are called that programs override in models, and functions that they pass: by position, or by name."""

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.train_overridden import HOOK, X, _recording, _said, _shown


def estimators(tf, stage):
    def model(features, labels, mode, params, config):
        v = tf.get_variable("v", [1], initializer=tf.ones_initializer())
        loss = tf.reduce_sum(tf.square(v * features["x"] - labels)) if labels is not None else None
        predictions = {"y": v * features["x"]}
        train = None
        if mode == "train":
            optimizer = _recording(stage, tf.train.AdamOptimizer, "minimize", "apply_gradients")(
                0.1
            )
            train = optimizer.minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, predictions, loss, train)

    def model_fn(features, labels, mode, params, config):
        stage.say("model_fn", sorted(features), mode)
        return model(features, labels, mode, params, config)

    def plain(*args, **kwargs):
        stage.say("model_fn", _shown(args, kwargs))

    def input_fn(**given):
        stage.say("input_fn", sorted(given))
        return {"x": tf.ones([2, 1])}, tf.ones([2, 1])

    def all_inputs(params, config, mode):
        return input_fn(params=params, config=config, mode=mode)

    def serving():
        stage.say("serving_input_receiver_fn")
        x = tf.placeholder(tf.float32, [None, 1])
        return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})

    estimator = tf.estimator.Estimator(model_fn, stage.folder + "/model", params={"a": 1})
    hook = _recording(stage, tf.train.SessionRunHook, *HOOK)()
    estimator.train(all_inputs, [hook], steps=1)
    estimator.evaluate(lambda: input_fn(), 1, [hook])
    next(estimator.predict(lambda: input_fn()))
    estimator.export_saved_model(stage.folder + "/out", serving)
    exporter = _recording(stage, tf.estimator.FinalExporter, "export")("final", serving)

    def better(best_eval_result, current_eval_result):
        stage.say("compare_fn", sorted(current_eval_result))
        return True

    best = tf.estimator.BestExporter("best", serving, compare_fn=better)
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(lambda: input_fn(), 2),
        tf.estimator.EvalSpec(lambda: input_fn(), 1, exporters=[exporter, best]),
    )
    with stage.failing():
        canned = tf.estimator.LinearRegressor(
            [
                tf.feature_column.numeric_column(
                    "x", normalizer_fn=_said(stage, "normalizer_fn", lambda x: x)
                )
            ],
            stage.folder + "/canned",
            optimizer=_recording(
                stage, tf.train.FtrlOptimizer, "minimize", "compute_gradients", "apply_gradients"
            )(0.1),
        )
        canned.train(lambda: input_fn(), steps=1)


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


@in_own_graph
def layers(tf, stage):
    own = _recording(stage, tf.layers.Dense, *LAYER)
    own(3, name="first", kernel_regularizer=tf.nn.l2_loss)(tf.constant(X))
    own(3, name="first", _reuse=True)(tf.constant(X))
    _recording(stage, tf.layers.BatchNormalization, *LAYER)(name="bn")(
        tf.constant(X), training=True
    )
    _recording(stage, tf.layers.Conv2D, *LAYER)(2, 3, name="c")(tf.ones([1, 5, 5, 1]))
    _recording(stage, tf.layers.Dropout, *LAYER)(0.5)(tf.constant(X), training=True)
    with stage.failing():
        tf.contrib.layers.fully_connected(
            X, 2, _said(stage, "activation_fn", tf.nn.relu), _said(stage, "normalizer_fn", lambda x, **more: x),
            {"scope": "n"},
        )  # fmt: skip
    template = tf.make_template(
        "t", _said(stage, "template", lambda x, scale: x * scale), scale=2.0
    )
    template(tf.constant(X))
    tf.map_fn(_said(stage, "map_fn", lambda x: x), X)
    tf.while_loop(_said(stage, "test", lambda i: i < 2), _said(stage, "body", lambda i: i + 1), [0])
    tf.cond(
        tf.constant(True),
        _said(stage, "true_fn", lambda: 1.0),
        _said(stage, "false_fn", lambda: 2.0),
    )
    tf.scan(_said(stage, "scan", lambda a, x: a + x), X)
    tf.foldl(_said(stage, "foldl", lambda a, x: a + x), X)
    tf.case(
        [(tf.constant(True), _said(stage, "case", lambda: 1.0))],
        _said(stage, "default", lambda: 2.0),
    )
    rows = tf.data.Dataset.from_tensor_slices((X, {"a": X}))
    rows = rows.map(_said(stage, "map", lambda x, y: (x, y["a"]))).filter(
        _said(stage, "filter", lambda x, y: True)
    )
    rows = rows.flat_map(
        _said(stage, "flat_map", lambda x, y: tf.data.Dataset.from_tensors((x, y)))
    )
    rows.apply(_said(stage, "apply", lambda dataset: dataset))
    rows.reduce(0.0, _said(stage, "reduce", lambda state, row: state))
    tf.train.exponential_decay(0.1, tf.train.get_or_create_global_step(), 1, 0.9)
    tf.contrib.layers.optimize_loss(
        tf.reduce_sum(tf.get_variable("w", [2])), tf.train.get_global_step(), 0.1,
        _said(stage, "optimizer", tf.train.GradientDescentOptimizer),
        learning_rate_decay_fn=_said(stage, "learning_rate_decay_fn", lambda rate, step: rate),
        update_ops=[], clip_gradients=_said(stage, "clip_gradients", lambda pairs: pairs),
    )  # fmt: skip
