"""`tf.raw_ops`: every op by type, called with keywords: `tf.raw_ops.MatMul(a=x, b=y)`."""

from tfmini._src.ops.raw_ops import __dir__, __getattr__
