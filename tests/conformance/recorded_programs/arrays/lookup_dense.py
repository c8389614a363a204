"""Dense tables: keys and values in buckets; fingerprints."""

import numpy as np


def build(tf):
    steps, facts = [], {}
    table = tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.float32, default_value=-1.0, empty_key=0, deleted_key=-1, initial_num_buckets=4
    )
    rows = tf.lookup.experimental.DenseHashTable(
        tf.string, tf.int64, [-1, -2], "", "$", 8, name="rows", checkpoint=False
    )
    pairs = tf.contrib.lookup.MutableDenseHashTable(
        tf.int64, tf.int32, 7, [0, 0], [1, 1], initial_num_buckets=16, name="pairs"
    )
    keys = tf.constant([3, 11, 1, 7, 19, -5, 3], tf.int64)
    steps.append(("insert", [table.insert(keys, tf.range(7.0)), rows.insert(
        tf.constant(["a", "b", "hello"]), tf.constant([[1, 2], [3, 4], [5, 6]], tf.int64)),
        pairs.insert_or_assign(tf.constant([[1, 2], [2, 1], [5, 6], [-4, 9]], tf.int64), [1, 2, 3, 4])]))  # fmt: skip
    asked = table.lookup(tf.constant([[3], [4], [19], [-5]], tf.int64))
    loose = tf.placeholder_with_default(np.array([[2, 1], [9, 9]]), None)
    found = [
        asked, rows.lookup(tf.constant(["b", "?"])), pairs.lookup(tf.constant([[[1, 2]], [[2, 3]]], tf.int64)),
        pairs.lookup(loose), table.size(), pairs.size(), *table.export(), *rows.export(),
        *pairs.export(),
    ]  # fmt: skip
    steps.append(("found", found))
    steps.append(
        ("removed", [table.remove(tf.constant([11, 4], tf.int64)), rows.erase(tf.constant(["a"]))])
    )
    steps.append(("left", found))
    steps.append(("more", table.insert(tf.range(1, 30, 2, tf.int64), tf.range(15.0))))
    steps.append(("grown", found))
    facts["names"] = [
        table.name,
        rows.name,
        pairs.name,
        str(table.key_dtype),
        str(rows.value_dtype),
    ]
    data = tf.placeholder_with_default(np.arange(6, dtype=np.int64).reshape(3, 2), [None, 2])
    steps.append(("fingerprints", [
        tf.fingerprint(data), tf.fingerprint(tf.constant(["a", "", "a longer text" * 9])),
        tf.fingerprint(tf.constant([["a", "b"], ["c", ""]]), name="named"), tf.fingerprint([True, False]),
        tf.fingerprint(np.ones([2, 3, 4]), tf.placeholder_with_default("farmhash64", None)),
        tf.fingerprint(tf.placeholder_with_default([1.0, 2.0], None)),
    ]))  # fmt: skip
    saver = tf.train.Saver()
    facts["saved"] = [
        spec.name for saveable in tf.get_collection("saveable_objects") for spec in saveable.specs
    ]
    facts["saver"] = saver.saver_def.restore_op_name
    return {"steps": steps, "facts": facts}
