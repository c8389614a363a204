"""tf.contrib.lookup.index_table_from_file and _from_tensor."""

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
def directory(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text.encode())
    return tmp_path


def run(*steps):
    """Step results, in one session."""
    with tf.Session() as session:
        return [session.run(step) for step in steps]


REFUSED = [
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
def test_malformed_files_are_refused(directory, name, options, error, text):
    table = lookup.index_table_from_file(str(directory / name), **options)
    with pytest.raises(error, match=text):
        run(table.initializer)


def test_index_to_string_table_from_file(directory):
    table = lookup.index_to_string_table_from_file(str(directory / "words"), default_value="?")
    result = run(tf.tables_initializer(), table.lookup(tf.constant([2, 9], tf.int64)))[1]
    assert result.tolist() == [b"c", b"?"]


def test_table_in_cond_branch():
    """A table used in a branch is created and initialized outside of it."""
    flag = tf.placeholder(tf.bool, [])

    def branch():
        table = lookup.index_table_from_tensor(tf.constant(["a", "b"]))
        return table.lookup(tf.constant(["b"]))

    result = tf.cond(flag, branch, lambda: tf.constant([5], tf.int64))
    assert all("cond" in op.name for op in tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS))
    with tf.Session() as session:
        assert session.run(result, {flag: False}).tolist() == [5]
