"""An Estimator task in a cluster: `cluster_script.py tfmini|tensorflow FOLDER MAX_STEPS`."""

import sys

import numpy as np

if sys.argv[1:2] == ["tensorflow"]:
    import tensorflow as tf
else:
    import tfmini as tf


def model_fn(features, labels, mode):
    predicted = tf.layers.dense(features["x"], 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predicted)
    loss = tf.losses.mean_squared_error(labels, predicted)
    train = tf.train.AdagradOptimizer(0.3).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, predicted, loss, train)


def input_fn():
    x = np.random.RandomState(0).rand(64, 3).astype(np.float32)
    rows = tf.data.Dataset.from_tensor_slices(({"x": x}, x.sum(1, keepdims=True)))
    return rows.repeat().batch(32)


def serving_input_receiver_fn():
    x = tf.placeholder(tf.float32, [None, 3])
    return tf.estimator.export.ServingInputReceiver({"x": x}, x)


if __name__ == "__main__":

    class Notes(tf.train.SessionRunHook):
        steps = 0

        def after_run(self, run_context, run_values):
            self.steps += 1

    notes = Notes()
    config = tf.estimator.RunConfig(
        sys.argv[2], save_checkpoints_steps=50, experimental_max_worker_delay_secs=0
    )
    result = tf.estimator.train_and_evaluate(
        tf.estimator.Estimator(model_fn, config=config),
        tf.estimator.TrainSpec(input_fn, max_steps=int(sys.argv[3]), hooks=[notes]),
        tf.estimator.EvalSpec(
            input_fn,
            steps=2,
            start_delay_secs=0,
            throttle_secs=1,
            exporters=tf.estimator.FinalExporter("final", serving_input_receiver_fn),
        ),
    )
    print(config.task_type, "steps:", notes.steps, "result:", result)
