"""Readers close their files, wherever a step stops."""

import gc
import gzip
import os
import sys
import warnings

import pytest

import tfmini as tf
from tfmini._src.ops.queues.reader_resource import FixedLengths


@pytest.mark.parametrize("encoding", ["", "GZIP"])
@pytest.mark.parametrize("read", [0, 1, 3])
def test_fixed_length_file_is_closed(tmp_path, encoding, read):
    path = tmp_path / "letters"
    content = b"abcdef"
    path.write_bytes(gzip.compress(content) if encoding else content)
    reader = FixedLengths("reader", 0, 2, 0, 0, encoding)
    with warnings.catch_warnings(record=True) as result:
        warnings.simplefilter("always")
        reader.start(str(path).encode())
        records = [reader.record() for _ in range(read)]
        reader.reset()
        gc.collect()
    assert [value for _, value in records] == [b"ab", b"cd", b"ef"][:read]
    assert not [each for each in result if each.category is ResourceWarning]


@pytest.mark.skipif(sys.platform != "linux", reason="of Linux only")
@pytest.mark.parametrize(
    "make",
    [
        lambda: tf.TextLineReader(),
        lambda: tf.FixedLengthRecordReader(2),
        lambda: tf.TFRecordReader(),
    ],
    ids=["lines", "lengths", "records"],
)
def test_closed_session_closes_reader_file(tmp_path, make):
    """Not the garbage collector, which may finalize the file before its reader."""
    path = str(tmp_path / "file")
    reader = make()
    if isinstance(reader, tf.TFRecordReader):
        with tf.python_io.TFRecordWriter(path) as writer:
            writer.write(b"ab")
            writer.write(b"cd")
    else:
        (tmp_path / "file").write_bytes(b"ab\ncd\n")
    queue = tf.FIFOQueue(2, tf.string, [])
    key, value = reader.read(queue)
    with tf.Session() as session:
        session.run(queue.enqueue(path))
        assert session.run(value) == b"ab"
        opened = [fd for fd in os.listdir("/proc/self/fd") if _leads_to(fd, path)]
        assert len(opened) == 1
    assert not [fd for fd in os.listdir("/proc/self/fd") if _leads_to(fd, path)]


def _leads_to(descriptor, path):
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}") == path
    except OSError:
        return False
