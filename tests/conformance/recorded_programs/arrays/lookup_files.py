"""Files read, written and listed by the graph, and vocabularies in them."""

import os
import tempfile


def build(tf):
    folder = tempfile.mkdtemp()
    path = tf.placeholder(tf.string, [], name="path")
    pattern = tf.placeholder(tf.string, name="pattern")
    # A tensor's name stands in the table's shared name, a path would be of one machine only.
    vocabulary = tf.placeholder(tf.string, [], name="vocabulary")
    columns = tf.placeholder(tf.string, [], name="columns")
    read = tf.read_file(path)
    lines = tf.string_split([tf.io.read_file(path, name="again")], "\n")
    write = tf.write_file(path, tf.strings.join(["line one\n", "line two\n"]))
    files = tf.matching_files(pattern)
    lookup = tf.contrib.lookup
    ids = lookup.index_table_from_file(vocabulary, num_oov_buckets=2)
    few = lookup.index_table_from_file(vocabulary, vocab_size=2, default_value=-5)
    words = lookup.index_to_string_table_from_file(vocabulary)
    by_column = lookup.HashTable(
        lookup.TextFileInitializer(columns, tf.string, 0, tf.int64, 2, delimiter=","), -1
    )
    asked = tf.constant(["c", "a", "other"])
    found = [
        ids.lookup(asked),
        ids.size(),
        few.lookup(asked),
        words.lookup(tf.constant([2, 0, 9], tf.int64)),
        by_column.lookup(asked),
    ]

    fill = tf.tables_initializer()

    def store(sess):
        for name, text in (("words.txt", "a\nb\nc\n"), ("columns.txt", "a,x,1\nc,y,-2\n")):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        names = {vocabulary: "words.txt", columns: "columns.txt"}
        feed = {key: os.path.join(folder, name) for key, name in names.items()}
        sess.run(fill, feed)

    def use_file(sess):
        feed = {path: os.path.join(folder, "deeper", "file")}
        sess.run(write, feed)
        return [sess.run(read, feed), sess.run(lines.values, feed)]

    def list_files(sess):
        names = sess.run(files, {pattern: os.path.join(folder, "*.txt")})
        more = sess.run(files, {pattern: [os.path.join(folder, "?ords*"), folder]})
        return [os.path.relpath(name.decode(), folder) for name in [*names, *more]]

    return {
        "steps": [
            ("store", store),
            ("found", lambda sess: sess.run(found)),
            ("file", use_file),
            ("files", list_files),
        ]
    }
