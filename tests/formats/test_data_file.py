"""A shard's bytes, read and checksummed in parts."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.formats import data_file
from tfmini._src.formats.crc32c import crc32c

BYTES = bytes(range(256)) * 3


@pytest.fixture
def shard(tmp_path, monkeypatch):
    monkeypatch.setattr(data_file, "_CHUNK_BYTES", 64)
    (tmp_path / "shard").write_bytes(BYTES)
    return data_file.DataFile(str(tmp_path / "shard"))


@pytest.mark.parametrize("offset, size", [(0, 768), (5, 64), (5, 63), (5, 65), (700, 68), (9, 0)])
def test_partial_reads_match_whole(shard, offset, size):
    expected = BYTES[offset : offset + size]
    assert shard.size == len(BYTES)
    assert shard.bytes(offset, size) == expected
    assert shard.checksum(offset, size) == crc32c(np.frombuffer(expected, np.uint8), 0)


def test_reading_past_the_end_is_data_loss(shard):
    for read in (shard.bytes, shard.checksum):
        with pytest.raises(tf.errors.DataLossError, match="^Read less bytes than requested: "):
            read(700, 69)
