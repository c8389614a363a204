"""Lookup tables at their corners: what TensorFlow 1.15.5 did with the same calls."""

import re

import numpy as np
import pytest

import tfmini as tf

lookup = tf.contrib.lookup
FILES = {
    "words": "a\nb\nc\n",
    "columns": "x\t1\ty1\nz\t2\ty2\n",
    "twice": "a\na\n",
    "mixed": "1\n2x\n",
    "empty": "",
    "gap": "a\r\nb\n\nc",
    "numbers": "10\n20\n",
    "marks": "10\n1_0\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text.encode())
    return tmp_path


def run(*steps):
    """The values of the steps, in one session."""
    with tf.Session() as session:
        return [session.run(step) for step in steps]


def from_file(path, asked=("c", "a", "q"), dtype=tf.string, **options):
    table = lookup.index_table_from_file(str(path), **options)
    _, found, size = run(
        tf.tables_initializer(), table.lookup(tf.constant(asked, dtype)), table.size()
    )
    return found.tolist(), size


def test_words_of_a_file(folder):
    assert from_file(folder / "words") == ([2, 0, -1], 3)
    assert from_file(folder / "words", num_oov_buckets=3) == ([2, 0, 5], 6)
    assert from_file(folder / "words", vocab_size=2) == ([-1, 0, -1], 2)
    columns = {"key_column_index": 0, "value_column_index": 1}
    assert from_file(folder / "columns", ("x", "z"), **columns) == ([1, 2], 2)


def test_integers_of_a_file(folder):
    options = {"dtype": tf.int64, "key_dtype": tf.int64, "num_oov_buckets": 2}
    assert from_file(folder / "numbers", [20, 10, 7], **options) == ([1, 0, 2], 4)


REFUSED = [
    ("words", {"vocab_size": 5}, tf.errors.InvalidArgumentError, "expected 5 but got 3"),
    ("twice", {}, tf.errors.FailedPreconditionError, "Key a has 0 and trying to add value 1"),
    ("empty", {}, tf.errors.OutOfRangeError, "Read less bytes than requested"),
    ("gap", {}, tf.errors.InvalidArgumentError, "empty line found at position 6."),
    ("no", {}, tf.errors.NotFoundError, "No such file or directory"),
    (
        "columns",
        {"key_column_index": 5},
        tf.errors.InvalidArgumentError,
        "line 0 .*expected 5 got 3",
    ),
    (
        "columns",
        {"key_column_index": 0, "value_column_index": 2},
        tf.errors.InvalidArgumentError,
        "Field y1 in line 0 is not a valid int64.",
    ),
    ("mixed", {"key_dtype": tf.int64}, tf.errors.InvalidArgumentError, "Field 2x in line 1"),
    ("marks", {"key_dtype": tf.int64}, tf.errors.InvalidArgumentError, "Field 1_0 in line 1"),
    ("gap", {"key_dtype": tf.int64}, tf.errors.InvalidArgumentError, "Field a in line 0"),
]


@pytest.mark.parametrize("name, options, error, text", REFUSED)
def test_files_that_are_refused(folder, name, options, error, text):
    table = lookup.index_table_from_file(str(folder / name), **options)
    with pytest.raises(error, match=text):
        run(table.initializer)


def test_back_to_words(folder):
    table = lookup.index_to_string_table_from_file(str(folder / "words"), default_value="?")
    found = run(tf.tables_initializer(), table.lookup(tf.constant([2, 9], tf.int64)))[1]
    assert found.tolist() == [b"c", b"?"]


def test_a_file_is_an_asset(folder):
    lookup.index_table_from_file(str(folder / "words"))
    (path,) = tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS)
    assert (path.op.name, path.device) == ("string_to_index/hash_table/asset_path", "/device:CPU:*")


PAIRS = [
    (["a", "b"], [1, 2], ["b", "?"], -1, [2, -1]),
    ([1, 2], ["x", "y"], [[2], [5]], "none", [[b"y"], [b"none"]]),
    (np.array([1, 2]), [1.5, 2.5], np.array([2]), 0.0, [2.5]),
    (["a"], ["b"], ["a", "q"], "", [b"b", b""]),
    (["a"], [True], ["a", "b"], False, [True, False]),
]


@pytest.mark.parametrize("keys, values, asked, default, expected", PAIRS)
def test_each_dtype(keys, values, asked, default, expected):
    table = lookup.HashTable(lookup.KeyValueTensorInitializer(keys, values), default)
    found = table.lookup(tf.constant(asked))
    assert found.shape == np.shape(asked)
    assert run(table.init, found)[1].tolist() == expected


