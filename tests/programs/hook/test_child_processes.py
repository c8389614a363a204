"""A child process before it imports `tensorflow`: a finder, and the distribution of that name."""

import importlib.metadata
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tfmini._src.programs.hook import child_processes, import_finder, removed_names
from tfmini._src.programs.hook.extra_names import STRICT_VARIABLE


def test_finder_is_installed_first(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    before = list(sys.meta_path)
    child_processes.start()
    assert sys.meta_path[1:] == before
    assert type(sys.meta_path[0]) is child_processes.PendingFinder


@pytest.mark.parametrize("strict", ["0", "1"])
def test_finder_waits_for_tensorflow(monkeypatch, strict):
    """Removed library names are supplied unless the parent was strict."""
    monkeypatch.setenv(STRICT_VARIABLE, strict)
    installed = []
    monkeypatch.setattr(removed_names, "install", lambda: installed.append("removed names"))
    finder = SimpleNamespace(find_spec=lambda *args: args)
    monkeypatch.setattr(import_finder, "install", lambda: installed.append("hook") or finder)
    waiting = child_processes.PendingFinder()
    for name in ("numpy", "tensorflow_hub", "mytensorflow", "tensor", "keras.tensorflow"):
        assert waiting.find_spec(name) is None and waiting.find_spec(name, [], object()) is None
    assert not installed
    for name in ("tensorflow", "tensorflow_core.python", "tensorflow_estimator", "tensorflow.nn"):
        assert waiting.find_spec(name, ["p"], 3) == (name, ["p"], 3)
        assert installed == ["removed names", "hook"][int(strict) :]
        installed.clear()


def test_distribution_is_found():
    waiting = child_processes.PendingFinder()
    for context in (
        None,
        SimpleNamespace(name=None),
        SimpleNamespace(name="tensorflow"),
    ):
        (result,) = waiting.find_distributions(context)
        assert isinstance(result, importlib.metadata.Distribution)
        assert (result.version, result.metadata["Name"]) == ("1.15.5", "tensorflow")
        assert result.metadata["Summary"] == "Programs that import tensorflow run by tfmini here."
        assert result.metadata["Metadata-Version"] == "2.1"
        assert result.read_text("RECORD") is None and result.files is None
        assert result.requires is None and list(result.entry_points) == []
        directory = Path(child_processes.__file__).parent
        assert Path(result.locate_file("x.py")) == directory / "x.py"
    for name in ("numpy", "tensorflow-gpu", "tensorflow_core", ""):
        assert list(child_processes.distributions(SimpleNamespace(name=name))) == []


def test_module_roots_and_directories():
    import tfmini

    assert child_processes.TENSORFLOW_PACKAGES == (
        "tensorflow",
        "tensorflow_core",
        "tensorflow_estimator",
    )
    assert Path(child_processes.SITE_DIRECTORY, "sitecustomize.py").is_file()
    assert Path(child_processes._INSTALL_DIRECTORY) == Path(tfmini.__file__).resolve().parents[1]
