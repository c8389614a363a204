"""Summaries: the written messages, built with proto, as results and in event files."""

import glob
import struct
import tempfile
import zlib

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.base import proto
from tfmini._src.graph.opdef import raw


def text(value):
    return np.array(value, object)


def summary(**fields):
    return text(proto.Summary(value=[proto.Summary.Value(**fields)]).SerializeToString())


def grey(tag, rows):
    """The summary of a gray image, each of whose rows is smallest unfiltered."""
    packed = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    packed = b"\x08\x99" + packed[2:]  # libpng declares a window of 256 bytes
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
# For 3, 3 and 0: buckets end at 0, at the next limit above it, and on both sides of 3.
LIMITS = [1e-12]
while LIMITS[-1] <= 3:
    LIMITS.append(LIMITS[-1] * 1.1)
SOME = {"min": 0, "max": 3, "num": 3, "sum": 6, "sum_squares": 18}
SOME |= {"bucket_limit": [0, LIMITS[0], *LIMITS[-2:], LARGEST], "bucket": [0, 1, 0, 2, 0]}
LOSS, ACCURACY = (summary(tag=tag, simple_value=0.5) for tag in ("loss", "accuracy"))


def wave(tag, numbers):
    """The summary of one channel at 8000 samples per second."""
    data = struct.pack(f"<{len(numbers)}h", *numbers)
    header = struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
    body = b"WAVEfmt " + header + b"data" + len(data).to_bytes(4, "little") + data
    audio = {"sample_rate": 8000, "num_channels": 1, "length_frames": len(numbers)}
    file = b"RIFF" + len(body).to_bytes(4, "little") + body
    audio |= {"encoded_audio_string": file, "content_type": "audio/wav"}
    return summary(tag=tag, audio=proto.Summary.Audio(**audio))


SOUND = np.array([[0, 0.5, -2]], "f")
GRAPH = proto.GraphDef(versions={"producer": 134}).SerializeToString()
EVENT = proto.Event(step=3, summary=proto.Summary.FromString(LOSS.item())).SerializeToString()


def written(kind, *inputs, **attrs):
    """The content of a file written by a summary op: the events without their times, and the end of the file."""

    def build(tf):
        folder = tempfile.mkdtemp()
        writer = raw.SummaryWriter(shared_name="writer")
        made = raw.CreateSummaryFileWriter(writer, folder, 10, 10**6, ".end")
        step = [] if kind == "ImportEvent" else [tf.constant(3, tf.int64)]
        op = getattr(raw, kind)(writer, *step, *inputs, **attrs)

        def events(session):
            (path,) = glob.glob(f"{folder}/*.end")
            found = list(tf.train.summary_iterator(path))[1:]
            for event in found:
                event.ClearField("wall_time")
            return text([event.SerializeToString() for event in found])

        last = raw.CloseSummaryWriter if kind == "WriteGraphSummary" else raw.FlushSummaryWriter
        return [made, op, last(writer), events]

    return build


def event(kind, value, *inputs, op=None, **attrs):
    """A sample of an op that writes an event."""
    message = proto.Event(step=3, **{kind: value})
    expect = text([message.SerializeToString()])
    return Sample(op, expect=expect, build=written(op, *inputs, **attrs))


def summary_event(op, value, *inputs, **attrs):
    return event("summary", proto.Summary.FromString(value.item()), *inputs, op=op, **attrs)


def writer_samples():
    number = summary_event("WriteScalarSummary", LOSS, "loss", 0.5)
    graph = event("graph_def", GRAPH, GRAPH, op="WriteGraphSummary")
    both = [number, graph, number, graph]
    kinds = ("SummaryWriter", "CloseSummaryWriter", "FlushSummaryWriter", "CreateSummaryFileWriter")
    whole = proto.TensorProto(dtype=proto.DT_STRING, tensor_shape={}, string_val=[b"s"])
    metadata = proto.SummaryMetadata(display_name="T")
    histogram = summary(tag="h", histo=proto.HistogramProto(**SOME))
    red = np.array([255, 0, 0, 255], np.uint8)
    return [
        *(Sample(kind, expect=of.expect, build=of.build) for kind, of in zip(kinds, both)),
        number,
        graph,
        summary_event("WriteHistogramSummary", histogram, "h", np.array([3, 0, 3], "f")),
        summary_event(
            "WriteImageSummary",
            grey("i/image", [[0, 255], [255, 127]]),
            "i",
            np.array([[[[0], [2]], [[np.nan], [1]]]], "f"),
            red,
            max_images=1,
        ),
        summary_event(
            "WriteAudioSummary", wave("a/audio/0", [0, 16384, -32768]), "a", SOUND, 8000.0
        ),
        summary_event(
            "WriteSummary",
            summary(tag="t", tensor=whole, metadata=metadata),
            "s",
            "t",
            metadata.SerializeToString(),
        ),
        summary_event("WriteRawProtoSummary", LOSS, [LOSS.item(), b""]),
        Sample("ImportEvent", expect=text([EVENT]), build=written("ImportEvent", EVENT)),
    ]


SAMPLES = [
    *writer_samples(),
    Sample(
        "AudioSummaryV2",
        [text(b"a"), SOUND, np.float32(8000)],
        expect=wave("a/audio/0", [0, 16384, -32768]),
        gradient=(),
    ),
    Sample(
        "TensorSummary",
        [np.float32(2)],
        expect=summary(
            node_name="TensorSummary",
            tensor=proto.TensorProto(
                dtype=proto.DT_FLOAT, tensor_shape={}, tensor_content=np.float32(2).tobytes()
            ),
        ),
    ),
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
