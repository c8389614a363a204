"""Readers of missing, damaged or mismatched files, and queues without file names."""

import os
import tempfile


def written(text, name="file"):
    path = os.path.join(tempfile.mkdtemp(), name)
    with open(path, "wb") as file:
        file.write(text)
    return path


def reading(tf, reader, *names):
    """Reads a file's records until an error."""
    queue = tf.FIFOQueue(9, [tf.string], name="queue")
    given = tf.placeholder(tf.string, [None])
    read = reader.read(queue, name="read")
    fill, close = queue.enqueue_many([given]), queue.close()

    def run(sess):
        sess.run(fill, {given: names})
        sess.run(close)
        for _ in range(9):
            sess.run(read)

    return run


def taken(tf, value):
    queue = tf.FIFOQueue(9, [tf.as_dtype(v.dtype) for v in value], name="queue")
    read = tf.IdentityReader(name="reader").read(queue, name="read")
    fill = queue.enqueue(value)
    return lambda sess: [sess.run(fill), sess.run(read)]


def records_that_are_not_compressed(tf):
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    return reading(tf, tf.TFRecordReader(options=options), written(b"a text"))


def several_numbers_of_records(tf):
    queue = tf.FIFOQueue(9, [tf.string])
    tf.IdentityReader().read_up_to(queue, [1, 2])
