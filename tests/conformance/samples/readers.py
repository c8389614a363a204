"""Readers in both forms: of names, files and their parts, with counts and states."""

import os
import tempfile
import zlib

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.formats.tf_record import TFRecordWriter
from tfmini._src.graph.opdef import raw

TEXT = b"one\ntwo\nthree"


def strings(*values):
    return np.array(values, object)


def written(text):
    path = os.path.join(tempfile.mkdtemp(), "file")
    with open(path, "wb") as file:
        file.write(text)
    return path


def records():
    path = written(b"")
    with TFRecordWriter(path) as writer:
        for record in (b"one", b"", b"three"):
            writer.write(record)
    return path


def node(name, form, *args, **attrs):
    return getattr(raw, name + form)(*args, **attrs)


def reading(kind, form, path, finish=None, up_to=10, **attrs):
    """Fills a queue with a unit of work and reads all of it; then the result of `finish` for the reader."""

    def build(tf):
        queue = node("FIFOQueue", form, component_types=[tf.string])
        reader = node(kind, form, **attrs)
        fill = node("QueueEnqueueMany", form, queue, [[path() if callable(path) else path]])
        return [fill, read(queue, reader), *(finish(reader) if finish else ())]

    def read(queue, reader):
        if up_to is None:
            return node("ReaderRead", form, reader, queue)
        return node("ReaderReadUpTo", form, reader, queue, up_to).values

    return build


def rows_of(form):
    letters = bytes(range(65, 91))
    two = b"\x08\x02\x10\x02\x18\x05"

    def counted(name):
        return lambda reader: [node(name, form, reader)]

    def restored(reader):
        change = node("ReaderRestoreState", form, reader, two)
        return [change, node("ReaderSerializeState", form, reader)]

    def reset(reader):
        return [node("ReaderReset", form, reader), node("ReaderSerializeState", form, reader)]

    fixed = {"header_bytes": 2, "record_bytes": 5, "footer_bytes": 3, "hop_bytes": 9}
    compressed = {**fixed, "encoding": "ZLIB"} if form else fixed
    kept = zlib.compress(letters) if form else letters
    return [
        Sample(
            f"WholeFileReader{form}",
            expect=strings(TEXT),
            build=reading("WholeFileReader", form, lambda: written(TEXT)),
        ),
        Sample(
            f"TextLineReader{form}",
            expect=strings(b"two", b"three"),
            build=reading(
                "TextLineReader", form, lambda: written(TEXT), skip_header_lines=1, up_to=2
            ),
        ),
        Sample(
            f"FixedLengthRecordReader{form}",
            expect=strings(b"CDEFG", b"LMNOP"),
            build=reading("FixedLengthRecordReader", form, lambda: written(kept), **compressed),
        ),
        Sample(
            f"TFRecordReader{form}",
            expect=strings(b"one", b"", b"three"),
            build=reading("TFRecordReader", form, records),
        ),
        Sample(
            f"IdentityReader{form}",
            expect=strings(b"work"),
            build=reading("IdentityReader", form, "work"),
        ),
        Sample(
            f"ReaderRead{form}",
            expect=(b"work", b"work"),
            build=reading("IdentityReader", form, "work", up_to=None),
        ),
        Sample(
            f"ReaderReadUpTo{form}",
            expect=strings(b"one", b"two"),
            build=reading("TextLineReader", form, lambda: written(TEXT), up_to=2),
        ),
        Sample(
            f"ReaderNumRecordsProduced{form}",
            expect=np.int64(3),
            build=reading(
                "TextLineReader", form, lambda: written(TEXT), counted("ReaderNumRecordsProduced")
            ),
        ),
        Sample(
            f"ReaderNumWorkUnitsCompleted{form}",
            expect=np.int64(1),
            build=reading("IdentityReader", form, "work", counted("ReaderNumWorkUnitsCompleted")),
        ),
        Sample(
            f"ReaderSerializeState{form}",
            expect=b'\x08\x01\x10\x01\x18\x01"\x04work',
            build=reading("IdentityReader", form, "work", counted("ReaderSerializeState")),
        ),
        Sample(
            f"ReaderRestoreState{form}",
            expect=two,
            build=reading("IdentityReader", form, "work", restored),
        ),
        Sample(
            f"ReaderReset{form}", expect=b"", build=reading("IdentityReader", form, "work", reset)
        ),
    ]


def of_a_resource(tf):
    """A queue's handle as a reference, as required by readers by reference."""
    queue = node("FIFOQueue", "V2", component_types=[tf.string])
    reader = raw.WholeFileReader()
    path = written(TEXT)
    fill = node("QueueEnqueueMany", "V2", queue, [[path]])
    return [fill, raw.ReaderReadUpTo(reader, raw.FakeQueue(queue), 1).values]


SAMPLES = [
    *rows_of("V2"),
    *rows_of(""),
    Sample("FakeQueue", expect=strings(TEXT), build=of_a_resource),
]
