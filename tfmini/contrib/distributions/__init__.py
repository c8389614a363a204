"""`tf.contrib.distributions`: the distributions of `tf.distributions`, and some that only stand here."""

from tfmini.distributions import (
    FULLY_REPARAMETERIZED,
    NOT_REPARAMETERIZED,
    Bernoulli,
    Beta,
    Categorical,
    Dirichlet,
    DirichletMultinomial,
    Distribution,
    Exponential,
    Gamma,
    Laplace,
    Multinomial,
    Normal,
    RegisterKL,
    ReparameterizationType,
    StudentT,
    Uniform,
    kl_divergence,
)
from tfmini.distributions.softplus_variants import (
    BetaWithSoftplusConcentration,
    ExponentialWithSoftplusRate,
    GammaWithSoftplusConcentrationRate,
    LaplaceWithSoftplusScale,
    NormalWithSoftplusScale,
    StudentTWithAbsDfSoftplusScale,
)
from tfmini.hints import no_attributes as _no_attributes

__all__ = [
    "FULLY_REPARAMETERIZED",
    "NOT_REPARAMETERIZED",
    "Bernoulli",
    "Beta",
    "BetaWithSoftplusConcentration",
    "Categorical",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "Exponential",
    "ExponentialWithSoftplusRate",
    "Gamma",
    "GammaWithSoftplusConcentrationRate",
    "Laplace",
    "LaplaceWithSoftplusScale",
    "Multinomial",
    "Normal",
    "NormalWithSoftplusScale",
    "RegisterKL",
    "ReparameterizationType",
    "StudentT",
    "StudentTWithAbsDfSoftplusScale",
    "Uniform",
    "kl_divergence",
]

__getattr__ = _no_attributes(__name__, globals())
