"""`tf.distribute`: strategies for training on several devices, servers, and cluster resolvers.

Programs call a `Strategy`, which delegates to its `StrategyExtended`; `default_strategy`, `one_device_strategy` and
`mirrored_strategy` define one each. `call_for_each_replica` builds the graph of each replica, `distributed_variable`
defines variables with copies on several devices, `distributed_values` the per-replica values, which `cross_device_ops`
and `all_reduce` reduce to one; `distributed_dataset` splits a dataset's elements among replicas, through strategies
based on `worker_inputs`. Optimizers and other lower layers query the current replica through `graph/replica_modes`.
"""

from tfmini._src.distribute import default_strategy  # noqa: F401  the strategy used by default
