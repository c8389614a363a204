"""TPUEstimators that cannot be."""

import numpy as np


def _model(features, labels, mode, params):
    raise AssertionError("not called")


def _estimator(tf, model=_model, **options):
    config = tf.contrib.tpu.RunConfig()
    return tf.contrib.tpu.TPUEstimator(model, config=config, use_tpu=False, **options)


def a_plain_config(tf):
    tf.contrib.tpu.TPUEstimator(_model, config=tf.estimator.RunConfig(), use_tpu=False)


def params_with_a_batch_size(tf):
    _estimator(tf, params={"batch_size": 3})


def an_input_without_params(tf):
    _estimator(tf).train(lambda: None, steps=1)


def a_time_of_words(tf):
    tf.contrib.tpu.TPUConfig(iterations_per_loop="long")


def shards_that_are_a_word(tf):
    tf.contrib.tpu.TPUConfig(num_shards="8")


def three_cores(tf):
    tf.contrib.tpu.TPUConfig(num_cores_per_replica=3)


def metrics_that_are_no_pair(tf):
    tf.contrib.tpu.TPUEstimatorSpec("eval", eval_metrics={"a": 1})


def metrics_of_three(tf):
    tf.contrib.tpu.TPUEstimatorSpec("eval", eval_metrics=(1, 2, 3))


def metrics_that_cannot_be_called(tf):
    tf.contrib.tpu.TPUEstimatorSpec("eval", eval_metrics=(1, [2]))


def too_few_arguments(tf):
    tf.contrib.tpu.TPUEstimatorSpec("eval", eval_metrics=(lambda a, b: {}, [np.ones(2)]))


def a_hook_that_is_none(tf):
    tf.contrib.tpu.TPUEstimatorSpec("train", training_hooks=[3])


def an_optimizer_with_another_reduction(tf):
    optimizer = tf.train.AdamOptimizer()
    tf.contrib.tpu.CrossShardOptimizer(optimizer, tf.losses.Reduction.NONE)
