"""Parsed lines, tensors and records at their corners; files."""

import os
import time

import numpy as np
import pytest

import tfmini as tf


def run(fetches, feed=None):
    with tf.Session() as session:
        return session.run(fetches, feed)


def example(**lists):
    """A serialized Example of lists of ints, floats or bytes."""
    message = tf.train.Example()
    for key, values in lists.items():
        field = {int: "int64_list", float: "float_list", bytes: "bytes_list"}[type(values[0])]
        getattr(message.features.feature[key], field).value.extend(values)
    return message.SerializeToString()


LINES = {
    'a"b,c': "Unquoted fields cannot have quotes/CRLFs inside",
    "1,2\n": "Unquoted fields cannot have quotes/CRLFs inside",
    '"ab,c': "Quoted field has to end with quote followed by delim or end",
    '"ab"x,c': "Quote inside a string has to be escaped by another quote",
    "a,b,c": "Expect 2 fields but have 3 in record 0",
    "": "Expect 2 fields but have 0 in record 0",
}


def test_a_line_takes_time_as_it_is_long():
    several = b'"a""b",c,' * 100_000 + b'"d"'
    columns = tf.decode_csv([several], [[""]] * 3, select_cols=[0, 199_999, 200_000])
    quoted = tf.decode_csv([b'"' * 1_000_000], [[""]])
    line = tf.placeholder(tf.string, [1])
    numbers = tf.decode_csv(line, [[1]])
    with tf.Session() as session:
        start = time.thread_time()
        assert [column.tolist() for column in session.run(columns)] == [[b'a"b'], [b"c"], [b"d"]]
        assert session.run(quoted)[0][0] == b'"' * 499_999
        with pytest.raises(tf.errors.InvalidArgumentError, match="but have 1000001 in record 0"):
            session.run(numbers, {line: [b"," * 1_000_000]})
        assert time.thread_time() - start < 10  # 0.4 on a quiet machine, 18 where it is quadratic


@pytest.mark.parametrize("line", LINES)
def test_lines_that_are_refused(line):
    with pytest.raises(tf.errors.InvalidArgumentError, match=LINES[line]):
        run(tf.decode_csv([line], [[""], [""]]))


def test_quotes_and_empty_fields():
    first, second = run(tf.decode_csv(['"1\n",', '"",b', ' d , "'[:5]], [["x"], ["y"]]))
    assert first.tolist() == [b"1\n", b"x", b" d "]
    assert second.tolist() == [b"y", b"b", b" "]


def test_columns_keep_the_shape():
    lines = tf.constant([["1,2"], ["3,4"]])
    first, second = tf.decode_csv(lines, [[0], [0]])
    assert first.shape == [2, 1]
    assert run(second).tolist() == [[2], [4]]


@pytest.mark.parametrize(
    "value",
    [
        np.array([[1.5]], "f"),
        np.array(True),
        np.array([1, -1], "i2"),
        np.array(3, "f2"),
        np.zeros([2, 0]),
        np.array([1 + 2j]),
        np.array(["a", "b"], object),
    ],
    ids=lambda value: str(value.dtype),
)
def test_a_serialized_tensor_is_parsed_again(value):
    tensor = tf.constant(value)
    again = run(tf.parse_tensor(tf.serialize_tensor(tensor), tensor.dtype))
    np.testing.assert_array_equal(again, run(tensor))


def test_json_is_the_message():
    text = (
        '{"features": {"feature": {"b": {"floatList": {"value": [1.5, 2]}}, "a": {"bytesList": '
        '{"value": ["YWI="]}}, "c": {"int64_list": {"value": ["-5", 300]}}}}}'
    )
    message = tf.train.Example.FromString(run(tf.decode_json_example(text)))
    features = message.features.feature
    assert features["a"].bytes_list.value == [b"ab"]
    assert features["b"].float_list.value == [1.5, 2]
    assert features["c"].int64_list.value == [-5, 300]
    with pytest.raises(tf.errors.InvalidArgumentError, match="JSON: x: Cannot find field."):
        run(tf.decode_json_example('{"x": 1}'))


def test_records_of_different_keys_and_lengths():
    """Each value goes to its row, whatever the other records hold."""
    random = np.random.RandomState(0)
    rows = [random.randint(-(2**40), 2**40, random.randint(0, 6)) for _ in range(50)]
    records = [example(v=row.tolist(), x=[float(i)]) if row.size else example(x=[float(i)])
               for i, row in enumerate(rows)]  # fmt: skip
    parsed = run(
        tf.parse_example(
            records,
            {
                "v": tf.VarLenFeature(tf.int64),
                "x": tf.FixedLenFeature([], tf.float32),
            },
        )
    )
    np.testing.assert_array_equal(parsed["x"], np.arange(50, dtype="f"))
    np.testing.assert_array_equal(parsed["v"].values, np.concatenate(rows))
    counts = np.bincount(parsed["v"].indices[:, 0], minlength=50)
    assert counts.tolist() == [len(row) for row in rows]
    assert parsed["v"].dense_shape.tolist() == [50, max(map(len, rows))]


