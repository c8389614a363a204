"""Estimators under strategies: two replicas learn the same as one with doubled batches."""

import numpy as np

import tfmini as tf

X = np.arange(24, dtype=np.float32).reshape(8, 3) / 24
Y = X.sum(1, keepdims=True)


def model(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.zeros_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    tf.summary.scalar("half", loss / 2)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    train = optimizer.minimize(loss, tf.train.get_global_step()) if mode == "train" else None
    near = tf.abs(labels - outputs) < 0.3
    metrics = {
        "near": tf.metrics.accuracy(tf.ones_like(near), near),
        "rmse": tf.metrics.root_mean_squared_error(labels, outputs),
    }
    return tf.estimator.EstimatorSpec(mode, outputs, loss, train, metrics)


def batches(input_context=None):
    size = 4 if input_context is None else input_context.get_per_replica_batch_size(4)
    return tf.data.Dataset.from_tensor_slices((X, Y)).repeat(3).batch(size)


def evaluated(directory, strategy):
    config = tf.estimator.RunConfig(
        str(directory),
        tf_random_seed=1,
        train_distribute=strategy,
        eval_distribute=strategy,
        session_config=tf.ConfigProto(device_count={"CPU": 2}),
    )
    estimator = tf.estimator.Estimator(model, config=config)
    estimator.train(batches, steps=5)
    return estimator.evaluate(batches), tf.train.list_variables(str(directory))


def test_two_replicas_match_doubled_batch(tmp_path):
    with tf.Graph().as_default():
        two = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    expected, names = evaluated(tmp_path / "none", None)
    for directory, strategy in (("two", two), ("one", tf.distribute.OneDeviceStrategy("/cpu:0"))):
        results, saved = evaluated(tmp_path / directory, strategy)
        assert saved == names
        assert sorted(results) == sorted(expected)
        for name, value in expected.items():
            np.testing.assert_allclose(results[name], value, rtol=1e-5)
