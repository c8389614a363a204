"""Compressed files: flush points of a stream, against zlib."""

import io
import zlib

import pytest

from tfmini._src.formats.zlib_file import DeflatingFile, Deflation

PARTS = [b"abcdef", b"ghij", b"k" * 9, b"l", b"m" * 30, b"n"]


def deflated(steps):
    """A zlib stream of these parts and flush modes."""
    stream = zlib.compressobj(memLevel=9)
    done = [stream.flush(s) if isinstance(s, int) else stream.compress(s) for s in steps]
    return b"".join(done)


@pytest.mark.parametrize("mode", [zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH])
def test_stream_flushes_after_buffer_size(mode):
    file = io.BytesIO()
    writer = DeflatingFile(file, Deflation(flush_mode=mode, input_buffer_size=10))
    for part in PARTS:
        writer.write(part)
    a, b, c, d, e, f = PARTS
    assert file.getvalue() == deflated([a, b, mode, c, d, mode, e, mode, f])


def test_flush_resets_byte_count():
    file = io.BytesIO()
    writer = DeflatingFile(file, Deflation(flush_mode=zlib.Z_SYNC_FLUSH, input_buffer_size=10))
    writer.write(b"a" * 9)
    writer.flush()
    writer.write(b"b")
    assert file.getvalue() == deflated([b"a" * 9, zlib.Z_PARTIAL_FLUSH, b"b"])


def test_no_mode_never_flushes():
    file = io.BytesIO()
    writer = DeflatingFile(file, Deflation(input_buffer_size=1))
    for part in PARTS:
        writer.write(part)
    assert file.getvalue() == deflated(PARTS)