def test_names_are_in_messages():
    parsed = tf.parse_example(
        [example(x=[1])], {"y": tf.FixedLenFeature([], tf.int64)}, example_names=["the name"]
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="Name: the name, Feature: y"):
        run(parsed)


def test_features_are_tuples():
    feature = tf.FixedLenFeature([2], tf.int64)
    assert feature == (feature.shape, feature.dtype, None)
    assert tf.io.VarLenFeature is tf.VarLenFeature
    assert repr(tf.VarLenFeature(tf.int64)) == "VarLenFeature(dtype=tf.int64)"
    assert tf.SparseFeature("i", "v", tf.int64, 4).already_sorted is False


def test_conflicting_features():
    features = {"a": tf.VarLenFeature(tf.float32), "b": tf.SparseFeature("a", "v", tf.int64, 3)}
    with pytest.raises(ValueError, match="Conflicting type .* vs int64 for feature a."):
        tf.parse_example([b""], features)


def test_files(tmp_path):
    path = str(tmp_path / "deeper" / "file")
    run(tf.write_file(path, b"\0\xff"))
    assert run(tf.read_file(path)) == b"\0\xff"
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        run(tf.read_file(str(tmp_path)))
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        run(tf.write_file(str(tmp_path), "x"))


def test_patterns_match_within_a_name(tmp_path, monkeypatch):
    for name in ("a.txt", "b.txt", "c.bin", os.path.join("sub", "d.txt")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")

    def matching(*patterns):
        found = run(tf.matching_files([str(tmp_path / pattern) for pattern in patterns]))
        return [os.path.relpath(name.decode(), tmp_path) for name in found]

    assert matching("*.txt") == ["a.txt", "b.txt"]
    assert matching("*.txt", "c.bin", "?.txt") == ["a.txt", "a.txt", "b.txt", "b.txt", "c.bin"]
    assert matching("*/d.txt") == ["sub/d.txt"]
    assert matching("[ab].*") == ["a.txt", "b.txt"]
    assert matching("{a,b}.txt") == []
    assert matching("no") == []
    assert run(tf.matching_files(f"{tmp_path}/sub/")).size == 0
    monkeypatch.chdir(tmp_path)
    found = run(tf.matching_files(["*.bin", "a.txt", "s*/d.txt", "./b.txt"]))
    assert found.tolist() == [b"./a.txt", b"./b.txt", b"./c.bin", b"./sub/d.txt"]
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        matching("no/*")


def test_many_records_of_one_layout_are_read_as_each_alone():
    rows = [[float(n), 2.0, 3.0] * 3 for n in range(12)]
    records = [example(f=row, s=[b"ab"], i=[n, 2 * n, 7]) for n, row in enumerate(rows)]
    specs = {
        "f": tf.FixedLenFeature([3, 3], tf.float32),
        "i": tf.VarLenFeature(tf.int64),
        "s": tf.FixedLenFeature([], tf.string),
        "absent": tf.FixedLenFeature([], tf.int64, 5),
        "none": tf.VarLenFeature(tf.float32),
    }
    parsed = run(tf.parse_example(records, specs))
    assert parsed["f"].reshape(12, 9).tolist() == rows
    assert parsed["s"].tolist() == [b"ab"] * 12
    assert parsed["i"].values.tolist() == [x for n in range(12) for x in (n, 2 * n, 7)]
    assert parsed["i"].dense_shape.tolist() == [12, 3]
    assert parsed["absent"].tolist() == [5] * 12
    assert parsed["none"].dense_shape.tolist() == [12, 0]
    for key, spec, text in (
        ("f", tf.FixedLenFeature([9], tf.int64), "Key: f, Index: 0.  Data types don't match."),
        ("f", tf.FixedLenFeature([8], tf.float32), "Key: f, Index: 0.  Number of float values"),
        ("g", tf.FixedLenFeature([8], tf.float32), "Feature: g .data type: float. is required"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            run(tf.parse_example(records, {key: spec}))


@pytest.mark.parametrize("kind", ["sparse", "dense"])
def test_a_key_that_is_no_scalar(kind):
    """TensorFlow ends."""
    parts = {"sparse": [], "dense": [], kind: [["a", "b"]]}
    dense = len(parts["dense"])
    parsed = tf.raw_ops.ParseExample(
        serialized=[example(a=[1])],
        names=[],
        sparse_keys=parts["sparse"],
        dense_keys=parts["dense"],
        dense_defaults=[tf.zeros([0], tf.int64)] * dense,
        sparse_types=[tf.int64] * (1 - dense),
        dense_shapes=[[1]] * dense,
    )
    wanted = rf"Expected {kind}_keys\[0\] to be a scalar, got shape: \[2\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=wanted):
        run(parsed[-1] if dense else parsed.sparse_values[0])
