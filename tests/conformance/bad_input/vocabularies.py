"""Mismatched vocabularies and matrices of a checkpoint."""

import os
import tempfile

import numpy as np

FILES = {
    "old": "mercury\nvenus\nmars\n",
    "new": "venus\njupiter\nmercury\n",
    "none": "",
    "twice": "a\nb\na\n",
}
FILES["hole"] = "a\n\nb\n"


def path(name):
    """A file of FILES, always under the same name."""
    folder = os.path.join(tempfile.gettempdir(), "tfmini_vocabularies")
    os.makedirs(folder, exist_ok=True)
    full = os.path.join(folder, name)
    if name in FILES:
        with open(full, "w") as file:
            file.write(FILES[name])
    return full


def remapping(tf, old="old", new="new", **attrs):
    attrs = dict({"new_vocab_offset": 0, "num_new_vocab": 3}, **attrs)
    files = {"new_vocab_file": path(new) if new else "", "old_vocab_file": path(old) if old else ""}
    return tf.raw_ops.GenerateVocabRemapping(**dict(files, **attrs))


def saved(tf, name="model"):
    prefix = os.path.join(tempfile.mkdtemp(), name)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("w", initializer=np.arange(12, dtype=np.float32).reshape(4, 3))
        tf.get_variable("whole_numbers", initializer=np.arange(4))
        tf.get_variable("row", initializer=np.arange(4, dtype=np.float32))
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, prefix)


def matrix(tf, name="w", rows=(1, -1, 0), columns=(0, 2, -1), values=(1, 2, 3, 4, 5), **attrs):
    attrs = dict({"num_rows": 3, "num_cols": 3}, **attrs)
    prefix = attrs.pop("prefix", None) or saved(tf)
    arguments = {
        "ckpt_path": prefix,
        "old_tensor_name": name,
        "row_remapping": np.array(rows, np.int64),
        "col_remapping": np.array(columns, np.int64),
        "initializing_values": np.array(values, np.float32),
    }
    made = tf.raw_ops.LoadAndRemapMatrix(**dict(arguments, **attrs))
    return lambda sess: sess.run(made)


def initializer(tf, **arguments):
    arguments = dict({"old_row_vocab_file": "old", "new_row_vocab_file": "new"}, **arguments)
    return tf.contrib.framework.load_and_remap_matrix_initializer(
        "model", "w", 3, 3, num_row_oov_buckets=1, **arguments
    )


def words_of_no_variable(tf):
    tf.get_variable("w", [4, 3])
    info = tf.train.VocabInfo("new", 3, 1, "old")
    tf.train.warm_start(saved(tf), var_name_to_vocab_info={"v": info})


def names_of_no_variable(tf):
    tf.get_variable("w", [4, 3])
    tf.train.warm_start(saved(tf), var_name_to_prev_var_name={"v": "w"})


def words_of_no_file(tf):
    tf.get_variable("w", [4, 3])
    info = tf.train.VocabInfo("", 3, 1, "old")
    tf.train.warm_start(saved(tf), var_name_to_vocab_info={"w": info})


def words_of_another_size(tf):
    tf.get_variable("w", [4, 3])
    info = tf.train.VocabInfo("new", 2, 1, "old")
    tf.train.warm_start(saved(tf), var_name_to_vocab_info={"w": info})
