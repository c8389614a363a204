"""Writes tests/golden/records/ with TensorFlow 1.15.5: run by its Python, from the project's folder.

python -m tests.formats.write_golden_records
"""

import os
import shutil
import tempfile

import tensorflow as tf

from tests.formats import event_files
from tests.formats.records import RECORDS, examples

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden", "records"
)


def write():
    for kind in ("", "GZIP", "ZLIB"):
        path = os.path.join(FOLDER, "records" + (kind and "." + kind.lower()))
        with tf.io.TFRecordWriter(path, kind) as writer:
            for record in RECORDS:
                writer.write(record)
    with tf.io.TFRecordWriter(os.path.join(FOLDER, "examples")) as writer:
        for example in examples(tf):
            writer.write(example.SerializeToString(deterministic=True))
    folder = tempfile.mkdtemp()
    event_files.write(tf, folder)
    (name,) = os.listdir(folder)
    events = list(tf.train.summary_iterator(os.path.join(folder, name)))
    with tf.io.TFRecordWriter(os.path.join(FOLDER, "events")) as writer:
        for index, event in enumerate(events):
            event.wall_time = 1.6e9 + index  # deterministic
            writer.write(event.SerializeToString())
    shutil.rmtree(folder)


if __name__ == "__main__":
    write()
