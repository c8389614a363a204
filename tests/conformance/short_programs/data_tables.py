"""Tables of `tf.lookup` and `tf.contrib.lookup`."""

from tests.conformance.short_programs import FILE


def programs(tf):
    L = tf.lookup

    def table():
        values = tf.constant([1, 2], tf.int64)
        return L.StaticHashTable(L.KeyValueTensorInitializer(["a", "b"], values), -1)

    C = tf.contrib.lookup
    return {
        "table_initializer_key_dtype": lambda: L.KeyValueTensorInitializer(
            ["a"], [1], key_dtype=tf.int64
        ),
        "text_no_file": lambda: L.TextFileInitializer("", tf.string, 0, tf.int64, 1),
        "text_index": lambda: L.TextFileInitializer(FILE, tf.string, -3, tf.int64, 1),
        "text_value_index": lambda: L.TextFileInitializer(FILE, tf.string, 0, tf.int64, -3),
        "text_line_numbers_of_strings": lambda: L.TextFileInitializer(
            FILE, tf.string, L.TextFileIndex.LINE_NUMBER, tf.int64, 1
        ),
        "text_values_line_numbers": lambda: L.TextFileInitializer(
            FILE, tf.string, 0, tf.string, L.TextFileIndex.LINE_NUMBER
        ),
        "text_whole_line_of_numbers": lambda: L.TextFileInitializer(
            FILE, tf.float32, L.TextFileIndex.WHOLE_LINE, tf.int64, 1
        ),
        "text_values_whole_line": lambda: L.TextFileInitializer(
            FILE, tf.string, 0, tf.int64, L.TextFileIndex.WHOLE_LINE
        ),
        "text_vocab_size": lambda: L.TextFileInitializer(
            FILE, tf.string, 0, tf.int64, 1, vocab_size=0
        ),
        "oov_buckets": lambda: L.StaticVocabularyTable(
            L.KeyValueTensorInitializer(["a"], tf.constant([0], tf.int64)), 0
        ),
        "oov_values": lambda: L.StaticVocabularyTable(
            L.KeyValueTensorInitializer(["a"], tf.constant([0], tf.int32)), 2
        ),
        "lookup_of_numbers": lambda: table().lookup(tf.constant(1)),
        "index_no_mapping": lambda: C.index_table_from_tensor(None),
        "index_negative_oov": lambda: C.index_table_from_tensor(["a"], num_oov_buckets=-1),
        "index_of_floats": lambda: C.index_table_from_tensor([1.0], dtype=tf.float32),
        "index_of_strings_as_numbers": lambda: C.index_table_from_tensor(["a"], dtype=tf.int64),
        "index_hasher": lambda: C.index_table_from_tensor(["a"], num_oov_buckets=1, hasher_spec=3),
        "index_file_size": lambda: C.index_table_from_file(FILE, vocab_size=0),
        "index_no_file": lambda: C.index_table_from_file(None),
        "index_file_floats": lambda: C.index_table_from_file(FILE, key_dtype=tf.float32),
        "string_file_size": lambda: C.index_to_string_table_from_file(FILE, vocab_size=0),
        "string_no_file": lambda: C.index_to_string_table_from_file(""),
        "string_no_mapping": lambda: C.index_to_string_table_from_tensor(None),
        "hasher_key_of_three": lambda: C.StrongHashSpec([1, 2, 3]),
        "hasher_key_of_floats": lambda: C.StrongHashSpec([1.5, 2]),
        "looked_up": lambda: table().lookup(tf.constant(["b", "z", "a"])),
        "size": lambda: table().size(),
        "looked_up_sparse": lambda: table().lookup(tf.SparseTensor([[1, 2]], ["b"], [3, 4])),
        "out_of_vocabulary": lambda: L.StaticVocabularyTable(
            L.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64)), 3
        ).lookup(tf.constant(["b", "z", "y", "x"])),
        "hashed_alone": lambda: L.StaticVocabularyTable(None, 5, tf.int64).lookup(
            tf.constant([3, 14], tf.int64)
        ),
        "text_columns": lambda: L.StaticHashTable(
            L.TextFileInitializer(
                FILE, tf.string, 1, tf.int64, L.TextFileIndex.LINE_NUMBER, delimiter=","
            ),
            -7,
        ).lookup(tf.constant(["b", "2", "5", "z"])),
        "text_size": lambda: L.StaticHashTable(
            L.TextFileInitializer(FILE, tf.string, -2, tf.int64, -1, vocab_size=9), -7
        ).lookup(tf.constant(["a,b,c"])),
        "index": lambda: C.index_table_from_tensor(["a", "b"], 2, -3).lookup(
            tf.constant(["b", "z", "y"])
        ),
        "index_default": lambda: C.index_table_from_tensor(["a", "b"], default_value=-3).lookup(
            tf.constant(["b", "z"])
        ),
        "index_numbers": lambda: C.index_table_from_tensor([30, 10], 2, dtype=tf.int32).lookup(
            tf.constant([10, 30, 7])
        ),
        "index_strong": lambda: C.index_table_from_tensor(
            ["a"], 9, hasher_spec=C.StrongHashSpec([3, 4])
        ).lookup(tf.constant(["b", "z"])),
        "index_of_file": lambda: C.index_table_from_file(
            FILE, 2, 3, -5, key_column_index=2, delimiter=","
        ).lookup(tf.constant(["c", "3", "6", "q"])),
        "index_of_numbers_in_file": lambda: C.index_table_from_file(
            FILE, value_column_index=0, key_column_index=1, delimiter=",", default_value=-5
        ).lookup(tf.constant(["2"])),
        "string": lambda: C.index_to_string_table_from_tensor(["a", "b"], "none").lookup(
            tf.constant([1, 5], tf.int64)
        ),
        "string_of_file": lambda: C.index_to_string_table_from_file(
            FILE, 2, "none", value_column_index=1, delimiter=","
        ).lookup(tf.constant([1, 2], tf.int64)),
        "mutable": lambda: _filled(tf, C.MutableHashTable(tf.string, tf.float32, [1.0, 2.0])),
        "dense": lambda: _filled(
            tf,
            C.MutableDenseHashTable(
                tf.string, tf.float32, [1.0, 2.0], "", "gone", initial_num_buckets=8
            ),
        ),
        "dense_buckets": lambda: C.MutableDenseHashTable(
            tf.int64, tf.int64, -1, 0, -1, initial_num_buckets=3
        ).size(),
        "dense_same_keys": lambda: C.MutableDenseHashTable(tf.int64, tf.int64, -1, 0, 0).size(),
    }


def _filled(tf, table):
    with tf.control_dependencies([table.insert(["a", "b"], [[3.0, 4.0], [5.0, 6.0]])]):
        removed = table.remove(tf.constant(["a", "q"]))
    with tf.control_dependencies([removed]):
        return [table.lookup(tf.constant(["a", "b"])), table.size(), table.export()[0][:0]]
