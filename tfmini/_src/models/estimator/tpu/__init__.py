"""tf.estimator.tpu: scripts for TPUs on CPUs and GPUs, with use_tpu=False.

`tpu_config` has the RunConfig, `tpu_estimator_spec` what a model function gives, `tpu_estimator` the Estimator,
`cross_shard_optimizer` what scripts wrap their optimizers in where they use TPUs.
"""
