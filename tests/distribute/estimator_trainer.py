"""An Estimator under a strategy, `estimator_trainer.py STRATEGY FOLDER`; the chief prints its results."""

import json
import sys

import tensorflow as tf

kind, folder = sys.argv[1:]
seen = {}


def data(input_context):
    seen["pipelines"] = [input_context.num_input_pipelines, input_context.input_pipeline_id]
    return points()


def points():
    rows = tf.data.Dataset.range(100).shuffle(100, seed=1).repeat().batch(8)
    return rows.map(lambda n: (tf.cast(n, tf.float32) / 100, tf.cast(n, tf.float32) * 0.03 + 1))


def model(features, labels, mode):
    slope = tf.get_variable("slope", [], initializer=tf.zeros_initializer())
    offset = tf.get_variable("offset", [], initializer=tf.zeros_initializer())
    seen["devices"] = [slope.device, offset.device]
    loss = tf.losses.mean_squared_error(labels, slope * features + offset)
    optimizer = tf.train.AdagradOptimizer(0.5)
    train = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


session_config = None
if kind == "central":
    session_config = tf.ConfigProto(device_count={"CPU": 2})
    strategy = tf.distribute.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"])
else:
    strategy = tf.distribute.experimental.ParameterServerStrategy()
config = tf.estimator.RunConfig(
    folder,
    train_distribute=strategy,
    session_config=session_config,
    experimental_max_worker_delay_secs=0,
)
estimator = tf.estimator.Estimator(model, config=config)
train = tf.estimator.TrainSpec(data, max_steps=600)
evaluation = tf.estimator.EvalSpec(points, steps=1)
tf.estimator.train_and_evaluate(estimator, train, evaluation)
if estimator.config.is_chief:
    weights = [float(estimator.get_variable_value(name)) for name in ("slope", "offset")]
    step = int(estimator.get_variable_value("global_step"))
    print("found " + json.dumps({"weights": weights, "step": step, **seen}), flush=True)
