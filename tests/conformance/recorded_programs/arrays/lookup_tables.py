"""Tables initialized from tensors, tables with buckets, mutable tables; shared tables."""

import itertools
import uuid


def sorted_items(table):
    """A table's keys and values, sorted by key, since their order is arbitrary."""
    exported = table.export()

    def step(sess):
        keys, values = sess.run(exported)
        return sorted(zip(keys.tolist(), values.tolist()))

    return step


def build(tf):
    count = itertools.count()
    given, uuid.uuid4 = uuid.uuid4, lambda: "table-" + str(next(count))
    try:
        return {"steps": steps(tf), "facts": facts(tf)}
    finally:
        uuid.uuid4 = given


def facts(tf):
    return {"initializers": len(tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS))}


def steps(tf):
    lookup = tf.contrib.lookup
    words = tf.constant([["b", "zz"], ["a", "b"]], name="words")
    sparse = tf.SparseTensor([[0, 1], [2, 0]], ["b", "other"], [3, 2])
    pairs = lookup.KeyValueTensorInitializer(["a", "b"], [1, 2], tf.string, tf.int64)
    table = lookup.HashTable(pairs, -1, shared_name="shared", name="first")
    twin = lookup.HashTable(lookup.KeyValueTensorInitializer(["c"], [3], name="init"), 0)
    static = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer([1, 2], ["one", "two"]), default_value="?"
    )
    with tf.name_scope("scope"):
        mapping = tf.constant(["a", "b", "c"])
        ids = lookup.index_table_from_tensor(mapping)
        buckets = lookup.index_table_from_tensor(mapping, num_oov_buckets=5, name="buckets")
        numbers = lookup.index_table_from_tensor([10, 20], 2, dtype=tf.int32)
    strong = lookup.index_table_from_tensor(
        mapping, num_oov_buckets=3, hasher_spec=lookup.StrongHashSpec([1, 2]), default_value=-7
    )
    names = lookup.index_to_string_table_from_tensor(mapping, default_value="none")
    only = lookup.IdTableWithHashBuckets(None, 4)
    vocabulary = tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(["a"], [0], value_dtype=tf.int64), 2
    )
    found = [
        table.lookup(words),
        table.lookup(sparse),
        table.size(),
        twin.lookup(words, name="in_twin"),
        static.lookup(tf.constant([2, 7])),
        ids.lookup(words),
        buckets.lookup(words),
        buckets.lookup(sparse, name="of_sparse"),
        buckets.size(),
        numbers.lookup(tf.constant([20, 30])),
        strong.lookup(words),
        names.lookup(tf.constant([2, 3], tf.int64)),
        only.lookup(words),
        only.size(),
        vocabulary.lookup(words),
        vocabulary.size(),
    ]
    changing = lookup.MutableHashTable(tf.string, tf.int64, -1)
    rows = lookup.MutableHashTable(tf.int64, tf.float32, [0.0, 0.0], name="rows", checkpoint=False)
    insert = changing.insert(["a", "b", "a"], tf.constant([1, 2, 3], tf.int64))
    insert_rows = rows.insert([5, 6], [[1.0, 2.0], [3.0, 4.0]])
    changed = [
        changing.lookup(words),
        changing.size(),
        rows.lookup([[6, 7]]),
        rows.size(),
        changing.lookup("a"),
    ]
    return [
        ("fill", tf.tables_initializer()),
        ("fill again", [table.init, static.initializer, ids.initializer]),
        ("found", found),
        ("items", sorted_items(table)),
        ("static items", sorted_items(static)),
        ("insert", [insert, insert_rows]),
        ("changed", changed),
        ("removed", changing.remove(tf.constant(["a", "q"]))),
        ("less", changed),
        ("rest", sorted_items(changing)),
        ("rows", sorted_items(rows)),
    ]
