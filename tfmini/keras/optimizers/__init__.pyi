from tfmini._src.models.keras.optimizers.single_op_optimizers import Adadelta as Adadelta
from tfmini._src.models.keras.optimizers.single_op_optimizers import Adagrad as Adagrad
from tfmini._src.models.keras.optimizers.moment_optimizers import Adam as Adam
from tfmini._src.models.keras.optimizers.moment_optimizers import Adamax as Adamax
from tfmini._src.models.keras.optimizers.single_op_optimizers import Ftrl as Ftrl
from tfmini._src.models.keras.optimizers.moment_optimizers import Nadam as Nadam
from tfmini._src.models.keras.optimizers.optimizer_v2 import OptimizerV2 as _Optimizer; Optimizer = _Optimizer
from tfmini._src.models.keras.optimizers.moment_optimizers import RMSprop as RMSprop
from tfmini._src.models.keras.optimizers.single_op_optimizers import SGD as SGD
from tfmini._src.models.keras.optimizers.optimizer_by_name import deserialize as deserialize
from tfmini._src.models.keras.optimizers.optimizer_by_name import get as get
from tfmini.keras.optimizers import schedules as schedules
from tfmini._src.models.keras.optimizers.optimizer_by_name import serialize as serialize
