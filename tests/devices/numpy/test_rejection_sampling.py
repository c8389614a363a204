"""Gamma and Poisson samples compared with TensorFlow's first draws."""

import numpy as np

from tests.devices import streams
from tests.devices.numpy.recorded_streams import assert_ends
from tfmini._src.devices.numpy import (
    random_distributions,
    rejection_sampling,
)


def test_gamma_matches_recorded_stream():
    blocks = random_distributions.RESERVED_BLOCKS * 200 * len(streams.ALPHAS)
    assert_ends(
        "RandomGamma",
        lambda s: rejection_sampling.gamma(np, s, streams.ALPHAS, 200),
        blocks,
        exact=False,
    )


def test_poisson_matches_recorded_stream():
    blocks = random_distributions.RESERVED_BLOCKS * 200 * len(streams.RATES)
    assert_ends(
        "RandomPoissonV2", lambda s: rejection_sampling.poisson(np, s, streams.RATES, 200), blocks
    )
