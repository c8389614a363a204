"""Smaller parts of models: scaled losses, TPU settings, export outputs, images, canned models."""

import json
import os

import numpy as np

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.models_measured import _eagerly


@_eagerly
def scaled_losses(tf, stage):
    of = tf.keras.mixed_precision.experimental.LossScaleOptimizer
    scales, keras = tf.train.experimental, tf.keras.optimizers
    w = tf.Variable([1.0, 2.0], name="w")
    for scale in (4.0, "dynamic", scales.FixedLossScale(2.0)):
        optimizer = of(keras.SGD(0.25, momentum=0.5), scale)
        loss = lambda: tf.reduce_sum(w * w)  # noqa: E731
        stage.say(optimizer.get_scaled_loss(tf.constant(3.0)), optimizer.get_scaled_loss(loss)())
        stage.say(optimizer.get_scaled_loss(tf.constant(3.0, tf.float16)), optimizer.loss_scale)
        slices = tf.IndexedSlices(tf.ones([1]), tf.constant([1]), tf.constant([2]))
        found = optimizer.get_unscaled_gradients([tf.ones([2]), None, slices])
        stage.say(*found)
        stage.attempts(
            lambda: optimizer.apply_gradients([(tf.constant([1.0, np.inf]), w)]) is None,  # noqa: B023
            lambda: (w, optimizer.iterations, optimizer.loss_scale()),  # noqa: B023
            lambda: optimizer.apply_gradients([(tf.constant([1.0, 4.0]), w)]) is None,  # noqa: B023
            lambda: (w, optimizer.iterations, optimizer.loss_scale()),  # noqa: B023
            lambda: (optimizer.learning_rate, optimizer.lr),  # noqa: B023
            lambda: setattr(optimizer, "lr", 0.5),  # noqa: B023
            lambda: setattr(optimizer, "learning_rate", 0.125),  # noqa: B023
            lambda: (optimizer.lr, optimizer._optimizer.lr),  # noqa: B023
            lambda: optimizer.get_slot_names(),  # noqa: B023
            lambda: optimizer.get_config(),  # noqa: B023
            lambda: of.from_config({}),
        )
    stage.attempts(
        lambda: of(3, 4.0),
        lambda: of(tf.train.AdamOptimizer(), 4.0),
        lambda: of(keras.SGD(clipnorm=1.0), 4.0),
        lambda: of(keras.SGD(clipvalue=1.0), 4.0),
        lambda: of(keras.SGD(), "none"),
        lambda: scales.FixedLossScale(0.5),
        lambda: scales.FixedLossScale("a"),
        lambda: scales.FixedLossScale.from_config({"loss_scale_value": 3.0})(),
    )
    dynamic = scales.DynamicLossScale(8.0, 2, 4.0)
    for grads in ([1.0], [2.0], [np.nan], [1.0], [np.inf], [0.0], [0.0]):
        stage.say(dynamic.update([tf.constant(grads)])[1], dynamic(), dynamic)


@in_own_graph
def settings_of_tpus(tf, stage):
    of = tf.contrib.tpu
    modes = of.InputPipelineConfig
    stage.attempts(
        lambda: of.TPUConfig(),
        lambda: of.TPUConfig(3, 2, 4, True, "job"),
        lambda: of.TPUConfig(num_shards=0),
        lambda: of.TPUConfig(num_cores_per_replica=0),
        lambda: of.TPUConfig(iterations_per_loop=-1),
        lambda: of.TPUConfig(iterations_per_loop="10s").iterations_per_loop,
        lambda: of.TPUConfig(initial_infeed_sleep_secs=-1),
        lambda: of.TPUConfig(initial_infeed_sleep_secs=1.5),
        lambda: of.TPUConfig(per_host_input_for_training=False).per_host_input_for_training,
        lambda: of.TPUConfig(per_host_input_for_training=modes.BROADCAST),
        lambda: of.TPUConfig(input_partition_dims=[[1, 1]]),
        lambda: of.TPUConfig(input_partition_dims=[]),
        lambda: of.TPUConfig(
            input_partition_dims=[[1, 1]], per_host_input_for_training=modes.PER_HOST_V2
        ),
        lambda: of.TPUConfig(eval_training_input_configuration=modes.BROADCAST),
        lambda: of.RunConfig(tpu_config=3).tpu_config,
        lambda: of.RunConfig(evaluation_master="a", master="b").evaluation_master,
        lambda: of.RunConfig(cluster=3, master="a"),
        lambda: of.RunConfig(tf_random_seed=3).replace(tpu_config=of.TPUConfig(5)).tf_random_seed,
    )
    optimizer = of.CrossShardOptimizer(tf.train.MomentumOptimizer(0.5, 0.5))
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    stage.attempts(
        lambda: of.CrossShardOptimizer(tf.train.AdamOptimizer(), "none"),
        lambda: [v.name for _, v in optimizer.compute_gradients(tf.reduce_sum(w))],
        lambda: optimizer.get_slot_names(),
        lambda: optimizer.get_slot(w, "momentum"),
        lambda: optimizer.variables(),
    )
    spec, modes = of.TPUEstimatorSpec, tf.estimator.ModeKeys
    loss = tf.constant(1.0)

    def made(mode="eval", **options):
        found = spec(mode, loss=loss, **options).as_estimator_spec()
        return found.mode, sorted(found.eval_metric_ops or {}), len(found.evaluation_hooks)

    stage.attempts(
        made,
        lambda: made(eval_metrics=(lambda x: {"m": tf.metrics.mean(x)}, [loss])),
        lambda: made(eval_metrics=(lambda x: {"m": tf.metrics.mean(x)}, {"x": loss})),
        lambda: made(eval_metrics=(lambda *x: {"m": tf.metrics.mean(x[0])}, (loss,))),
        lambda: made(host_call=(lambda x: x, [loss])),
        lambda: made(host_call=(lambda x: x, 3)),
        lambda: made(host_call=(3, [loss])),
        lambda: made(host_call=3),
        lambda: made(evaluation_hooks=3),
        lambda: made(prediction_hooks=[3]),
        lambda: made(scaffold_fn=3),
    )


