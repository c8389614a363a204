"""tf.estimator.tpu: runs TPU scripts on CPUs and GPUs, with use_tpu=False.

`tpu_config` defines the RunConfig, `tpu_estimator_spec` the result of model functions, `tpu_estimator` the
Estimator, `cross_shard_optimizer` the optimizer wrapper for TPUs.
"""
