"""tf.estimator.tpu: scripts for TPUs on CPUs and GPUs, with use_tpu=False.

`config` has the RunConfig, `spec` what a model function gives, `estimator` the Estimator, `optimizer` what scripts wrap
their optimizers in where they use TPUs.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
