"""Workloads on record files, for both sides; also run under Python 3.7."""

import os
import tempfile

from ci.commands.benchmarks.workloads import Step

RECORDS = {}

COUNT = 10000


def records(function):
    """Registers a workload that is timed in a loop."""
    RECORDS[function.__name__] = function
    return function


def write(tf, path):
    """COUNT records of 1 KB."""
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(COUNT):
            writer.write(PIECES[i % len(PIECES)])


def read(tf, path):
    """The number of bytes read, with verified checksums."""
    return sum(len(record) for record in tf.python_io.tf_record_iterator(path))


PIECES = [bytes([i]) * 1024 for i in range(256)]


@records
def record_write(tf):
    """Writes a file of 10,000 records of 1 KB."""
    path = os.path.join(tempfile.mkdtemp(), "records")
    return Step(lambda: write(tf, path), lambda: read(tf, path))


@records
def record_read(tf):
    """Reads the same file."""
    path = os.path.join(tempfile.mkdtemp(), "records")
    write(tf, path)
    return Step(lambda: read(tf, path), lambda: read(tf, path))
