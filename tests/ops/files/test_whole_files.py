"""tf.read_file, tf.write_file and tf.matching_files."""

import os

import pytest

import tfmini as tf
from tests.support.sessions import run


def test_read_and_write(tmp_path):
    path = str(tmp_path / "deeper" / "file")
    run(tf.write_file(path, b"\0\xff"))
    assert run(tf.read_file(path)) == b"\0\xff"
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        run(tf.read_file(str(tmp_path)))
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        run(tf.write_file(str(tmp_path), "x"))


def test_matching_files(tmp_path, monkeypatch):
    for name in ("a.txt", "b.txt", "c.bin", os.path.join("sub", "d.txt")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")

    def matching(*patterns):
        result = run(tf.matching_files([str(tmp_path / pattern) for pattern in patterns]))
        return [os.path.relpath(name.decode(), tmp_path) for name in result]

    assert matching("*.txt") == ["a.txt", "b.txt"]
    assert matching("*.txt", "c.bin", "?.txt") == ["a.txt", "a.txt", "b.txt", "b.txt", "c.bin"]
    assert matching("*/d.txt") == ["sub/d.txt"]
    assert matching("[ab].*") == ["a.txt", "b.txt"]
    assert matching("{a,b}.txt") == []
    assert matching("no") == []
    assert run(tf.matching_files(f"{tmp_path}/sub/")).size == 0
    monkeypatch.chdir(tmp_path)
    result = run(tf.matching_files(["*.bin", "a.txt", "s*/d.txt", "./b.txt"]))
    assert result.tolist() == [b"./a.txt", b"./b.txt", b"./c.bin", b"./sub/d.txt"]
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        matching("no/*")
