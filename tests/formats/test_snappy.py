"""Snappy blocks: from the reference compressor, hand-built for each element type, and damaged."""

import numpy as np
import pytest

from tests.support.lazy_modules import LazyModule
from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.snappy import decompress, uncompressed_size

cramjam = LazyModule("cramjam")
RNG = np.random.default_rng(0)
TEXTS = {
    "empty": b"",
    "noise": RNG.bytes(200),
    "long noise": RNG.bytes(70_000),
    "a run": b"a" * 100_000,
    "words": b" ".join(b"layer_%d/kernel" % i for i in range(5000)),
    "far copies": RNG.bytes(40_000) * 2,
}


@pytest.mark.parametrize("name", TEXTS)
def test_library_output_is_decompressed(name):
    data = bytes(cramjam.snappy.compress_raw(TEXTS[name]))
    assert uncompressed_size(data) == len(TEXTS[name])
    assert decompress(data) == TEXTS[name]


@pytest.mark.parametrize(
    "data, text",
    [
        (b"\x03\x08abc", b"abc"),
        (b"\x03\xf0\x02abc", b"abc"),  # length in a separate byte
        (b"\x03\xf4\x02\x00abc", b"abc"),  # length in two bytes
        (b"\x08\x04ab\x09\x02", b"abababab"),  # a copy of six bytes from two bytes back
        (b"\x05\x04ab\x0a\x02\x00", b"ababa"),  # offset in two bytes
        (b"\x05\x04ab\x0b\x02\x00\x00\x00", b"ababa"),  # offset in four bytes
    ],
)
def test_every_element_kind(data, text):
    assert decompress(data) == text
    assert bytes(cramjam.snappy.decompress_raw(data)) == text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x03",
        b"\x03\x08ab",  # a truncated literal
        b"\x03\xf0",  # without its length
        b"\x02\x08abc",  # more than declared
        b"\x04\x08abc",  # less than declared
        b"\x08\x04ab\x09\x03",  # a copy from before the beginning
        b"\x08\x04ab\x09\x00",  # a copy of bytes not yet written
        b"\x08\x04ab\x0a\x02",  # truncated offset
        b"\x05\x04ab\x09\x02",  # a copy beyond the declared size
    ],
)
def test_damaged_blocks(data):
    with pytest.raises(DataLossError, match="^no "):
        decompress(data)
