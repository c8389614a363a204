"""Lookup tables in eager mode: initialized at construction."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("eager")

lookup = tf.contrib.lookup


def table(values, default=-1):
    filled = tf.lookup.KeyValueTensorInitializer(["a", "b"], np.array(values, np.int64))
    return tf.lookup.StaticHashTable(filled, default)


def test_static_table_is_initialized_on_creation():
    one, other = table([1, 2]), table([3, 4])
    assert one.lookup(tf.constant(["a", "z"])).numpy().tolist() == [1, -1]
    assert other.lookup(tf.constant(["a"])).numpy() == [3]
    assert (one.size().numpy(), one.initializer, one.name) == (2, None, None)
    assert tf.tables_initializer() is None
    with pytest.raises(TypeError, match="Signature mismatch. Keys must be dtype"):
        one.lookup(tf.constant([1]))


def test_vocabularies(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("x\ny\n")
    from_file = lookup.index_table_from_file(str(path))
    assert from_file.lookup(tf.constant(["y", "n"])).numpy().tolist() == [1, -1]
    buckets = lookup.index_table_from_tensor(["a", "b"], num_oov_buckets=1)
    assert buckets.lookup(tf.constant(["a", "c"])).numpy().tolist() == [0, 2]
    back = lookup.index_to_string_table_from_tensor(["a", "b"])
    assert back.lookup(tf.constant([0, 5], tf.int64)).numpy().tolist() == [b"a", b"UNK"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: lookup.MutableHashTable(tf.int64, tf.int64, -1),
        lambda: lookup.MutableDenseHashTable(tf.int64, tf.int64, -1, 0, -2),
    ],
)
def test_mutable_tables_are_checkpointed(make, tmp_path):
    changing, other = make(), make()
    changing.insert(tf.constant([5], tf.int64), tf.constant([6], tf.int64))
    path = tf.train.Checkpoint(table=changing).save(str(tmp_path / "c"))
    changing.insert(tf.constant([7], tf.int64), tf.constant([8], tf.int64))
    assert changing.lookup(tf.constant([5, 7, 9], tf.int64)).numpy().tolist() == [6, 8, -1]
    assert (changing.size().numpy(), other.size().numpy()) == (2, 0)
    tf.train.Checkpoint(table=changing).restore(path).assert_consumed()
    assert changing.size().numpy() == 1
    changing.remove(tf.constant([5], tf.int64))
    assert changing.size().numpy() == 0
