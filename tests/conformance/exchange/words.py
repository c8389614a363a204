"""A vocabulary file looked up by a table: an asset, and an initialization op."""

import os

FEEDS = {"words": ["tf.add", "no such name", "tf.abs"]}
FREEZES = False  # a table has to be initialised


def build(tf):
    path = os.path.join("tests", "golden", "used_names.txt")
    words = tf.placeholder(tf.string, [None], name="words")
    vocabulary = tf.constant(path, name="vocabulary")
    table = tf.contrib.lookup.index_table_from_file(vocabulary, num_oov_buckets=2, vocab_size=500)
    ids = table.lookup(words)
    weights = tf.get_variable("weights", [502, 2], initializer=tf.ones_initializer())
    rows = tf.gather(weights, ids)
    loss = tf.reduce_mean(tf.square(rows - 3.0), name="loss")
    train = tf.train.AdagradOptimizer(0.5).minimize(loss)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"ids": ids, "rows": rows},
        "assets": [vocabulary],
        "init": tf.tables_initializer(),
    }
