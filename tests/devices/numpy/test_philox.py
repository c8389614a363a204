"""Random streams compared with numbers drawn by TensorFlow 1.15.5 (record_streams.py)."""

import numpy as np
import pytest

from tfmini._src.devices.numpy import (
    philox,
)


@pytest.mark.parametrize("offset", [0, 2**32 - 20, 2**63, 2**64 - 20, 2**40 + 3])
def test_word_arrays_match_single_blocks(offset):
    stream = philox.Stream((0x12345678, 0x9ABCDEF0), 2**63 + 77, offset)
    generator = philox.Generator()
    indices = np.arange(7, 57, dtype=np.uint64)
    for words in (
        generator.words(np, stream, 7, 50, generator.lanes(np, 3, 50)),
        generator.words_at(np, stream, indices, generator.lanes(np, 3, 50)),
    ):
        odd = words.odd & np.uint64(philox.LOW)
        for place in range(50):
            result = words.even[place], odd[place], words.even[50 + place], odd[50 + place]
            assert tuple(map(int, result)) == philox.block(stream, 7 + place)


def test_known_answer_vectors():
    """Test vectors published with Random123, philox4x32 with 10 rounds."""
    assert philox.block(philox.Stream((0, 0), 0), 0) == (
        *(0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8),
    )
    ones = philox.Stream((2**32 - 1, 2**32 - 1), 2**64 - 1, 2**64 - 1)
    assert philox.block(ones, 0) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
