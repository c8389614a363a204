"""`tf.contrib.distributions`: the distributions of `tf.distributions`, and some that only stand here."""

from tfmini.contrib.distributions import bijectors
from tfmini.contrib.distributions.autoregressive import Autoregressive
from tfmini.contrib.distributions.batch_reshape import BatchReshape
from tfmini.contrib.distributions.binomial import Binomial
from tfmini.contrib.distributions.cauchy import Cauchy
from tfmini.contrib.distributions.chi2 import Chi2, Chi2WithAbsDf
from tfmini.contrib.distributions.conjugates import (
    normal_conjugates_known_scale_posterior,
    normal_conjugates_known_scale_predictive,
)
from tfmini.contrib.distributions.deterministic import Deterministic, VectorDeterministic
from tfmini.contrib.distributions.distribution_head import estimator_head_distribution_regression
from tfmini.contrib.distributions.geometric import Geometric
from tfmini.contrib.distributions.half_normal import HalfNormal
from tfmini.contrib.distributions.independent import Independent
from tfmini.contrib.distributions.inverse_gamma import (
    InverseGamma,
    InverseGammaWithSoftplusConcentrationRate,
)
from tfmini.contrib.distributions.logarithms import reduce_weighted_logsumexp, softplus_inverse
from tfmini.contrib.distributions.logistic import Logistic
from tfmini.contrib.distributions.mixture import Mixture
from tfmini.contrib.distributions.mixture_same_family import MixtureSameFamily
from tfmini.contrib.distributions.moving_statistics import (
    assign_log_moving_mean_exp,
    assign_moving_mean_variance,
    moving_mean_variance,
)
from tfmini.contrib.distributions.negative_binomial import NegativeBinomial
from tfmini.contrib.distributions.one_hot_categorical import OneHotCategorical
from tfmini.contrib.distributions.poisson import Poisson
from tfmini.contrib.distributions.quadratures.poisson_log_normal import (
    PoissonLogNormalQuadratureCompound,
)
from tfmini.contrib.distributions.quadratures.schemes import (
    quadrature_scheme_lognormal_gauss_hermite,
    quadrature_scheme_lognormal_quantiles,
    quadrature_scheme_softmaxnormal_gauss_hermite,
    quadrature_scheme_softmaxnormal_quantiles,
)
from tfmini.contrib.distributions.quantized import QuantizedDistribution
from tfmini.contrib.distributions.relaxed import ExpRelaxedOneHotCategorical
from tfmini.contrib.distributions.sample_statistics import auto_correlation, percentile
from tfmini.contrib.distributions.seed_stream import SeedStream
from tfmini.contrib.distributions.transformed.conditional import (
    ConditionalDistribution,
    ConditionalTransformedDistribution,
)
from tfmini.contrib.distributions.transformed.kumaraswamy import Kumaraswamy
from tfmini.contrib.distributions.transformed.low_rank_normal import (
    MultivariateNormalDiagPlusLowRank,
)
from tfmini.contrib.distributions.transformed.multivariate_normal import (
    MultivariateNormalDiag,
    MultivariateNormalDiagWithSoftplusScale,
    MultivariateNormalFullCovariance,
    MultivariateNormalTriL,
)
from tfmini.contrib.distributions.transformed.relaxed_bernoulli import RelaxedBernoulli
from tfmini.contrib.distributions.transformed.relaxed_one_hot import RelaxedOneHotCategorical
from tfmini.contrib.distributions.transformed.sinh_arcsinh import SinhArcsinh
from tfmini.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini.contrib.distributions.transformed.vector_diagonals import (
    VectorExponentialDiag,
    VectorLaplaceDiag,
)
from tfmini.contrib.distributions.transformed.vector_sinh_arcsinh import VectorSinhArcsinhDiag
from tfmini.contrib.distributions.triangular import (
    fill_triangular,
    fill_triangular_inverse,
    matrix_diag_transform,
    tridiag,
)
from tfmini.contrib.distributions.wishart import WishartCholesky, WishartFull
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
from tfmini.linear_operators import functions as _functions  # tf.matmul and others of operators
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "Autoregressive",
    "BatchReshape",
    "Bernoulli",
    "Beta",
    "BetaWithSoftplusConcentration",
    "Binomial",
    "Categorical",
    "Cauchy",
    "Chi2",
    "Chi2WithAbsDf",
    "ConditionalDistribution",
    "ConditionalTransformedDistribution",
    "Deterministic",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "ExpRelaxedOneHotCategorical",
    "Exponential",
    "ExponentialWithSoftplusRate",
    "FULLY_REPARAMETERIZED",
    "Gamma",
    "GammaWithSoftplusConcentrationRate",
    "Geometric",
    "HalfNormal",
    "Independent",
    "InverseGamma",
    "InverseGammaWithSoftplusConcentrationRate",
    "Kumaraswamy",
    "Laplace",
    "LaplaceWithSoftplusScale",
    "Logistic",
    "Mixture",
    "MixtureSameFamily",
    "Multinomial",
    "MultivariateNormalDiag",
    "MultivariateNormalDiagPlusLowRank",
    "MultivariateNormalDiagWithSoftplusScale",
    "MultivariateNormalFullCovariance",
    "MultivariateNormalTriL",
    "NOT_REPARAMETERIZED",
    "NegativeBinomial",
    "Normal",
    "NormalWithSoftplusScale",
    "OneHotCategorical",
    "Poisson",
    "PoissonLogNormalQuadratureCompound",
    "QuantizedDistribution",
    "RegisterKL",
    "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
    "ReparameterizationType",
    "SeedStream",
    "SinhArcsinh",
    "StudentT",
    "StudentTWithAbsDfSoftplusScale",
    "TransformedDistribution",
    "Uniform",
    "VectorDeterministic",
    "VectorExponentialDiag",
    "VectorLaplaceDiag",
    "VectorSinhArcsinhDiag",
    "WishartCholesky",
    "WishartFull",
    "assign_log_moving_mean_exp",
    "assign_moving_mean_variance",
    "auto_correlation",
    "bijectors",
    "estimator_head_distribution_regression",
    "fill_triangular",
    "fill_triangular_inverse",
    "kl_divergence",
    "matrix_diag_transform",
    "moving_mean_variance",
    "normal_conjugates_known_scale_posterior",
    "normal_conjugates_known_scale_predictive",
    "percentile",
    "quadrature_scheme_lognormal_gauss_hermite",
    "quadrature_scheme_lognormal_quantiles",
    "quadrature_scheme_softmaxnormal_gauss_hermite",
    "quadrature_scheme_softmaxnormal_quantiles",
    "reduce_weighted_logsumexp",
    "softplus_inverse",
    "tridiag",
]

_namespace(globals())
