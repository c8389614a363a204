from tfmini._src.distribute.cross_device_ops import CrossDeviceOps as CrossDeviceOps
from tfmini._src.contrib.distribute.older_names import DistributeConfig as DistributeConfig
from tfmini._src.distribute.strategy import Strategy as _Strategy; DistributionStrategy = _Strategy
from tfmini._src.contrib.distribute.mirrored_and_parameter_server_strategy import MirroredStrategy as MirroredStrategy
from tfmini._src.distribute.one_device_strategy import OneDeviceStrategy as OneDeviceStrategy
from tfmini._src.contrib.distribute.mirrored_and_parameter_server_strategy import ParameterServerStrategy as ParameterServerStrategy
from tfmini._src.distribute.replica_context import ReplicaContext as ReplicaContext
from tfmini._src.contrib.distribute.older_names import UpdateContext as UpdateContext
from tfmini._src.contrib.distribute.older_names import get_cross_replica_context as get_cross_replica_context
from tfmini._src.distribute.strategy_context import get_strategy as _get_strategy; get_distribution_strategy = _get_strategy
from tfmini._src.distribute.strategy_context import get_loss_reduction as get_loss_reduction
from tfmini._src.distribute.strategy_context import get_replica_context as get_replica_context
from tfmini._src.distribute.strategy_context import get_strategy as get_strategy
from tfmini._src.distribute.strategy_context import has_strategy as _has_strategy; has_distribution_strategy = _has_strategy
from tfmini._src.distribute.strategy_context import has_strategy as has_strategy
from tfmini._src.distribute.strategy_context import in_cross_replica_context as in_cross_replica_context
from tfmini._src.distribute.strategy_context import require_replica as _require_replica; require_replica_context = _require_replica
from tfmini._src.contrib.distribute.older_names import run_standard_tensorflow_server as run_standard_tensorflow_server
