"""Readers of files that are missing, damaged or of another kind, and queues that give no names of files."""

import os
import tempfile


def written(text, name="file"):
    path = os.path.join(tempfile.mkdtemp(), name)
    with open(path, "wb") as file:
        file.write(text)
    return path


def reading(tf, reader, *names):
    """Reads what is in a file until it ends, in an error."""
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


def a_state_that_contradicts_itself(tf):
    return tf.IdentityReader(name="reader").restore_state(b'\x08\x05\x10\x02"\x01a')


def a_state_below_zero(tf):
    return tf.IdentityReader(name="reader").restore_state(b"\x18" + b"\xff" * 9 + b"\x01")


def several_numbers_of_records(tf):
    queue = tf.FIFOQueue(9, [tf.string])
    tf.IdentityReader().read_up_to(queue, [1, 2])


CASES = {
    "no_such_whole_file": lambda tf: reading(tf, tf.WholeFileReader(), "/nowhere/at/all"),
    "a_folder_of_fixed_lengths": lambda tf: reading(tf, tf.FixedLengthRecordReader(3), "/"),
    "lines_that_end": lambda tf: reading(tf, tf.TextLineReader(), written(b"a\nb")),
    "a_header_longer_than_the_file": lambda tf: reading(
        tf, tf.FixedLengthRecordReader(3, 100), written(b"abc")
    ),
    "no_zlib": lambda tf: reading(
        tf, tf.FixedLengthRecordReader(3, encoding="ZLIB"), written(b"not zlib")
    ),
    "no_records": lambda tf: reading(
        tf, tf.TFRecordReader(), written(b"a text that is longer than a header")
    ),
    "no_compression_of_that_name": lambda tf: tf.TFRecordReader(options="bz2"),
    "a_negative_header": lambda tf: tf.FixedLengthRecordReader(3, -1).num_records_produced(),
    "a_negative_footer": lambda tf: tf.FixedLengthRecordReader(3, 1, -2).num_records_produced(),
    "a_negative_hop": lambda tf: tf.FixedLengthRecordReader(3, 1, 2, -3).num_records_produced(),
    "a_queue_of_numbers": lambda tf: taken(tf, [tf.constant(1)]),
    "a_queue_of_pairs": lambda tf: taken(tf, [tf.constant("a"), tf.constant("b")]),
    "a_queue_of_lists": lambda tf: taken(tf, [tf.constant(["a", "b"])]),
    "no_state_of_lines": lambda tf: tf.TextLineReader().serialize_state(),
    "no_state_of_records_to_restore": lambda tf: tf.TFRecordReader().restore_state(b""),
    "no_state": lambda tf: tf.IdentityReader(name="reader").restore_state(b"z\nz"),
    "several_states": lambda tf: tf.IdentityReader().restore_state(["a", "b"]),
}
