"""Random distributions compared with TensorFlow's first draws."""

import ml_dtypes
import numpy as np
import pytest

from tests.devices import streams
from tests.devices.numpy.recorded_streams import STREAM, assert_ends
from tests.support import cases
from tfmini._src.devices.numpy import (
    philox,
    random_choices,
    random_distributions,
)

DTYPES = {
    "bfloat16": ml_dtypes.bfloat16,
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
}

DRAWS = {
    "RandomUniform": random_distributions.uniform,
    "RandomStandardNormal": random_distributions.normal,
    "TruncatedNormal": random_distributions.truncated_normal,
}


@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize("name", DRAWS)
def test_floats(name, kind):
    full = f"{name} {kind}"
    exact = name == "RandomUniform" or kind in ("bfloat16", "float16")
    blocks = random_distributions.RESERVED_BLOCKS * streams.LONG
    assert_ends(full, lambda s: DRAWS[name](np, s, streams.LONG, DTYPES[kind]), blocks, exact=exact)


@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize("name", DRAWS)
def test_stateless_draws(name, kind):
    full = f"Stateless{name.replace('Standard', '')} {kind}"
    stream = philox.stateless_stream((3, -4))
    assert_ends(full, lambda s: DRAWS[name](np, s, 9, DTYPES[kind]), 0, stream, exact=False)


@pytest.mark.parametrize("low, high", streams.RANGES)
def test_integers(low, high):
    dtype = np.int32 if high < 2**31 else np.int64
    stream = philox.seeded_stream(-3, -4)
    assert_ends(
        f"RandomUniformInt {low} {high}",
        lambda s: random_distributions.uniform_integers(np, s, streams.LONG, low, high, dtype),
        random_distributions.RESERVED_BLOCKS * streams.LONG,
        stream,
    )


@pytest.mark.parametrize("size", streams.SIZES)
def test_shuffle(size):
    blocks = random_choices.permutation_blocks(size)
    assert_ends(f"RandomShuffle {size}", lambda s: random_choices.permutation(np, s, size), blocks)


@pytest.mark.parametrize("samples", [1, 50])
def test_multinomial(samples):
    logits = streams.LOGITS.astype(np.float32)
    blocks = random_choices.classes_blocks(len(logits), samples)
    assert_ends(
        f"Multinomial {samples}",
        lambda s: random_choices.classes(np, s, logits, samples),
        blocks,
    )


def test_multinomial_with_few_samples():
    logits = np.random.RandomState(0).randn(5, 300).astype(np.float32)
    actual = random_choices.classes(np, STREAM, logits, 6)
    numbers = random_distributions.uniform(np, STREAM, 30, np.float64).reshape(5, 6)
    bounds = np.cumsum(np.exp(logits - logits.max(1, keepdims=True), dtype=np.float64), axis=1)
    expected = [np.searchsorted(b, n * b[-1], "right") for b, n in zip(bounds, numbers)]
    assert (actual == expected).mean() > 0.96  # exp of a float differs in its last bits


@cases.in_one_test
@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 65535, 65536, 65540, 131073, 262145])
@pytest.mark.parametrize("name", DRAWS)
def test_short_draws_are_prefixes(name, size):
    long = DRAWS[name](np, STREAM, 400_000, np.float32)
    short = DRAWS[name](np, STREAM, size, np.float32)
    assert short.shape == (size,)
    np.testing.assert_array_equal(short, long[:size])


def test_truncated_normal_redraws():
    """Rows with many normals out of bounds need more than one additional block."""
    numbers = random_distributions.truncated_normal(np, STREAM, 2_000_000, np.float32)
    assert np.abs(numbers).max() < 2
    assert abs(float(numbers.std(dtype=np.float64)) - 0.8796) < 2e-3


@pytest.mark.parametrize("count", [2, 3, 17])
def test_permutation_matches_fisher_yates(count):
    words = random_distributions.raw_words(np, STREAM, count - 1)
    order = list(range(count))
    for place, word in enumerate(words):
        partner = place + int(word) % (count - place)
        order[place], order[partner] = order[partner], order[place]
    np.testing.assert_array_equal(random_choices.permutation(np, STREAM, count), order)
