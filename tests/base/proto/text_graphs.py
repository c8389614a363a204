"""Graphs with every kind of value, written as text by either implementation.

python -m tests.base.proto.text_graphs FOLDER    # by TensorFlow
"""

import sys

import numpy as np

FLOATS = [
    0.1,
    1.0,
    1e-3,
    1e-7,
    3.14159274,
    1e20,
    1e6,
    123456789.0,
    2.0 / 3,
    1e-45,
    3.4e38,
    16777216.0,
    -0.0,
]
FLOATS += [float("nan"), float("inf"), -float("inf")]


def numbers(tf):
    for value in FLOATS:
        tf.constant(value)
        tf.constant(value, tf.float64)
    for kind in (tf.float32, tf.float64, tf.float16, tf.bfloat16, tf.complex64, tf.complex128):
        tf.constant([0.1, 1.5], kind)
    for kind in (tf.int8, tf.uint8, tf.int32, tf.int64):
        tf.constant([1, 2], kind)
    tf.constant(2.5, shape=[3])
    tf.constant(True)


def texts(tf):
    tf.constant([b"a", b"\xc3\xbc\n\x00\"'\\\x7f", b"\xff\xfe\t\r", b""])
    tf.constant("\u00fc")
    tf.placeholder(tf.string, [None, 3])
    tf.string_to_number(["1"], name="number")


def training(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.device("/cpu:0"), tf.name_scope("in"):
        v = tf.get_variable("v", [3, 3])
    loss = tf.reduce_sum(tf.matmul(tf.nn.leaky_relu(x, 0.2), v))
    tf.train.AdamOptimizer(1e-3).minimize(loss)
    tf.train.Saver()


def branches(tf):
    tf.cond(tf.placeholder(tf.bool), lambda: tf.constant(1.1), lambda: tf.constant(2.2))
    tf.while_loop(lambda i: i < 3.3, lambda i: i * np.float32(1.7), [tf.constant(0.7)])


GRAPHS = [numbers, texts, training, branches]


def write(tf, folder):
    for make in GRAPHS:
        with tf.Graph().as_default() as graph:
            make(tf)
            tf.train.write_graph(graph, folder, make.__name__ + ".pbtxt")
            tf.train.export_meta_graph(folder + "/" + make.__name__ + ".meta.pbtxt", as_text=True)


if __name__ == "__main__":
    import tensorflow

    write(tensorflow, sys.argv[1])
