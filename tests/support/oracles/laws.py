"""Probability distributions by formula: importing `scipy.stats` would cost each process 40 MB."""

from types import SimpleNamespace as Law

import numpy as np

from tests.support.lazy_modules import scipy


def normal(mean=0.0, deviation=1.0):
    return Law(
        pdf=lambda x: (
            np.exp(-(((x - mean) / deviation) ** 2) / 2) / (deviation * np.sqrt(2 * np.pi))
        ),
        cdf=lambda x: scipy.special.ndtr((x - mean) / deviation),
        mean=mean,
        entropy=0.5 * np.log(2 * np.pi * np.e * deviation**2),
    )


def half_normal(scale):
    return Law(
        pdf=lambda x: 2 * normal(0, scale).pdf(x),
        cdf=lambda x: scipy.special.erf(x / scale / np.sqrt(2)),
        mean=scale * np.sqrt(2 / np.pi),
        var=scale**2 * (1 - 2 / np.pi),
        entropy=0.5 * np.log(np.pi * scale**2 / 2) + 0.5,
        median=scale * scipy.special.ndtri(0.75),
    )


def gamma(shape, scale=1.0):
    return Law(
        pdf=lambda x: (
            (x / scale) ** (shape - 1) * np.exp(-x / scale) / scale / scipy.special.gamma(shape)
        ),
        cdf=lambda x: scipy.special.gammainc(shape, x / scale),
        mean=shape * scale,
        var=shape * scale**2,
        entropy=shape
        + np.log(scale)
        + scipy.special.gammaln(shape)
        + (1 - shape) * scipy.special.digamma(shape),
        median=scale * scipy.special.gammaincinv(shape, 0.5),
    )


def inverse_gamma(shape, scale):
    return Law(
        pdf=lambda x: gamma(shape, 1 / scale).pdf(1 / x) / x**2,
        cdf=lambda x: scipy.special.gammaincc(shape, scale / x),
        mean=scale / (shape - 1),
        var=scale**2 / ((shape - 1) ** 2 * (shape - 2)),
        entropy=shape
        + np.log(scale)
        + scipy.special.gammaln(shape)
        - (1 + shape) * scipy.special.digamma(shape),
        median=scale / scipy.special.gammainccinv(shape, 0.5),
    )


def beta(a, b):
    of_both = (
        (a - 1) * scipy.special.digamma(a)
        + (b - 1) * scipy.special.digamma(b)
        - (a + b - 2) * scipy.special.digamma(a + b)
    )
    return Law(
        pdf=lambda x: x ** (a - 1) * (1 - x) ** (b - 1) / scipy.special.beta(a, b),
        cdf=lambda x: scipy.special.betainc(a, b, x),
        mean=a / (a + b),
        entropy=scipy.special.betaln(a, b) - of_both,
    )


def laplace(mean, scale):
    def pdf(x):
        return np.exp(-np.abs(x - mean) / scale) / (2 * scale)

    return Law(
        pdf=pdf,
        cdf=lambda x: np.where(x < mean, scale * pdf(x), 1 - scale * pdf(x)),
        mean=mean,
        entropy=1 + np.log(2 * scale),
    )


def student(freedom, mean, scale):
    half, norm = (freedom + 1) / 2, np.sqrt(freedom) * scipy.special.beta(freedom / 2, 0.5)
    return Law(
        pdf=lambda x: (1 + ((x - mean) / scale) ** 2 / freedom) ** -half / norm / scale,
        cdf=lambda x: scipy.special.stdtr(freedom, (x - mean) / scale),
        mean=mean,
        entropy=half * (scipy.special.digamma(half) - scipy.special.digamma(freedom / 2))
        + np.log(norm * scale),
    )


def uniform(low, high):
    return Law(
        pdf=lambda x: np.full_like(x, 1 / (high - low)),
        cdf=lambda x: (x - low) / (high - low),
        mean=(low + high) / 2,
        entropy=np.log(high - low),
    )


def cauchy(place, scale):
    return Law(
        pdf=lambda x: 1 / (np.pi * scale * (1 + ((x - place) / scale) ** 2)),
        cdf=lambda x: 0.5 + np.arctan((x - place) / scale) / np.pi,
        mean=np.full_like(place, np.nan),
        var=np.full_like(place, np.nan),
        entropy=np.full_like(place, np.log(4 * np.pi * scale)),
        median=place,
    )


def kolmogorov(samples, cdf):
    """P-value of the Kolmogorov-Smirnov test, by the asymptotic distribution."""
    below, steps = cdf(np.sort(samples)), np.arange(len(samples) + 1) / len(samples)
    distance = max((steps[1:] - below).max(), (below - steps[:-1]).max())
    return scipy.special.kolmogorov(distance * np.sqrt(len(samples)))
