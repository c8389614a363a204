"""`tf.gfile` and `tf.io.gfile`: many lines recorded from TensorFlow, and tfmini's own behavior."""

import json
import os
import subprocess
import warnings

import pytest

import tfmini as tf
from tests.formats import file_cases
from tests.support import cases, recorded
from tfmini._src.base.names import deprecation
from tfmini._src.formats import gfile_functions

RECORD = file_cases.read()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file_cases.make_files()
    return tmp_path


@cases.in_one_test
@pytest.mark.parametrize("case", file_cases.CASES)
def test_calls_match_tensorflow(case):
    recorded.same(file_cases.run(tf, case), RECORD[case], case)


@pytest.mark.reference
def test_record_is_current(reference, tmp_path):
    path = tmp_path / "record.json"
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [reference, "-W", "ignore", file_cases.__file__, str(path)]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    assert json.loads(path.read_text()) == RECORD


def test_frozen_graph_is_loaded(folder):
    with tf.Graph().as_default() as graph:
        tf.constant(7.0, name="seven")
    with tf.gfile.GFile("frozen.pb", "wb") as file:
        file.write(graph.as_graph_def().SerializeToString())
    graph_def = tf.GraphDef()
    with tf.gfile.FastGFile("frozen.pb", "rb") as file:
        graph_def.ParseFromString(file.read())
    with tf.Graph().as_default(), tf.Session() as session:
        (seven,) = tf.import_graph_def(graph_def, return_elements=["seven:0"])
        assert session.run(seven) == 7.0


def test_path_objects_are_accepted(folder):
    new = folder / "n" / "e"
    tf.io.gfile.makedirs(new)
    tf.gfile.Copy(folder / "a.txt", new / "c.txt")
    tf.gfile.Rename(new / "c.txt", new / "w.txt")
    assert tf.gfile.GFile(new / "w.txt").readline() == "one\n"
    assert tf.io.gfile.glob(new / "*") == [str(new / "w.txt")]
    assert list(tf.gfile.Walk(folder / "n")) == [
        (str(folder / "n"), ["e"], []),
        (str(new), [], ["w.txt"]),
    ]
    tf.gfile.Remove(new / "w.txt")
    tf.gfile.DeleteRecursively(folder / "n")
    assert not tf.gfile.Exists(folder / "n") and tf.gfile.IsDirectory(folder)


def test_deprecated_calls_warn(folder, caplog, monkeypatch):
    monkeypatch.setattr(deprecation, "_warned", set())
    tf.gfile.FastGFile("a.txt").seek(position=1)
    first, second = (record.getMessage() for record in caplog.records)
    assert first.endswith(
        ": tf.gfile.FastGFile is deprecated and will be removed in a future version.\n"
        "Instructions for updating:\nUse tf.gfile.GFile."
    )
    assert second.endswith(
        ": calling tf.gfile.GFile.seek with position is deprecated and will be removed in a future version.\n"
        "Instructions for updating:\nposition is deprecated in favor of the offset argument."
    )


def test_unclosed_file_flushes_silently(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tf.gfile.GFile("a.txt").read(3) == "one"
        tf.gfile.GFile("new", "w").write("text")
    assert (folder / "new").read_text() == "text"


@pytest.mark.parametrize("name", ["b.txt", "new"])
def test_failed_copy_keeps_target(folder, monkeypatch, name):
    def full(file):
        yield b"on"
        raise OSError(28, "No space left on device")

    before = {path.name for path in folder.iterdir()}
    monkeypatch.setattr(gfile_functions, "_blocks", full)
    with pytest.raises(tf.errors.ResourceExhaustedError, match=f"{name}; No space left on device"):
        tf.gfile.Copy("a.txt", name, overwrite=True)
    assert {path.name for path in folder.iterdir()} == before
    assert (folder / "b.txt").read_bytes() == b"no end"


def test_copy_onto_itself_keeps_file(folder):
    tf.gfile.Copy("d/x", "to_x", overwrite=True)
    assert (folder / "d" / "x").read_bytes() == b"x"


def test_directory_copy_is_refused(folder):
    with pytest.raises(tf.errors.InvalidArgumentError, match="^new; Invalid argument$"):
        tf.gfile.Copy("d", "new")
    assert not (folder / "new").exists()


def test_device_is_written_in_place(folder):
    with pytest.raises(tf.errors.ResourceExhaustedError, match="/dev/full; No space left"):
        tf.gfile.Copy("a.txt", "/dev/full", overwrite=True)
    assert not os.path.isfile("/dev/full")


def test_recursive_delete_does_not_follow_links(folder):
    os.symlink(folder / "full", folder / "d" / "s" / "link")
    tf.gfile.DeleteRecursively("d")
    assert not (folder / "d").exists()
    tf.gfile.DeleteRecursively(folder / "full")
    os.symlink(folder / "e2", folder / "second")
    (folder / "e2" / "kept").touch()
    tf.gfile.DeleteRecursively("second")
    assert (folder / "e2" / "kept").exists() and not os.path.lexists("second")


def test_recursive_delete_removes_the_removable(folder, monkeypatch):
    unlink = os.unlink

    def refuse(path, **options):
        if str(path).endswith("y"):
            raise PermissionError(13, "Permission denied", path)
        unlink(path, **options)

    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(tf.errors.PermissionDeniedError, match="d/s/y; Permission denied"):
        tf.io.gfile.rmtree("d")
    assert list(tf.gfile.Walk("d")) == [("d", ["s"], []), ("d/s", [], ["y"])]


def test_walk_reports_missing_directory(folder):
    messages = []
    assert list(tf.io.gfile.walk("missing", onerror=messages.append)) == []
    assert [error.message for error in messages] == ["Could not find directory missing"]
