"""Unreadable files and folders: the operating system's error as TensorFlow's."""

import builtins
import os

import pytest

import tfmini as tf
from tfmini._src.programs.cli import file_type


def refuses(path, *arguments, **options):
    raise PermissionError(13, "Permission denied", str(path))


def test_unreadable_directory(tmp_path, monkeypatch):
    monkeypatch.setattr(file_type.os, "listdir", refuses)
    with pytest.raises(tf.errors.PermissionDeniedError, match="Permission denied") as caught:
        file_type.detect_contents(str(tmp_path))
    assert str(tmp_path) in caught.value.message


@pytest.mark.parametrize("name", ["graph.pb", "checkpoint"])
def test_unreadable_file(tmp_path, monkeypatch, name):
    """By its own name, or as the file that names a folder's latest checkpoint."""
    path = tmp_path / name
    path.write_text("")
    monkeypatch.setattr(file_type, "open", refuses, raising=False)
    asked = path if name == "graph.pb" else tmp_path
    with pytest.raises(tf.errors.PermissionDeniedError, match="Permission denied") as caught:
        file_type.detect_contents(str(asked))
    assert str(path) in caught.value.message and open is builtins.open


def test_fifo_is_rejected_without_blocking(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        file_type.detect_contents(str(tmp_path / "pipe"))
    assert caught.value.message == f"{tmp_path / 'pipe'} is neither a file nor a directory"


NO_FILE = "contains no SavedModel, checkpoint or event file, only"


@pytest.mark.parametrize(
    "names, shown",
    [
        ([], "is an empty directory"),
        (["e", "a", "c", "b", "d"], f"{NO_FILE} a, b, c, d, e"),
        (["f", "e", "a", "c", "b", "d"], f"{NO_FILE} a, b, c, d, e, ..."),
    ],
)
def test_directory_contents_appear_in_error(tmp_path, names, shown):
    for name in names:
        (tmp_path / name).write_text("")
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        file_type.detect_contents(str(tmp_path))
    assert caught.value.message == f"{tmp_path} {shown}"
