"""Normals truncated to arbitrary bounds, drawn as by TensorFlow 1.15's CPU kernel.

Uses rejection sampling with three proposals: a normal number if the bounds contain enough of the distribution, a
uniform number between close bounds, an exponential number above a lower bound in the tail. All arithmetic is in the
result's dtype.

Source: C. Robert, "Simulation of truncated normal variables", 1995.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.numpy import random_distributions
from tfmini._src.devices.numpy.philox import Stream

MAX_REJECTIONS = 1000  # maximum consecutive rejected proposals
MAX_SHARED_OUTPUTS = 100  # number of outputs drawn together if all have the same parameters

_MIN_NORMAL_INTERVAL = 1.3  # minimum interval, in standard deviations, for normal proposals


class TooManyRejectionsError(Exception):
    """Raised when too many consecutive proposals are rejected; the text names the proposal distribution."""


class Proposal(NamedTuple):
    """A proposal distribution.

    `propose(stream, rounds)` draws `proposals` numbers per round from `blocks` blocks and returns which are accepted.
    """

    name: str
    blocks: int
    proposals: int
    propose: Callable[[Stream, int], tuple[Array, Array]]


def bounded_normals(
    stream: Stream, lengths: list[int], parameters: list[Any], dtype: np.dtype
) -> Array:
    """Returns `lengths[i]` numbers for `parameters[i]` (mean, deviation, low, high); raises TooManyRejectionsError."""
    parts = []
    with np.errstate(all="ignore"):
        for length, (mean, deviation, low, high) in zip(lengths, parameters):
            if (np.isinf(low) and low < 0) or high < mean:
                low, high, deviation = high, low, -deviation  # mirrored, so that the tail is above
            proposal = _proposal((low - mean) / deviation, (high - mean) / deviation, dtype)
            samples, stream = _accept_samples(proposal, stream, length)
            parts.append(samples * deviation + mean)
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def _accept_samples(proposal: Proposal, stream: Stream, length: int) -> tuple[Array, Stream]:
    """Returns the first accepted numbers, and the stream after the blocks that they consume."""
    parts, rejected = [np.zeros(0)], 0
    while length:
        rounds = 2 + 2 * length // proposal.proposals
        samples, is_accepted = proposal.propose(stream, rounds)
        indices = np.flatnonzero(is_accepted)[:length]
        gaps = np.diff(indices, prepend=-1 - rejected) - 1
        trailing = (
            0
            if len(indices) == length
            else is_accepted.size - 1 - (indices[-1] if indices.size else -1)
        )
        rejected = trailing + (0 if indices.size else rejected)
        if max(gaps.max(initial=0), rejected) >= MAX_REJECTIONS:
            raise TooManyRejectionsError(proposal.name)
        parts.append(samples[indices])
        length -= len(indices)
        stream = stream.skip(
            proposal.blocks * (rounds if length else int(indices[-1]) // proposal.proposals + 1)
        )
    return np.concatenate(parts[1:]), stream


def _proposal(low: Any, high: Any, dtype: np.dtype) -> Proposal:
    """Returns the proposal distribution for these bounds, in standard deviations from the mean."""
    t = dtype.type
    root = np.sqrt(low * low + t(4))
    cutoff = t(2) * np.exp(t(0.5) + low * (low - root) / t(4)) / (low + root)
    min_width = t(_MIN_NORMAL_INTERVAL)
    if (low < -min_width and high >= 0) or (high > min_width and low <= 0):
        return _normal_proposal(low, high, dtype)
    if high - low < cutoff:
        return _uniform_proposal(low, high, dtype)
    return _exponential_proposal(low, high, dtype, (low + root) / t(2))


def _width(dtype: np.dtype) -> int:
    return 2 if dtype.itemsize == 8 else 4


def _normal_proposal(low: Any, high: Any, dtype: np.dtype) -> Proposal:
    width = _width(dtype)

    def propose(stream: Stream, rounds: int) -> tuple[Array, Array]:
        samples = random_distributions.normal(np, stream, rounds * width, dtype)
        return samples, (samples >= low) & (samples <= high)

    return Proposal("randn", 1, width, propose)


def _uniform_proposal(low: Any, high: Any, dtype: np.dtype) -> Proposal:
    """Returns a uniform proposal: a block of locations followed by a block of acceptance numbers."""
    width, t = _width(dtype), dtype.type
    span, top = high - low, t(0) if low < 0 else low * low

    def propose(stream: Stream, rounds: int) -> tuple[Array, Array]:
        uniforms = random_distributions.uniform(np, stream, rounds * 2 * width, dtype).reshape(
            rounds, 2, width
        )
        samples = (uniforms[:, 0] * span + low).reshape(-1)
        return samples, uniforms[:, 1].reshape(-1) <= np.exp((top - samples * samples) / t(2))

    return Proposal("uniform", 2, width, propose)


def _exponential_proposal(low: Any, high: Any, dtype: np.dtype, rate: Any) -> Proposal:
    """Returns an exponential proposal, in which locations and acceptance numbers alternate."""
    width, t = _width(dtype), dtype.type

    def propose(stream: Stream, rounds: int) -> tuple[Array, Array]:
        uniforms = random_distributions.uniform(np, stream, rounds * width, dtype)
        samples = -np.log(uniforms[::2]) / rate + low
        proposal_gap = rate - samples if low < rate else low - rate
        return samples, (uniforms[1::2] <= np.exp(-proposal_gap * proposal_gap / t(2))) & (
            samples < high
        )

    return Proposal("exponential distribution", 1, width // 2, propose)
