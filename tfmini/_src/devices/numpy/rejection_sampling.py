"""Distributions drawn by rejection (gamma and Poisson), as in TensorFlow 1.15's CPU kernels.

Each output has a region of `RESERVED_BLOCKS` and draws from it until a proposal is accepted. All outputs that have not
yet accepted a proposal draw together, so the number of rounds is the maximum over the outputs. Results have a column
per parameter: [samples, parameters], float64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.host.native.random_numbers import draw_by_rejection
from tfmini._src.devices.numpy import scipy
from tfmini._src.devices.numpy.philox import Stream
from tfmini._src.devices.numpy.random_distributions import RESERVED_BLOCKS, doubles_at

_PART = 16384  # outputs per rejection round on the CPU


class _Regions:
    """The blocks of many outputs, each read in order."""

    def __init__(self, xp: ArrayModule, stream: Stream, outputs: Array) -> None:
        self.xp, self.stream = xp, stream
        self.position = outputs.astype(np.uint64) * np.uint64(RESERVED_BLOCKS)

    def pairs(self, rows: Array, normal: bool) -> Array:
        """Returns two numbers [rows, 2] from the next block of each output."""
        samples = doubles_at(self.xp, self.stream, self.position[rows], normal)
        self.position[rows] += np.uint64(1)
        return samples


class _PairedRandomNumbers:
    """Random numbers from pairs; the second number of each pair is used first."""

    def __init__(self, regions: _Regions, normal: bool) -> None:
        self.regions, self.normal = regions, normal
        outputs = len(regions.position)
        self.pairs = regions.xp.empty((outputs, 2))
        self.left = regions.xp.zeros(outputs, np.int8)

    def take(self, rows: Array) -> Array:
        """Returns the next number of each output."""
        empty = rows[self.left[rows] == 0]
        if empty.size:
            self.pairs[empty] = self.regions.pairs(empty, self.normal)
            self.left[empty] = 2
        self.left[rows] -= 1
        return self.pairs[rows, self.left[rows]]


def _draw_in_parts(
    xp: ArrayModule, stream: Stream, parameter: Array, samples: int, draw: Callable[..., Any]
) -> Array:
    """Calls `draw(xp, regions, parameters)` for cache-sized parts of the outputs."""
    parameters = xp.repeat(parameter.astype(np.float64), samples)
    outputs = xp.arange(len(parameters))
    result = xp.empty(len(parameters))
    length = _PART if xp is np else max(1, len(parameters))
    for first in range(0, len(parameters), length):
        part = slice(first, first + length)
        with np.errstate(all="ignore"):
            result[part] = draw(xp, _Regions(xp, stream, outputs[part]), parameters[part])
    return result.reshape(len(parameter), samples).T


def gamma(
    xp: ArrayModule, stream: Stream, alpha: Array, samples: int, rounded: bool = False
) -> Array:
    """Returns gamma samples with shapes `alpha` (flat, float64) and rate 1, optionally `rounded` to float32.

    Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); for alpha below 1,
    a sample of alpha + 1 is multiplied by a uniform number to the power 1 / alpha.
    """
    if xp is np:
        result = draw_by_rejection("gamma", stream, alpha, samples, RESERVED_BLOCKS, rounded)
        if result is not None:
            return result.T
    return _draw_in_parts(xp, stream, alpha, samples, _gamma)


def _gamma(xp: ArrayModule, regions: _Regions, alphas: Array) -> Array:
    outputs = xp.arange(len(alphas))
    normals, uniforms = (
        _PairedRandomNumbers(regions, normal=True),
        _PairedRandomNumbers(regions, normal=False),
    )
    result = xp.empty(len(alphas))

    exponential = alphas == 1
    rows = outputs[exponential]
    if rows.size:
        result[rows] = -xp.log1p(-uniforms.take(rows))

    small = alphas < 1
    d = alphas + xp.where(small, 2.0 / 3, -1.0 / 3)
    c = 1.0 / 3 / xp.sqrt(d)
    rows = outputs[~exponential]
    while rows.size:
        x = normals.take(rows)
        v = 1 + c[rows] * x
        possible = ~(v <= 0)  # NaN, from negative alpha, is a valid result
        tried, x, v = rows[possible], x[possible], v[possible]
        v = v * v * v
        u = uniforms.take(tried)
        scale = d[tried]
        is_accepted = u < 1 - 0.0331 * (x * x) * (x * x)
        is_accepted |= xp.log(u) < 0.5 * x * x + scale * (1 - v + xp.log(v))
        accepted_values = tried[is_accepted]
        result[accepted_values] = (scale * v)[is_accepted]
        lifted = accepted_values[small[accepted_values]]
        if lifted.size:
            result[lifted] *= uniforms.take(lifted) ** (1 / alphas[lifted])
        rows = xp.concatenate([rows[~possible], tried[~is_accepted]])
    return result


def poisson(xp: ArrayModule, stream: Stream, rate: Array, samples: int) -> Array:
    """Returns Poisson samples with these rates (flat, float64)."""
    if xp is np:
        result = draw_by_rejection("poisson", stream, rate, samples, RESERVED_BLOCKS)
        if result is not None:
            return result.T
    return _draw_in_parts(xp, stream, rate, samples, _poisson)


def _poisson(xp: ArrayModule, regions: _Regions, rates: Array) -> Array:
    outputs = xp.arange(len(rates))
    result = xp.full(len(rates), xp.nan)
    low, high = rates < 10, (rates >= 10) & xp.isfinite(rates)
    for rows, draw in ((outputs[low], _poisson_by_products), (outputs[high], _poisson_by_ratio)):
        if rows.size:
            _rejection_sampled(xp, regions, rows, rates, result, draw)
    return result


def _rejection_sampled(
    xp: ArrayModule,
    regions: _Regions,
    rows: Array,
    rates: Array,
    result: Array,
    start: Callable[..., Any],
) -> None:
    """Passes pairs of uniform numbers to `start(xp, rates)` until each output has its sample."""
    proposal = start(xp, rates[rows])
    while rows.size:
        is_accepted, values = proposal(regions.pairs(rows, normal=False))
        result[rows[is_accepted]] = values[is_accepted]
        rows = rows[~is_accepted]


def _poisson_by_products(xp: ArrayModule, rates: Array) -> Callable[..., Any]:
    """Knuth's method: counts the uniform factors until the product falls to exp(-rate)."""
    state = [xp.exp(-rates), xp.ones(len(rates)), xp.zeros(len(rates))]

    def proposal(pairs: Array) -> tuple[Array, Array]:
        limit, product, count = state
        product = product * pairs[:, 1]
        first = product <= limit
        product = product * pairs[:, 0]
        is_accepted = first | (product <= limit)
        values = count + ~first
        pending = ~is_accepted
        state[:] = [limit[pending], product[pending], count[pending] + 2]
        return is_accepted, values

    return proposal


