"""Distributions that apply softplus to their positive parameters."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.beta import Beta
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.exponential import Exponential
from tfmini._src.probability.distributions.gamma import Gamma
from tfmini._src.probability.distributions.laplace import Laplace
from tfmini._src.probability.distributions.normal import Normal
from tfmini._src.probability.distributions.student_t import StudentT

_DATE = "2019-01-01"


def init_with_softplus(
    distribution: Distribution, base: type, arguments: dict[str, Any], *positive: str
) -> None:
    """Calls `base.__init__` with `arguments`, applying softplus to the parameters named in `positive`."""
    with name_scope(arguments["name"], values=[arguments[n] for n in positive]) as name:
        scales = {n: ops.softplus(arguments[n], name=f"softplus_{n}") for n in positive}
        base.__init__(distribution, **{**arguments, **scales, "name": name})  # type: ignore[misc]
    distribution._parameters = arguments


class NormalWithSoftplusScale(Normal):
    """Normal distributions `Normal(loc, softplus(scale))`."""

    @deprecated(_DATE, "Use `tfd.Normal(loc, tf.nn.softplus(scale)) instead.")
    @arguments_of(Normal, name="NormalWithSoftplusScale")
    def __init__(self, **kwargs: Any):
        init_with_softplus(self, Normal, kwargs, "scale")


class LaplaceWithSoftplusScale(Laplace):
    """Laplace distributions `Laplace(loc, softplus(scale))`."""

    @deprecated(_DATE, "Use `tfd.Laplace(loc, tf.nn.softplus(scale)) instead.")
    @arguments_of(Laplace, name="LaplaceWithSoftplusScale")
    def __init__(self, **kwargs: Any):
        init_with_softplus(self, Laplace, kwargs, "scale")


class BetaWithSoftplusConcentration(Beta):
    """Beta distributions `Beta(softplus(concentration1), softplus(concentration0))`."""

    @deprecated(
        _DATE,
        "Use `tfd.Beta(tf.nn.softplus(concentration1), tf.nn.softplus(concentration2))` instead.",
    )
    def __init__(
        self,
        concentration1: TensorLike,
        concentration0: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "BetaWithSoftplusConcentration",
    ):
        values = {key: value for key, value in locals().items() if key != "self"}
        init_with_softplus(self, Beta, values, "concentration1", "concentration0")


class GammaWithSoftplusConcentrationRate(Gamma):
    """Gamma distributions `Gamma(softplus(concentration), softplus(rate))`."""

    @deprecated(
        _DATE, "Use `tfd.Gamma(tf.nn.softplus(concentration), tf.nn.softplus(rate))` instead."
    )
    @arguments_of(Gamma, name="GammaWithSoftplusConcentrationRate")
    def __init__(self, **kwargs: Any):
        init_with_softplus(self, Gamma, kwargs, "concentration", "rate")


class ExponentialWithSoftplusRate(Exponential):
    """Exponential distributions `Exponential(softplus(rate))`."""

    @deprecated(_DATE, "Use `tfd.Exponential(tf.nn.softplus(rate)).")
    @arguments_of(Exponential, name="ExponentialWithSoftplusRate")
    def __init__(self, **kwargs: Any):
        init_with_softplus(self, Exponential, kwargs, "rate")


class StudentTWithAbsDfSoftplusScale(StudentT):
    """Student's t-distributions `StudentT(floor(|df|), loc, softplus(scale))`."""

    @deprecated(
        _DATE, "Use `tfd.StudentT(tf.floor(tf.abs(df)), loc, tf.nn.softplus(scale)) instead."
    )
    @arguments_of(StudentT, name="StudentTWithAbsDfSoftplusScale")
    def __init__(self, **kwargs: Any):
        with name_scope(kwargs["name"], values=[kwargs["df"], kwargs["scale"]]) as name:
            df = ops.floor(ops.abs(kwargs["df"]))
            scale = ops.softplus(kwargs["scale"], name="softplus_scale")
            super().__init__(**{**kwargs, "df": df, "scale": scale, "name": name})
        self._parameters = kwargs
