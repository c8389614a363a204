"""Version loading and unloading, poll by poll: states, and log messages."""

import asyncio
import os
from pathlib import Path

import pytest

import tfmini as tf
from tfmini._src.programs.serving import model_versions
from tfmini._src.programs.serving.model_versions import ModelVersions, Source


class Model:
    """A model that ends on request."""

    def __init__(self, folder, threads):
        self.folder, self.threads, self.ends = folder, threads, []
        if (text := Path(folder, "model").read_text()) != "good":
            raise tf.errors.DataLossError(None, None, text)

    def call_when_ended(self, function, *arguments):
        self.ends.append((function, arguments))

    def end(self):
        for function, arguments in self.ends:
            function(*arguments)


@pytest.fixture
def logged(monkeypatch):
    result = []
    for name in ("info", "warning", "error"):
        monkeypatch.setattr(
            model_versions.logs,
            name,
            lambda text, *args, name=name: result.append((name, text % args)),
        )
    monkeypatch.setattr(model_versions, "ServedModel", Model)
    return result


def write(directory, number, text="good"):
    (directory / str(number)).mkdir(exist_ok=True)
    (directory / str(number) / "model").write_text(text)


def look(model):
    """Polls for versions once; returns the functions that ran on a thread."""
    ran = []

    async def in_thread(function, *arguments):
        ran.append(function.__name__)
        return function(*arguments)

    asyncio.run(model.refresh(in_thread))
    return ran


def states(model):
    return {number: each.state for number, each in model.versions.items()}


def test_version_unloads_after_successor_loads(tmp_path, logged):
    model = ModelVersions(Source("m", str(tmp_path)), 3)
    assert look(model) == ["directories"] and states(model) == {} and model.available() == []
    write(tmp_path, 1)
    assert look(model) == ["directories", "_files", "_warm_model"] and states(model) == {
        1: "AVAILABLE"
    }
    first = model.model(None, "")[1]
    assert (first.folder, first.threads) == (str(tmp_path / "1"), 3)
    assert look(model) == ["directories"] and model.model(1, "")[1] is first
    write(tmp_path, 2, "bad")
    assert look(model) == ["directories", "_files", "_warm_model"]
    assert states(model) == {1: "AVAILABLE", 2: "END"} and model.available() == [1]
    bad = model.versions[2]
    assert (bad.code, bad.text, bad.model) == (tf.errors.DATA_LOSS, "bad", None)
    assert bad.files[0][:2] == (str(tmp_path / "2" / "model"), 3)
    assert look(model) == ["directories", "_files"]  # its files are the same
    write(tmp_path, 2)
    assert look(model) == ["directories", "_files", "_warm_model"]
    assert states(model) == {1: "UNLOADING", 2: "AVAILABLE"}
    assert (bad.code, bad.text) == (tf.errors.OK, "")
    assert model.model(None, "") == (2, bad.model) and model.available() == [2]
    first.end()
    assert states(model) == {1: "END", 2: "AVAILABLE"} and look(model) == ["directories"]
    assert logged == [
        ("info", "Model m: version 1 is available"),
        ("error", "Model m, version 2: bad"),
        ("info", "Model m: version 2 is available"),
        ("info", "Model m: version 1 unloaded"),
    ]


def test_older_version_serves_while_newest_fails(tmp_path, logged):
    """A newly started process serves the same as those that loaded it earlier."""
    for number, text in ((1, "good"), (2, "good"), (3, "bad"), (4, "bad")):
        write(tmp_path, number, text)
    model = ModelVersions(Source("m", str(tmp_path)), 3)
    look(model)
    assert states(model) == {4: "END", 3: "END", 2: "AVAILABLE"}
    look(model)
    assert model.available() == [2]
    write(tmp_path, 4, "good")
    look(model)
    assert model.available() == [4] and states(model)[2] == "UNLOADING"
    exact = ModelVersions(Source("m", str(tmp_path), versions=(3,)), 3)
    look(exact)
    assert states(exact) == {3: "END"}


def test_missing_directory_keeps_versions_and_empty_one_unloads(tmp_path, logged):
    directory = tmp_path / "models"
    directory.mkdir()
    for number in (3, 10):
        write(directory, number)
    model = ModelVersions(Source("m", str(directory), latest=0))
    look(model)
    assert states(model) == {3: "AVAILABLE", 10: "AVAILABLE"}
    directory.rename(tmp_path / "away")
    assert look(model) == ["directories"] and model.available() == [3, 10]
    kind, text = logged.pop()
    assert kind == "warning" and text.startswith("Model m: [Errno 2] ") and "models" in text
    (tmp_path / "away" / "3").rename(tmp_path / "3")
    (tmp_path / "away" / "10").rename(tmp_path / "10")
    (tmp_path / "away").rename(directory)
    retained = model.versions[10].model
    look(model)
    assert model.available() == [] and states(model) == {3: "UNLOADING", 10: "UNLOADING"}
    (tmp_path / "10").rename(directory / "10")
    assert look(model) == ["directories", "older"]  # it is not reloaded while in use
    retained.end()
    assert states(model)[10] == "END"
    look(model)
    assert model.available() == [10] and model.versions[10].model is not retained
    assert [text for _, text in logged[2:]] == [
        "Model m: version 3 unloaded",
        "Model m: version 10 unloaded",
        "Model m: version 10 is available",
    ]


def test_persistent_load_error_is_logged_once(tmp_path, logged):
    model = ModelVersions(Source("m", str(tmp_path)), 3)
    (tmp_path / "1").mkdir()
    os.mkfifo(tmp_path / "1" / "model")
    for _ in range(3):
        assert look(model) == ["directories", "_files", "older"] and states(model) == {1: "END"}
    assert len(logged) == 1 and "model is not a regular file" in logged[0][1]
    os.remove(tmp_path / "1" / "model")
    write(tmp_path, 1, "bad")
    look(model)
    assert [text for _, text in logged[1:]] == ["Model m, version 1: bad"]
