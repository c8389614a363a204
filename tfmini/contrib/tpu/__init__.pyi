from tfmini._src.models.estimator.tpu.cross_shard_optimizer import CrossShardOptimizer as CrossShardOptimizer
from tfmini.estimator.tpu import InputPipelineConfig as InputPipelineConfig
from tfmini.estimator.tpu import RunConfig as RunConfig
from tfmini.estimator.tpu import TPUConfig as TPUConfig
from tfmini.estimator.tpu import TPUEstimator as TPUEstimator
from tfmini.estimator.tpu import TPUEstimatorSpec as TPUEstimatorSpec
from tfmini._src.variables.bfloat16_scope import bfloat16_scope as bfloat16_scope
