"""`tf.distribute`: strategies for training on several devices, servers, and cluster resolvers.

A `Strategy` is what programs call, its `StrategyExtended` does the work: `default_strategy`, `one_device_strategy`
and `mirrored_strategy` have one each. `call_for_each_replica` builds a graph once for each replica,
`distributed_variable` are copies of one variable on several devices, `distributed_values` what replicas give,
`cross_device_ops` and `all_reduce` make one value of theirs, `distributed_dataset` divides what datasets give, which
strategies hand out by `input_of_workers`. What optimizers and others below do differently under a strategy asks
`graph/replica_modes`.
"""

from tfmini._src.distribute import default_strategy  # noqa: F401  the one that holds where none was chosen
