"""`tf.keras.optimizers`: optimizers whose numbers are variables, so that callbacks can change them.

`base` makes variables and updates; `plain` and `moments` have the rules; `lookup` finds them by name, and takes those
of `tf.train`; `schedules` are learning rates that depend on the step.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
