"""Native random streams are bit-identical to NumPy's."""

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host.native import random_numbers
from tfmini._src.devices.numpy import (
    candidate_sampler,
    random_choices,
    random_distributions,
    rejection_sampling,
)
from tfmini._src.devices.numpy.philox import Stream

STREAMS = (
    Stream((123, 456789), 0x123456789ABCDEF, 0xFFFFFFF0),
    Stream((0, 0), 0, 0),
    Stream((2**32 - 1, 7), 2**64 - 1, 2**64 - 3),  # the counter passes its end
)
DRAWS = {
    "raw_words": lambda s, n: random_distributions.raw_words(np, s, n),
    "raw_double_words": lambda s, n: random_distributions.raw_double_words(np, s, n),
    "uniform float32": lambda s, n: random_distributions.uniform(np, s, n, "f"),
    "uniform float64": lambda s, n: random_distributions.uniform(np, s, n, "d"),
    "normal float32": lambda s, n: random_distributions.normal(np, s, n, "f"),
    "truncated float32": lambda s, n: random_distributions.truncated_normal(np, s, n, "f"),
    "integers": lambda s, n: random_distributions.uniform_integers(np, s, n, -5, 1000, np.int32),
}


@pytest.mark.parametrize("name", DRAWS)
def test_draws_are_bitwise_equal_to_numpy(build, use_build, name):
    for stream in STREAMS:
        for size in (1, 3, 64, 1000, 70_001):
            use_build(build)
            got = DRAWS[name](stream, size)
            use_build("0")
            expected = DRAWS[name](stream, size)
            assert got.dtype == expected.dtype
            np.testing.assert_array_equal(got, expected)


def test_missing_library_fills_nothing(use_build):
    use_build("0")
    assert random_numbers.fill("words", STREAMS[0], 10, 4, np.uint32) is None


@pytest.mark.parametrize("draw", [rejection_sampling.gamma, rejection_sampling.poisson])
@pytest.mark.parametrize("samples", [1, 15, 17, 3000])
def test_rejection_sampling_matches_numpy(build, use_build, draw, samples):
    special = [np.nan, np.inf, -1.0, 0.0, 1.0, 1e-3]
    parameters = np.array([*special, 0.4, 3.0, 9.99, 10.0, 40.0, 1e6], np.float32)
    for stream in STREAMS:
        use_build(build)
        got = draw(np, stream, parameters, samples)
        use_build("0")
        expected = draw(np, stream, parameters, samples)
        np.testing.assert_allclose(got, expected, 1e-12)


@pytest.mark.parametrize("samples", [1, 15, 17, 3000])
def test_rounded_gamma_samples_are_nearest_floats(build, samples):
    special = [np.nan, np.inf, -1.0, 0.0, 1.0, 0.4, 1e300]
    parameters = np.array([*special, 1.0001, 3.0, 40.0, 1e6, 1e30])
    with np.errstate(over="ignore"):
        for stream in STREAMS:
            exact = rejection_sampling.gamma(np, stream, parameters, samples)
            rounded = rejection_sampling.gamma(np, stream, parameters, samples, True)
            np.testing.assert_array_equal(rounded.astype("f"), exact.astype("f"))
            assert samples < 3000 or (rounded != exact)[:, -4:].mean() > 0.5


def test_gamma_parameter_runs_do_not_leak(build):
    parameters = np.array([1.5, 1.0, 2.0, 1.5])
    for samples in (1, 2, 4):
        exact = rejection_sampling.gamma(np, STREAMS[0], parameters, samples)
        rounded = rejection_sampling.gamma(np, STREAMS[0], parameters, samples, True)
        np.testing.assert_array_equal(rounded.astype("f"), exact.astype("f"))


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("classes", [1, 7, 8, 17, 1000])
def test_multinomial_matches_numpy(build, use_build, dtype, classes):
    rng = np.random.default_rng(classes)
    logits = (rng.standard_normal((40, classes)) * 30).astype(dtype)
    logits[rng.random(logits.shape) < 0.1] = rng.choice([np.nan, np.inf, -np.inf])
    logits[0] = np.nan
    for samples in (1, 5, 300):
        use_build(build)
        got = random_choices.classes(np, STREAMS[0], logits, samples)
        use_build("0")
        expected = random_choices.classes(np, STREAMS[0], logits, samples)
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


@cases.in_one_test
@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize(
    ("size", "count"), [(50_000, 64), (50, 15), (10, 10), (1000, 1), (1, 1), (2**40, 300)]
)
def test_log_uniform_sampler_matches_numpy(build, stream, size, count):
    sampler = candidate_sampler.LogUniform(size)
    known = np.random.RandomState(0).randint(0, min(size, 2**31 - 1), (7, 3))
    result = random_numbers.log_uniform(stream, known, count, size, sampler.log_size)
    wanted, tries = candidate_sampler.sample(sampler, stream, count, unique=True)
    classes = np.append(known, wanted)
    expected = candidate_sampler.expected_count(sampler.probability(classes), count, tries)
    np.testing.assert_array_equal(result[0], classes)
    np.testing.assert_allclose(result[1], expected, rtol=2e-6)
    assert result[2] == tries


def test_excessive_rejections_fall_back_to_numpy(build):
    size = 2000
    sampler = candidate_sampler.LogUniform(size)
    known = np.zeros((1, 1), np.int64)
    for most, is_made in ((size, False), (size // 2, True)):
        result = random_numbers.log_uniform(STREAMS[0], known, most, size, sampler.log_size)
        assert (result is not None) == is_made
