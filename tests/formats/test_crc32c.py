"""CRC-32C: its published check value, masking, and background checksums."""

import threading
import time

import google_crc32c
import numpy as np
import pytest

from tfmini._src.formats import crc32c as checksums, crc32c_in_numpy
from tfmini._src.formats.crc32c import ChecksumThread, Sum, crc32c, mask, unmask

DIGITS = b"123456789"


@pytest.mark.parametrize("library", [google_crc32c, crc32c_in_numpy])
@pytest.mark.parametrize("kind", [bytes, memoryview, lambda data: np.frombuffer(data, np.uint8)])
def test_crc32c_check_value(monkeypatch, kind, library):
    monkeypatch.setattr(checksums, "_library", library)
    assert crc32c(kind(DIGITS)) == 0xE3069283
    assert crc32c(kind(DIGITS[4:]), crc32c(kind(DIGITS[:4]))) == 0xE3069283


@pytest.mark.parametrize("size", [0, 1, 3, 8191, 8192, 8193, 65_537, (1 << 20) + 5])
@pytest.mark.parametrize("crc", [0, 0xE3069283, 0xFFFFFFFF])
def test_numpy_matches_library(size, crc):
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    assert crc32c_in_numpy.extend(crc, data) == google_crc32c.extend(crc, data.tobytes())


def test_masks():
    for crc in (0, 1, 0xE3069283, 0xFFFFFFFF):
        assert mask(crc) != crc
        assert unmask(mask(crc)) == crc


def test_background_checksums():
    data = np.random.default_rng(0).integers(0, 256, 1 << 20, np.uint8)
    sums = {size: Sum() for size in (1, 1000, 1 << 17, 1 << 20)}
    with ChecksumThread() as summing:
        for size, total in sums.items():
            for start in range(0, min(len(data), 100 * size), size):
                summing.add(total, data[start : start + size])
    for size, total in sums.items():
        assert total.crc == crc32c(data[: 100 * size])


def test_aborted_background_checksums():
    with pytest.raises(ZeroDivisionError, match="^meanwhile$"), ChecksumThread() as summing:
        summing.add(Sum(), np.zeros(1 << 20, np.uint8))
        raise ZeroDivisionError("meanwhile")


def test_awaited_thread_stops_helping():
    with ChecksumThread() as summing:
        assert summing.should_delegate() and summing.should_delegate()
        with summing.watch():
            time.sleep(0.05)
        messages = [summing.should_delegate() for _ in range(20)]
    assert not messages[0] and messages == sorted(messages) and messages[-1]


def test_thread_computes_sums_concurrently():
    class Noted(Sum):
        def add(self, part):
            super().add(part)
            self.by = threading.current_thread().name
            done.set()

    done, total = threading.Event(), Noted()
    with ChecksumThread() as summing:
        summing.add(total, np.frombuffer(DIGITS, np.uint8))
        assert done.wait(60)  # inside the block: the caller has not finished
    assert total.by == "tfmini-checksums"
    assert total.crc == 0xE3069283
