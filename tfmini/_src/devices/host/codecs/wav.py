"""WAV files with 16-bit samples, read and written as in TensorFlow."""

from __future__ import annotations

import struct

import numpy as np


class UnreadableWavError(Exception):
    """Raised for data that is not a WAV file, with TensorFlow's message."""


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def read_text(self, count: int = 4) -> bytes:
        part = self.data[self.at : self.at + count]
        if len(part) < count:
            raise UnreadableWavError("Data too short when trying to read string")
        self.at += count
        return part

    def expect(self, expected: bytes) -> None:
        actual = self.read_text(len(expected))
        if actual != expected:
            names = (part.decode("latin-1") for part in (expected, actual))
            raise UnreadableWavError("Header mismatch: Expected {} but found {}".format(*names))

    def read_number(self, code: str) -> int:
        size = struct.calcsize(code)
        if self.at + size > len(self.data):
            raise UnreadableWavError("Data too short when trying to read string")
        (value,) = struct.unpack_from("<" + code, self.data, self.at)
        self.at += size
        return value


def _read_format(reader: _Reader) -> tuple[int, int]:
    """Returns (channels, sample rate) from the header."""
    reader.expect(b"RIFF")
    reader.read_number("I")
    reader.expect(b"WAVE")
    reader.expect(b"fmt ")
    size = reader.read_number("I")
    if size not in (16, 18):
        raise UnreadableWavError(f"Bad file size for WAV: Expected 16 or 18, but got{size}")
    encoding = reader.read_number("H")
    if encoding != 1:
        raise UnreadableWavError(f"Bad audio format for WAV: Expected 1 (PCM), but got{encoding}")
    channels = reader.read_number("H")
    if channels < 1:
        text = f"Bad number of channels for WAV: Expected at least 1, but got {channels}"
        raise UnreadableWavError(text)
    rate, a_second, a_sample, bits = (reader.read_number(code) for code in "IIHH")
    if bits != 16:
        raise UnreadableWavError(f"Can only read 16-bit WAV files, but received {bits}")
    expected = (bits * channels + 7) // 8
    if a_sample != expected:
        text = f"Bad bytes per sample in WAV header: Expected {expected} but got {a_sample}"
        raise UnreadableWavError(text)
    if a_second != rate * expected & 0xFFFFFFFF:
        raise UnreadableWavError(
            f"Bad bytes per second in WAV header: Expected {rate * expected} but got {a_second} "
            f"(sample_rate={rate}, bytes_per_sample={expected})"
        )
    if size == 18:
        reader.at += 2
    return channels, rate


def decode(data: bytes) -> tuple[np.ndarray, int]:
    """Returns float32 [samples, channels] in [-1, 1) and the sample rate; raises UnreadableWavError if unsupported."""
    reader = _Reader(data)
    channels, rate = _read_format(reader)
    samples = None
    while reader.at < len(data):
        chunk_id, size = reader.read_text(), reader.read_number("I")
        if size > 0x7FFFFFFF:
            text = f"'{chunk_id.decode('latin-1')}' is too large: {size} bytes"
            raise UnreadableWavError(f"WAV data chunk {text}, but the limit is 2147483647")
        if chunk_id == b"data":
            if samples is not None:
                raise UnreadableWavError("More than one data chunk found in WAV")
            count = size // (2 * channels)
            if reader.at + 2 * channels * count > len(data):
                raise UnreadableWavError("Data too short when trying to read string")
            integers = np.frombuffer(data, "<i2", count * channels, reader.at)
            samples = integers.reshape(count, channels).astype("f") / np.float32(32768)
        reader.at += size
    if samples is None:
        raise UnreadableWavError("No data chunk found in WAV")
    return samples, rate


def encode(samples: np.ndarray, rate: int) -> bytes:
    """Encodes floats [samples, channels] as a WAV file; clips values outside [-1, 1)."""
    channels = samples.shape[1]
    scaled = np.nan_to_num(samples.astype("f") * np.float32(32768), nan=0.0)
    # Halves away from zero, as in C.
    halves = np.trunc(scaled.astype("d") + np.copysign(0.5, scaled))
    encoded = np.clip(halves, -32768, 32767).astype("<i2").tobytes()
    a_sample = 2 * channels
    fmt_chunk = struct.pack(
        "<IHHIIHH", 16, 1, channels, rate, rate * a_sample & 0xFFFFFFFF, a_sample, 16
    )
    body = b"WAVEfmt " + fmt_chunk + b"data" + struct.pack("<I", len(encoded)) + encoded
    return b"RIFF" + struct.pack("<I", len(body)) + body
