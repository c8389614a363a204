"""A model server's errors name its models instead of their folders."""

import os

import pytest

import tfmini as tf
from tfmini._src.programs.serving.client_errors import ClientErrors


def test_directory_appears_as_model_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "real").mkdir()
    os.symlink(tmp_path / "real", tmp_path / "link")
    directories = {
        "one": "models/line",
        "two": f"{tmp_path}/models/line/2/",
        "three": f"{tmp_path}/link",
    }
    errors = ClientErrors(directories)
    for text, hidden in (
        ("no models/line/1/x", "no one/1/x"),
        (f"no {tmp_path}/models/line/1/x; {tmp_path}/models/line", "no one/1/x; one"),
        (f"{tmp_path}/models/line/2/x", "two/x"),
        (f"{tmp_path}/link/x, {tmp_path}/real/x", "three/x, three/x"),
        ("the line", "the line"),
    ):
        assert errors.hidden(text) == hidden
    error = tf.errors.NotFoundError(None, None, f"{tmp_path}/link/vocabulary; No such file")
    assert errors.error_status(error) == (tf.errors.NOT_FOUND, "three/vocabulary; No such file")


@pytest.mark.parametrize("directory", [".", "/", "line"])
def test_nondescript_directory_is_not_replaced(directory, monkeypatch):
    monkeypatch.chdir("/")
    assert ClientErrors({"m": directory}).hidden("a line. a/b") == "a line. a/b"
