from tfmini._src.models.keras.optimizers.learning_rate_schedule import ExponentialDecay as ExponentialDecay
from tfmini._src.models.keras.optimizers.learning_rate_schedule import InverseTimeDecay as InverseTimeDecay
from tfmini._src.models.keras.optimizers.learning_rate_schedule import LearningRateSchedule as LearningRateSchedule
from tfmini._src.models.keras.optimizers.learning_rate_schedule import PiecewiseConstantDecay as PiecewiseConstantDecay
from tfmini._src.models.keras.optimizers.learning_rate_schedule import PolynomialDecay as PolynomialDecay
from tfmini._src.models.keras.optimizers.schedule_by_name import deserialize as deserialize
from tfmini._src.models.keras.optimizers.learning_rate_schedule import serialize as serialize
