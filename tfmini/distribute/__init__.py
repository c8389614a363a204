"""`tf.distribute`: strategies, which train on several devices; servers; resolvers, which tell what a cluster is.

A `Strategy` is what programs call, its `StrategyExtended` does the work: `default`, `one_device` and `mirrored` have
one each. `replicas` builds a graph once for each replica, `variables` are copies of one variable on several devices,
`values` what replicas give, `cross_device` and `all_reduce` make one value of theirs, `inputs` divides what datasets
give. What optimizers and others below do differently under a strategy asks `graph/replica_modes`.
"""

from tfmini.distribute import cluster_resolver
from tfmini.distribute.all_reduce import HierarchicalCopyAllReduce, NcclAllReduce
from tfmini.distribute.contexts import (
    experimental_set_strategy,
    get_loss_reduction,
    get_replica_context,
    get_strategy,
    has_strategy,
    in_cross_replica_context,
)
from tfmini.distribute.cross_device import CrossDeviceOps, ReductionToOneDevice
from tfmini.distribute.default import default_strategy as _default_strategy
from tfmini.distribute.extended import StrategyExtended
from tfmini.distribute.input_contexts import InputContext, InputReplicationMode
from tfmini.distribute.mirrored import MirroredStrategy
from tfmini.distribute.one_device import OneDeviceStrategy
from tfmini.distribute.reductions import ReduceOp
from tfmini.distribute.replica_context import ReplicaContext
from tfmini.distribute.strategy import Strategy
from tfmini.distributed.server import Server
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "CrossDeviceOps",
    "HierarchicalCopyAllReduce",
    "InputContext",
    "InputReplicationMode",
    "MirroredStrategy",
    "NcclAllReduce",
    "OneDeviceStrategy",
    "ReduceOp",
    "ReductionToOneDevice",
    "ReplicaContext",
    "Server",
    "Strategy",
    "StrategyExtended",
    "cluster_resolver",
    "experimental_set_strategy",
    "get_loss_reduction",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
]

_namespace(globals())
