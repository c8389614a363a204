"""Direct encoding of numeric summaries in protobuf's wire format, which is faster than through messages."""

from __future__ import annotations

from struct import Struct

from tfmini._src.formats.varints import varint
from tfmini._src.ops.summaries.histogram_buckets import Histogram

# A field's tag is its number times eight, plus its wire type: 0 varint, 1 double, 2 bytes, 5 float. Summary: 1
# value. Value: 1 tag, 2 simple_value, 5 histo. HistogramProto: 1 min, 2 max, 3 num, 4 sum, 5 sum_squares, all
# doubles; 6 bucket_limit, 7 bucket, packed.
_pack_float = Struct("<Bf").pack
_pack_double = Struct("<Bd").pack


def _encode_summary(tag: bytes, content: bytes) -> bytes:
    """Encodes a Summary of one value with its tag."""
    # An empty tag is the default and omitted.
    named = b"\x0a" + varint(len(tag)) + tag if tag else b""
    return b"\x0a" + varint(len(named) + len(content)) + named + content


def encode_scalar(tag: bytes, value: float) -> bytes:
    """Encodes a Summary of a number."""
    return _encode_summary(tag, _pack_float(0x15, value))


def encode_histogram(tag: bytes, histogram: Histogram) -> bytes:
    """Encodes a Summary of a histogram."""
    statistics = (
        histogram.smallest,
        histogram.largest,
        float(histogram.count),
        histogram.total,
        histogram.total_of_squares,
    )
    # Zeros are defaults and omitted.
    parts = [
        _pack_double(8 * position + 1, statistic)
        for position, statistic in enumerate(statistics, 1)
        if statistic
    ]
    for key, values in ((b"\x32", histogram.limits), (b"\x3a", histogram.counts)):
        packed = values.astype("<f8", copy=False).tobytes()
        parts += key, varint(len(packed)), packed
    body = b"".join(parts)
    return _encode_summary(tag, b"\x2a" + varint(len(body)) + body)
