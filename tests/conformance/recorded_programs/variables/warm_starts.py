"""Variables initialized from an earlier model's values, reordered by a new vocabulary."""

import contextlib
import os
import tempfile

import numpy as np

REPLAYABLE = False  # its files no longer exist by then

OLD, NEW = "mercury\nvenus\nmars\nearth\n", "venus\njupiter\nmercury\nsaturn\n"
CLASSES = {"old_classes": "good\nbetter\nbest\n", "new_classes": "good\nbest\nfantastic\n"}


@contextlib.contextmanager
def inside(folder):
    """Changes to the folder, so that paths in the graph are relative and machine-independent."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def earlier_model(tf):
    for name, text in [("old", OLD), ("new", NEW), *sorted(CLASSES.items())]:
        with open(name, "w") as file:
            file.write(text)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("words", initializer=np.arange(12, dtype=np.float32).reshape(4, 3))
        tf.get_variable("output", initializer=np.arange(6, dtype=np.float32).reshape(2, 3))
        tf.get_variable("plain", initializer=[1.0, 2.0])
        parts = tf.fixed_size_partitioner(2)
        few = tf.constant_initializer([1.0, 2.0, 3.0, 4.0])
        tf.get_variable("parted", [4, 2], initializer=few, partitioner=parts)
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, "./model")


def build(tf):
    def counting(shape, dtype=None, partition_info=None):
        size = tf.reduce_prod(shape)
        return tf.reshape(tf.cast(tf.range(1, size + 1), tf.float32), shape)

    folder = tempfile.mkdtemp()
    framework = tf.contrib.framework
    with inside(folder):
        earlier_model(tf)
        info = tf.train.VocabInfo("new", 4, 1, "old", backup_initializer=counting)
        few = tf.train.VocabInfo("new", 3, 2, "old", old_vocab_size=2)
        classes = tf.train.VocabInfo("new_classes", 3, 1, "old_classes", axis=1)
        parts = tf.fixed_size_partitioner(3)
        variables = [
            tf.get_variable("words", [5, 3]),
            tf.get_variable("again", [5, 3], use_resource=True),
            tf.get_variable("output", [2, 4]),
            tf.get_variable("plain", [2]),
            tf.get_variable("parted", [6, 2], partitioner=parts),
        ]
        tf.train.warm_start(
            "model",
            var_name_to_vocab_info={
                "words": info,
                "again": few,
                "output": classes,
                "parted": tf.train.VocabInfo("new", 4, 2, "old"),
            },
            var_name_to_prev_var_name={"again": "words"},
        )
        old, new = {"old_row_vocab_file": "old"}, {"new_row_vocab_file": "new"}
        both = framework.load_and_remap_matrix_initializer(
            "model",
            "words",
            4,
            3,
            old_col_vocab_file="old_classes",
            new_col_vocab_file="new_classes",
            num_row_oov_buckets=1,
            num_col_oov_buckets=2,
            initializer=counting,
            max_rows_in_memory=2,
            **old,
            **new,
        )
        made = [
            tf.get_variable("both", [5, 5], initializer=both),
            tf.get_variable(
                "embeddings",
                [5, 3],
                initializer=framework.load_embedding_initializer(
                    "model", "words", 4, 3, "old", "new", num_oov_buckets=1
                ),
            ),
            tf.get_variable(
                "part",
                [5, 3],
                initializer=framework.load_variable_slot_initializer(
                    "model", "words", None, 4, 3, num_row_oov_buckets=1, **old, **new
                ),
                partitioner=parts,
            ),
        ]
        start = tf.global_variables_initializer()

    def initialize(session):
        with inside(folder):
            session.run(start)

    values = [v if isinstance(v, tf.Variable) else list(v) for v in (*variables, *made[:2])]
    facts = {"info": str(classes), "few": str(few), "axis": info.axis}
    return {
        "facts": facts,
        "steps": [("initialize", initialize), ("values", lambda session: session.run(values))],
    }
