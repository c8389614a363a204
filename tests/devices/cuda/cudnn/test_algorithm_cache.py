"""The cache file of measured convolution algorithms: its location and its use."""

import json
import types
from dataclasses import replace
from pathlib import Path

import pytest

from tfmini._src.devices.cuda.cudnn import algorithm_cache
from tfmini._src.devices.cuda.cudnn.algorithm_cache import AlgorithmFile
from tfmini._src.devices.cuda.cudnn.algorithms import Algorithm, Settings
from tfmini._src.devices.cuda.cudnn.convolution import Convolution
from tfmini._src.devices.numpy.windows.axes import Axis

PHYSICAL_GPU = types.SimpleNamespace(name="Some Card (80 GB)", compute_capability="9.0")
SETTINGS = Settings(measures=True, deterministic=False, tf32=False, max_workspace=1000)
AXIS = Axis(8, 3, 1, 1, 1, 1, 8)
CONVOLUTION = Convolution("Forward", "float32", 4, 3, 16, 1, (AXIS, AXIS), False)
FASTEST = Algorithm(enum_value=1, math=0, workspace=1000, milliseconds=0.25, channels_first=True)


@pytest.fixture
def cache_path(tmp_path, monkeypatch):
    monkeypatch.setattr(algorithm_cache, "cache_directory", lambda: tmp_path / "below")
    return tmp_path / "below"


def algorithm_file(physical=PHYSICAL_GPU, version=90102, settings=SETTINGS):
    return AlgorithmFile(physical, version, settings)


@pytest.mark.parametrize(
    "named, home, expected",
    [
        ("0", "/h", None),
        ("/some/where", "/h", "/some/where"),
        ("", "/cache", "/cache/tfmini"),
        ("", "", "HOME/.cache/tfmini"),
    ],
)
def test_cache_directory(named, home, expected, tmp_path, monkeypatch):
    monkeypatch.setenv("TFMINI_CUDNN_CACHE", named)
    monkeypatch.setenv("XDG_CACHE_HOME", home)
    monkeypatch.setenv("HOME", str(tmp_path))
    actual = algorithm_cache.cache_directory()
    assert actual == (expected and Path(expected.replace("HOME", str(tmp_path))))


def test_missing_home_disables_cache(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("TFMINI_CUDNN_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert algorithm_cache.cache_directory() is None
    cache = algorithm_file()
    cache.add(CONVOLUTION, FASTEST)
    assert cache.get(CONVOLUTION) == FASTEST and algorithm_file().get(CONVOLUTION) is None


def test_new_process_reads_cache(cache_path):
    first, beside = algorithm_file(), algorithm_file()
    assert first.get(CONVOLUTION) is None and not cache_path.exists()
    first.add(CONVOLUTION, FASTEST)
    other = replace(CONVOLUTION, direction="BackwardData")
    beside.add(other, replace(FASTEST, enum_value=5))
    result = algorithm_file()
    assert result.get(CONVOLUTION) == FASTEST and result.get(other).enum_value == 5
    assert beside.get(CONVOLUTION) == FASTEST  # entries stored concurrently
    (file,) = cache_path.iterdir()
    assert file.name.startswith("convolutions-Some_Card_80_GB_9_0-cudnn-9")
    assert file.name.endswith(".json") and len(json.loads(file.read_text())) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"direction": "BackwardFilter"},
        {"dtype": "float16"},
        {"batch": 5},
        {"depth": 4},
        {"filters": 17},
        {"groups": 3},
        {"axes": (AXIS,)},
        {"axes": (AXIS, replace(AXIS, size=9))},
        {"axes": (AXIS, replace(AXIS, kernel=4))},
        {"axes": (AXIS, replace(AXIS, stride=2))},
        {"axes": (AXIS, replace(AXIS, dilation=2))},
        {"axes": (AXIS, replace(AXIS, before=0))},
        {"channels_first": True},
    ],
    ids=str,
)
def test_cache_key_covers_convolution(cache_path, change):
    algorithm_file().add(CONVOLUTION, FASTEST)
    assert algorithm_file().get(replace(CONVOLUTION, **change)) is None


def test_cache_key_covers_device_version_and_settings(cache_path):
    algorithm_file().add(CONVOLUTION, FASTEST)
    older = types.SimpleNamespace(name=PHYSICAL_GPU.name, compute_capability="8.0")
    for other in (
        algorithm_file(physical=older),
        algorithm_file(version=90201),
        algorithm_file(settings=replace(SETTINGS, tf32=True)),
        algorithm_file(settings=replace(SETTINGS, max_workspace=2000)),
    ):
        assert other.get(CONVOLUTION) is None
    assert algorithm_file().get(CONVOLUTION) == FASTEST


@pytest.mark.parametrize(
    "change",
    [
        {"workspace": 1001},
        {"workspace": -1},
        {"number": -1},
        {"number": 1.0},
        {"number": True},
        {"math": "0"},
        {"milliseconds": 1},
        {"channels_first": 1},
        {"more": 3},
    ],
    ids=str,
)
def test_implausible_entries_are_ignored(cache_path, change):
    algorithm_file().add(CONVOLUTION, FASTEST)
    (file,) = cache_path.iterdir()
    ((key, value),) = json.loads(file.read_text()).items()
    file.write_text(json.dumps({key: {**value, **change}}))
    assert algorithm_file().get(CONVOLUTION) is None
    file.write_text(json.dumps({key: value}))
    assert algorithm_file().get(CONVOLUTION) == FASTEST


@pytest.mark.parametrize("text", ["", "{", "[1]", "\x00", '{"a": 1}'])
def test_corrupt_file_is_ignored(cache_path, text):
    algorithm_file().add(CONVOLUTION, FASTEST)
    (file,) = cache_path.iterdir()
    file.write_text(text)
    cache = algorithm_file()
    assert cache.get(CONVOLUTION) is None
    cache.add(CONVOLUTION, FASTEST)
    assert algorithm_file().get(CONVOLUTION) == FASTEST


def test_invalid_entry_is_ignored(cache_path):
    algorithm_file().add(CONVOLUTION, FASTEST)
    (file,) = cache_path.iterdir()
    (key,) = json.loads(file.read_text())
    for value in (None, 3, [], "text", {}):
        file.write_text(json.dumps({key: value}))
        assert algorithm_file().get(CONVOLUTION) is None


def test_unwritable_directory_is_ignored(cache_path):
    cache_path.parent.joinpath("below").write_text("a file in its place")
    cache = algorithm_file()
    cache.add(CONVOLUTION, FASTEST)
    assert cache.get(CONVOLUTION) == FASTEST and algorithm_file().get(CONVOLUTION) is None
