"""`tf.train`: optimizers (one file each), learning-rate schedules, moving averages, the global step.

An optimizer composes what lies below: `gradients` of the loss, slot variables, and one update op a variable
(`update_rule`).
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
