"""Writes tests/golden/checkpoints/ with TensorFlow 1.15.5: run by its Python, from the project's folder.

python -m tests.formats.write_golden
"""

import os

import numpy as np
import tensorflow as tf

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden", "checkpoints"
)
KINDS = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "int64", "float16"),
    *("bfloat16", "float32", "float64", "complex64", "complex128"),
)
# Version 1 cannot store its numbers.
NOT_IN_OLD = ("bfloat16",)


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
        for version, name in ((tf.train.SaverDef.V2, "bundle"), (tf.train.SaverDef.V1, "old")):
            chosen = tf.global_variables()
            if version == tf.train.SaverDef.V1:
                chosen = [v for v in chosen if v.dtype.base_dtype.name not in NOT_IN_OLD]
            saver = tf.train.Saver(chosen, write_version=version)
            saver.save(session, os.path.join(FOLDER, name), write_meta_graph=False)
        with tf.device("/cpu:0"):
            tf.get_variable("large", initializer=np.arange(300))
        session.run(tf.global_variables_initializer())
        chosen.append(tf.global_variables()[-1])
        saver = tf.train.Saver(chosen, write_version=tf.train.SaverDef.V1, sharded=True)
        saver.save(session, os.path.join(FOLDER, "shards"), write_meta_graph=False)
        for kind in KINDS:
            tf.get_variable(f"of_{kind}", initializer=tf.cast([0, 1, 100], kind))
        session.run(tf.global_variables_initializer())
        of_kinds = [v for v in tf.global_variables() if v.name.startswith("of_")]
        for version, name in ((tf.train.SaverDef.V2, "kinds"), (tf.train.SaverDef.V1, "old_kinds")):
            if version == tf.train.SaverDef.V1:
                of_kinds = [v for v in of_kinds if v.dtype.base_dtype.name not in NOT_IN_OLD]
            saver = tf.train.Saver(of_kinds, write_version=version)
            saver.save(session, os.path.join(FOLDER, name), write_meta_graph=False)
        os.remove(os.path.join(FOLDER, "checkpoint"))
    write_objects()


def write_objects():
    """A checkpoint of `tf.train.Checkpoint`, whose keys are object paths instead of names."""
    with tf.Graph().as_default(), tf.Session() as session:
        a = tf.get_variable("scope/a", initializer=np.arange(3.0), use_resource=True)
        b = tf.get_variable("b", initializer=[5, 6], use_resource=True)
        session.run(tf.global_variables_initializer())
        checkpoint = tf.train.Checkpoint(first=a, other=b)
        prefix = os.path.join(FOLDER, "objects")
        written = checkpoint.write(prefix, session)
        assert written == prefix


if __name__ == "__main__":
    write()
