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
    distribution: Distribution, base: type, given: dict[str, Any], *positive: str
) -> None:
    """`base.__init__` with the arguments `given`, applying softplus to those named `positive`."""
    with name_scope(given["name"], values=[given[n] for n in positive]) as name:
        scales = {n: ops.softplus(given[n], name=f"softplus_{n}") for n in positive}
        base.__init__(distribution, **{**given, **scales, "name": name})  # type: ignore[misc]
    distribution._parameters = given


class NormalWithSoftplusScale(Normal):
    """`Normal(loc, softplus(scale))`."""

    @deprecated(_DATE, "Use `tfd.Normal(loc, tf.nn.softplus(scale)) instead.")
    @arguments_of(Normal, name="NormalWithSoftplusScale")
    def __init__(self, **given: Any):
        init_with_softplus(self, Normal, given, "scale")


class LaplaceWithSoftplusScale(Laplace):
    """`Laplace(loc, softplus(scale))`."""

    @deprecated(_DATE, "Use `tfd.Laplace(loc, tf.nn.softplus(scale)) instead.")
    @arguments_of(Laplace, name="LaplaceWithSoftplusScale")
    def __init__(self, **given: Any):
        init_with_softplus(self, Laplace, given, "scale")


class BetaWithSoftplusConcentration(Beta):
    """`Beta(softplus(concentration1), softplus(concentration0))`."""

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
        given = {key: value for key, value in locals().items() if key != "self"}
        init_with_softplus(self, Beta, given, "concentration1", "concentration0")


class GammaWithSoftplusConcentrationRate(Gamma):
    """`Gamma(softplus(concentration), softplus(rate))`."""

    @deprecated(
        _DATE, "Use `tfd.Gamma(tf.nn.softplus(concentration), tf.nn.softplus(rate))` instead."
    )
    @arguments_of(Gamma, name="GammaWithSoftplusConcentrationRate")
    def __init__(self, **given: Any):
        init_with_softplus(self, Gamma, given, "concentration", "rate")


class ExponentialWithSoftplusRate(Exponential):
    """`Exponential(softplus(rate))`."""

    @deprecated(_DATE, "Use `tfd.Exponential(tf.nn.softplus(rate)).")
    @arguments_of(Exponential, name="ExponentialWithSoftplusRate")
    def __init__(self, **given: Any):
        init_with_softplus(self, Exponential, given, "rate")


class StudentTWithAbsDfSoftplusScale(StudentT):
    """`StudentT(floor(|df|), loc, softplus(scale))`."""

    @deprecated(
        _DATE, "Use `tfd.StudentT(tf.floor(tf.abs(df)), loc, tf.nn.softplus(scale)) instead."
    )
    @arguments_of(StudentT, name="StudentTWithAbsDfSoftplusScale")
    def __init__(self, **given: Any):
        with name_scope(given["name"], values=[given["df"], given["scale"]]) as name:
            df = ops.floor(ops.abs(given["df"]))
            scale = ops.softplus(given["scale"], name="softplus_scale")
            super().__init__(**{**given, "df": df, "scale": scale, "name": name})
        self._parameters = given
