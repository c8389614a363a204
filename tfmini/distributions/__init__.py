"""`tf.distributions`: probability distributions, their samples, densities, statistics and divergences.

`Distribution` holds the public methods; each other file a distribution with its divergence. Numbers,
names and nodes are those of TensorFlow 1.15.5; what samples say of their parameters is in
`reparameterization`, and `checks` is what `validate_args` adds.
"""

from tfmini.distributions.bernoulli import Bernoulli
from tfmini.distributions.beta import Beta
from tfmini.distributions.categorical import Categorical
from tfmini.distributions.dirichlet import Dirichlet
from tfmini.distributions.dirichlet_multinomial import DirichletMultinomial
from tfmini.distributions.distribution import Distribution
from tfmini.distributions.divergences import RegisterKL, kl_divergence
from tfmini.distributions.exponential import Exponential
from tfmini.distributions.gamma import Gamma
from tfmini.distributions.laplace import Laplace
from tfmini.distributions.multinomial import Multinomial
from tfmini.distributions.normal import Normal
from tfmini.distributions.reparameterization import (
    FULLY_REPARAMETERIZED,
    NOT_REPARAMETERIZED,
    ReparameterizationType,
)
from tfmini.distributions.student_t import StudentT
from tfmini.distributions.uniform import Uniform
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "FULLY_REPARAMETERIZED",
    "NOT_REPARAMETERIZED",
    "Bernoulli",
    "Beta",
    "Categorical",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "Exponential",
    "Gamma",
    "Laplace",
    "Multinomial",
    "Normal",
    "RegisterKL",
    "ReparameterizationType",
    "StudentT",
    "Uniform",
    "kl_divergence",
]

_namespace(globals())
