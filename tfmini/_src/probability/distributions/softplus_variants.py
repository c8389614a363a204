"""Distributions that apply softplus to the arguments that must be positive."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.beta import Beta
from tfmini._src.probability.distributions.exponential import Exponential
from tfmini._src.probability.distributions.gamma import Gamma
from tfmini._src.probability.distributions.laplace import Laplace
from tfmini._src.probability.distributions.normal import Normal
from tfmini._src.probability.distributions.student_t import StudentT

_DATE = "2019-01-01"


class NormalWithSoftplusScale(Normal):
    """`Normal(loc, softplus(scale))`."""

    @deprecated(_DATE, "Use `tfd.Normal(loc, tf.nn.softplus(scale)) instead.")
    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "NormalWithSoftplusScale",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as name:
            scale = ops.softplus(scale, name="softplus_scale")
            super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class LaplaceWithSoftplusScale(Laplace):
    """`Laplace(loc, softplus(scale))`."""

    @deprecated(_DATE, "Use `tfd.Laplace(loc, tf.nn.softplus(scale)) instead.")
    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "LaplaceWithSoftplusScale",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale]) as name:
            scale = ops.softplus(scale, name="softplus_scale")
            super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class BetaWithSoftplusConcentration(Beta):
    """`Beta(softplus(concentration1), softplus(concentration0))`."""

    @deprecated(
        _DATE,
        "Use `tfd.Beta(tf.nn.softplus(concentration1), tf.nn.softplus(concentration2))` instead.",
    )
    def __init__(
        self,
        concentration1: Any,
        concentration0: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "BetaWithSoftplusConcentration",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as name:
            first = ops.softplus(concentration1, name="softplus_concentration1")
            second = ops.softplus(concentration0, name="softplus_concentration0")
            super().__init__(first, second, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class GammaWithSoftplusConcentrationRate(Gamma):
    """`Gamma(softplus(concentration), softplus(rate))`."""

    @deprecated(
        _DATE, "Use `tfd.Gamma(tf.nn.softplus(concentration), tf.nn.softplus(rate))` instead."
    )
    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "GammaWithSoftplusConcentrationRate",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            concentration = ops.softplus(concentration, name="softplus_concentration")
            rate = ops.softplus(rate, name="softplus_rate")
            super().__init__(concentration, rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class ExponentialWithSoftplusRate(Exponential):
    """`Exponential(softplus(rate))`."""

    @deprecated(_DATE, "Use `tfd.Exponential(tf.nn.softplus(rate)).")
    def __init__(
        self,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExponentialWithSoftplusRate",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as name:
            rate = ops.softplus(rate, name="softplus_rate")
            super().__init__(rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class StudentTWithAbsDfSoftplusScale(StudentT):
    """`StudentT(floor(|df|), loc, softplus(scale))`."""

    @deprecated(
        _DATE, "Use `tfd.StudentT(tf.floor(tf.abs(df)), loc, tf.nn.softplus(scale)) instead."
    )
    def __init__(
        self,
        df: Any,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentTWithAbsDfSoftplusScale",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[df, scale]) as name:
            df = ops.floor(ops.abs(df))
            scale = ops.softplus(scale, name="softplus_scale")
            super().__init__(df, loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters
