from tfmini._src.models.estimator.tpu.tpu_config import InputPipelineConfig as InputPipelineConfig
from tfmini._src.models.estimator.tpu.tpu_config import TPURunConfig as _RunConfig; RunConfig = _RunConfig
from tfmini._src.models.estimator.tpu.tpu_config import TPUConfig as TPUConfig
from tfmini._src.models.estimator.tpu.tpu_estimator import TPUEstimator as TPUEstimator
from tfmini._src.models.estimator.tpu.tpu_estimator_spec import TPUEstimatorSpec as TPUEstimatorSpec
