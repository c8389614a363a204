"""tf.Print, tf.print and tf.strings.format: output streams, order, errors."""

import re
import sys

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run


def test_print_passes_input_and_writes_stderr(capfd):
    x = tf.constant([1, 2, 3, 4])
    actual = run(tf.Print(x, [x, "a", tf.zeros([2, 3])], "message: "))
    np.testing.assert_array_equal(actual, [1, 2, 3, 4])
    assert capfd.readouterr() == ("", "message: [1 2 3...][a][[0 0 0]...]\n")


def test_print_first_n(capfd):
    x = tf.constant(1.0)
    printed = tf.Print(x, [x], first_n=2, summarize=1)
    with tf.Session() as session:
        for _ in range(3):
            session.run(printed)
    assert capfd.readouterr().err == "[1]\n[1]\n"


def test_print_gradient_passes_through():
    x = tf.constant(3.0)
    assert run(tf.gradients(tf.Print(x * x, [x], first_n=0), x)[0]) == 6


def test_print_v2(capfd):
    x = tf.constant([1.5, 2.0])
    run(tf.print("x", x, {"b": x, "a": [1, "word"]}, sep=" | ", end="!\n"))
    assert capfd.readouterr().err == "x | [1.5 2] | {'a': [1, 'word'], 'b': [1.5 2]}!\n"
    run(tf.print(x, output_stream=sys.stdout))
    assert capfd.readouterr() == ("[1.5 2]\n", "")


def test_braces_are_printed_literally(capfd):
    run(tf.print("{}", tf.constant(1), "{}9"))
    assert capfd.readouterr().err == "{} 1 {}9\n"


def test_single_string_is_not_quoted(capfd):
    run(tf.print(tf.constant("one\nword")))
    run(tf.print(tf.constant("word"), tf.constant(1)))
    assert capfd.readouterr().err == 'one\nword\n"word" 1\n'


def test_sparse_tensor(capfd):
    run(tf.print(tf.SparseTensor([[0, 0]], [1.0], [2, 2])))
    assert capfd.readouterr().err == ("'SparseTensor(indices=[[0 0]], values=[1], shape=[2 2])'\n")


def test_file_output_stream(tmp_path):
    path = tmp_path / "printed"
    op = tf.print(tf.constant([1, 2]), output_stream=f"file://{path}")
    run(op)
    run(op)
    assert path.read_text() == "[1 2]\n[1 2]\n"


@pytest.mark.parametrize(
    ("stream", "letter"),
    [(tf.logging.info, "I"), (tf.logging.WARN, "W"), (tf.logging.error, "E")],
)
def test_log_output_streams(capfd, monkeypatch, stream, letter):
    monkeypatch.delenv("TF_CPP_MIN_LOG_LEVEL", raising=False)
    run(tf.print(tf.constant([1, 2]), output_stream=stream))
    date = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}"
    assert re.fullmatch(rf"{date}: {letter} tfmini] \[1 2\]\n\n", capfd.readouterr().err)


def test_minimum_log_level(capfd, monkeypatch):
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "2")
    run(tf.print("warning", output_stream=tf.logging.warning))
    assert capfd.readouterr().err == ""
    run(tf.print("error", output_stream=tf.logging.error))
    assert capfd.readouterr().err.endswith(": E tfmini] error\n\n")


def test_bytes_are_printed_raw(capfdbinary, monkeypatch, tmp_path):
    raw = tf.constant(b"\xff\xc3\xa9")
    with open(2, "w", closefd=False) as stream:
        monkeypatch.setattr("sys.stderr", stream)
        run(tf.print(raw))
    assert capfdbinary.readouterr().err == b"\xff\xc3\xa9\n"
    run(tf.print(raw, output_stream=f"file://{tmp_path}/printed"))
    assert (tmp_path / "printed").read_bytes() == b"\xff\xc3\xa9\n"


def test_numpy_scalars_print_as_numbers(capfd):
    run(tf.print(np.float32(1.5), [np.int64(2), np.bool_(True)]))
    assert capfd.readouterr().err == "1.5 [2, True]\n"


def test_format():
    x = tf.constant(np.arange(10, dtype="i4"))
    assert run(tf.strings.format("{} of {}", [x, "é"])) == b'[0 1 2 ... 7 8 9] of "\\303\\251"'
    assert run(tf.strings.format("é{}", x, summarize=-1)) == "é[0 1 2 3 4 5 6 7 8 9]".encode()
    assert run(tf.strings.format("%%", x, placeholder="%%", summarize=1)) == b"[0 ... 9]"