@in_own_graph
def outputs_exported(tf, stage):
    of = tf.estimator.export
    x = tf.placeholder(tf.float32, [None, 1], "x")
    text = tf.placeholder(tf.string, [None], "text")

    stage.attempts(
        lambda: of.ClassificationOutput(classes=3),
        lambda: of.ServingInputReceiver({"f": 3}, text),
        lambda: of.ServingInputReceiver({"f": x}, {"r": 3}),
        lambda: of.ServingInputReceiver({"f": x}, text, {"other": {"a": 3}}),
        lambda: of.build_raw_serving_input_receiver_fn({"a": np.ones([3, 2])})().features,
        lambda: (
            of.build_parsing_serving_input_receiver_fn(
                {"a": tf.FixedLenFeature([2], tf.float32)}, 3
            )().receiver_tensors
        ),
    )


@in_own_graph
def stopped_with_the_chief(tf, stage):
    of = tf.estimator.experimental
    worker = {
        "cluster": {"chief": ["a:1"], "worker": ["b:1"], "ps": ["c:1"]},
        "task": {"type": "worker", "index": 0},
    }
    os.environ["TF_CONFIG"] = json.dumps(worker)
    try:
        config = tf.estimator.RunConfig(stage.folder)
    finally:
        del os.environ["TF_CONFIG"]
    make = tf.estimator.Estimator
    model = lambda features, labels, mode: None  # noqa: E731
    hook = of.make_early_stopping_hook(make(model, config=config), lambda: True)
    chief = of.make_early_stopping_hook(
        make(model, stage.folder), lambda: True, run_every_secs=None, run_every_steps=2
    )
    tf.train.get_or_create_global_step()
    step = tf.assign_add(tf.train.get_global_step(), 1)
    hook.begin()
    chief.begin()
    stage.say([v.name for v in tf.global_variables()])
    stop = [v for v in tf.global_variables() if v.dtype.base_dtype == tf.bool][0]
    with tf.train.SingularMonitoredSession([hook]) as session:
        stage.say(session.run(step), session.should_stop())
        stage.say(session.run([step, tf.get_default_graph().get_tensor_by_name(stop.name)])[0])
    with stage.failing(), tf.train.SingularMonitoredSession([hook, chief]) as session:
        for _ in range(5):
            stage.say(session.run(step), session.should_stop())
    stage.attempts(
        lambda: of.make_early_stopping_hook(make(model, stage.folder), 3),
        lambda: of.make_early_stopping_hook(3, lambda: True),
        lambda: of.make_early_stopping_hook(
            make(model, stage.folder), lambda: True, run_every_secs=1, run_every_steps=1
        ),
        lambda: of.make_early_stopping_hook(
            make(model, stage.folder), lambda: True, run_every_secs=None
        ),
    )


@in_own_graph
def ready_models(tf, stage):
    of = tf.keras.experimental
    ones = tf.keras.initializers.Constant(0.5)
    linear = of.LinearModel(2, kernel_initializer=ones, bias_initializer="ones", activation="relu")
    x, y = np.ones([3, 2], np.float32), np.ones([3, 2], np.float32)
    stage.attempts(
        lambda: sorted(linear.get_config().items(), key=str),
        lambda: linear.compile("sgd", "mse"),
        lambda: linear.fit(x, y, verbose=0).history,
        lambda: linear.predict(x[:1]),
        lambda: [w.name for w in linear.weights],
    )
    deep = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer=ones)])
    both = of.WideDeepModel(of.LinearModel(2, kernel_initializer=ones), deep, activation="tanh")
    several = of.LinearModel(1, kernel_initializer=ones, use_bias=False)
    stage.attempts(
        lambda: both.compile(["sgd", "adam"], "mse", metrics=["mae"]),
        lambda: both.fit([x, x], y, verbose=0).history,
        lambda: both.predict([x, x])[0],
        lambda: (len(both.weights), both.linear_model is not None, both.dnn_model is deep),
        lambda: both.get_config(),
        lambda: several.compile("sgd", "mse"),
        lambda: several.predict([x, x[:, :1]]),
        lambda: several.predict({"a": x}),
        lambda: of.LinearModel.from_config({"units": 3}).units,
        lambda: of.LinearModel(use_bias=False, name="own").name,
    )
    alone = of.WideDeepModel(of.LinearModel(2), deep)
    alone.compile("sgd", "mse")
    stage.attempts(lambda: len(alone.fit(x, y, verbose=0).history["loss"]))
