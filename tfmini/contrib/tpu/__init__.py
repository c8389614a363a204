"""`tf.contrib.tpu`: what scripts for TPUs name, for runs with use_tpu=False."""

from tfmini.estimator.tpu.config import InputPipelineConfig, TPUConfig
from tfmini.estimator.tpu.config import TPURunConfig as RunConfig
from tfmini.estimator.tpu.estimator import TPUEstimator
from tfmini.estimator.tpu.optimizer import CrossShardOptimizer
from tfmini.estimator.tpu.spec import TPUEstimatorSpec
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "CrossShardOptimizer",
    "InputPipelineConfig",
    "RunConfig",
    "TPUConfig",
    "TPUEstimator",
    "TPUEstimatorSpec",
]

_namespace(globals())
