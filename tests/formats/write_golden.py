"""Writes tests/golden/checkpoints/ with TensorFlow 1.15.5: run by its Python, from the project's folder.

python -m tests.formats.write_golden
"""

import os

import numpy as np
import tensorflow as tf

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden", "checkpoints"
)


def _part(shape, dtype, partition_info):
    first = partition_info.var_offset[0]
    return tf.constant(np.arange(28.0).reshape(7, 4)[first : first + shape[0]], dtype)


def write():
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("matrix", initializer=np.arange(6, dtype=np.float32).reshape(2, 3))
        tf.get_variable("strings", initializer=np.array([b"x", b"", b"\x00\xff longer" * 30]))
        tf.get_variable("deep/er/half", initializer=tf.cast(np.arange(4.0), tf.bfloat16))
        tf.get_variable("number", initializer=np.int64(7))
        tf.get_variable("nothing", initializer=np.zeros([0, 3], np.float64))
        tf.get_variable(
            "parts",
            [7, 4],
            tf.float64,
            initializer=_part,
            partitioner=tf.fixed_size_partitioner(3),
        )
        for i in range(40):
            tf.get_variable(f"many/v{i:03d}", initializer=float(i))
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, os.path.join(FOLDER, "bundle"), write_meta_graph=False)
        os.remove(os.path.join(FOLDER, "checkpoint"))


if __name__ == "__main__":
    write()
