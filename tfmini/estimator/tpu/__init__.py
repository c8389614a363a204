"""tf.estimator.tpu: scripts for TPUs on CPUs and GPUs, with use_tpu=False.

`config` has the RunConfig, `spec` what a model function gives, `estimator` the Estimator, `optimizer` what scripts wrap
their optimizers in where they use TPUs.
"""

from tfmini.estimator.tpu.config import InputPipelineConfig, TPUConfig
from tfmini.estimator.tpu.config import TPURunConfig as RunConfig
from tfmini.estimator.tpu.estimator import TPUEstimator
from tfmini.estimator.tpu.spec import TPUEstimatorSpec
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["InputPipelineConfig", "RunConfig", "TPUConfig", "TPUEstimator", "TPUEstimatorSpec"]

_namespace(globals())
