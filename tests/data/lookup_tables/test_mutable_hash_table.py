"""tf.contrib.lookup.MutableHashTable."""

import tfmini as tf

lookup = tf.contrib.lookup


def run(*steps):
    """Step results, in one session."""
    with tf.Session() as session:
        return [session.run(step) for step in steps]


def test_sessions_do_not_share_tables():
    table = lookup.MutableHashTable(tf.string, tf.int64, -1)
    insert = table.insert(["a"], tf.constant([1], tf.int64))
    assert run(insert, table.size())[1] == 1
    assert run(table.size()) == [0]


def test_vector_values():
    table = lookup.MutableHashTable(tf.int64, tf.float32, [0.0, -1.0])
    asked = table.lookup([[2, 9]])
    assert asked.shape == [1, 2, 2]
    insert = table.insert([1, 2], [[1.0, 2.0], [3.0, 4.0]])
    actual = run(insert, asked, table.remove(tf.constant([2], tf.int64)), asked)
    assert actual[1].tolist() == [[[3, 4], [0, -1]]]
    assert actual[3].tolist() == [[[0, -1], [0, -1]]]


def test_saveable():
    table = lookup.MutableHashTable(tf.string, tf.int64, -1, name="kept")
    lookup.MutableHashTable(tf.string, tf.int64, -1, checkpoint=False)
    (saveable,) = tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)
    assert [part.name for part in saveable.specs] == ["kept-keys", "kept-values"]
    restore = saveable.restore([tf.constant(["z"]), tf.constant([5], tf.int64)], None)
    keys, values = run(table.insert(["a"], tf.constant([1], tf.int64)), restore, table.export())[2]
    assert (keys.tolist(), values.tolist()) == ([b"z"], [5])
