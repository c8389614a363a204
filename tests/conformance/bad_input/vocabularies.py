"""Vocabularies and matrices of a checkpoint that do not fit each other."""

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
    """A file of FILES, under one name for all."""
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


CASES = {
    "an_offset_behind_the_end": lambda tf: (
        lambda sess: sess.run(remapping(tf, new_vocab_offset=2, num_new_vocab=2))
    ),
    "more_old_words_than_lines": lambda tf: lambda sess: sess.run(remapping(tf, old_vocab_size=5)),
    "no_old_words": lambda tf: lambda sess: sess.run(remapping(tf, old_vocab_size=0)),
    "no_name_of_a_file": lambda tf: lambda sess: sess.run(remapping(tf, new="")),
    "a_word_twice": lambda tf: lambda sess: sess.run(remapping(tf, old="twice")),
    "an_empty_file": lambda tf: lambda sess: sess.run(remapping(tf, old="none")),
    "an_empty_line": lambda tf: lambda sess: sess.run(remapping(tf, new="hole")),
    "several_files": lambda tf: tf.raw_ops.GenerateVocabRemapping(
        new_vocab_file=["a"], old_vocab_file="b", new_vocab_offset=0, num_new_vocab=1
    ),
    "too_few_values": lambda tf: matrix(tf, values=[1]),
    "too_many_values": lambda tf: matrix(tf, values=np.zeros([9, 1])),
    "more_rows_than_places": lambda tf: matrix(tf, num_rows=2),
    "more_columns_than_places": lambda tf: matrix(tf, num_cols=2),
    "columns_of_the_matrix": lambda tf: matrix(tf, columns=[], num_cols=2),
    "a_column_in_two_places": lambda tf: matrix(tf, columns=[0, 0, -1]),
    "a_row_outside": lambda tf: matrix(tf, rows=[1, -1, 7]),
    "a_matrix_that_is_not_there": lambda tf: matrix(tf, name="v"),
    "a_matrix_of_whole_numbers": lambda tf: matrix(tf, name="whole_numbers"),
    "no_matrix": lambda tf: matrix(tf, name="row"),
    "no_checkpoint": lambda tf: matrix(tf, prefix=path("missing")),
    "several_names": lambda tf: matrix(tf, name=["w", "w"]),
    "no_initializer": lambda tf: initializer(tf, initializer=3),
    "another_dtype": lambda tf: initializer(tf)([4, 3], tf.float64),
    "a_vector": lambda tf: initializer(tf)([4]),
    "nothing": lambda tf: initializer(tf)([0, 3]),
    "other_columns": lambda tf: initializer(tf)([4, 4]),
    "one_file_of_two": lambda tf: initializer(tf, new_row_vocab_file=None)([4, 3]),
    "no_files": lambda tf: initializer(tf, old_row_vocab_file=None, new_row_vocab_file=None)(
        [4, 3]
    ),
    "negative_buckets": lambda tf: initializer(tf, num_col_oov_buckets=-1)([4, 2]),
    "an_axis_of_three": lambda tf: tf.train.VocabInfo("new", 3, 0, "old", axis=2),
}
