"""`tf.distribute`: strategies, which train on several devices; servers; resolvers, which tell what a cluster is.

A `Strategy` is what programs call, its `StrategyExtended` does the work: `default`, `one_device` and `mirrored` have
one each. `replicas` builds a graph once for each replica, `variables` are copies of one variable on several devices,
`values` what replicas give, `cross_device` and `all_reduce` make one value of theirs, `inputs` divides what datasets
give. What optimizers and others below do differently under a strategy asks `graph/replica_modes`.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
