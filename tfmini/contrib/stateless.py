"""`tf.contrib.stateless`: random numbers that their seeds alone decide, under their names of before 1.13."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.random.stateless_randoms import stateless_multinomial, stateless_truncated_normal
from tfmini.ops.random.stateless_randoms import stateless_normal as stateless_random_normal
from tfmini.ops.random.stateless_randoms import stateless_uniform as stateless_random_uniform

__all__ = [
    "stateless_multinomial",
    "stateless_random_normal",
    "stateless_random_uniform",
    "stateless_truncated_normal",
]

_namespace(globals())
