"""`tf.contrib.distributions`: the distributions of `tf.distributions`, and some that only stand here."""

from tfmini.contrib.distributions import bijectors
from tfmini.contrib.distributions.binomial import Binomial
from tfmini.contrib.distributions.cauchy import Cauchy
from tfmini.contrib.distributions.chi2 import Chi2, Chi2WithAbsDf
from tfmini.contrib.distributions.deterministic import Deterministic, VectorDeterministic
from tfmini.contrib.distributions.half_normal import HalfNormal
from tfmini.contrib.distributions.inverse_gamma import (
    InverseGamma,
    InverseGammaWithSoftplusConcentrationRate,
)
from tfmini.contrib.distributions.logistic import Logistic
from tfmini.contrib.distributions.mixture import Mixture
from tfmini.contrib.distributions.mixture_same_family import MixtureSameFamily
from tfmini.contrib.distributions.multivariate_normal import (
    MultivariateNormalDiag,
    MultivariateNormalDiagWithSoftplusScale,
    MultivariateNormalFullCovariance,
    MultivariateNormalTriL,
)
from tfmini.contrib.distributions.one_hot_categorical import OneHotCategorical
from tfmini.contrib.distributions.poisson import Poisson
from tfmini.contrib.distributions.relaxed import ExpRelaxedOneHotCategorical
from tfmini.contrib.distributions.relaxed_bernoulli import RelaxedBernoulli
from tfmini.contrib.distributions.relaxed_one_hot import RelaxedOneHotCategorical
from tfmini.contrib.distributions.transformed import TransformedDistribution
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
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "FULLY_REPARAMETERIZED",
    "NOT_REPARAMETERIZED",
    "Bernoulli",
    "Beta",
    "BetaWithSoftplusConcentration",
    "Binomial",
    "Categorical",
    "Cauchy",
    "Chi2",
    "Chi2WithAbsDf",
    "Deterministic",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "ExpRelaxedOneHotCategorical",
    "Exponential",
    "ExponentialWithSoftplusRate",
    "Gamma",
    "GammaWithSoftplusConcentrationRate",
    "HalfNormal",
    "InverseGamma",
    "InverseGammaWithSoftplusConcentrationRate",
    "Laplace",
    "LaplaceWithSoftplusScale",
    "Logistic",
    "Mixture",
    "MixtureSameFamily",
    "Multinomial",
    "MultivariateNormalDiag",
    "MultivariateNormalDiagWithSoftplusScale",
    "MultivariateNormalFullCovariance",
    "MultivariateNormalTriL",
    "Normal",
    "NormalWithSoftplusScale",
    "OneHotCategorical",
    "Poisson",
    "RegisterKL",
    "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
    "ReparameterizationType",
    "StudentT",
    "StudentTWithAbsDfSoftplusScale",
    "TransformedDistribution",
    "Uniform",
    "VectorDeterministic",
    "bijectors",
    "kl_divergence",
]

_namespace(globals())
