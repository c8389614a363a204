"""A stream's consecutive words are those of its blocks, in requests of any size."""

import numpy as np
import pytest

from tfmini._src.devices.numpy import philox
from tfmini._src.devices.numpy.philox_words import Words

SEEDS = (7, -3)
MANY = 4 * 700  # words: more than are generated at once, several times


@pytest.fixture(scope="module")
def stream():
    """The words of 700 blocks, generated block by block."""
    seeded = philox.seeded_stream(*SEEDS)
    return [word for i in range(MANY // 4) for word in philox.block(seeded, i)]


def test_words_in_sequence(stream):
    words = Words(SEEDS)
    assert words.seeds == SEEDS and words.count == 0
    for position, expected in enumerate(stream):
        assert words.next() == expected, position
        assert words.count == position + 1
    assert type(words.next()) is int


@pytest.mark.parametrize("count", [1, 3, 4, 5, 61, 64, 1000, 5000])
def test_several_returns_at_most_count(stream, count):
    words, taken = Words(SEEDS), []
    while len(taken) < 2500:
        some = words.several(count)
        assert 1 <= len(some) <= count
        taken += some
        assert words.count == len(taken)
    some = len(taken[: len(stream)])
    assert taken[:some] == stream[:some]


def test_next_and_several_share_one_stream(stream):
    words, taken = Words(SEEDS), []
    for turn in range(400):
        taken.append(words.next())
        taken += words.several(turn % 7 + 1)
    assert taken == stream[: len(taken)] and words.count == len(taken)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 7, 60, 63, 64, 65, 255, 1021, 1024, 1025, 2047])
def test_stream_continues_after_skip(stream, count):
    words = Words(SEEDS)
    words.several(3)
    words.skip(count)
    assert words.count == count
    assert [words.next() for _ in range(300)] == stream[count : count + 300]
    assert words.count == count + 300


def test_words_have_32_bits(stream):
    assert max(stream) < 1 << 32 and max(stream) > 0.99 * (1 << 32) and min(stream) >= 0
    bits = np.unpackbits(np.array(stream, "<u4").view(np.uint8)).reshape(-1, 8).mean(axis=0)
    assert (abs(bits - 0.5) < 0.03).all()
