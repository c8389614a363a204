"""tf.random: random numbers, and the seeds that decide them."""

from tfmini.graph.seeds import get_seed, set_random_seed
from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.random.candidate_samplers import (
    all_candidate_sampler,
    fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler,
    log_uniform_candidate_sampler,
    uniform_candidate_sampler,
)
from tfmini.ops.random.randoms import random_normal as normal
from tfmini.ops.random.randoms import random_shuffle as shuffle
from tfmini.ops.random.randoms import random_uniform as uniform
from tfmini.ops.random.randoms import truncated_normal
from tfmini.ops.random.sampling import categorical, multinomial
from tfmini.ops.random.sampling import random_gamma as gamma
from tfmini.ops.random.sampling import random_poisson as poisson
from tfmini.ops.random.stateless_randoms import (
    stateless_categorical,
    stateless_multinomial,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
)

__all__ = [
    "all_candidate_sampler",
    "fixed_unigram_candidate_sampler",
    "learned_unigram_candidate_sampler",
    "log_uniform_candidate_sampler",
    "uniform_candidate_sampler",
    "categorical",
    "gamma",
    "get_seed",
    "multinomial",
    "normal",
    "poisson",
    "set_random_seed",
    "shuffle",
    "stateless_categorical",
    "stateless_multinomial",
    "stateless_normal",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]
_namespace(globals())