def _poisson_by_ratio(xp: ArrayModule, rates: Array) -> Callable[..., Any]:
    """Uses Hörmann's transformed rejection (PTRS), "The transformed rejection method for generating
    Poisson random variables" (1993)."""
    state = [rates]

    def proposal(pairs: Array) -> tuple[Array, Array]:
        rate = state[0]
        b = 0.931 + 2.53 * xp.sqrt(rate)
        a = -0.059 + 0.02483 * b
        inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
        u, v = pairs[:, 1] - 0.5, pairs[:, 0]
        distance = 0.5 - xp.abs(u)
        k = xp.floor((2 * a / distance + b) * u + rate + 0.43)
        quick = (distance >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
        is_rejected_early = (k < 0) | ((distance < 0.013) & (v > distance))
        ratio = xp.log(v * inverse_alpha / (a / (distance * distance) + b))
        density = -rate + k * xp.log(rate) - scipy.special.gammaln(k + 1)
        is_accepted = quick | (~is_rejected_early & (ratio <= density))
        state[0] = rate[~is_accepted]
        return is_accepted, k

    return proposal


def gamma_slope(alpha: Array, sample: Array) -> Array:
    """Returns the derivative of a gamma sample with respect to alpha, at a fixed quantile, 0 for samples of 0; float64.

    It is -(dP/dalpha) / (dP/dx) for the distribution function P. The first derivative is approximated by differences of
    the smaller tail of P, which scipy computes to full relative accuracy.

    Source: M. Figurnov et al., "Implicit reparameterization gradients", 2018.
    """
    alpha, sample = alpha.astype(np.float64), sample.astype(np.float64)
    special = scipy.special
    lower = special.gammainc(alpha, sample) < 0.5
    step = 1e-3 * alpha / (1 + np.sqrt(alpha))

    def tail(steps: float) -> Array:
        shifted_alpha = alpha + steps * step
        return np.where(
            lower,
            special.gammainc(shifted_alpha, sample),
            -special.gammaincc(shifted_alpha, sample),
        )

    with np.errstate(all="ignore"):
        slope = (8 * (tail(1) - tail(-1)) - (tail(2) - tail(-2))) / (12 * step)
        log_density = (alpha - 1) * np.log(sample) - sample - special.gammaln(alpha)
        return np.where(sample == 0, 0.0, -slope / np.exp(log_density))
