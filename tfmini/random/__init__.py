"""tf.random: random numbers, and the seeds that decide them."""

from tfmini.graph.seeds import get_seed, set_random_seed
from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.randoms import random_normal as normal
from tfmini.ops.randoms import random_shuffle as shuffle
from tfmini.ops.randoms import random_uniform as uniform
from tfmini.ops.randoms import truncated_normal
from tfmini.ops.sampling import categorical, multinomial
from tfmini.ops.sampling import random_gamma as gamma
from tfmini.ops.sampling import random_poisson as poisson
from tfmini.ops.stateless_randoms import (
    stateless_categorical,
    stateless_multinomial,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
)

__all__ = [name for name in globals() if not name.startswith("_")]
__getattr__ = _no_attributes(__name__, globals())
