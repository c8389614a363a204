"""Lookup tables: options of all constructors, errors, the state of hash buckets."""


def _words(folder, name="words", text="a\t3\nb\t5\nc\t7\n"):
    path = f"{folder}/{name}"
    with open(path, "w") as out:
        out.write(text)
    return path


def _looked_up(tf, table, *keys):
    return [table.lookup(tf.constant(list(keys))), table.size()]


def of_old_names(tf, stage):
    L, path = tf.contrib.lookup, _words(stage.folder, text="a\nb\nc\n")
    strong = L.StrongHashSpec([3, 4])
    stage.each(
        {
            "file_in_part": lambda: _looked_up(
                tf, L.string_to_index_table_from_file(path, vocab_size=2), "a", "b", "c"
            ),
            "file_and_buckets": lambda: _looked_up(
                tf,
                L.string_to_index_table_from_file(path, 40, 2, -7, strong, name="mine"),
                *"abcdef",
            ),
            "file_default": lambda: _looked_up(
                tf, L.string_to_index_table_from_file(path, default_value=-7), "c", "d"
            ),
            "tensor_and_buckets": lambda: _looked_up(
                tf,
                L.string_to_index_table_from_tensor(["x", "y"], 40, -7, strong, name="mine"),
                *"xyzab",
            ),
            "tensor_of_numbers": lambda: L.string_to_index_table_from_tensor([1, 2]),
            "index": lambda: L.string_to_index(tf.constant(["b", "z"]), ["a", "b"], -5, name="n"),
            "word": lambda: L.index_to_string(
                tf.constant([1, 7], tf.int64), ["a", "b"], "none", name="n"
            ),
        }
    )


def of_index_tables(tf, stage):
    L, path = tf.contrib.lookup, _words(stage.folder)
    strong, legacy = L.StrongHashSpec([5, 6]), L.HasherSpec("legacy", None)

    stage.each(
        {
            "legacy": lambda: _looked_up(
                tf, L.index_table_from_tensor(["a"], 50, hasher_spec=legacy), *"abcde"
            ),
            "unknown": lambda: _looked_up(
                tf, L.index_table_from_tensor(["a"], 5, hasher_spec=L.HasherSpec("md5", None)), "b"
            ),
            "strong_file": lambda: _looked_up(
                tf,
                L.index_table_from_file(path, 50, 2, hasher_spec=strong, key_column_index=0),
                *"abcde",
            ),
            "numbers": lambda: L.index_table_from_file(
                path, 9, key_dtype=tf.int32, key_column_index=1
            ).lookup(tf.constant([3, 7, 8])),
            "of_a_tensor_without_lines": lambda: L.index_table_from_file(
                tf.constant("here"), vocab_size=0
            ),
            "of_what_is_fed_without_lines": lambda: L.index_table_from_file(
                tf.placeholder(tf.string, []), vocab_size=-2
            ),
            "words": lambda: L.index_to_string_table_from_file(
                path, 2, "none", "mine", value_column_index=1
            ).lookup(tf.constant([0, 1, 2], tf.int64)),
            "words_by_column": lambda: L.index_to_string_table_from_file(
                path, key_column_index=1, value_column_index=0
            ).lookup(tf.constant([3, 5, 6], tf.int64)),
            "words_of_no_words": lambda: L.index_to_string_table_from_tensor([1, 2]),
        }
    )


def of_buckets(tf, stage):
    C, L = tf.contrib.lookup, tf.lookup

    def ids(count=2):
        return tf.constant([0, 1][:count], tf.int64)

    def table(keys=("a", "b"), **options):
        values = tf.constant([0, 1], tf.int64)
        init = L.KeyValueTensorInitializer(list(keys), values, **options)
        return C.HashTable(init, -1, name="inner")

    def made(*args, **options):
        its = C.IdTableWithHashBuckets(*args, **options)
        stage.say(its.name, its.key_dtype, its.value_dtype, its.init is its.initializer)
        return its

    stage.each(
        {
            "none_named": lambda: _looked_up(tf, made(None, 5, name="buckets"), "b"),
            "none_of_none": lambda: made(None, 0),
            "no_bucket": lambda: [made(table(), 0).lookup(tf.constant(["b", "q"]), name="its")],
            "narrow": lambda: made(
                table([3, 4], key_dtype=tf.int64), 5, key_dtype=tf.int32, name="n"
            ).lookup(tf.constant([4, 9])),
            "of_other_keys": lambda: made(table(), 5, key_dtype=tf.int64),
            "of_no_hash": lambda: made(table(), 5, "fasthash"),
            "of_words": lambda: made(
                C.HashTable(L.KeyValueTensorInitializer(["a"], ["b"]), "none"), 5
            ),
            "of_float_keys": lambda: made(
                C.HashTable(L.KeyValueTensorInitializer([1.0], ids(1)), -1), 5
            ),
            "vocabulary": lambda: _looked_up(
                tf,
                L.StaticVocabularyTable(
                    L.KeyValueTensorInitializer(["a", "b"], ids()), 5, name="scope/mine/"
                ),
                "b",
                "q",
            ),
        }
    )


def of_initializers(tf, stage):
    C, L = tf.contrib.lookup, tf.lookup
    path = _words(stage.folder)

    class Other:
        def __init__(self, table, **changed):
            self.resource_handle = table.resource_handle
            self.key_dtype, self.value_dtype = table.key_dtype, table.value_dtype
            self.__dict__.update(changed)

    def pair(**options):
        return L.KeyValueTensorInitializer(["a", "b"], [1, 2], value_dtype=tf.int64, **options)

    def text(key=0, value=1, **options):
        return L.TextFileInitializer(path, tf.string, key, tf.int64, value, **options)

    def again(initializer, **changed):
        table = C.HashTable(initializer, -1)
        return initializer.initialize(Other(table, **changed))

    def sharing(*initializers):
        tables = [L.StaticHashTable(each, -1) for each in initializers]
        stage.say([t.resource_handle.op.get_attr("shared_name")[:11] for t in tables])
        stage.say([t.type for t in tf.get_collection("table_initializer")])
        stage.say(tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS))
        return [t.lookup(tf.constant(["a", "b", "c"])) for t in tables]

    def in_a_condition():
        made = []

        def branch():
            made.append(L.StaticHashTable(pair(), -1))
            return made[0].lookup(tf.constant(["b"]))

        return tf.cond(tf.constant(True), branch, lambda: tf.constant([9], tf.int64))

    stage.each(
        {
            "other_keys": lambda: again(pair(), key_dtype=tf.int64),
            "other_values": lambda: again(pair(), value_dtype=tf.int32),
            "too_few_fields": lambda: _looked_up(tf, C.HashTable(text(value=2), -1), "a"),
            "two_letters": lambda: _looked_up(tf, C.HashTable(text(delimiter="ab"), -1), "a"),
        }
    )
    for one, other in ((text, text), (text, lambda: text(vocab_size=3)), (pair, pair)):
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            found = sharing(one(), other())
            session.run(tf.tables_initializer())
            stage.say(session.run(found))
    with tf.Graph().as_default(), tf.Session() as session, stage.failing():
        found = in_a_condition()
        stage.nodes()
        session.run(tf.tables_initializer())
        stage.say(session.run(found))
