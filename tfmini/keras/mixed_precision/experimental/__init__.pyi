from tfmini._src.models.keras.mixed_precision.loss_scale_optimizer import LossScaleOptimizer as LossScaleOptimizer
from tfmini._src.models.keras.mixed_precision.policy import Policy as Policy
from tfmini._src.models.keras.mixed_precision.policy import global_policy as global_policy
from tfmini._src.models.keras.mixed_precision.policy import set_policy as set_policy
