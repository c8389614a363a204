"""Invalid TPUEstimators."""


def _model(features, labels, mode, params):
    raise AssertionError("not called")


def _estimator(tf, model=_model, **options):
    config = tf.contrib.tpu.RunConfig()
    return tf.contrib.tpu.TPUEstimator(model, config=config, use_tpu=False, **options)


def an_optimizer_with_another_reduction(tf):
    optimizer = tf.train.AdamOptimizer()
    tf.contrib.tpu.CrossShardOptimizer(optimizer, tf.losses.Reduction.NONE)
