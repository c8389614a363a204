"""`tensorflow.python.lib.io.file_io`: functions that read, write and compare whole files."""

import binascii

import pytest

import tfmini as tf
from tfmini.compat.python.lib.io import file_io


def test_whole_files(tmp_path):
    path = str(tmp_path / "file")
    file_io.write_string_to_file(path, "text")
    file_io.atomic_write_string_to_file(path, "more")
    assert file_io.read_file_to_string(path) == "more"
    assert file_io.file_crc32(path) == hex(binascii.crc32(b"more"))
    file_io.write_string_to_file(path + "2", "less")
    assert file_io.filecmp(path, path) and not file_io.filecmp(path, path + "2")
    tf.gfile.Remove(path + "2")
    with pytest.raises(tf.errors.AlreadyExistsError, match="^file already exists$"):
        file_io.atomic_write_string_to_file(path, "again", overwrite=False)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    with pytest.raises(tf.errors.NotFoundError, match="file2; No such file or directory"):
        file_io.read_file_to_string(path + "2")
