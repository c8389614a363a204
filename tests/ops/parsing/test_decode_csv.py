"""tf.decode_csv."""

import time

import pytest

import tfmini as tf
from tests.support.sessions import run

LINES = {
    ('"ab"x,c', ""): "Quote inside a string has to be escaped by another quote",
    ("2147483648,c", 0): "Field 0 in record 0 is not a valid int32: 2147483648",
    ("-2147483649,c", 0): "Field 0 in record 0 is not a valid int32: -2147483649",
}


def test_long_lines_take_linear_time():
    multiple = b'"a""b",c,' * 100_000 + b'"d"'
    columns = tf.decode_csv([multiple], [[""]] * 3, select_cols=[0, 199_999, 200_000])
    quoted = tf.decode_csv([b'"' * 1_000_000], [[""]])
    line = tf.placeholder(tf.string, [1])
    numbers = tf.decode_csv(line, [[1]])
    with tf.Session() as session:
        start = time.thread_time()
        assert [column.tolist() for column in session.run(columns)] == [[b'a"b'], [b"c"], [b"d"]]
        assert session.run(quoted)[0][0] == b'"' * 499_999
        with pytest.raises(tf.errors.InvalidArgumentError, match="but have 1000001 in record 0"):
            session.run(numbers, {line: [b"," * 1_000_000]})
        assert time.thread_time() - start < 10  # 0.4 on an idle machine, 18 if quadratic


@pytest.mark.parametrize("line, default", LINES)
def test_malformed_lines_are_refused(line, default):
    with pytest.raises(tf.errors.InvalidArgumentError, match=LINES[line, default]):
        run(tf.decode_csv([line], [[default], [""]]))


def test_quotes_and_empty_fields():
    first, second = run(tf.decode_csv(['"1\n",', '"",b', ' d , "'[:5]], [["x"], ["y"]]))
    assert first.tolist() == [b"1\n", b"x", b" d "]
    assert second.tolist() == [b"y", b"b", b" "]


def test_columns_keep_the_shape():
    lines = tf.constant([["1,2"], ["3,4"]])
    first, second = tf.decode_csv(lines, [[0], [0]])
    assert first.shape == [2, 1]
    assert run(second).tolist() == [[2], [4]]
