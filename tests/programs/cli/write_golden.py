"""Writes tests/golden/inspected/ with TensorFlow 1.15.5: run by its Python, from the project's folder.

python -m tests.programs.cli.write_golden
"""

import os
import shutil

import numpy as np
import tensorflow as tf

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
    "golden",
    "inspected",
)


def model():
    """A layer on 8 x 8 images, and an op that only TensorFlow has."""
    images = tf.placeholder(tf.float32, [None, 64], name="images")
    with tf.device("/device:GPU:0"):
        start = np.linspace(-1, 1, 640, dtype=np.float32).reshape(64, 10)
        weights = tf.get_variable("layer/weights", initializer=start)
    bias = tf.get_variable("layer/bias", [10], initializer=tf.zeros_initializer())
    digits = tf.nn.softmax(tf.matmul(images, weights) + bias, name="digits")
    tf.raw_ops.ImmutableConst(
        dtype=tf.float32, shape=[2], memory_region_name="region", name="mapped"
    )
    return images, digits


def write():
    shutil.rmtree(FOLDER, ignore_errors=True)
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Graph().as_default() as graph, tf.Session(config=config) as session:
        images, digits = model()
        saver = tf.train.Saver(save_relative_paths=True)
        session.run(tf.global_variables_initializer())
        for step in (1, 2):
            saver.save(session, os.path.join(FOLDER, "model"), step, write_meta_graph=False)
            session.run(tf.assign_add(tf.global_variables()[1], np.arange(10) / 10))
        session.run(tf.global_variables_initializer())
        saver.export_meta_graph(os.path.join(FOLDER, "model.meta"))
        graph_def = tf.graph_util.convert_variables_to_constants(
            session, graph.as_graph_def(), ["digits", "mapped"]
        )
        tf.io.write_graph(graph_def, FOLDER, "frozen.pb", as_text=False)
        tf.saved_model.simple_save(
            session, os.path.join(FOLDER, "saved"), {"images": images}, {"digits": digits}
        )


if __name__ == "__main__":
    write()
