from tfmini.nn import all_candidate_sampler as all_candidate_sampler
from tfmini._src.ops.random.distribution_sampling import categorical as categorical
from tfmini.nn import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from tfmini import random_gamma as _gamma; gamma = _gamma
from tfmini import get_seed as get_seed
from tfmini.nn import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from tfmini.nn import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from tfmini import multinomial as multinomial
from tfmini import random_normal as _normal; normal = _normal
from tfmini import random_poisson as _poisson; poisson = _poisson
from tfmini import set_random_seed as set_random_seed
from tfmini import random_shuffle as _shuffle; shuffle = _shuffle
from tfmini._src.ops.random.stateless_random import stateless_categorical as stateless_categorical
from tfmini._src.ops.random.stateless_random import stateless_multinomial as stateless_multinomial
from tfmini._src.ops.random.stateless_random import stateless_normal as stateless_normal
from tfmini._src.ops.random.stateless_random import stateless_truncated_normal as stateless_truncated_normal
from tfmini._src.ops.random.stateless_random import stateless_uniform as stateless_uniform
from tfmini import truncated_normal as truncated_normal
from tfmini import random_uniform as _uniform; uniform = _uniform
from tfmini.nn import uniform_candidate_sampler as uniform_candidate_sampler
