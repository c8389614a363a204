"""TPUEstimators that cannot be."""

import numpy as np


def _model(features, labels, mode, params):
    raise AssertionError("not called")


def _estimator(tf, model=_model, **options):
    config = tf.contrib.tpu.RunConfig()
    return tf.contrib.tpu.TPUEstimator(model, config=config, use_tpu=False, **options)


def an_optimizer_with_another_reduction(tf):
    optimizer = tf.train.AdamOptimizer()
    tf.contrib.tpu.CrossShardOptimizer(optimizer, tf.losses.Reduction.NONE)


CASES = {
    "a_plain_config": lambda tf: tf.contrib.tpu.TPUEstimator(
        _model, config=tf.estimator.RunConfig(), use_tpu=False
    ),
    "params_with_a_batch_size": lambda tf: _estimator(tf, params={"batch_size": 3}),
    "an_input_without_params": lambda tf: _estimator(tf).train(lambda: None, steps=1),
    "a_time_of_words": lambda tf: tf.contrib.tpu.TPUConfig(iterations_per_loop="long"),
    "shards_that_are_a_word": lambda tf: tf.contrib.tpu.TPUConfig(num_shards="8"),
    "three_cores": lambda tf: tf.contrib.tpu.TPUConfig(num_cores_per_replica=3),
    "metrics_that_are_no_pair": lambda tf: tf.contrib.tpu.TPUEstimatorSpec(
        "eval", eval_metrics={"a": 1}
    ),
    "metrics_of_three": lambda tf: tf.contrib.tpu.TPUEstimatorSpec("eval", eval_metrics=(1, 2, 3)),
    "metrics_that_cannot_be_called": lambda tf: tf.contrib.tpu.TPUEstimatorSpec(
        "eval", eval_metrics=(1, [2])
    ),
    "too_few_arguments": lambda tf: tf.contrib.tpu.TPUEstimatorSpec(
        "eval", eval_metrics=(lambda a, b: {}, [np.ones(2)])
    ),
    "a_hook_that_is_none": lambda tf: tf.contrib.tpu.TPUEstimatorSpec("train", training_hooks=[3]),
}