def test_one_name_is_one_table():
    pairs = lookup.KeyValueTensorInitializer
    first = lookup.HashTable(pairs(["a"], [1]), -1, shared_name="s")
    second = lookup.HashTable(pairs(["b"], [2]), -1, shared_name="s")
    asked = tf.constant(["a", "b"])
    # The table is full when the second would fill it.
    got = run(first.init, second.lookup(asked), second.init, second.lookup(asked))
    assert [got[1].tolist(), got[3].tolist()] == [[1, -1], [1, -1]]


def test_before_it_is_filled():
    table = lookup.HashTable(lookup.KeyValueTensorInitializer(["a"], [1]), -1)
    assert run(table.size()) == [0]
    with pytest.raises(tf.errors.AbortedError, match="HashTable is not initialized."):
        run(table.export())


def test_sessions_have_tables_of_their_own():
    table = lookup.MutableHashTable(tf.string, tf.int64, -1)
    insert = table.insert(["a"], tf.constant([1], tf.int64))
    assert run(insert, table.size())[1] == 1
    assert run(table.size()) == [0]


def test_a_mutable_table_of_rows():
    table = lookup.MutableHashTable(tf.int64, tf.float32, [0.0, -1.0])
    asked = table.lookup([[2, 9]])
    assert asked.shape == [1, 2, 2]
    insert = table.insert([1, 2], [[1.0, 2.0], [3.0, 4.0]])
    got = run(insert, asked, table.remove(tf.constant([2], tf.int64)), asked)
    assert got[1].tolist() == [[[3, 4], [0, -1]]]
    assert got[3].tolist() == [[[0, -1], [0, -1]]]


def test_a_mutable_table_is_saveable():
    table = lookup.MutableHashTable(tf.string, tf.int64, -1, name="kept")
    lookup.MutableHashTable(tf.string, tf.int64, -1, checkpoint=False)
    (saveable,) = tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)
    assert [part.name for part in saveable.specs] == ["kept-keys", "kept-values"]
    restore = saveable.restore([tf.constant(["z"]), tf.constant([5], tf.int64)], None)
    keys, values = run(table.insert(["a"], tf.constant([1], tf.int64)), restore, table.export())[2]
    assert (keys.tolist(), values.tolist()) == ([b"z"], [5])


def test_dtypes_are_checked_by_the_ops():
    table = lookup.HashTable(lookup.KeyValueTensorInitializer(["a"], [1]), -1)
    wrong = tf.raw_ops.LookupTableFindV2(
        table_handle=table.resource_handle, keys=["a"], default_value=np.int64(3)
    )
    text = "Signature mismatch, have: resource, string, int64->int64 expected: resource, string, "
    with pytest.raises(tf.errors.InvalidArgumentError, match=text + "int32->int32"):
        run(table.init, wrong)


def test_of_a_sparse_tensor():
    table = lookup.index_table_from_tensor(["a", "b"], num_oov_buckets=2)
    asked = tf.SparseTensor([[0, 1], [2, 0]], ["b", "k"], [3, 2])
    found = run(tf.tables_initializer(), table.lookup(asked))[1]
    assert found.indices.tolist() == [[0, 1], [2, 0]]
    assert found.values.tolist() == [1, 3]


def test_old_names():
    found = lookup.string_to_index(tf.constant(["b"]), ["a", "b"])
    words = lookup.index_to_string(tf.constant([1], tf.int64), ["a", "b"])
    got = run(tf.tables_initializer(), [found, words])[1]
    assert [value.tolist() for value in got] == [[1], [b"b"]]


def test_within_a_condition():
    """A table made in a branch is made and filled outside of it."""
    flag = tf.placeholder(tf.bool, [])

    def branch():
        table = lookup.index_table_from_tensor(tf.constant(["a", "b"]))
        return table.lookup(tf.constant(["b"]))

    found = tf.cond(flag, branch, lambda: tf.constant([5], tf.int64))
    assert all("cond" in op.name for op in tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS))
    with tf.Session() as session:
        assert session.run(found, {flag: False}).tolist() == [5]


def test_hasher_specs():
    with pytest.raises(ValueError, match="key must have size 2, got 1."):
        lookup.StrongHashSpec([1])
    with pytest.raises(TypeError, match="Must be unsigned integer values."):
        lookup.StrongHashSpec(["a", "b"])
    assert lookup.StrongHashSpec([1, 2]) == lookup.HasherSpec("stronghash", [1, 2])


@pytest.mark.parametrize("dtype", [tf.float32, tf.bool])
def test_keys_that_are_hashed_are_integers_or_strings(dtype):
    text = f"^Invalid key_dtype, expected integer or string, got {re.escape(str(dtype))}.$"
    with pytest.raises(TypeError, match=text):
        lookup.IdTableWithHashBuckets(None, 5, key_dtype=dtype)
    assert lookup.IdTableWithHashBuckets(None, 5, key_dtype=tf.int32).key_dtype == tf.int32
    assert lookup.IdTableWithHashBuckets(None, 5).key_dtype == tf.string
