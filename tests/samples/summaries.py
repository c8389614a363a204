"""Summaries: the messages that are written, spelled out with proto."""

import zlib

import numpy as np

from tests.samples import Sample
from tfmini import proto


def text(value):
    return np.array(value, object)


def summary(**fields):
    return text(proto.Summary(value=[proto.Summary.Value(**fields)]).SerializeToString())


def grey(tag, rows):
    """The summary of a grey picture, each of whose rows is smallest as it is."""
    packed = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    header = len(rows[0]).to_bytes(4, "big") + len(rows).to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    chunks = ((b"IHDR", header), (b"IDAT", packed), (b"IEND", b""))
    file = b"\x89PNG\r\n\x1a\n" + b"".join(
        len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
        for kind, data in chunks
    )
    image = proto.Summary.Image(
        height=len(rows), width=len(rows[0]), colorspace=1, encoded_image_string=file
    )
    return summary(tag=tag, image=image)


LARGEST = np.finfo("d").max
EMPTY = {"min": LARGEST, "max": -LARGEST, "bucket_limit": [LARGEST], "bucket": [0]}
# Of 3, 3 and 0: buckets end at 0, at the next above it, and on both sides of 3.
LIMITS = [1e-12]
while LIMITS[-1] <= 3:
    LIMITS.append(LIMITS[-1] * 1.1)
SOME = {"min": 0, "max": 3, "num": 3, "sum": 6, "sum_squares": 18}
SOME |= {"bucket_limit": [0, LIMITS[0], *LIMITS[-2:], LARGEST], "bucket": [0, 1, 0, 2, 0]}
LOSS, ACCURACY = (summary(tag=tag, simple_value=0.5) for tag in ("loss", "accuracy"))

SAMPLES = [
    Sample("ScalarSummary", [text(b"loss"), np.float32(0.5)], expect=LOSS),
    Sample("ScalarSummary", [text([b"loss"]), np.array([0.5])], expect=LOSS, note="vectors"),
    Sample(
        "HistogramSummary",
        [text(b"h"), np.array([[3], [0], [3]], "i2")],
        expect=summary(tag="h", histo=proto.HistogramProto(**SOME)),
    ),
    Sample(
        "HistogramSummary",
        [text(b"h"), np.zeros([0, 2], "f")],
        expect=summary(tag="h", histo=proto.HistogramProto(**EMPTY)),
        note="empty",
    ),
    Sample(
        "ImageSummary",
        [text(b"i"), np.array([[[[0], [255]], [[255], [1]]]], np.uint8)],
        {"max_images": 1},
        expect=grey("i/image", [[0, 255], [255, 1]]),
    ),
    Sample(
        "ImageSummary",
        [text(b"i"), np.array([[[[0], [2]], [[np.nan], [1]]]], "f")],
        expect=grey("i/image/0", [[0, 255], [255, 127]]),
        note="floats",
    ),
    Sample(
        "MergeSummary",
        [[LOSS, text([ACCURACY.item()])]],
        expect=text(LOSS.item() + ACCURACY.item()),
    ),
    Sample(
        "TensorSummaryV2",
        [
            text(b"t"),
            np.array([1, 2], "i4"),
            text(proto.SummaryMetadata(display_name="T").SerializeToString()),
        ],
        expect=summary(
            tag="t",
            tensor=proto.TensorProto(
                dtype=proto.DT_INT32,
                tensor_shape={"dim": [{"size": 2}]},
                tensor_content=np.array([1, 2], "i4").tobytes(),
            ),
            metadata=proto.SummaryMetadata(display_name="T"),
        ),
    ),
]
