"""`tf.contrib.tfprof.tfprof_logger`: `write_op_log` under its older name."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
